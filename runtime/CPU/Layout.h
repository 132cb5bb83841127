//===- Layout.h - what compiled kernels and the host share ------*- C++ -*-===//
//
// The records that host code fills and compiled kernels read, and back. The
// compiled code addresses the fields by `offsetof`, so plain structs only.
//
//   ThreadContext ──block──▶ BlockContext ──launch──▶ LaunchContext
//
// A thread that reaches a barrier or a subgroup operation writes what it waits
// for into its context and suspends; the scheduler (BlockRun) writes the result
// and resumes it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_LAYOUT_H
#define RUNTIME_CPU_LAYOUT_H

#include <cstddef>
#include <cstdint>

namespace gpuopt::runtime {

class BlockRun;
class LaunchRun;

/// As compiled kernels ask for it (`gpuopt.space`).
enum class MemorySpace : uint32_t { Global, Workgroup, Local };

/// Where a thread stands.
enum class Wait : uint32_t {
  Runnable,
  Done,
  /// All threads of the block. `operand` holds the barrier's number in the low
  /// half and the number of threads it waits for (0 for all) in the high half.
  /// `value` is a predicate; the result is the number of threads that had it.
  Barrier,
  /// All threads of the grid.
  GridBarrier,
  /// A barrier in memory, at `value`, whose phase is no longer the one in the
  /// lowest bit of `operand`; the result is whether it is so, and false when
  /// nothing else moves. At no address the thread only lets all others go
  /// first, since it looks at what they do, at `mask` (PhaseWait).
  Phase,
  /// The lanes in `mask`, as all below.
  SubgroupBarrier,
  /// Result: `value` of lane `operand`; own value where that lane is absent.
  Exchange,
  /// As Exchange, but zero where that lane is absent.
  ExchangeOrZero,
  /// Result: mask of the lanes whose `value` is not zero.
  Ballot,
  /// Result: mask of the lanes with the same `value`.
  MatchAny,
  /// Result: fold of all lanes' `value` by the ReduceKind in `operand`.
  Reduce,
  /// Result: `value` of the first lane present.
  ReadFirst,
  /// Multiplies matrices: `value` is the address of the lane's record,
  /// `operand` the unit (MatrixProducts.h).
  Multiply,
};

enum class ReduceKind : uint32_t { Add, UMin, UMax, SMin, SMax, And, Or, Xor };

/// A mask that names no lanes: those that are there take part.
constexpr uint64_t everyLane = ~uint64_t(0);

/// Bytes that a launch may touch through one parameter.
struct BufferBounds {
  uint8_t *begin;
  uint64_t bytes;
};

struct LaunchContext {
  /// Arguments at the offsets of KernelFacts::parameters.
  uint8_t *arguments;
  /// One per parameter; empty for scalars.
  BufferBounds *bounds;
  /// Set when the time is up: every loop leaves the kernel.
  uint32_t stop;
  /// Steps that a thread may take before it first asks for more: a step is one
  /// pass through the head of a loop.
  uint32_t firstSteps;
  /// What AMD kernels read sizes from.
  uint8_t *implicitArguments;
  uint8_t *dispatchPacket;
  LaunchRun *run;
};

struct BlockContext {
  uint32_t blockId[3];
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  /// Threads that look at what others do let them go first (Wait::Phase).
  uint32_t letsOthersGo;
  /// Static workgroup memory, then dynamic.
  uint8_t *workgroup;
  uint64_t dynamicBytes;
  LaunchContext *launch;
  BlockRun *run;
  /// Floating-point operations of 16, 32 and 64 bits, where they are counted.
  uint64_t operations[3];
};

struct ThreadContext {
  uint32_t threadId[3];
  uint32_t lane;
  BlockContext *block;
  Wait wait;
  /// Index into KernelFacts::sites of what the thread waits at, or of the
  /// return that it left through.
  uint32_t site;
  uint64_t mask;
  uint64_t value;
  uint64_t operand;
  uint64_t result;
  /// Lanes that took part in the last subgroup operation.
  uint64_t participants;
  /// Steps until it asks for more, of kernels that look at what others do: they
  /// are no part of what it goes on with.
  uint32_t stepsLeft;
  // Host side only.
  /// The suspended coroutine.
  void *handle;
  uint32_t linearId;
  /// Number of synchronisations of the subgroup that this thread took part in.
  uint32_t subgroupEpoch;
  /// Steps that the thread has been given.
  uint64_t steps;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_LAYOUT_H
