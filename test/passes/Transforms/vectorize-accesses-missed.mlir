// RUN: gpuopt-opt %s --gpuopt-vectorize-accesses="target=sm_90" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: vector.load
// CHECK-NOT: vector.store

gpu.module @kernels {
  // The array may begin anywhere.
  gpu.func @unaligned_array(%a: memref<?xf32>, %c: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{neighbouring loads of arg0: the address is known to be a multiple of 4 bytes only}}
    %0 = affine.load %a[symbol(%t) * 2] : memref<?xf32>
    %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xf32>
    %s = arith.addf %0, %1 : f32
    affine.store %s, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // A pair that begins at an odd element.
  gpu.func @unaligned_pair(%a: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{neighbouring loads of arg0: the address is known to be a multiple of 4 bytes only}}
    %0 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xf32>
    %1 = affine.load %a[symbol(%t) * 2 + 2] : memref<?xf32>
    %s = arith.addf %0, %1 : f32
    affine.store %s, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // Rows of n elements; the loop stays as well.
  gpu.func @unaligned_rows(%a: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}, %c: memref<?xf32>,
                           %n: index) kernel {
    %t = gpu.thread_id x
    affine.for %i = 0 to %n {
      // expected-remark@below {{iterations access neighbouring elements, but their address is not known to be aligned}}
      %0 = affine.load %a[symbol(%t) * symbol(%n) + %i] : memref<?xf32>
      affine.store %0, %c[symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }

  // The store may write what is loaded after it.
  gpu.func @store_between(%a: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{neighbouring loads of arg0: 'affine.store' in between may access the same memory}}
    %0 = affine.load %a[symbol(%t) * 2] : memref<?xf32>
    affine.store %0, %c[symbol(%t)] : memref<?xf32>
    %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xf32>
    affine.store %1, %c[symbol(%t) + 7] : memref<?xf32>
    gpu.return
  }

  // A load between two stores sees the first one.
  gpu.func @load_between(%c: memref<?xf32> {llvm.align = 16 : i64}, %v: f32, %n: index) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{neighbouring stores to arg0: 'affine.load' in between may access the same memory}}
    affine.store %v, %c[symbol(%t) * 2] : memref<?xf32>
    %0 = affine.load %c[symbol(%n)] : memref<?xf32>
    affine.store %0, %c[symbol(%t) * 2 + 1] : memref<?xf32>
    gpu.return
  }

  // Other threads write before the barrier.
  gpu.func @barrier_between(%c: memref<?xf32>)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{neighbouring loads of a tile: 'gpu.barrier' in between may access the same memory}}
    %0 = affine.load %tile[0] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %1 = affine.load %tile[1] : memref<32xf32, #gpu.address_space<workgroup>>
    %s = arith.addf %0, %1 : f32
    affine.store %s, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // What is not read is not known to be there.
  gpu.func @gap(%a: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    // expected-remark@below {{neighbouring loads of arg0: an element between them is not accessed}}
    %0 = affine.load %a[symbol(%t) * 4] : memref<?xf32>
    %1 = affine.load %a[symbol(%t) * 4 + 2] : memref<?xf32>
    %s = arith.addf %0, %1 : f32
    affine.store %s, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // The second access is made by some threads only.
  gpu.func @different_condition(%a: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32>,
                                %n: index) kernel {
    %t = gpu.thread_id x
    %0 = affine.load %a[symbol(%t) * 2] : memref<?xf32>
    affine.store %0, %c[symbol(%t)] : memref<?xf32>
    %p = arith.cmpi slt, %t, %n : index
    scf.if %p {
      %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xf32>
      affine.store %1, %c[symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }

  // Column 1 may be beyond the row's end, in the next row.
  gpu.func @rows(%c: memref<?xf32> {llvm.align = 8 : i64}, %n: index, %v: f32) kernel {
    %t = gpu.thread_id x
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    // expected-remark@below {{neighbouring stores to arg0: 'affine.store' in between may access the same memory}}
    affine.store %v, %C[symbol(%t) * 2, 0] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %v, %C[symbol(%t) * 2 + 1, 0] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %v, %C[symbol(%t) * 2, 1] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}
