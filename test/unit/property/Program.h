//===- Program.h - random kernels of index arithmetic -----------*- C++ -*-===//
//
// A kernel as a list of instructions, each of which may use the values of all
// before it: what property tests generate, and what they make smaller when a
// claim about one is wrong. `if` and `for` hold all instructions behind them,
// so a kernel is one path into nested guards and loops, with a store at its
// innermost point.
//
//   0  argument i32                  %n
//   1  global_id x
//   2  index_cast 1 to i32
//   3  cmpi slt 2, 0
//   4  if 3                          what follows is in the `then` region
//   5  addi i32 nsw 2, 0
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_PROPERTY_PROGRAM_H
#define TEST_UNIT_PROPERTY_PROGRAM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gpuopt::property {

enum class Opcode : uint8_t {
  // Leaves. `data[0]`: the constant; of ids the dimension.
  Argument,
  Constant,
  ThreadId,
  BlockId,
  GlobalId,
  BlockDim,
  GridDim,
  LaneId,
  // Two operands of `width`. `data[0]`: 1 for nsw, 2 for nuw, where they apply.
  AddI,
  SubI,
  MulI,
  ShLI,
  DivSI,
  DivUI,
  FloorDivSI,
  CeilDivSI,
  CeilDivUI,
  RemSI,
  RemUI,
  ShRSI,
  ShRUI,
  AndI,
  OrI,
  XOrI,
  MinSI,
  MaxSI,
  MinUI,
  MaxUI,
  CmpI,   ///< `data[0]`: the predicate
  Select, ///< condition, two values
  Choice, ///< the same as the result of an `scf.if`
  // One operand, to `width`.
  ExtSI,
  ExtUI,
  TruncI,
  IndexCast,
  IndexCastUI,
  // Two indices x and y.
  Apply, ///< ((data[0]*x + data[1]*y + data[2]) data[3] data[4]) * data[5]
  Min,   ///< of that and x + data[1]
  Max,
  // What holds all that follows.
  If,        ///< a condition; `data[0]`: in the `else` region
  AffineIf,  ///< x, y: data[0]*x + data[1]*y + data[2] >= 0, data[4]: == 0;
             ///< data[3]: in the `else` region
  For,       ///< lower, upper; data[0]: the step, data[1]: unsigned
  AffineFor, ///< x, y: from x + data[1], at least 0 where data[3] is set, up
             ///< to y + data[2]; data[0]: the step
  Carry      ///< right behind a loop: a value carried around it, from its
             ///< operand; `data[0]`: the instruction that yields the next
};

/// Number of bits that stands for `index`.
inline constexpr unsigned kIndex = 0;

struct Instruction {
  Opcode op = Opcode::Constant;
  /// Bits of the result; `kIndex` for index.
  unsigned width = 1;
  llvm::SmallVector<unsigned, 3> operands = {};
  std::array<int64_t, 6> data = {};

  bool hasResult() const { return op != Opcode::If && op != Opcode::AffineIf; }
  bool isLoop() const { return op == Opcode::For || op == Opcode::AffineFor; }
};

struct Program {
  std::vector<Instruction> code;
  /// From which launches and work items are drawn.
  uint64_t seed = 0;

  /// Programs that are simpler in one respect, the simplest first.
  std::vector<Program> simplified() const;
};

/// What a test wants of its programs.
struct ProgramShape {
  /// Only `gpu.global_id`, as before a transform fixes the geometry.
  bool onlyGlobalIds = false;
  /// Only indices, no integers but conditions.
  bool onlyIndices = false;
  bool loops = true;
  /// A guard around the store that compares what depends on a global id.
  bool guardedIds = false;
  /// Roughly the number of instructions.
  unsigned length = 20;
};

/// Draws a program; `next` gives random numbers.
Program generate(llvm::function_ref<uint64_t()> next,
                 const ProgramShape &shape);

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_PROGRAM_H
