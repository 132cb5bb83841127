// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-raise-functions))' | FileCheck %s

gpu.module @kernels {
  llvm.func @__gpuopt_block_id_x() -> i32
  llvm.func @__gpuopt_barrier()
  llvm.func @__gpuopt_fence(i32)
  llvm.func @erff(f32) -> f32
  llvm.func @sinpif(f32) -> f32

  // What the source says about parameters and launch stays.
  // CHECK-LABEL: gpu.func @parameters(
  // CHECK-SAME:    !llvm.ptr {gpuopt.name = "a", llvm.noalias}, %{{.*}}: i32 {gpuopt.name = "n"}) kernel
  // CHECK-SAME:    attributes {gpuopt.source_name = "parameters", passthrough = {{\[\[}}"nvvm.maxntid", "256"]]}
  llvm.func @parameters(%a: !llvm.ptr {gpuopt.name = "a", llvm.noalias, llvm.noundef},
                        %n: i32 {gpuopt.name = "n", llvm.noundef})
      attributes {gpu.kernel, gpuopt.source_name = "parameters",
                  passthrough = ["mustprogress", ["nvvm.maxntid", "256"], ["target-cpu", "sm_90"]]} {
    // CHECK: gpu.return
    llvm.return
  }

  // Flags and fast-math licences are kept; a disjoint `or` adds, a zero
  // extension of a number that is not negative extends its sign.
  // CHECK-LABEL: gpu.func @arithmetic
  llvm.func ptx_kernelcc @arithmetic(%a: !llvm.ptr, %i: i32, %j: i32, %x: f32) {
    // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
    %0 = llvm.add %i, %j overflow<nsw> : i32
    // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
    %1 = llvm.or disjoint %0, %j : i32
    // CHECK: arith.ori
    %2 = llvm.or %1, %i : i32
    // CHECK: arith.shrui %{{.*}}, %{{.*}} exact : i32
    %3 = llvm.lshr exact %2, %j : i32
    // CHECK: arith.extsi
    %4 = llvm.zext nneg %3 : i32 to i64
    // CHECK: arith.extui
    %5 = llvm.zext %j : i32 to i64
    // CHECK: arith.cmpi ult
    %6 = llvm.icmp "ult" %4, %5 : i64
    // CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
    %7 = llvm.fmul %x, %x {fastmathFlags = #llvm.fastmath<contract>} : f32
    // CHECK: arith.select
    %8 = llvm.select %6, %7, %x : i1, f32
    // CHECK: llvm.intr.fmuladd
    %9 = llvm.intr.fmuladd(%8, %7, %x) : (f32, f32, f32) -> f32
    llvm.store %9, %a : f32, !llvm.ptr
    llvm.return
  }

  // Functions become operations where there is one that means the same.
  // CHECK-LABEL: gpu.func @calls
  llvm.func @calls(%a: !llvm.ptr, %x: f32) attributes {gpu.kernel} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    // CHECK: %[[ID:.*]] = gpu.block_id x
    // CHECK: arith.index_cast %[[ID]] : index to i32
    %1 = llvm.call @__gpuopt_block_id_x() : () -> i32
    // CHECK: math.sqrt %{{.*}} fastmath<afn>
    %2 = llvm.intr.sqrt(%x) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    // CHECK: math.erf
    %3 = llvm.call @erff(%2) : (f32) -> f32
    // CHECK: llvm.call @sinpif
    %4 = llvm.call @sinpif(%3) : (f32) -> f32
    // CHECK: gpu.barrier
    llvm.call @__gpuopt_barrier() : () -> ()
    // CHECK: llvm.call @__gpuopt_fence
    llvm.call @__gpuopt_fence(%0) : (i32) -> ()
    llvm.store %4, %a : f32, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: gpu.func @slot
  // CHECK: llvm.alloca
  // CHECK-NOT: lifetime
  llvm.func @slot() attributes {gpu.kernel} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.alloca %0 x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    llvm.intr.lifetime.start %1 : !llvm.ptr
    llvm.intr.lifetime.end %1 : !llvm.ptr
    llvm.return
  }

  llvm.func @__gpuopt_global_sync() attributes {convergent}
  // CHECK-LABEL: gpu.func @gridBarrier
  llvm.func @gridBarrier() attributes {gpu.kernel} {
    // CHECK: gpuopt.grid_barrier
    llvm.call @__gpuopt_global_sync() : () -> ()
    llvm.return
  }

  // A function that is not a kernel stays.
  // CHECK: llvm.func @helper
  llvm.func @helper() {
    llvm.return
  }
}
