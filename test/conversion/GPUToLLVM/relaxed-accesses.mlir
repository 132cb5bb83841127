// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-relax-converted-accesses))' | FileCheck %s -D'$SCOPE=device'
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-relax-converted-accesses{vendor=amd}))' | FileCheck %s -D'$SCOPE=agent'

// Conversion to LLVM promises more of accesses than a kernel's source does.

gpu.module @kernels {
  // A kernel may be given a pointer into the middle of an array, and go back
  // from there: subscripts and their parts may be negative, or wrap.
  // CHECK-LABEL: llvm.func @subscripts(
  // CHECK:         %[[ROW:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
  // CHECK:         %[[AT:.*]] = llvm.add %[[ROW]], %{{.*}} : i64
  // CHECK:         llvm.getelementptr inbounds %{{.*}}[%[[AT]]]
  llvm.func @subscripts(%a: !llvm.ptr, %i: i64, %j: i64, %k: i64) {
    %row = llvm.mul %i, %k overflow<nsw, nuw> : i64
    %at = llvm.add %row, %j overflow<nsw, nuw> : i64
    %p = llvm.getelementptr inbounds|nuw %a[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
    llvm.return
  }

  // What the source has promised itself stays: signed sums do not wrap.
  // CHECK-LABEL: llvm.func @promised(
  // CHECK:         llvm.add %{{.*}}, %{{.*}} overflow<nsw> : i64
  // CHECK:         llvm.getelementptr inbounds %{{.*}}[
  // CHECK:         llvm.add %{{.*}}, %{{.*}} overflow<nsw, nuw> : i64
  // CHECK:         llvm.getelementptr %{{.*}}[
  llvm.func @promised(%a: !llvm.ptr, %i: i64, %j: i64) {
    %at = llvm.add %i, %j overflow<nsw> : i64
    %p = llvm.getelementptr inbounds|nuw %a[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %other = llvm.add %j, %i overflow<nsw, nuw> : i64
    %q = llvm.getelementptr %a[%other] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %q : f32, !llvm.ptr
    llvm.return
  }

  // An update of `memref` orders nothing else, and is for the device to see.
  // One that was in the LLVM dialect from the start says its order itself.
  // CHECK-LABEL: llvm.func @updates(
  // CHECK:         llvm.atomicrmw add %{{.*}} syncscope("[[$SCOPE]]") monotonic
  // CHECK:         llvm.atomicrmw add %{{.*}}, %{{.*}} acq_rel :
  // CHECK-NOT:     source_order
  llvm.func @updates(%a: !llvm.ptr, %x: i32) {
    %0 = llvm.atomicrmw add %a, %x acq_rel : !llvm.ptr, i32
    %1 = llvm.atomicrmw add %a, %x acq_rel {gpuopt.source_order} : !llvm.ptr, i32
    llvm.return
  }
}
