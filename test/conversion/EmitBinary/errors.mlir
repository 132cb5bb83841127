// What the back end or the linker refuses is one error; no crash, no output.
//
// RUN: sed -e 's/"sm_90"/"sm_20"/g' %S/../../../dialects/GPUOpt/targets/sm_90.target > %t.old
// RUN: not gpuopt-translate --mlir-to-assembly --target=%t.old %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: errors.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'f' has the instruction 'bar.warp.sync', which sm_20 does not have

// RUN: sed -e 's/"sm_90"/"sm_999"/g' %S/../../../dialects/GPUOpt/targets/sm_90.target > %t.unknown
// RUN: not gpuopt-translate --mlir-to-assembly --target=%t.unknown %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: target 'sm_999': LLVM knows no processor 'sm_999' for 'nvptx64-nvidia-cuda'

// RUN: not gpuopt-translate --mlir-to-assembly --target=no_such_target %s 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: {{.*}}no_such_target

// RUN: not gpuopt-translate --mlir-to-hsaco --target=sm_90 %s 2>&1 | FileCheck %s --check-prefix=VENDOR
// VENDOR: error: target 'sm_90' has no code objects: it is not AMD's

// RUN: not gpuopt-translate --mlir-to-hsaco --target=gfx942 %s 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: linking the code object failed: {{.*}}undefined symbol: elsewhere

// RUN: sed -e 's/llvm.call @elsewhere(%m) : (i64) -> ()/llvm.inline_asm has_side_effects "s_nop 0", "" : () -> ()/' %s \
// RUN:   | not gpuopt-translate --mlir-to-hsaco --target=gfx942 2>&1 | FileCheck %s --check-prefix=ASM
// ASM: error: 'f' contains inline assembly, which is supported for NVIDIA's targets only

gpu.module @kernels {
  llvm.func @__gpuopt_subgroup_barrier(i64)
  llvm.func @elsewhere(i64)
  llvm.func @f(%m: i64) attributes {gpu.kernel} {
    llvm.call @__gpuopt_subgroup_barrier(%m) : (i64) -> ()
    llvm.call @elsewhere(%m) : (i64) -> ()
    llvm.return
  }
}
