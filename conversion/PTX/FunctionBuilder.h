//===- FunctionBuilder.h - a function of PTX as LLVM IR ---------*- C++ -*-===//
//
// Registers are stack slots, which LLVM promotes: PTX has no SSA form. Blocks
// begin at labels. Addresses are integers, as PTX has them; see
// RecoverPointers.h for what becomes of them.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_FUNCTIONBUILDER_H
#define CONVERSION_PTX_FUNCTIONBUILDER_H

#include "conversion/PTX/InstructionTable.h"
#include "conversion/PTX/ModuleBuilder.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/NoFolder.h"

namespace gpuopt::ptx {

/// It folds nothing: constant addresses stay in sight.
using Builder = llvm::IRBuilder<llvm::NoFolder>;

class FunctionBuilder {
public:
  FunctionBuilder(ModuleBuilder &module, const SourceFunction &source,
                  llvm::Function &target)
      : module(module), source(source), target(target),
        ir(target.getContext()) {}

  /// False after a problem.
  bool build();

  // For builders of instructions.
  llvm::Value *read(const Operand &operand, RegisterType type);
  bool write(const Operand &operand, llvm::Value *value, RegisterType type);
  /// The place that `[a+4]` names.
  /// A generic pointer. A register of 32 bits holds an address in
  /// `narrowSpace`, whatever has been computed with it.
  llvm::Value *readAddress(const Operand &operand,
                           unsigned narrowSpace = kSharedSpace);
  static constexpr unsigned kSharedSpace = 3, kConstantSpace = 4,
                            kLocalSpace = 5;
  /// The variable that `operand` names; null where it names none.
  llvm::Value *findVariable(const Operand &operand);
  /// The bits of the register that `operand` names; 0 where it names none.
  unsigned registerBits(const Operand &operand);
  /// Registers that a `wgmma.mma_async` of the function reads or writes.
  llvm::ArrayRef<Operand> warpgroupRegisters();
  bool isDeclared(const Operand &operand) { return findRegister(operand.name); }
  /// Whether it holds a floating-point number, as far as that is known.
  bool holdsFloat(const Operand &operand);
  /// A block of a label of this scope; null after a problem.
  llvm::BasicBlock *findLabel(const Operand &operand);
  const Label *findTargets(llvm::StringRef name) const;
  /// Ends the block; what follows starts another.
  void endBlock();
  bool returnFrom();
  llvm::Value *carry();
  /// A function of DeviceFunctions.def.
  llvm::CallInst *callDevice(llvm::StringRef name, llvm::Type *result,
                             llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Type *typeOf(RegisterType type);
  llvm::Value *asBits(llvm::Value *value);
  llvm::Value *callIntrinsic(llvm::StringRef name,
                             llvm::ArrayRef<llvm::Value *> arguments,
                             llvm::ArrayRef<llvm::Type *> overloads = {});

  ModuleBuilder &module;
  const SourceFunction &source;
  llvm::Function &target;
  Problems problems;
  Builder ir;

private:
  /// A register, or a range of them that is declared at once.
  struct Register {
    RegisterType type;
    llvm::AllocaInst *slot = nullptr;
  };
  struct Range {
    RegisterType type;
    unsigned count = 0;
  };
  /// Names between two braces.
  struct Scope {
    llvm::StringMap<Register> registers;
    llvm::StringMap<Range> ranges;
    llvm::StringMap<llvm::Value *> variables;
    llvm::StringMap<llvm::BasicBlock *> labels;
  };

  bool matchInstructions();
  void noteFloats(const SourceInstruction &instruction, const Match &match);
  bool declareLabels();
  bool declareParameters();
  void returnRegisters();
  bool declare(const Variable &variable);
  bool build(const Statement &statement);
  bool build(const SourceInstruction &instruction, const Match &match);
  bool buildGuarded(const SourceInstruction &instruction, const Match &match);
  bool buildOperation(const SourceInstruction &instruction, const Match &match);
  bool readOperands(Operation &operation,
                    llvm::SmallVectorImpl<unsigned> &destinations);
  void setLocation(Position at);
  void begin(llvm::BasicBlock *block);
  void enter(bool begins);
  Register *findRegister(llvm::StringRef name);
  Register *declareRegister(Scope &scope, llvm::StringRef name,
                            RegisterType type);
  llvm::Value *readSpecial(const Operand &operand, RegisterType type);
  llvm::Value *subgroupNumber(bool isCount);
  llvm::Value *readRegister(const Operand &operand, Register &found,
                            RegisterType type);
  llvm::Value *constant(const Operand &operand, RegisterType type);
  llvm::Value *fromBits(llvm::Value *bits, RegisterType type);
  llvm::AllocaInst *createVariable(const Variable &variable,
                                   uint64_t alignment);
  llvm::AllocaInst *createLocal(llvm::Type *type, const llvm::Twine &name,
                                uint64_t alignment = 0);

  std::vector<Match> matches;
  /// How often registers of bits are used as numbers, and how often as
  /// integers: which type suits them.
  llvm::StringMap<int> floatUses;
  /// Once they are asked for.
  std::optional<std::vector<Operand>> ofWarpgroups;
  /// One for each pair of braces in the order of the text, and the way to the
  /// one that the builder is in.
  std::vector<std::unique_ptr<Scope>> scopes;
  std::vector<Scope *> openScopes;
  size_t nextScope = 0;
  llvm::StringMap<const Label *> targets;
  llvm::AllocaInst *carryFlag = nullptr;
  /// Of registers, which are not set at first.
  std::vector<std::pair<llvm::AllocaInst *, llvm::StringRef>> slots;
  std::optional<Location> location;
  size_t nextMatch = 0;
};

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_FUNCTIONBUILDER_H
