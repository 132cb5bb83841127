//===- ErrorFollower.h - rounding errors beside the numbers -----*- C++ -*-===//
//
// Beside every floating-point value of a kernel stand three more, its magnitude,
// its roundings and its additions (see runtime/ErrorShadow.h); for what is in
// memory the host keeps them. Only roundings that may be others count: those of loose
// operations (ErrorShadow.h), and of all that depends on one.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_ERRORFOLLOWER_H
#define RUNTIME_CPU_ERRORFOLLOWER_H

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/ErrorShadow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <limits>

namespace gpuopt::runtime {

/// Magnitude, roundings and additions of a value: doubles, or vectors of
/// doubles.
struct Shadow {
  llvm::Value *magnitude = nullptr;
  llvm::Value *roundings = nullptr;
  /// Null for none.
  llvm::Value *additions = nullptr;
};

class ErrorFollower {
public:
  explicit ErrorFollower(KernelBuilder &builder)
      : kernel(builder), loose(builder.options.errors->looseOperations()),
        real(llvm::Type::getDoubleTy(builder.context)),
        pointer(llvm::PointerType::get(builder.context, 0)) {}

  void run();

private:
  static constexpr double unknownRoundings =
      std::numeric_limits<double>::infinity();

  void visit(llvm::Instruction &at);
  Shadow follow(llvm::IRBuilderBase &ir, llvm::Instruction &at);
  Shadow followCall(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  llvm::Value *additionsOf(const Shadow &shadow) const {
    return shadow.additions
               ? shadow.additions
               : llvm::Constant::getNullValue(shadow.roundings->getType());
  }
  /// What `make` makes of each of three parts of the shadows.
  template <typename Make>
  Shadow partwise(Make make) const {
    return {make([](const Shadow &shadow) { return shadow.magnitude; }),
            make([](const Shadow &shadow) { return shadow.roundings; }),
            make([this](const Shadow &shadow) { return additionsOf(shadow); })};
  }
  Shadow sum(llvm::IRBuilderBase &ir, llvm::Instruction &at, const Shadow &left,
             const Shadow &right);
  Shadow quotient(llvm::IRBuilderBase &ir, llvm::Instruction &at);
  Shadow squareRoot(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  Shadow exponential(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  Shadow approximatePower(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  Shadow logarithm(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  llvm::Value *relativeError(llvm::IRBuilderBase &ir, llvm::Value *value);
  llvm::Value *absoluteError(llvm::IRBuilderBase &ir, const Shadow &shadow);
  Shadow unknown(llvm::IRBuilderBase &ir, llvm::Instruction &at);
  Shadow loaded(llvm::IRBuilderBase &ir, llvm::Value *address,
                llvm::Value *value);
  void stored(llvm::IRBuilderBase &ir, llvm::Value *address,
              llvm::Value *value);
  Shadow added(llvm::IRBuilderBase &ir, llvm::AtomicRMWInst &atomic);
  void compare(llvm::IRBuilderBase &ir, llvm::FCmpInst &at);
  void visitMemory(llvm::IRBuilderBase &ir, llvm::Instruction &at);
  void look(llvm::IRBuilderBase &ir, llvm::Value *address, llvm::Value *bytes);
  void forget(llvm::IRBuilderBase &ir, llvm::Value *address,
              llvm::Value *bytes);
  void loseWhere(llvm::IRBuilderBase &ir, llvm::Value *condition);
  void loseInexact(llvm::IRBuilderBase &ir, llvm::Instruction &at);

  Shadow of(llvm::Value *value);
  Shadow exact(llvm::IRBuilderBase &ir, llvm::Value *value);
  llvm::Value *widened(llvm::IRBuilderBase &ir, llvm::Value *value);
  bool isLoose(llvm::Instruction &at) const;
  /// What rounding the result adds to `roundings`; nothing where the operation
  /// and all that it depends on are the same in both evaluations.
  llvm::Value *unitsOf(llvm::IRBuilderBase &ir, llvm::Instruction &at,
                       llvm::Value *roundings, double units);
  Shadow bounded(llvm::IRBuilderBase &ir, llvm::CallInst &call, double slope,
                 double most);
  Shadow cosine(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  Shadow fused(llvm::IRBuilderBase &ir, llvm::CallInst &call);
  llvm::Value *rounded(llvm::IRBuilderBase &ir, llvm::Instruction &at,
                       llvm::Value *roundings, double units = 1);
  llvm::Value *bytesOf(llvm::Type *type) const {
    return llvm::ConstantInt::get(
        llvm::Type::getInt64Ty(kernel.context),
        kernel.module.getDataLayout().getTypeStoreSize(type));
  }
  llvm::Value *distance(llvm::IRBuilderBase &ir, const Shadow &shadow);
  llvm::Value *sumOfRoundings(llvm::IRBuilderBase &ir, llvm::Instruction &at);
  llvm::Type *shadowType(llvm::Type *type) const {
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? llvm::FixedVectorType::get(real, vector->getNumElements())
                  : real;
  }
  llvm::Value *constant(llvm::Type *type, double value) const {
    return llvm::ConstantFP::get(shadowType(type), value);
  }
  /// The largest error of one rounding to `type`, relative to the number, and
  /// the number below which roundings are larger than that.
  static double unitOf(llvm::Type *type);
  static double smallestOf(llvm::Type *type);
  static bool isNumber(llvm::Type *type) {
    return type->isFPOrFPVectorTy() &&
           !llvm::isa<llvm::ScalableVectorType>(type);
  }

  KernelBuilder &kernel;
  const LooseOperations loose;
  llvm::Type *real;
  llvm::Type *pointer;
  llvm::DenseMap<llvm::Value *, Shadow> shadows;
  /// Where these are loose.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> reductions;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_ERRORFOLLOWER_H
