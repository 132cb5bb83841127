//===- LayoutRewrite.h - arrays in another layout ---------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_BANKS_LAYOUTREWRITE_H
#define PASSES_TRANSFORMS_BANKS_LAYOUTREWRITE_H

#include "passes/Transforms/Banks/BankLayout.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace gpuopt {

/// The subscripts of one access of a workgroup array.
struct Subscripts {
  /// Null where `operands` are the subscripts themselves.
  mlir::AffineMap map;
  mlir::ValueRange operands;
  /// Consecutive elements that the access moves.
  int64_t elements = 1;
};

/// How `op` accesses `array`; nothing where it does anything else with it.
std::optional<Subscripts> subscriptsOf(mlir::Operation *op, mlir::Value array);

/// Lays out `array`, which is accessed by subscripts that stay in their
/// dimensions and by nothing else, as `layout` says.
void applyLayout(mlir::BlockArgument array, const BankLayout &layout);

/// Changes subscripts to those of the place where the element lies.
using PlaceFunction = llvm::function_ref<void(
    mlir::OpBuilder &, mlir::Location, llvm::MutableArrayRef<mlir::Value>)>;

/// Gives `array`, of which the same holds, another shape of the same rank, and
/// its elements the places that `place` says.
void moveElements(mlir::BlockArgument array, llvm::ArrayRef<int64_t> shape,
                  PlaceFunction place);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BANKS_LAYOUTREWRITE_H
