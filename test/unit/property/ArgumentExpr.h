//===- ArgumentExpr.h - expressions that launchers compute ------*- C++ -*-===//

#ifndef TEST_UNIT_PROPERTY_ARGUMENTEXPR_H
#define TEST_UNIT_PROPERTY_ARGUMENTEXPR_H

#include "ClaimedValues.h"

namespace gpuopt::property {

/// The value of an expression of a launch's numbers, without limits; nothing
/// where a divisor is not positive.
Number evaluate(mlir::AffineExpr expr, llvm::ArrayRef<Number> symbols);

/// The numbers that a launcher knows: the kernel's arguments (nothing for the
/// array), the grid, the block.
llvm::SmallVector<Number> symbolsOf(const Interpreter &run);

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_ARGUMENTEXPR_H
