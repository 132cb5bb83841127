//===- Passes.td - what launchers check --------------------*- tablegen -*-===//
//
// Passes that leave a question about a launch to the launcher, and the launches
// with the other answer to the original kernel.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_TRANSFORMS_ASSUMPTIONS_PASSES_TD
#define GPUOPT_TRANSFORMS_ASSUMPTIONS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssumeDistinctArrays : Pass<"gpuopt-assume-distinct-arrays", "::mlir::gpu::GPUModuleOp"> {
  let summary = "leave launches whose arrays overlap to the original kernel";
  let description = [{
    *Why.* Pointers that are not declared `__restrict__` may point into the same
    array. What a kernel reads may then change while it runs: nothing can be read
    earlier, staged, kept in a register or loaded once for several work items,
    although hardly any launch has arrays that overlap.

    *Checks.*
    * The kernel reads one array and writes another, and neither is
      `llvm.noalias`. Other kernels stay as they are.
    * Guards and loops bound every access to every array from both sides, the
      upper bound is a polynomial in the scalar arguments, and nothing else in
      the kernel accesses memory that is not its own. A distance that the kernel is
      given (`first` and `ldc` of `c[first + y * ldc + x]`) and that may be
      negative is taken not to be, which is another condition on the launch
      (`gpuopt.requires`).

    *Rewrite.* The kernel is kept as `<symbol>__original` (`gpuopt.fallback`
    names it). Of each array that is accessed `gpuopt.extent` records how many
    elements the kernel may touch, and those that are written become
    `llvm.noalias`, on the promise, `gpuopt.distinct`, that the launcher compares
    addresses and takes the original kernel for launches in which one of them
    overlaps with another array:
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32, %k: i32) kernel {
      // if (idx < n) for (i = 0; i < k; i++) c[idx] += a[idx * k + i];
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<?xf32> {gpuopt.extent = affine_map<()[s0, s1, s2, s3] -> (s2 * s3)>},
                %c: memref<?xf32> {gpuopt.distinct, gpuopt.extent = affine_map<()[s0, s1, s2, s3] -> (s2)>,
                                   llvm.noalias}, %n: i32, %k: i32) kernel
        attributes {gpuopt.fallback = @f__original} {
    ```
    `gpuopt-promote-memory` can then keep `c[idx]` in a register.

    *Cost.* A comparison of addresses for each launch.

    *Remarks.* `AssumeDistinctArrays`: passed with the arrays that have to be
    distinct, missed with the access that is not bounded.
  }];
  let statistics = [
    Statistic<"assumed", "kernels-assumed", "kernels whose launcher compares addresses">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::gpuopt::GPUOptDialect"];
}

def AssumeIndexRange : Pass<"gpuopt-assume-index-range", "::mlir::gpu::GPUModuleOp"> {
  let summary = "leave launches whose indices wrap to the original kernel";
  let description = [{
    *Why.* Raising makes a version of code whose indices are computed in narrow
    or unsigned arithmetic: under a test of the sizes, where nothing can wrap,
    they are affine (`gpuopt-version-index-range`). The other version, which hardly
    ever runs, is compiled, and where the test asks for the size of the launch,
    nothing may change that size.

    *Checks.*
    * The test is a conjunction of comparisons between polynomials in the scalar
      arguments and the sizes of grid and block.
    * Read as exact arithmetic, that it holds implies that it holds in the
      kernel, where it may wrap.

    *Rewrite.* The kernel is kept as `<symbol>__original` (`gpuopt.fallback`
    names it); the version where nothing wraps takes the place of both, on the
    condition, `gpuopt.requires`, that the launcher checks. Its symbols are the
    arguments, the original grid and the original block:
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %n: i32, %off: i32) kernel {
      …                    // items - 1 + off <= 2147483647
      scf.if %exact {
        … %a[%id + %off]
      } else {
        … %a[sext(trunc(%id) + %off)]
      } {gpuopt.index_range_version}
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %n: i32, %off: i32) kernel attributes {
        gpuopt.fallback = @f__original,
        gpuopt.requires = affine_set<()[a, n, off, gx, gy, gz, bx, by, bz] :
                                     (2147483648 - gx * bx - off >= 0, off >= 0)>} {
      … %a[%id + %off]
    ```

    *Cost.* A few comparisons for each launch.

    *Remarks.* `AssumeIndexRange`: passed with the number of conditions, missed
    where the test asks for what the launcher does not know.
  }];
  let statistics = [
    Statistic<"assumed", "versions-assumed", "versions that the launcher decides about">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::gpuopt::GPUOptDialect"];
}

