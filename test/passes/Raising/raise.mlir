// RUN: gpuopt-opt %s --gpuopt-raise --verify-roundtrip | FileCheck %s

// Naive matrix product as the import gives it. Later passes of the pipeline may
// replace the loop, the ids and the accesses by affine ones.
gpu.module @kernels {
  llvm.func @__gpuopt_block_id_x() -> i32
  llvm.func @__gpuopt_block_id_y() -> i32
  llvm.func @__gpuopt_block_dim_x() -> i32
  llvm.func @__gpuopt_block_dim_y() -> i32
  llvm.func @__gpuopt_thread_id_x() -> i32
  llvm.func @__gpuopt_thread_id_y() -> i32

  // CHECK-LABEL: gpu.func @mm(
  // CHECK-SAME:    %{{.*}}: memref<?xf32> {gpuopt.name = "a", llvm.noalias, llvm.readonly}
  // CHECK-SAME:    %[[C:.*]]: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %{{.*}}: i32 {gpuopt.name = "m"}
  // CHECK-NOT:   llvm.
  // CHECK:       scf.if
  // CHECK-NOT:   llvm.
  // CHECK:         for
  // CHECK-SAME:      iter_args
  // CHECK-COUNT-2:   .load
  // CHECK:           arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
  // CHECK:           arith.addf
  // CHECK:           yield
  // CHECK:         .store
  // CHECK:       gpu.return
  llvm.func @mm(%a: !llvm.ptr {gpuopt.name = "a", llvm.noalias, llvm.noundef},
                %b: !llvm.ptr {gpuopt.name = "b", llvm.noalias, llvm.noundef},
                %c: !llvm.ptr {gpuopt.name = "c", llvm.noalias, llvm.noundef},
                %m: i32 {gpuopt.name = "m"}, %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"})
      attributes {gpu.kernel, gpuopt.source_name = "mm"} {
    %0 = llvm.mlir.constant(0.000000e+00 : f32) : f32
    %1 = llvm.mlir.constant(0 : i32) : i32
    %2 = llvm.mlir.constant(1 : i32) : i32
    %3 = llvm.call @__gpuopt_block_id_x() : () -> i32
    %4 = llvm.call @__gpuopt_block_dim_x() : () -> i32
    %5 = llvm.mul %3, %4 : i32
    %6 = llvm.call @__gpuopt_thread_id_x() : () -> i32
    %7 = llvm.add %5, %6 : i32
    %8 = llvm.call @__gpuopt_block_id_y() : () -> i32
    %9 = llvm.call @__gpuopt_block_dim_y() : () -> i32
    %10 = llvm.mul %8, %9 : i32
    %11 = llvm.call @__gpuopt_thread_id_y() : () -> i32
    %12 = llvm.add %10, %11 : i32
    %13 = llvm.icmp "sge" %7, %n : i32
    %14 = llvm.icmp "sge" %12, %m : i32
    %15 = llvm.or %13, %14 : i1
    llvm.cond_br %15, ^bb5, ^bb1
  ^bb1:
    llvm.br ^bb2(%0, %1 : f32, i32)
  ^bb2(%16: f32, %17: i32):
    %18 = llvm.icmp "slt" %17, %k : i32
    llvm.cond_br %18, ^bb3, ^bb4
  ^bb3:
    %19 = llvm.mul %12, %k overflow<nsw> : i32
    %20 = llvm.add %19, %17 overflow<nsw> : i32
    %21 = llvm.sext %20 : i32 to i64
    %22 = llvm.getelementptr inbounds %a[%21] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %23 = llvm.load %22 {alignment = 4 : i64} : !llvm.ptr -> f32
    %24 = llvm.mul %17, %n overflow<nsw> : i32
    %25 = llvm.add %24, %7 overflow<nsw> : i32
    %26 = llvm.sext %25 : i32 to i64
    %27 = llvm.getelementptr inbounds %b[%26] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %28 = llvm.load %27 {alignment = 4 : i64} : !llvm.ptr -> f32
    %29 = llvm.fmul %23, %28 {fastmathFlags = #llvm.fastmath<contract>} : f32
    %30 = llvm.fadd %16, %29 {fastmathFlags = #llvm.fastmath<contract>} : f32
    %31 = llvm.add %17, %2 overflow<nsw, nuw> : i32
    llvm.br ^bb2(%30, %31 : f32, i32)
  ^bb4:
    %32 = llvm.mul %12, %n overflow<nsw> : i32
    %33 = llvm.add %32, %7 overflow<nsw> : i32
    %34 = llvm.sext %33 : i32 to i64
    %35 = llvm.getelementptr inbounds %c[%34] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %16, %35 {alignment = 4 : i64} : f32, !llvm.ptr
    llvm.br ^bb5
  ^bb5:
    llvm.return
  }
}
