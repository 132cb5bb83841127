//===- LaunchSequence.cpp - the host's side of several launches -----------===//

#include "conversion/EmitSource/LaunchSequence.h"

#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/Printer.h"
#include "conversion/EmitSource/TreePasses.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// `host` as a function that the builder of kernels takes.
static OwningOpRef<gpu::GPUFuncOp> asDeviceFunction(func::FuncOp host) {
  OpBuilder builder(host.getContext());
  OwningOpRef<gpu::GPUFuncOp> function(gpu::GPUFuncOp::create(
      builder, host.getLoc(), host.getName(), host.getFunctionType()));
  function->setAllArgAttrs(host.getAllArgAttrs());
  function->getBody().getBlocks().clear();
  IRMapping mapping;
  host.getBody().cloneInto(&function->getBody(), mapping);
  Operation *end = function->getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  gpu::ReturnOp::create(builder, end->getLoc());
  end->erase();
  return function;
}

LogicalResult
gpuopt::source::buildHostFunction(func::FuncOp host,
                                  const llvm::StringMap<std::string> &launchers,
                                  StringRef launchContext, Kernel &tree) {
  if (!host.getBody().hasOneBlock() || host.getNumResults() != 0) {
    host.emitError("a host function with branches that are not structured has "
                   "no source form");
    return failure();
  }
  OwningOpRef<gpu::GPUFuncOp> function = asDeviceFunction(host);
  KernelBuilder builder(tree, *function);
  builder.setLaunchers(launchers, launchContext);
  return builder.build();
}

LogicalResult gpuopt::source::printLaunchSequence(
    func::FuncOp host, StringRef name,
    const llvm::StringMap<std::string> &launchers, const Spelling &spelling,
    llvm::raw_ostream &stream) {
  if (spelling.isOpenCL()) {
    stream << "\n// " << name << " is a sequence of launches: `launch_" << name
           << "` of the CUDA and HIP form makes it.\n";
    return success();
  }
  Kernel tree(host.getLoc());
  tree.name = name.str();
  if (failed(buildHostFunction(host, launchers, /*launchContext=*/"", tree)))
    return failure();
  // Names of what is asked for, and of the launch.
  for (Variable *parameter : tree.parameters)
    if (llvm::is_contained<StringRef>(
            {"grid", "block", "shared_bytes", "stream"}, parameter->name))
      parameter->name += "_2";
  placeDeclarations(tree);
  chooseNames(tree);
  StringRef api = spelling.hostAPI();
  stream << "\n// Does what " << name
         << "<<<grid, block>>> does between and behind its grid-wide "
            "synchronisation.\nvoid launch_"
         << name << "(dim3 grid, dim3 block, size_t shared_bytes, " << api
         << "Stream_t stream";
  for (const Variable *parameter : tree.parameters)
    stream << ", " << spelling.parameter(*parameter);
  stream << ") ";
  return Printer(tree, spelling, stream).printBody();
}
