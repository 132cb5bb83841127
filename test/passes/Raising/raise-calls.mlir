// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-raise-functions))' | FileCheck %s

gpu.module @kernels {
  llvm.func @__gpuopt_thread_id_z() -> i32
  llvm.func @__gpuopt_grid_dim_x() -> i32
  llvm.func @__gpuopt_lane_id() -> i32
  llvm.func @__gpuopt_subgroup_size() -> i32
  llvm.func @__gpuopt_clock() -> i64
  llvm.func @sinf(f32) -> f32
  llvm.func @pow(f64, f64) -> f64
  llvm.func @erf(f64) -> f64
  llvm.func @sin(f32) -> f32
  llvm.func @powf(f32, i32) -> f32
  llvm.func @cosf(%x: f32) -> f32 {
    llvm.return %x : f32
  }

  // Ids and extents are indices, of which the source sees 32 bits.
  // CHECK-LABEL: gpu.func @ids(
  // CHECK:         %[[Z:.*]] = gpu.thread_id z
  // CHECK:         arith.index_cast %[[Z]] : index to i32
  // CHECK:         gpu.grid_dim x
  // CHECK:         gpu.lane_id
  // CHECK:         gpu.subgroup_size : index
  // A clock is no id: each reading is another one.
  // CHECK:         llvm.call @__gpuopt_clock()
  llvm.func @ids(%a: !llvm.ptr) attributes {gpu.kernel} {
    %0 = llvm.call @__gpuopt_thread_id_z() : () -> i32
    %1 = llvm.call @__gpuopt_grid_dim_x() : () -> i32
    %2 = llvm.call @__gpuopt_lane_id() : () -> i32
    %3 = llvm.call @__gpuopt_subgroup_size() : () -> i32
    %4 = llvm.add %0, %1 : i32
    %5 = llvm.add %2, %3 : i32
    %6 = llvm.add %4, %5 : i32
    llvm.store %6, %a : i32, !llvm.ptr
    %7 = llvm.call @__gpuopt_clock() : () -> i64
    llvm.store %7, %a : i64, !llvm.ptr
    llvm.return
  }

  // Intrinsics that mean what an operation means, with their licences.
  // CHECK-LABEL: gpu.func @intrinsics(
  // CHECK:         math.exp %{{.*}} fastmath<afn> : f32
  // CHECK:         math.fma
  // NaN is ignored by one maximum and passed on by the other.
  // CHECK:         arith.maxnumf
  // CHECK:         arith.maximumf
  // CHECK:         math.roundeven
  // CHECK:         math.copysign
  // CHECK:         math.absf
  llvm.func @intrinsics(%a: !llvm.ptr, %x: f32, %y: f32) attributes {gpu.kernel} {
    %0 = llvm.intr.exp(%x) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    %1 = llvm.intr.fma(%0, %x, %y) : (f32, f32, f32) -> f32
    %2 = llvm.intr.maxnum(%1, %x) : (f32, f32) -> f32
    %3 = llvm.intr.maximum(%2, %y) : (f32, f32) -> f32
    %4 = llvm.intr.roundeven(%3) : (f32) -> f32
    %5 = llvm.intr.copysign(%4, %x) : (f32, f32) -> f32
    %6 = llvm.intr.fabs(%5) : (f32) -> f32
    llvm.store %6, %a : f32, !llvm.ptr
    llvm.return
  }

  // Zero has 32 leading zeros, and the least number an absolute value, whether the source asks or not.
  // CHECK-LABEL: gpu.func @bits(
  // CHECK:         math.ctlz
  // CHECK:         math.cttz
  // CHECK:         math.ctpop
  // CHECK:         math.absi
  // CHECK:         arith.minui
  // CHECK:         arith.maxsi
  llvm.func @bits(%a: !llvm.ptr, %i: i32) attributes {gpu.kernel} {
    %0 = "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32
    %1 = "llvm.intr.cttz"(%0) <{is_zero_poison = false}> : (i32) -> i32
    %2 = llvm.intr.ctpop(%1) : (i32) -> i32
    %3 = "llvm.intr.abs"(%2) <{is_int_min_poison = true}> : (i32) -> i32
    %4 = llvm.intr.umin(%3, %i) : (i32, i32) -> i32
    %5 = llvm.intr.smax(%4, %i) : (i32, i32) -> i32
    llvm.store %5, %a : i32, !llvm.ptr
    llvm.return
  }

  // C's names say the type: an `f` at the end is for `float`.
  // CHECK-LABEL: gpu.func @library(
  // CHECK:         math.sin %{{.*}} fastmath<contract> : f32
  // CHECK:         math.powf %{{.*}} : f64
  // CHECK:         math.erf %{{.*}} : f64
  // What is called by one of these names with other numbers, or has a body of
  // its own, is another function.
  // CHECK:         llvm.call @sin(
  // CHECK:         llvm.call @powf(
  // CHECK:         llvm.call @cosf(
  llvm.func @library(%a: !llvm.ptr, %x: f32, %y: f64, %n: i32) attributes {gpu.kernel} {
    %0 = llvm.call @sinf(%x) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
    %1 = llvm.call @pow(%y, %y) : (f64, f64) -> f64
    %2 = llvm.call @erf(%1) : (f64) -> f64
    llvm.store %2, %a : f64, !llvm.ptr
    %3 = llvm.call @sin(%0) : (f32) -> f32
    %4 = llvm.call @powf(%3, %n) : (f32, i32) -> f32
    %5 = llvm.call @cosf(%4) : (f32) -> f32
    llvm.store %5, %a : f32, !llvm.ptr
    llvm.return
  }

  // Hints have been read by then.
  // CHECK-LABEL: gpu.func @hints(
  // CHECK-NOT:     assume
  // CHECK:         gpu.return
  llvm.func @hints(%is: i1) attributes {gpu.kernel} {
    llvm.intr.assume %is : i1
    llvm.return
  }
}
