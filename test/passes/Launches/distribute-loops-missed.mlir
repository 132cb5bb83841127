// RUN: gpuopt-opt %s --gpuopt-distribute-loops=target=sm_90 --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.work_items
gpu.module @kernels {
  // Each element is made of the one before.
  gpu.func @chain(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %row = gpu.global_id x
    %is_row = arith.cmpi slt, %row, %height : index
    scf.if %is_row {
      affine.for %j = 1 to %width {
        %v = affine.load %A[symbol(%row), %j - 1] : memref<?x?xf32, strided<[?, 1]>>
        // expected-remark@below {{an iteration may write what another one of the same thread accesses}}
        affine.store %v, %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }

  // The arrays may overlap.
  gpu.func @overlap(%a: memref<?xf32>, %b: memref<?xf32>, %m: i32, %n: i32) kernel {
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %row = gpu.global_id x
    %is_row = arith.cmpi slt, %row, %height : index
    scf.if %is_row {
      affine.for %j = 0 to %width {
        %v = affine.load %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
        // expected-remark@below {{an iteration may write what another one of the same thread accesses}}
        affine.store %v, %B[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }

  // Nobody knows how many rows there are.
  // expected-remark@below {{no guard bounds the work items along x}}
  gpu.func @unbounded(%a: memref<?xf32>, %n: i32) kernel {
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%width, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %row = gpu.global_id x
    affine.for %j = 0 to %width {
      %v = affine.load %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }

  // How many iterations there are is no linear expression of sizes.
  gpu.func @least(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %row = gpu.global_id x
    %is_row = arith.cmpi slt, %row, %height : index
    scf.if %is_row {
      // expected-remark@below {{how many iterations there are is not known when the kernel is launched}}
      affine.for %j = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%height, %width] {
        %v = affine.load %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
        affine.store %v, %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }

  // Neighbours are side by side as it is; and each iteration would compute the sum anew. Of neither anything is said.
  gpu.func @columns(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %column = gpu.global_id x
    %is_column = arith.cmpi slt, %column, %width : index
    scf.if %is_column {
      affine.for %i = 0 to %height {
        %v = affine.load %A[%i, symbol(%column)] : memref<?x?xf32, strided<[?, 1]>>
        affine.store %v, %A[%i, symbol(%column)] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }

  gpu.func @mean(%a: memref<?xf32>, %m: i32, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %height = arith.index_cast %m : i32 to index
    %width = arith.index_cast %n : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%height, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %row = gpu.global_id x
    %is_row = arith.cmpi slt, %row, %height : index
    scf.if %is_row {
      %sum = affine.for %j = 0 to %width iter_args(%s = %zero) -> f32 {
        %v = affine.load %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
        %next = arith.addf %s, %v : f32
        affine.yield %next : f32
      }
      affine.for %j = 0 to %width {
        affine.store %sum, %A[symbol(%row), %j] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }
}
