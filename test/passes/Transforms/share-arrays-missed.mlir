// RUN: gpuopt-opt %s --gpuopt-share-arrays="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.partition
gpu.module @kernels {
  // expected-remark @below {{no array is kept in workgroup memory: no array is reused, and all accesses are coalesced}}
  gpu.func @copy(%in: memref<?xf32>, %out: memref<?xf32>) kernel {
    %x = gpu.global_id x
    %l = affine.load %in[symbol(%x)] : memref<?xf32>
    affine.store %l, %out[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-remark @below {{no array is kept in workgroup memory: no affine access depends on a work item's id}}
  gpu.func @square(%in: memref<?xf32>) kernel {
    %x = gpu.global_id x
    %i = arith.muli %x, %x : index
    %l = memref.load %in[%i] : memref<?xf32>
    memref.store %l, %in[%i] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-remark @below {{'in[TBX][*]' is no help: it has 2 dimensions, the access 1}}
  // expected-remark @below {{'other[4]' is no help: the kernel does not access it}}
  // expected-remark @below {{no array is kept in workgroup memory: no hint says what a block works on}}
  gpu.func @hints(%in: memref<?xf32> {gpuopt.name = "in"}, %out: memref<?xf32> {gpuopt.name = "out"})
      kernel attributes {gpuopt.share = ["in[TBX][*]", "other[4]"]} {
    %x = gpu.global_id x
    %l = affine.load %in[symbol(%x)] : memref<?xf32>
    affine.store %l, %out[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}