def AssumePositiveDivisors : Pass<"gpuopt-assume-positive-divisors", "::mlir::gpu::GPUModuleOp"> {
  let summary = "leave launches with divisors below one to the original kernel";
  let description = [{
    *Why.* A position `z / h` or `z % h` by a parameter is undefined for h = 0.
    Under a guard that not all threads pass, no other thread may compute it, and
    so none may load for another what lies there; and nothing bounds quotients
    and remainders by what may be negative. Hardly any launch has such a size.

    *Checks.*
    * The dividend is made of ids, iterators, parameters, and quotients and
      remainders: a position. Data may be divided by whatever it is.
    * The divisor is a product of integer parameters of the kernel.

    *Rewrite.* The kernel is kept as `<symbol>__original` (`gpuopt.fallback`
    names it). The launcher checks (`gpuopt.requires`) that each factor of a
    divisor is 1 or more, and each factor of a dividend that consists of
    parameters, as in `c / heads`, 0 or more. What is known of parameters by that
    makes the divisions ones that any thread may do:
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %h: i32) kernel {
      … %row = arith.divsi %z, %h
    ```
    becomes
    ```mlir
    gpu.func @f(%a: memref<?xf32>, %h: i32) kernel attributes {
        gpuopt.fallback = @f__original,
        gpuopt.requires = affine_set<()[a, h, gx, gy, gz, bx, by, bz] : (h - 1 >= 0)>} {
      … %row = arith.divsi %z, %h
    ```

    *Cost.* A comparison for each launch and parameter.

    *Remarks.* `AssumePositiveDivisors`: passed with the number of conditions.
  }];
  let statistics = [
    Statistic<"assumed", "kernels-assumed", "kernels whose launcher checks divisors">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::gpuopt::GPUOptDialect"];
}

def SpecializeSizes : Pass<"gpuopt-specialize-sizes", "::mlir::gpu::GPUModuleOp"> {
  let summary = "put known sizes in the place of scalar parameters";
  let description = [{
    *Why.* Known sizes decide guards, trip counts, divisibility and alignment when
    compiling: tests, second versions and rests of loops go.

    *Checks.* A parameter named in `sizes` (by `gpuopt.name`) is an integer or an
    index, and the value fits it. Others are left alone.

    *Rewrite.* The kernel for all sizes is kept as `<symbol>__original`
    (`gpuopt.fallback` names it), and `gpuopt.specialized` records the values, so
    that the launcher compares them with the arguments:
    ```mlir
    gpu.func @f(%c: memref<?xf32>, %n: i32 {gpuopt.name = "n"}) kernel {
      %ni = arith.index_cast %n : i32 to index
    ```
    becomes, for `sizes=n=4096`,
    ```mlir
    gpu.func @f(%c: memref<?xf32>, %n: i32 {gpuopt.name = "n"}) kernel
        attributes {gpuopt.fallback = @f__original, gpuopt.specialized = {n = 4096 : i64}} {
      %n4096 = arith.constant 4096 : i32
      %ni = arith.index_cast %n4096 : i32 to index
    ```
    The parameters stay, so that call sites do.

    *Cost.* None when it runs; a second kernel in the binary.

    *Remarks.* `SpecializeSizes`: passed with the values, missed where a value
    does not fit or the kernel has none of the parameters.
  }];
  let options = [
    ListOption<"sizes", "sizes", "std::string", "values of scalar parameters: n=4096,m=64">
  ];
  let statistics = [
    Statistic<"specialized", "kernels-specialized", "kernels made for known sizes">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::gpuopt::GPUOptDialect"];
}

#endif // GPUOPT_TRANSFORMS_ASSUMPTIONS_PASSES_TD
