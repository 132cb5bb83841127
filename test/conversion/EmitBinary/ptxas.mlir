// What ptxas says of a kernel is read from its log; what it refuses is an error.
//
// RUN: split-file %s %t
// RUN: chmod +x %t/good %t/bad
// RUN: env GPUOPT_PTXAS=%t/good gpuopt-translate --mlir-to-resources --target=sm_90 %t/kernel.mlir | FileCheck %s --check-prefix=GOOD
// RUN: not env GPUOPT_PTXAS=%t/bad gpuopt-translate --mlir-to-resources --target=sm_90 %t/kernel.mlir 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not env GPUOPT_PTXAS=%t/none gpuopt-translate --mlir-to-resources --target=sm_90 %t/kernel.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// GOOD: f: 40 registers, 24 bytes spilled, 2176 bytes of workgroup memory (ptxas)
// GOOD: g: 8 registers, 0 bytes spilled, 0 bytes of workgroup memory (ptxas)
// BAD: error: ptxas rejects the PTX for 'sm_90': {{.*}}line 3: syntax error
// NONE: error: ptxas was not found

//--- good
#!/bin/sh
cat <<END
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'f' for 'sm_90'
ptxas info    : Function properties for f
    16 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2176 bytes smem, 380 bytes cmem[0]
ptxas info    : Compiling entry function 'g' for 'sm_90'
ptxas info    : Function properties for g
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 380 bytes cmem[0]
END

//--- bad
#!/bin/sh
echo "line 3: syntax error" >&2
exit 255

//--- kernel.mlir
gpu.module @kernels {
  gpu.func @f() kernel {
    gpu.return
  }
}
