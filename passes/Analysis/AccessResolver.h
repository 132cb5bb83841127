//===- AccessResolver.h - access functions from IR --------------*- C++ -*-===//
//
// Internal to passes/Analysis. Walks a raised kernel and turns the operands of
// its loads and stores into polynomials: index values, which `IntegerValues`
// reads (ResolveIndices.cpp), views (ResolveViews.cpp), control flow and
// accesses (ResolveAccesses.cpp).
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

/// The bounds of a loop's iterator, over the atoms of `IntegerValues`.
struct LoopBounds {
  /// The first value is the largest of these.
  std::vector<Polynomial> lower;
  /// The end, exclusive, is the least of these.
  std::vector<Polynomial> upper;
  Polynomial step;
  /// Whether the loop compares its iterator as unsigned.
  bool isUnsigned = false;
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
  /// `value` as a signed integer.
  std::optional<Polynomial> resolve(mlir::Value value);
  std::optional<Comparison> resolve(const Conjunct &conjunct);

private:
  using Result = std::optional<Polynomial>;

  // Values. Each returns nothing after setting `reason`.
  Result translate(const Polynomial &polynomial);
  Result translateAtom(unsigned variable);
  Result computeAtom(unsigned variable);
  Result computeDerived(IndexOperator op, const Polynomial &left,
                        const Polynomial &right);
  Result computeOpaque(unsigned variable);
  Result computeArgument(mlir::BlockArgument argument, unsigned variable);
  Result computeLoop(mlir::Value iterator, const LoopBounds &bounds);
  Result unknownResult(mlir::Operation *op);
  Result unknown(const llvm::Twine &why);
  bool variesOverThreads(mlir::Operation *choice);
  std::optional<LoopBounds> boundsOf(mlir::BlockArgument argument);
  std::optional<unsigned> loopVariable(mlir::Value iterator);
  std::vector<Polynomial> resolveExact(mlir::AffineMap map,
                                       mlir::ValueRange operands);
  /// Modulo 2^64, as addresses are computed.
  Result resolveAddress(mlir::OpFoldResult value);
  std::vector<Polynomial> resolveAddress(mlir::AffineMap map,
                                         mlir::ValueRange operands);
  /// The source's name of a kernel's argument, or one made up.
  std::string nameOf(mlir::BlockArgument argument);
  unsigned parameter(mlir::Value value, std::string name,
                     bool isUnsigned = false);

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
