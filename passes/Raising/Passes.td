//===- Passes.td - from the LLVM dialect to gpu.func -------*- tablegen -*-===//
//
// Entries are in alphabetical order. RaisePipeline.cpp says in which order the
// passes run.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_PASSES_RAISING_TD
#define GPUOPT_PASSES_RAISING_TD

include "mlir/Pass/PassBase.td"

def RaiseControlFlow : Pass<"gpuopt-raise-control-flow", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Turn the branches of a kernel into scf loops and conditionals";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
  let statistics = [
    Statistic<"numCounted", "loops-counted", "Number of loops raised to scf.for">,
    Statistic<"numWhile", "loops-not-counted", "Number of loops left as scf.while">];
}

def RaiseFunctions : Pass<"gpuopt-raise-functions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn kernels of the LLVM dialect into gpu.func over arith, math, cf and gpu";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::ub::UBDialect"];
  let statistics = [
    Statistic<"numKept", "kernels-kept", "Number of kernels left as llvm.func">,
    Statistic<"numRaised", "kernels-raised", "Number of kernels raised to gpu.func">];
}

def RaiseIndices : Pass<"gpuopt-raise-indices", "::mlir::gpu::GPUFuncOp"> {
  let summary = "Turn the integer arithmetic behind subscripts and bounds into index arithmetic";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RaiseMemory : Pass<"gpuopt-raise-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn pointers into memrefs and pointer arithmetic into indices";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numKept", "arrays-kept", "Number of arrays left as pointers">,
    Statistic<"numRaised", "arrays-raised", "Number of arrays raised to memrefs">];
}

#endif // GPUOPT_PASSES_RAISING_TD
