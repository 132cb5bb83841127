//===- UnsetBits.h - where bits that nothing has set go ---------*- C++ -*-===//
//
// Beside each value that may hold bits of a register that nothing has set, or
// of local memory that nothing has stored to (see
// conversion/PTX/UnsetRegisters.h), there is another that tells which: its
// shadow, with as many bits. Shadows go where the values go: through
// arithmetic, local memory, which has a copy for them, shuffles and votes, each
// of which is done once more with the shadows, and products of matrices
// (UnsetMatrices.h).
//
// It is a fault where an address or a branch depends on such a bit, or where
// one is stored to memory that others see. What is only moved about, or masked
// away, is none. Of local memory all bits of what is stored must be unset: some
// are where structures have padding.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_UNSETBITS_H
#define RUNTIME_CPU_UNSETBITS_H

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuopt::runtime {

class UnsetBits {
public:
  UnsetBits(KernelBuilder &kernel, llvm::ArrayRef<llvm::CallInst *> sources);

  void reportUses();

private:
  using Names = llvm::SmallSetVector<llvm::StringRef, 2>;

  bool hasUnset(const llvm::Value *value) const {
    return names.contains(value);
  }

  // What is reached.
  void findLocals();
  void findReached();
  void give(const Names &found, Names &known, const llvm::Value *to);
  void spreadFromValue(const llvm::Value &from);
  void spreadFromMemory(const llvm::AllocaInst &from);
  void hold(const Names &found, llvm::Value *at);
  void fill(const Names &found, const llvm::MemSetInst &by);
  const llvm::AllocaInst *recordOf(const llvm::CallInst &wait) const;

  // Shadows.
  llvm::Type *shadowType(llvm::Type *type) const;
  llvm::Value *shadowOf(llvm::Value *value);
  llvm::Value *anyOf(llvm::IRBuilderBase &ir, llvm::Value *value);
  llvm::Value *spread(llvm::IRBuilderBase &ir, llvm::Value *any,
                      llvm::Type *shadow);
  llvm::Value *compute(llvm::IRBuilderBase &ir, llvm::Instruction &instruction);
  llvm::Value *ofInteger(llvm::IRBuilderBase &ir,
                         llvm::Instruction &instruction);
  llvm::Value *ofBitwise(llvm::IRBuilderBase &ir,
                         llvm::BinaryOperator &operation);
  llvm::Value *ofEquality(llvm::IRBuilderBase &ir, llvm::ICmpInst &comparison);
  llvm::Value *ofChoice(llvm::IRBuilderBase &ir, llvm::SelectInst &choice);
  llvm::Value *ofMember(llvm::IRBuilderBase &ir,
                        llvm::Instruction &instruction);
  llvm::Value *ofAll(llvm::IRBuilderBase &ir, llvm::Instruction &instruction);
  void addShadows();
  void addShadow(llvm::Instruction &instruction);

  // Local memory, and other lanes.
  void addShadowMemory();
  /// Where the shadow is of what is at an address, and how much of it is left.
  struct Place {
    llvm::Value *address;
    llvm::Value *room;
  };
  Place findPlace(llvm::IRBuilderBase &ir, llvm::Value *address,
                  llvm::Value *elsewhere);
  llvm::Value *placeOf(llvm::IRBuilderBase &ir, llvm::Value *address);
  void storeShadow(llvm::StoreInst &store);
  void fillShadow(llvm::MemIntrinsic &intrinsic);
  bool touchesShadow(const llvm::Instruction &instruction) const;
  bool isOpen(const llvm::CallInst &exchange) const;
  void exchange(llvm::CallInst &wait);
  void multiply(llvm::CallInst &wait);

  // Uses.
  void report(llvm::Instruction &at, llvm::ArrayRef<llvm::Value *> used);
  void report(llvm::Instruction &at, llvm::Value *isBad,
              const llvm::SmallSetVector<llvm::StringRef, 4> &of);
  void reportStore(llvm::StoreInst &store);
  void reportWait(llvm::CallInst &wait);

  KernelBuilder &kernel;
  llvm::ArrayRef<llvm::CallInst *> sources;
  /// What may hold unset bits, and of which registers.
  llvm::DenseMap<const llvm::Value *, Names> names;
  /// The same of local variables.
  llvm::DenseMap<const llvm::AllocaInst *, Names> held;
  llvm::SmallVector<const llvm::Value *> pending;
  llvm::DenseMap<const llvm::AllocaInst *,
                 llvm::SmallVector<const llvm::Instruction *>>
      reads;
  /// Waits in which lanes exchange something.
  llvm::SmallVector<llvm::CallInst *> exchanges;
  /// Products of matrices.
  llvm::SmallVector<llvm::CallInst *> products;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> shadows;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::AllocaInst *> shadowMemory;
  /// What stands for the shadow of memory that has none.
  llvm::AllocaInst *noShadow = nullptr;
};

/// Local variables that `pointer` may point into.
struct LocalPlaces {
  llvm::SmallVector<llvm::AllocaInst *, 2> variables;
  /// It may point to other memory.
  bool mayBeOther = false;

  llvm::AllocaInst *only() const {
    return variables.size() == 1 && !mayBeOther ? variables.front() : nullptr;
  }
};
LocalPlaces localsOf(llvm::Value *pointer);

/// Whether `address` lies in `local`.
llvm::Value *isInside(llvm::IRBuilderBase &ir, llvm::Value *address,
                      llvm::AllocaInst &local);

/// Whether `call` is a wait for others (KernelBuilder::createWait), and for
/// what.
std::optional<Wait> waitKind(const KernelBuilder &kernel,
                             const llvm::Instruction &call);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_UNSETBITS_H
