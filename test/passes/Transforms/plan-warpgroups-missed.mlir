// RUN: gpuopt-opt %s --gpuopt-plan-warpgroups="target=sm_90a" --split-input-file --remarks-filter=gpuopt --remark-format=emitRemark -verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.partition

// Without the permission nothing is planned; what it would be for is said where
// units would be used.

gpu.module @kernels {
  gpu.func @order(%a: memref<?xbf16> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xbf16> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %u = arith.extf %x : bf16 to f32
        %y = affine.load %B[symbol(%idx), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %v = arith.extf %y : bf16 to f32
        %p = arith.mulf %u, %v : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Only matrices of 16 bits may lie the other way.

gpu.module @kernels {
  gpu.func @bytes(%a: memref<?xi8> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xi8> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xi32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0 : i32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xi8> to memref<?x?xi8, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1] : memref<?xi8> to memref<?x?xi8, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xi32> to memref<?x?xi32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (i32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xi8, strided<[?, 1]>>
        %u = arith.extsi %x : i8 to i32
      // expected-remark @below {{warpgroups multiply matrices of this type only where the elements for one sum are neighbours}}
        %y = affine.load %B[%i, symbol(%idx)] : memref<?x?xi8, strided<[?, 1]>>
        %v = arith.extsi %y : i8 to i32
        %p = arith.muli %u, %v : i32
        %t = arith.addi %s, %p : i32
        affine.yield %t : i32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xi32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Neighbouring lanes would store to different rows.

gpu.module @kernels {
  gpu.func @results_along_y(%a: memref<?xbf16> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xbf16> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %u = arith.extf %x : bf16 to f32
        %y = affine.load %B[symbol(%idx), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %v = arith.extf %y : bf16 to f32
        %p = arith.mulf %u, %v : f32
        %t = arith.addf %s, %p fastmath<reassoc> : f32
        affine.yield %t : f32
      }
      // expected-remark @below {{results of work items along x are no neighbours}}
      affine.store %sum, %C[symbol(%idx), symbol(%idy)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// A line is longer than the sums.

gpu.module @kernels {
  gpu.func @short(%a: memref<?xbf16> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xbf16> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      // expected-remark @below {{sums of 32 products are too short for tiles of 64}}
      %sum = affine.for %i = 0 to 32 iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idy), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %u = arith.extf %x : bf16 to f32
        %y = affine.load %B[symbol(%idx), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %v = arith.extf %y : bf16 to f32
        %p = arith.mulf %u, %v : f32
        %t = arith.addf %s, %p fastmath<reassoc> : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Both matrices have the work items' columns.

gpu.module @kernels {
  gpu.func @square(%a: memref<?xbf16> {gpuopt.name = "a", llvm.noalias, llvm.readonly}, %b: memref<?xbf16> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                   %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1] : memref<?xbf16> to memref<?x?xbf16, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      // expected-remark @below {{both matrices follow the same direction}}
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idx), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %u = arith.extf %x : bf16 to f32
        %y = affine.load %B[symbol(%idx), %i] : memref<?x?xbf16, strided<[?, 1]>>
        %v = arith.extf %y : bf16 to f32
        %p = arith.mulf %u, %v : f32
        %t = arith.addf %s, %p fastmath<reassoc> : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
