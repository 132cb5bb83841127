//===- Operation.h - one instruction being translated -----------*- C++ -*-===//
//
// What the functions of Builders.h are given: the operands as values of their
// types, the modifiers, and the function that it all goes into.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_OPERATION_H
#define CONVERSION_PTX_OPERATION_H

#include "conversion/PTX/FunctionBuilder.h"
#include "conversion/PTX/InstructionTable.h"

namespace gpuopt::ptx {

/// No value, or false, behind a problem.
struct Failure {
  operator llvm::Value *() const { return nullptr; }
  operator bool() const { return false; }
};

class Operation {
public:
  Operation(FunctionBuilder &function, const SourceInstruction &instruction,
            const Match &match)
      : function(function), ir(function.ir), instruction(instruction),
        match(match) {}

  FunctionBuilder &function;
  Builder &ir;
  const SourceInstruction &instruction;
  const Match &match;
  /// The sources that have a type in the rule, in order.
  llvm::SmallVector<llvm::Value *, 4> in;

  llvm::Value *operator[](unsigned index) const { return in[index]; }
  RegisterType type(unsigned index = 0) const { return match.types[index]; }
  bool isSigned(unsigned index = 0) const { return type(index).isSigned(); }
  bool has(llvm::StringRef modifier) const { return match.has(modifier); }
  const Operand &operand(unsigned index) const {
    return instruction.operands[index];
  }
  unsigned operandCount() const { return instruction.operands.size(); }

  llvm::Value *read(unsigned index, RegisterType as) {
    return function.read(operand(index), as);
  }
  bool write(unsigned index, llvm::Value *value, RegisterType as) {
    return function.write(operand(index), value, as);
  }
  /// Says that this instruction is not supported, and why.
  Failure fail(const llvm::Twine &reason) {
    function.problems.addUnsupported(instruction.at,
                                     "'" + instruction.opcode + "': " + reason);
    return {};
  }
  /// `llvm.nvvm.` + `name`, with the types that it is overloaded for.
  llvm::Value *callNVVM(llvm::StringRef name,
                        llvm::ArrayRef<llvm::Value *> arguments,
                        llvm::ArrayRef<llvm::Type *> overloads = {}) {
    return function.callIntrinsic(("llvm.nvvm." + name).str(), arguments,
                                  overloads);
  }
};

inline constexpr RegisterType kPredicate = {RegisterType::Kind::Predicate, 1};
inline constexpr RegisterType kU32 = {RegisterType::Kind::Unsigned, 32};
inline constexpr RegisterType kU64 = {RegisterType::Kind::Unsigned, 64};
inline constexpr RegisterType kB8 = {RegisterType::Kind::Bits, 8};
inline constexpr RegisterType kB16 = {RegisterType::Kind::Bits, 16};
inline constexpr RegisterType kB32 = {RegisterType::Kind::Bits, 32};
inline constexpr RegisterType kB64 = {RegisterType::Kind::Bits, 64};
inline constexpr RegisterType kF32 = {RegisterType::Kind::Float, 32};

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_OPERATION_H
