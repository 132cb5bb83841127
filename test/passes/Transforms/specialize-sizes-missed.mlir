// RUN: gpuopt-opt %s --gpuopt-specialize-sizes="sizes=n=300,alpha=2" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

gpu.module @kernels {
  // expected-remark @below {{n = 300 does not fit the parameter's 8 bits}}
  gpu.func @narrow(%n: i8 {gpuopt.name = "n"}) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-remark @below {{no integer parameter has a known size}}
  gpu.func @floating(%alpha: f32 {gpuopt.name = "alpha"}, %m: i32 {gpuopt.name = "m"}) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-remark @below {{the kernel is specialised already}}
  gpu.func @again(%n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.specialized = {n = 16 : i64}} {
    gpu.return
  }
}

// -----

// The kernel for all sizes is nobody's to specialise.
gpu.module @kernels {
  // expected-remark @below {{for n = 300 only; other launches take the original kernel}}
  gpu.func @tuned(%n: i32 {gpuopt.name = "n"}) kernel attributes {gpuopt.fallback = @general} {
    gpu.return
  }
  gpu.func @general(%n: i32 {gpuopt.name = "n"}) kernel {
    gpu.return
  }
}
