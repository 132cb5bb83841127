//===- HostEvaluation.h - run the host's part of a kernel -------*- C++ -*-===//
//
// A kernel that grid-wide synchronisation has split is a host function that
// launches its parts (`gpuopt-split-at-grid-barriers`). For given arguments the
// function is a list of launches, which this finds by running it on constants.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_HOSTEVALUATION_H
#define TOOLS_LIB_COMPILE_HOSTEVALUATION_H

#include "runtime/Launch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace gpuopt {

/// One operand of a launch: an argument of the host function, or a number.
struct HostOperand {
  /// Number of the argument; nothing for a value that the host computed.
  std::optional<unsigned> argument;
  mlir::TypedAttr value;
};

/// One `gpu.launch_func` that the function comes to.
struct HostLaunch {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::vector<HostOperand> operands;
};

/// Runs `host` and returns its launches in order. `arguments` holds the values
/// of its arguments, null for arrays and where a value is not known; the error
/// is for a function whose launches depend on such a value, that divides by
/// zero, or that does not come to an end in a million launches and as many
/// iterations.
llvm::Expected<std::vector<HostLaunch>>
evaluateHost(mlir::func::FuncOp host,
             llvm::ArrayRef<mlir::TypedAttr> arguments);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_HOSTEVALUATION_H
