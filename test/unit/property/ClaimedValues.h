//===- ClaimedValues.h - what polynomials amount to in a run ----*- C++ -*-===//

#ifndef TEST_UNIT_PROPERTY_CLAIMEDVALUES_H
#define TEST_UNIT_PROPERTY_CLAIMEDVALUES_H

#include "Interpreter.h"

#include "passes/Analysis/IntegerValues.h"

#include "llvm/ADT/DynamicAPInt.h"

namespace gpuopt::property {

/// A number of any length; nothing where it says nothing (poison).
using Number = std::optional<llvm::DynamicAPInt>;

/// The bits read as signed or unsigned.
Number read(const Bits &bits, bool isUnsigned);

/// The value of `polynomial` when each variable v is `valueOf(v)`.
Number evaluate(const Polynomial &polynomial,
                llvm::function_ref<Number(unsigned)> valueOf);

/// The same over the atoms of `values`, in the state of `run`.
Number evaluate(const Polynomial &polynomial, const IntegerValues &values,
                const Interpreter &run);

bool encloses(const Interval &range, const llvm::DynamicAPInt &number);

std::string toString(const llvm::DynamicAPInt &number);
std::string toString(mlir::Value value);

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_CLAIMEDVALUES_H
