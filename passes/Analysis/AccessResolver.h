//===- AccessResolver.h - access functions from IR --------------*- C++ -*-===//
//
// Internal to passes/Analysis. Walks a raised kernel and turns the operands of
// its loads and stores into polynomials: index values (ResolveIndices.cpp),
// views (ResolveViews.cpp), control flow and accesses (ResolveAccesses.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ACCESSRESOLVER_H
#define PASSES_ANALYSIS_ACCESSRESOLVER_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace gpuopt {

/// A memref as an offset and strides over the array behind it.
struct ResolvedView {
  mlir::Value base;
  std::string name;
  /// Bytes from the start of the array.
  Polynomial offsetBytes;
  /// Elements per step of each dimension.
  llvm::SmallVector<Polynomial> strides;
};

/// What the operands of a load or store say.
struct AccessOperands {
  AccessKind kind;
  mlir::Value memref;
  /// Subscripts; operands of `map` where there is one.
  mlir::ValueRange indices;
  mlir::AffineMap map;
  /// Type of the value that one thread moves.
  mlir::Type type;
};

/// Bytes of a value of `type`; nothing where they are not known or not whole.
std::optional<int64_t> bytesOf(mlir::Type type);

/// Fills an `AccessFunctions` from a kernel.
class AccessResolver {
public:
  AccessResolver(AccessFunctions &functions, mlir::Operation *root)
      : result(functions), kernel(root) {}

  void run();
  std::optional<Polynomial> resolve(mlir::Value value);

private:
  using Result = std::optional<Polynomial>;

  // Values. Each returns nothing after setting `reason`.
  Result compute(mlir::Value value);
  Result computeArgument(mlir::BlockArgument argument);
  Result computeLoop(mlir::Value iterator, std::vector<Polynomial> lowerBounds,
                     std::vector<Polynomial> upperBounds, Result step);
  Result computeAffine(mlir::Operation *op);
  Result computeGPU(mlir::Operation *op);
  Result computeArith(mlir::Operation *op);
  Result computeBitwise(mlir::Operation *op);
  Result computeChoice(mlir::Operation *op, mlir::Value condition,
                       mlir::Value taken, mlir::Value other);
  Polynomial isNegative(const Polynomial &value);
  Result expand(mlir::AffineExpr expr, unsigned numDims,
                llvm::ArrayRef<Polynomial> operands);
  Result expandBinary(mlir::AffineExprKind kind, const Polynomial &left,
                      const Polynomial &right);
  Result fold(mlir::OpFoldResult value);
  Result unknownResult(mlir::Operation *op);
  Result unknown(const llvm::Twine &why);
  Polynomial remainder(Variable::Operator division, const Polynomial &left,
                       const Polynomial &right);
  std::vector<Polynomial> expandAll(mlir::AffineMap map,
                                    mlir::ValueRange operands);
  std::vector<Polynomial> expandBounds(mlir::AffineMap map,
                                       mlir::ValueRange operands);
  /// The source's name of a kernel's argument, or one made up.
  std::string nameOf(mlir::BlockArgument argument);
  unsigned parameter(mlir::Value value, std::string name);

  // Views.
  std::optional<ResolvedView> resolveView(mlir::Value memref);
  std::optional<ResolvedView> resolveBase(mlir::Value memref, std::string name);
  std::optional<ResolvedView> resolveByteView(mlir::memref::ViewOp op);
  std::optional<ResolvedView>
  resolveReinterpretCast(mlir::memref::ReinterpretCastOp op);
  std::optional<ResolvedView> resolveSubview(mlir::memref::SubViewOp op);
  std::optional<Polynomial> extent(mlir::Value memref, unsigned dimension,
                                   llvm::StringRef name);

  // Control flow and accesses.
  void visit(mlir::Region &region);
  void visitAffineIf(mlir::affine::AffineIfOp op);
  void visitLoop(mlir::LoopLikeOpInterface op);
  void visitCollective(mlir::affine::AffineParallelOp op);
  void visitBranch(mlir::Region &region, Guard guard);
  void collect(mlir::Value condition, Guard &guard);
  bool collectAlternatives(mlir::Value condition, Guard &guard);
  void visitCondition(mlir::scf::IfOp branch);
  void addAccess(mlir::Operation *op, const AccessOperands &operands);
  void addCopy(mlir::nvgpu::DeviceAsyncCopyOp copy);
  void addUnraised(mlir::Operation *op, AccessKind kind);

  AccessFunctions &result;
  mlir::Operation *kernel;
  std::vector<int> loops;
  std::vector<unsigned> collective;
  std::vector<Guard> guards;
  /// Why the last resolution failed.
  std::string reason;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ACCESSRESOLVER_H
