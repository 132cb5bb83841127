//===- InstructionTable.h - which instruction is it? ------------*- C++ -*-===//

#ifndef CONVERSION_PTX_INSTRUCTIONTABLE_H
#define CONVERSION_PTX_INSTRUCTIONTABLE_H

#include "conversion/PTX/Module.h"

#include "llvm/IR/Value.h"

namespace gpuopt::ptx {

class Operation;

/// The value that an operation writes to its destination; null after a problem.
using ValueBuilder = llvm::Value *(*)(Operation &);
/// What an operation does besides, its destinations included; false after a
/// problem.
using EffectBuilder = bool (*)(Operation &);

/// A row of Instructions.def.
struct Rule {
  llvm::StringRef name;
  llvm::StringRef modifiers;
  llvm::StringRef types;
  llvm::StringRef operands;
  ValueBuilder value = nullptr;
  EffectBuilder effect = nullptr;
};

/// An instruction and its rule.
struct Match {
  const Rule *rule = nullptr;
  llvm::SmallVector<llvm::StringRef, 4> modifiers;
  llvm::SmallVector<RegisterType, 4> types;

  bool has(llvm::StringRef modifier) const;
  /// 2 for `.v2`; 1 where no vector is named.
  unsigned vectorLength() const;
  /// The modifier that starts with `prefix`; empty where there is none.
  llvm::StringRef startingWith(llvm::StringRef prefix) const;
};

/// The rule for `instruction`; nothing where none fits.
std::optional<Match> findRule(const SourceInstruction &instruction);

/// Whether any rule is for instructions called `name`.
bool isKnownName(llvm::StringRef name);

/// What a letter of `Rule::operands` says of an operand.
struct OperandRule {
  bool isDestination = false;
  bool isOptional = false;
  /// Nothing for one that the builder reads by itself.
  std::optional<RegisterType> type;
};

/// The rules for the operands of `match`, in order.
llvm::SmallVector<OperandRule, 5> operandRules(const Match &match);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_INSTRUCTIONTABLE_H
