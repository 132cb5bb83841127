// RUN: gpuopt-translate --mlir-to-cuda -split-input-file %s | FileCheck %s
// RUN: not gpuopt-translate --mlir-to-opencl -split-input-file %s 2>%t | FileCheck %s --check-prefix=OPENCL
// RUN: FileCheck %s --check-prefix=ERROR --input-file %t

// A structure that is passed by value is memory in MLIR; what is read at a place in
// it is a member.

gpu.module @kernels {
  // Byte 20 is shift[1][1]: four bytes for `factor`, and four for each of the others.
  // CHECK:       struct Scale {
  // CHECK-NEXT:    float factor;
  // CHECK-NEXT:    unsigned shift[2][3];
  // CHECK-NEXT:  };
  // CHECK-LABEL: void scaled(float *a, Scale s)
  // CHECK:         a[tx] = a[tx] * s.factor + (float)s.shift[1][1];
  // OPENCL:      typedef struct {
  // OPENCL:      } Scale;
  // OPENCL:      void scaled(__global float *a, Scale s)
  gpu.func @scaled(%a: memref<?xf32> {gpuopt.name = "a"},
                   %s: !llvm.ptr {gpuopt.name = "s", gpuopt.structure = {members = [
                     {element = f32, name = "factor", offset = 0 : i64},
                     {element = i32, extents = array<i64: 2, 3>, name = "shift", offset = 4 : i64, unsigned}], type = "Scale"}}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xf32>
    %f = llvm.load %s : !llvm.ptr -> f32
    %p = llvm.getelementptr %s[20] : (!llvm.ptr) -> !llvm.ptr, i8
    %i = llvm.load %p : !llvm.ptr -> i32
    %j = arith.uitofp %i : i32 to f32
    %y = arith.mulf %x, %f fastmath<contract> : f32
    %z = arith.addf %y, %j fastmath<contract> : f32
    memref.store %z, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // Vectors are structures that all languages know.
  // CHECK-LABEL: void vector(float *a, float2 v)
  // CHECK:         a[tx] = v.y;
  gpu.func @vector(%a: memref<?xf32> {gpuopt.name = "a"},
                   %v: !llvm.ptr {gpuopt.name = "v", gpuopt.structure = {members = [
                     {element = f32, name = "x", offset = 0 : i64}, {element = f32, name = "y", offset = 4 : i64}], type = "float2"}}) kernel {
    %tx = gpu.thread_id x
    %p = llvm.getelementptr %v[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %y = llvm.load %p : !llvm.ptr -> f32
    memref.store %y, %a[%tx] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {

  // What a member points to is an array. OpenCL C cannot pass such a member.
  // CHECK:       struct View {
  // CHECK-NEXT:    float *data;
  // CHECK-NEXT:    int rows;
  // CHECK-LABEL: void through_a_pointer(View v)
  // CHECK:         float [[X:[_a-z0-9]+]] = v.data[{{.*}}tx + 1];
  // CHECK-NEXT:    v.data[{{.*}}tx] = [[X]];
  // ERROR:       error: a structure with a pointer has no form in OpenCL C
  gpu.func @through_a_pointer(%v: !llvm.ptr {gpuopt.name = "v", gpuopt.structure = {members = [
                     {element = f32, name = "data", offset = 0 : i64, pointer}, {element = i32, name = "rows", offset = 8 : i64}], type = "View"}}) kernel {
    %tx = gpu.thread_id x
    %at = arith.index_cast %tx : index to i64
    %p = llvm.load %v : !llvm.ptr -> !llvm.ptr
    %q = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %r = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %x = llvm.load %r : !llvm.ptr -> f32
    llvm.store %x, %q : f32, !llvm.ptr
    gpu.return
  }
}
