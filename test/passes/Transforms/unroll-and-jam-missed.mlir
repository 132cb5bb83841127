// RUN: gpuopt-opt %s --gpuopt-unroll-and-jam="target=sm_90" --remarks-filter=gpuopt --remark-format=emitRemark \
// RUN:   --verify-diagnostics | FileCheck %s

// CHECK-NOT: step

#id = affine_map<(d0) -> (d0)>
#row = strided<[?, 1]>

gpu.module @kernels {
  // Without the guard the length of a row may be 0: then all rows are one.
  gpu.func @no_guard(%l: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias}, %m: index, %n: index) kernel {
    %id = gpu.global_id x
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, #row>
    // expected-remark@below {{an outer iteration may write what a later one reads}}
    affine.for %i = 0 to %m {
      %x = affine.load %B[%i, symbol(%id)] : memref<?x?xf32, #row>
      %y = affine.for %j = 0 to #id(%i) iter_args(%s = %x) -> (f32) {
        %w = affine.load %B[%j, symbol(%id)] : memref<?x?xf32, #row>
        %t = arith.subf %s, %w : f32
        affine.yield %t : f32
      }
      affine.store %y, %B[%i, symbol(%id)] : memref<?x?xf32, #row>
    }
    gpu.return
  }

  // Each row needs the one before.
  gpu.func @dependence(%b: memref<?x64xf32> {llvm.noalias}, %rows: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %m = arith.index_cast %rows : i32 to index
    // expected-remark@below {{an outer iteration may write what a later one reads}}
    affine.for %i = 1 to %m {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %b[0, %j] : memref<?x64xf32>
        %w = affine.load %b[%i - 1, %j] : memref<?x64xf32>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %y, %b[%i, 0] : memref<?x64xf32>
    }
    gpu.return
  }

  gpu.func @alias(%a: memref<?xf32>, %c: memref<?xf32>, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{an outer iteration may write what a later one reads}}
    affine.for %i = 0 to %m {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.store %y, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  // A subscript that comes from memory.
  gpu.func @indirect(%a: memref<?xf32> {llvm.noalias}, %at: memref<?xindex> {llvm.noalias}, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{an outer iteration may write what a later one reads}}
    affine.for %i = 0 to %m {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      %k = affine.load %at[%i] : memref<?xindex>
      memref.store %y, %a[%k] : memref<?xf32>
    }
    gpu.return
  }

  gpu.func @barrier(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{'gpu.barrier' keeps the iterations in order}}
    affine.for %i = 0 to %m {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      gpu.barrier
      affine.store %y, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  gpu.func @carried(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{the inner loop needs what the outer iteration before computes}}
    %sum = affine.for %i = 0 to %m iter_args(%before = %zero) -> (f32) {
      %y = affine.for %j = 0 to 64 iter_args(%s = %before) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.yield %y : f32
    }
    affine.store %sum, %c[0] : memref<?xf32>
    gpu.return
  }

  gpu.func @inner_writes(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{the inner loop writes memory}}
    affine.for %i = 0 to %m {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.store %t, %c[%i + %j] : memref<?xf32>
        affine.yield %t : f32
      }
    }
    gpu.return
  }

  // A solver from the last row up whose sums run forwards: they begin with the
  // row that is solved last.
  gpu.func @backwards(%l: memref<64x64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias}) kernel {
    // expected-remark@below {{an outer iteration may write what a later one reads}}
    affine.for %i = 0 to 64 {
      %x = affine.load %b[63 - %i] : memref<64xf32>
      %y = affine.for %j = affine_map<(d0) -> (64 - d0)>(%i) to 64 iter_args(%s = %x) -> (f32) {
        %v = affine.load %l[63 - %i, %j] : memref<64x64xf32>
        %w = affine.load %b[%j] : memref<64xf32>
        %p = arith.mulf %v, %w : f32
        %t = arith.subf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %y, %b[63 - %i] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @uneven(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{the inner loop's bounds do not move evenly with the outer loop}}
    affine.for %i = 0 to %m {
      %y = affine.for %j = 0 to affine_map<(d0) -> (d0 floordiv 3)>(%i) iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.store %y, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  // %first may lie behind %i.
  gpu.func @empty(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %m: index, %first: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{the inner loop may have no iterations that all of the outer ones have}}
    affine.for %i = 0 to %m {
      %y = affine.for %j = %first to #id(%i) iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.store %y, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  gpu.func @short(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{there are too few registers or iterations}}
    affine.for %i = 0 to 1 {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.store %y, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  // How many iterations there are may wrap: %m - 1 is 2^63 - 1 for the least %m.
  gpu.func @length_wraps(%a: memref<?x64xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias}, %m: index) kernel {
    %zero = arith.constant 0.0 : f32
    // expected-remark@below {{a longer step might wrap at the end of 64 bits}}
    affine.for %i = 1 to %m {
      %y = affine.for %j = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[0, %j] : memref<?x64xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.store %y, %b[%i] : memref<?xf32>
    }
    gpu.return
  }
}
