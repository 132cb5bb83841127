// RUN: gpuopt-opt %s --gpuopt-annotate-accesses | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=gfx942 block=7,3,2" -o /dev/null
// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=nvidia-gtx285 sizes=arg8=0" -o /dev/null
// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=amd-hd5870 block=1024 sizes=arg8=-5,arg1.dim1=1" -o /dev/null

// Views, types and control flow out of the ordinary: each access gets a function
// or a reason, and nothing crashes.

// CHECK-LABEL: gpu.func @odd
// CHECK: unresolved = "the array has no known rank"
// CHECK: unresolved = "the access was not raised"
// CHECK: reason = "the address cannot be computed (division by zero or more than 64 bits)"
// CHECK: unresolved = "index arithmetic leaves 64 bits"
// CHECK: unresolved = "a subscript is the result of 'gpu.lane_id'"
// CHECK: unresolved = "the layout of 'arg9' is not strided"
// CHECK: function = "arg1.dim1*i2 + (4*i2 floordiv 3)"
// CHECK: unresolved = "the array is made by 'memref.expand_shape'"
gpu.module @kernels {
  gpu.func @odd(%z: memref<f32>, %u: memref<?x?xf32>, %s: memref<?xf32, strided<[?], offset: ?>>, %x: memref<*xf32>, %b: memref<?xi1>, %c: memref<?xcomplex<f32>>, %i4: memref<?xi4>, %ptr: !llvm.ptr, %n: i64, %ix: memref<4x4xf32, affine_map<(d0,d1)->(d1,d0)>>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : index
    %big = arith.constant 9223372036854775807 : index
    %t = gpu.thread_id x
    %ln = gpu.lane_id
    %0 = memref.load %z[] : memref<f32>
    %1 = memref.load %u[%t, %t] : memref<?x?xf32>
    %2 = memref.load %s[%t] : memref<?xf32, strided<[?], offset: ?>>
    %xc = memref.cast %x : memref<*xf32> to memref<?xf32>
    %3 = memref.load %xc[%t] : memref<?xf32>
    %4 = memref.load %b[%t] : memref<?xi1>
    %5 = memref.load %c[%t] : memref<?xcomplex<f32>>
    %6 = memref.load %i4[%t] : memref<?xi4>
    %7 = llvm.load %ptr : !llvm.ptr -> f32
    %d = arith.divsi %t, %zero : index
    %8 = memref.load %u[%d, %t] : memref<?x?xf32>
    %o = arith.muli %t, %big : index
    %o2 = arith.muli %o, %big : index
    %9 = memref.load %u[%o2, %o] : memref<?x?xf32>
    %10 = memref.load %u[%ln, %t] : memref<?x?xf32>
    %11 = memref.load %ix[%t, %c0] : memref<4x4xf32, affine_map<(d0,d1)->(d1,d0)>>
    %sv = memref.subview %u[%t, 0] [4, 4] [2, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
    %12 = memref.load %sv[%c0, %t] : memref<4x4xf32, strided<[?, 1], offset: ?>>
    %al = memref.alloca() : memref<4xf32>
    %13 = memref.load %al[%c0] : memref<4xf32>
    %dim = memref.dim %u, %c0 : memref<?x?xf32>
    %st = arith.index_cast %n : i64 to index
    scf.for %i = %t to %dim step %st {
      %14 = memref.load %u[%i, %t] : memref<?x?xf32>
      %cond = arith.cmpi slt, %i, %t : index
      scf.while : () -> () { 
        %15 = memref.load %u[%i, %t] : memref<?x?xf32>
        scf.condition(%cond) } do { scf.yield }
    }
    scf.for %i = %c0 to %dim step %c0 {
      %16 = memref.load %u[%i, %t] : memref<?x?xf32>
    }
    affine.for %i = 0 to min affine_map<(d0)[s0]->(d0+16, s0)>(%c0)[%dim] {
      affine.if affine_set<(d0)[s0]: (s0 - d0 - 1 >= 0, d0 mod 2 == 0)>(%i)[%dim] {
      %v = affine.vector_load %u[%i, 4*%i] : memref<?x?xf32>, vector<4xf32>
      affine.vector_store %v, %u[%i, 4*%i floordiv 3] : memref<?x?xf32>, vector<4xf32>
      } else { %17 = memref.load %u[%i, %t] : memref<?x?xf32> }
    }
    %e = memref.expand_shape %u [[0],[1,2]] output_shape [%dim, %dim, 4] : memref<?x?xf32> into memref<?x?x4xf32>
    %18 = memref.load %e[%t,%c0,%c0] : memref<?x?x4xf32>
    gpu.return
  }
}
