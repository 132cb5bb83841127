// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=32,8" --gpuopt-coalesce-accesses="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

// Another work item may write what this one reads.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @written(%a: memref<?xf32>, %c: memref<?xf32>) kernel {
    %x = gpu.global_id x
    // expected-remark @below {{neighbours share no tile: 'affine.store' may write the array}}
    %0 = affine.load %a[symbol(%x)] : memref<?xf32>
    %1 = affine.load %a[symbol(%x) + 1] : memref<?xf32>
    %2 = affine.load %a[symbol(%x) + 2] : memref<?xf32>
    %s0 = arith.addf %0, %1 : f32
    %s1 = arith.addf %s0, %2 : f32
    affine.store %s1, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Two loads instead of a tile that is hardly smaller.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @pair(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    // expected-remark @below {{neighbours share no tile: a tile would take 47.0 sectors for a block instead of 72.0, less than 2.00 times fewer}}
    %0 = affine.load %a[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    %1 = affine.load %a[symbol(%y), symbol(%x) + 1] : memref<?x4096xf32>
    %s = arith.addf %0, %1 : f32
    affine.store %s, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    gpu.return
  }
}

// -----

// Whether an element is needed depends on data.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @masked(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias},
                   %m: memref<?x4096xi1> {gpuopt.name = "m", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %g = affine.load %m[symbol(%y), symbol(%x)] : memref<?x4096xi1>
    scf.if %g {
      // expected-remark @below {{neighbours share no tile: other threads cannot compute its condition: a value is loaded from memory}}
      %0 = affine.load %a[symbol(%y), symbol(%x)] : memref<?x4096xf32>
      // expected-remark @below {{neighbours share no tile: other threads cannot compute its condition: a value is loaded from memory}}
      %1 = affine.load %a[symbol(%y), symbol(%x) + 1] : memref<?x4096xf32>
      // expected-remark @below {{neighbours share no tile: other threads cannot compute its condition: a value is loaded from memory}}
      %2 = affine.load %a[symbol(%y), symbol(%x) + 2] : memref<?x4096xf32>
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      affine.store %s1, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    }
    gpu.return
  }
}

// -----

// Columns that repeat: the threads of a block do not load a box.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @wrapped(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    // expected-remark @below {{its address is no linear function of ids and iterator}}
    %0 = affine.load %a[symbol(%y), symbol(%x) mod 24] : memref<?x4096xf32>
    // expected-remark @below {{neighbours share no tile: its address is no function of the work item's id}}
    %1 = affine.load %a[symbol(%y), symbol(%x) mod 24 + 1] : memref<?x4096xf32>
    // expected-remark @below {{neighbours share no tile: its address is no function of the work item's id}}
    %2 = affine.load %a[symbol(%y), symbol(%x) mod 24 + 2] : memref<?x4096xf32>
    %s0 = arith.addf %0, %1 : f32
    %s1 = arith.addf %s0, %2 : f32
    affine.store %s1, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    gpu.return
  }
}

// -----

// Threads leave the loop at different times: no barrier can stand in it.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @uneven(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    affine.for %k = 0 to affine_map<()[s0] -> (s0)>()[%x] {
      // expected-remark @below {{neighbours share no tile: the threads of a block run a loop around it differently often}}
      %0 = affine.load %a[symbol(%y), symbol(%x)] : memref<?x4096xf32>
      %1 = affine.load %a[symbol(%y), symbol(%x) + 1] : memref<?x4096xf32>
      %2 = affine.load %a[symbol(%y), symbol(%x) + 2] : memref<?x4096xf32>
      %3 = affine.load %a[symbol(%y) + 1, symbol(%x)] : memref<?x4096xf32>
      %4 = affine.load %a[symbol(%y) + 1, symbol(%x) + 1] : memref<?x4096xf32>
      %5 = affine.load %a[symbol(%y) + 1, symbol(%x) + 2] : memref<?x4096xf32>
      %s0 = arith.addf %0, %1 : f32
      %s1 = arith.addf %s0, %2 : f32
      %s2 = arith.addf %s1, %3 : f32
      %s3 = arith.addf %s2, %4 : f32
      %s4 = arith.addf %s3, %5 : f32
      affine.store %s4, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    }
    gpu.return
  }
}
