// RUN: gpuopt-opt %s --gpuopt-assume-index-range --split-input-file | FileCheck %s

// The version whose indices cannot wrap is the only one; what it asks of arguments and launch is left to the launcher:
// symbols 0 to 2 are the arguments, 3 the grid along x, 6 the block. (Ids fit 32 bits in any launch.)
// CHECK: #[[$SET:.*]] = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (s2 >= 0, -(s3 * s6) - s2 + 2147483648 >= 0)>
// CHECK-LABEL: gpu.func @offset(
// CHECK-SAME: gpuopt.fallback = @offset__original
// CHECK-SAME: gpuopt.requires = #[[$SET]]
// CHECK-NOT: scf.if
// CHECK: %[[EXACT:.*]] = arith.addi %global_id_x
// CHECK: memref.store %{{.*}}, %arg0[%[[EXACT]]]
// CHECK-NOT: memref.store
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @offset__original(
// CHECK: scf.if
// CHECK: } else {
// CHECK: } {gpuopt.index_range_version}
gpu.module @kernels {
  gpu.func @offset(%a: memref<?xf32>, %v: f32, %off32: i32) kernel {
    %id = gpu.global_id x
    %off = arith.index_cast %off32 : i32 to index
    %most = arith.constant 2147483647 : index
    %one = arith.constant 1 : index
    %threads = gpu.block_dim x
    %blocks = gpu.grid_dim x
    %items = arith.muli %threads, %blocks : index
    %last = arith.subi %items, %one : index
    %few = arith.cmpi ule, %last, %most : index
    %positive = arith.cmpi ule, %off, %most : index
    %sum = arith.addi %last, %off : index
    %fits = arith.cmpi ule, %sum, %most : index
    %both = arith.andi %few, %positive : i1
    %test = arith.andi %both, %fits : i1
    scf.if %test {
      %exact = arith.addi %id, %off : index
      memref.store %v, %a[%exact] : memref<?xf32>
    } else {
      %narrow = arith.index_cast %id : index to i32
      %wrapped = arith.addi %narrow, %off32 : i32
      %at = arith.index_cast %wrapped : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
    } {gpuopt.index_range_version}
    gpu.return
  }
}

// -----

// A test that always holds by the ranges of types needs no condition, and no other kernel. What leaves the version is
// what its first branch yields.
// CHECK-LABEL: gpu.func @always(
// CHECK-NOT: gpuopt.requires
// CHECK-NOT: scf.if
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: memref.store %[[ONE]]
// CHECK-NOT: @always__original
gpu.module @kernels {
  gpu.func @always(%a: memref<?xf32>, %n: i32) kernel {
    %id = gpu.global_id x
    %size = arith.extsi %n : i32 to i64
    %most = arith.constant 4294967296 : i64
    %test = arith.cmpi sle, %size, %most : i64
    %v = scf.if %test -> (f32) {
      %one = arith.constant 1.0 : f32
      scf.yield %one : f32
    } else {
      %two = arith.constant 2.0 : f32
      scf.yield %two : f32
    } {gpuopt.index_range_version}
    memref.store %v, %a[%id] : memref<?xf32>
    gpu.return
  }
}

// -----

// A part of the test is about what is in memory: that is left in the kernel, and the launcher sees to the launch
// (symbol 2 the grid along x, 5 the block).
// CHECK: #[[$SET:.*]] = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (-(s2 * s5) + 4096 >= 0)>
// CHECK-LABEL: gpu.func @partly(
// CHECK-SAME: gpuopt.requires = #[[$SET]]
// CHECK: %[[SMALL:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK: scf.if %[[SMALL]]
// CHECK: gpu.func @partly__original(
gpu.module @kernels {
  gpu.func @partly(%a: memref<?xf32>, %sizes: memref<?xi32>) kernel {
    %zero = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    %most = arith.constant 1000 : i32
    %items = arith.constant 4096 : index
    %n = memref.load %sizes[%zero] : memref<?xi32>
    %isSmall = arith.cmpi sle, %n, %most : i32
    %threads = gpu.block_dim x
    %blocks = gpu.grid_dim x
    %launched = arith.muli %threads, %blocks : index
    %isCovered = arith.cmpi sle, %launched, %items : index
    %test = arith.andi %isCovered, %isSmall : i1
    scf.if %test {
      memref.store %v, %a[%zero] : memref<?xf32>
    } else {
      memref.store %v, %a[%zero] : memref<?xf32>
    } {gpuopt.index_range_version}
    gpu.return
  }
}
