//===- AccessBuilder.h - access functions from literals ---------*- C++ -*-===//

#ifndef TEST_UNIT_ACCESSBUILDER_H
#define TEST_UNIT_ACCESSBUILDER_H

#include "dialects/GPUOpt/KnownTargets.h"
#include "passes/Analysis/AccessFunction.h"

#include "mlir/IR/MLIRContext.h"

namespace gpuopt {

/// The variables that the examples use, named as in the paper: idx = bx*bdx +
/// tx, idy = by*bdy + ty, loops i and j, parameters w, n, k.
struct AccessBuilder {
  AccessBuilder()
      : w(Polynomial::variable(table.addParameter("w"))),
        n(Polynomial::variable(table.addParameter("n"))),
        k(Polynomial::variable(table.addParameter("k"))),
        iNumber(table.addLoop("i", {Polynomial(0)}, {w})),
        i(Polynomial::variable(iNumber)) {}

  static Polynomial var(unsigned number) {
    return Polynomial::variable(number);
  }

  /// An access to elements of `bytes` bytes at position `elements`.
  AccessFunction at(const Polynomial &elements, int64_t bytes = 4) const {
    AccessFunction access;
    access.elementBytes = access.accessBytes = bytes;
    access.address = elements * Polynomial(bytes);
    return access;
  }

  TargetAttr target(llvm::StringRef name) {
    return llvm::cantFail(lookUpTarget(&context, name));
  }

  mlir::MLIRContext context;
  VariableTable table;
  Polynomial tx = var(VariableTable::threadId(0));
  Polynomial ty = var(VariableTable::threadId(1));
  Polynomial bx = var(VariableTable::blockId(0));
  Polynomial idx = bx * var(VariableTable::blockDim(0)) + tx;
  Polynomial idy =
      var(VariableTable::blockId(1)) * var(VariableTable::blockDim(1)) + ty;
  Polynomial w, n, k;
  unsigned iNumber;
  Polynomial i;
};

} // namespace gpuopt

#endif // TEST_UNIT_ACCESSBUILDER_H
