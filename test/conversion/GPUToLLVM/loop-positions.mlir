// A loop's annotation with positions of a subprogram that the function has lost
// (as in text without locations) keeps its wishes and loses its positions.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s

#file = #llvm.di_file<"k.cu" in "">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C_plus_plus, file = #file, isOptimized = true, emissionKind = LineTablesOnly>
#type = #llvm.di_subroutine_type<>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k", file = #file, line = 1, scopeLine = 1, subprogramFlags = "Definition|Optimized", type = #type>
#position = loc(fused<#program>["k.cu":3:3])
#annotation = #llvm.loop_annotation<mustProgress = true, startLoc = #position, endLoc = #position>

gpu.module @kernels {
  // CHECK-LABEL: define ptx_kernel void @k(
  // CHECK: br i1 {{.*}} !llvm.loop ![[LOOP:[0-9]+]]
  // CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[PROGRESS:[0-9]+]]}
  // CHECK: ![[PROGRESS]] = !{!"llvm.loop.mustprogress"}
  llvm.func @k(%p: !llvm.ptr, %c: i1) attributes {gpu.kernel} {
    llvm.br ^loop
  ^loop:
    llvm.store volatile %c, %p : i1, !llvm.ptr
    llvm.cond_br %c, ^loop, ^exit {loop_annotation = #annotation}
  ^exit:
    llvm.return
  }
}
