// RUN: gpuopt-opt %s --gpuopt-assume-distinct-arrays --split-input-file | FileCheck %s

// c[idx] += a[idx * k + i] in a loop: the store of one iteration may change what the next one loads. The kernel touches
// n elements of c and n*k of a; the launcher compares.
// CHECK-LABEL: gpu.func @accumulate(
// CHECK-SAME: %[[A:[^:]*]]: memref<?xf32> {gpuopt.extent = affine_map<()[s0, s1, s2, s3] -> ({{s3 \* s2|s2 \* s3}})>
// CHECK-SAME: %[[C:[^:]*]]: memref<?xf32> {gpuopt.distinct,
// CHECK-SAME: gpuopt.extent = affine_map<()[s0, s1, s2, s3] -> (s2)>
// CHECK-SAME: llvm.noalias
// CHECK-SAME: gpuopt.fallback = @accumulate__original
// The kernel for launches with arrays that overlap promises nothing.
// CHECK-LABEL: gpu.func @accumulate__original(
// CHECK-NOT: llvm.noalias
gpu.module @kernels {
  gpu.func @accumulate(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32, %k: i32) kernel {
    %rows = arith.index_cast %n : i32 to index
    %columns = arith.index_cast %k : i32 to index
    %idx = gpu.global_id x
    %view = memref.reinterpret_cast %a to offset: [0], sizes: [%rows, %columns], strides: [%columns, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %inside = arith.cmpi slt, %idx, %rows : index
    scf.if %inside {
      affine.for %i = 0 to %columns {
        %sum = affine.load %c[symbol(%idx)] : memref<?xf32>
        %x = affine.load %view[symbol(%idx), %i] : memref<?x?xf32, strided<[?, 1]>>
        %next = arith.addf %sum, %x : f32
        affine.store %next, %c[symbol(%idx)] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

// Two accesses, x[i] and x[i + 2], of which the launcher takes the one that reaches further.
// CHECK-LABEL: gpu.func @window(
// CHECK-SAME: gpuopt.extent = affine_map<()[s0, s1, s2] -> (s2, s2 - 2)>
gpu.module @kernels {
  gpu.func @window(%x: memref<?xf32>, %y: memref<?xf32>, %n: i32) kernel {
    %c2 = arith.constant 2 : index
    %end = arith.index_cast %n : i32 to index
    %idx = gpu.global_id x
    %last = arith.addi %idx, %c2 : index
    %inside = arith.cmpi slt, %last, %end : index
    scf.if %inside {
      %left = memref.load %x[%idx] : memref<?xf32>
      memref.store %left, %y[%idx] : memref<?xf32>
      %right = memref.load %x[%last] : memref<?xf32>
      memref.store %right, %y[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// All loads of a work item come before its store, but not before those of its
// neighbours.
// CHECK-LABEL: gpu.func @copy(
// CHECK-SAME: memref<?xf32> {gpuopt.extent = affine_map<()[s0, s1, s2] -> (s2)>}
// CHECK-SAME: memref<?xf32> {gpuopt.distinct, {{.*}}llvm.noalias}
gpu.module @kernels {
  gpu.func @copy(%x: memref<?xf32>, %y: memref<?xf32>, %n: i32) kernel {
    %end = arith.index_cast %n : i32 to index
    %idx = gpu.global_id x
    %inside = arith.cmpi slt, %idx, %end : index
    scf.if %inside {
      %value = memref.load %x[%idx] : memref<?xf32>
      memref.store %value, %y[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// One array only.
// CHECK-LABEL: gpu.func @in_place(
// CHECK-NOT: gpuopt.distinct
// CHECK-NOT: @in_place__original
gpu.module @kernels {
  gpu.func @in_place(%x: memref<?xf32>, %n: i32) kernel {
    %end = arith.index_cast %n : i32 to index
    %idx = gpu.global_id x
    %inside = arith.cmpi slt, %idx, %end : index
    scf.if %inside {
      %value = memref.load %x[%idx] : memref<?xf32>
      memref.store %value, %x[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Nothing writes constant memory while the kernel runs: no pointer need be compared with it.
// CHECK-LABEL: gpu.func @filtered(
// CHECK-SAME: gpuopt.distinct
gpu.module @kernels {
  llvm.mlir.global external constant @w() {addr_space = 4 : i32, externally_initialized} : !llvm.array<8 x f32>
  gpu.func @filtered(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %rows = arith.index_cast %n : i32 to index
    %w = gpuopt.get_variable @w : memref<8xf32, 4>
    %idx = gpu.global_id x
    %inside = arith.cmpi slt, %idx, %rows : index
    scf.if %inside {
      affine.for %i = 0 to 8 {
        %sum = affine.load %c[symbol(%idx)] : memref<?xf32>
        %factor = affine.load %w[%i] : memref<8xf32, 4>
        %x = affine.load %a[symbol(%idx) + %i] : memref<?xf32>
        %part = arith.mulf %factor, %x : f32
        %next = arith.addf %sum, %part : f32
        affine.store %next, %c[symbol(%idx)] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

// An array may be missing: that its address is compared with null is no access of it.
// CHECK-LABEL: gpu.func @optional(
// CHECK-SAME: %[[A:[^:]*]]: memref<?xf32> {gpuopt.extent = affine_map<()[s0, s1, s2] -> (s2)>
// CHECK-SAME: %[[C:[^:]*]]: memref<?xf32> {gpuopt.distinct, gpuopt.extent = affine_map<()[s0, s1, s2] -> (s2)>
gpu.module @kernels {
  gpu.func @optional(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %null = arith.constant 0 : index
    %end = arith.index_cast %n : i32 to index
    %idx = gpu.global_id x
    %inside = arith.cmpi slt, %idx, %end : index
    scf.if %inside {
      %address = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
      %missing = arith.cmpi eq, %address, %null : index
      %v = scf.if %missing -> (f32) {
        scf.yield %zero : f32
      } else {
        %x = memref.load %a[%idx] : memref<?xf32>
        scf.yield %x : f32
      }
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Without a guard the launch bounds the ids: s3 to s5 are its grid, s6 to s8 its block.
// CHECK-LABEL: gpu.func @unguarded(
// CHECK-SAME: gpuopt.extent = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] -> (s3 * s6)>
// CHECK-SAME: gpuopt.distinct, gpuopt.extent = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] -> (s3 * s6)>
gpu.module @kernels {
  gpu.func @unguarded(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %idx = gpu.global_id x
    %v = affine.load %a[symbol(%idx)] : memref<?xf32>
    affine.store %v, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }
}

// -----

// A guard bounds the block and the thread together; what a launch has of blocks
// would be more.
// CHECK-LABEL: gpu.func @own_block(
// CHECK-SAME: memref<?xf32> {gpuopt.extent = affine_map<()[s0, s1, s2] -> (s2)>}
// CHECK-SAME: gpuopt.distinct, gpuopt.extent = affine_map<()[s0, s1, s2] -> (s2 * 2)>
gpu.module @kernels {
  gpu.func @own_block(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      %x = affine.load %a[%b * 64 + %t] : memref<?xf32>
      affine.store %x, %c[%b * 128 + %t * 2 + 1] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// c[y * ldc + x]: where the stride may be negative, nobody knows what lies before c. The launcher makes sure that it is not.
// CHECK: #[[POSITIVE:.*]] = affine_set<()[s0, s1, s2, s3, s4{{.*}}] : (s4 >= 0)>
// CHECK: gpu.func @strided(
// CHECK-SAME: gpuopt.extent = affine_map<()[s0, s1, s2, s3, s4] -> ({{.*}}s4{{.*}})>
// CHECK-SAME: gpuopt.fallback = @strided__original
// CHECK-SAME: gpuopt.requires = #[[POSITIVE]]
// CHECK-LABEL: gpu.func @strided__original(
// CHECK-NOT: gpuopt.requires
gpu.module @kernels {
  gpu.func @strided(%a: memref<?xf32>, %c: memref<?xf32>, %n: i32, %m: i32, %ldc: i32) kernel {
    %columns = arith.index_cast %n : i32 to index
    %rows = arith.index_cast %m : i32 to index
    %stride = arith.index_cast %ldc : i32 to index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %view = memref.reinterpret_cast %c to offset: [0], sizes: [%rows, %stride], strides: [%stride, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %in_row = arith.cmpi slt, %x, %columns : index
    %in_column = arith.cmpi slt, %y, %rows : index
    %inside = arith.andi %in_row, %in_column : i1
    scf.if %inside {
      affine.for %i = 0 to 4 {
        %sum = affine.load %view[symbol(%y), symbol(%x)] : memref<?x?xf32, strided<[?, 1]>>
        %value = affine.load %a[%i] : memref<?xf32>
        %next = arith.addf %sum, %value : f32
        affine.store %next, %view[symbol(%y), symbol(%x)] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }
}
