// RUN: not gpuopt-opt %s --gpuopt-specialize-sizes="sizes=n" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not gpuopt-opt %s --gpuopt-specialize-sizes="sizes=n=many" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not gpuopt-opt %s --gpuopt-specialize-sizes="sizes==4" 2>&1 | FileCheck %s --check-prefix=NAME

// VALUE: error: expected NAME=INTEGER in 'sizes', found 'n'
// NUMBER: error: expected NAME=INTEGER in 'sizes', found 'n=many'
// NAME: error: expected NAME=INTEGER in 'sizes', found '=4'
gpu.module @kernels {
  gpu.func @kernel(%n: i32 {gpuopt.name = "n"}) kernel {
    gpu.return
  }
}
