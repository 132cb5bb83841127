// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16,16" --gpuopt-coalesce-accesses="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

// The array may be written by another work item: nobody may read it early, or
// in another's place.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @may_alias(%a: memref<?x4096xf32>, %c: memref<?x4096xf32>) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    affine.for %i = 0 to 32 {
      // expected-remark @below {{'affine.store' may write the array}}
      %x = affine.load %a[symbol(%idy), %i + symbol(%idx)] : memref<?x4096xf32>
      affine.store %x, %c[symbol(%idy), symbol(%idx)] : memref<?x4096xf32>
    }
    gpu.return
  }
}

// -----

// Where %idx > 0 holds for a work item, it need not hold for one before it. The
// other load goes by its own condition.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @from_below(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias},
                       %b: memref<?x4096xf32> {gpuopt.name = "b", llvm.noalias},
                       %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0 : index
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %inside = arith.cmpi sgt, %idx, %none : index
    %sum = affine.for %i = 0 to 32 iter_args(%s = %zero) -> (f32) {
      // expected-remark @below {{misaligned load goes through a tile [16][47] of workgroup memory, which holds what neighbours share}}
      %x = affine.load %a[symbol(%idy), %i + symbol(%idx)] : memref<?x4096xf32>
      %y = scf.if %inside -> (f32) {
        // expected-remark @below {{its condition may hold for work items that need the datum, but not for those before them}}
        %v = affine.load %b[symbol(%idy), %i + symbol(%idx)] : memref<?x4096xf32>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%idy), symbol(%idx)] : memref<?x4096xf32>
    gpu.return
  }
}

// -----

// Not all iterations load: which work item would load an element for the first
// time depends on more than ids.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @but_one(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to 9 iter_args(%s = %zero) -> (f32) {
      %other = arith.cmpi ne, %i, %one : index
      %u = scf.if %other -> (f32) {
        // expected-remark @below {{its condition depends on the iteration}}
        %v = affine.load %a[symbol(%idy), %i + symbol(%idx)] : memref<?x4096xf32>
        %w = arith.addf %s, %v : f32
        scf.yield %w : f32
      } else {
        scf.yield %s : f32
      }
      affine.yield %u : f32
    }
    affine.store %sum, %c[symbol(%idy), symbol(%idx)] : memref<?x4096xf32>
    gpu.return
  }
}
