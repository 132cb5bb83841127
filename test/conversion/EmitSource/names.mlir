// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Values have no names in MLIR. A variable has that of the source, which stands in
// its location, or one that says what it holds.

gpu.module @kernels {
  // What a loop adds up is a sum, what it counts a count, and so on; what is loaded
  // has the name of its array.
  // CHECK-LABEL: void updates(
  // CHECK:           float a_value = a[i];
  // CHECK-NEXT:      int b_value = b[i];
  // CHECK-NEXT:      sum += a_value;
  // CHECK-NEXT:      product *= a_value;
  // CHECK-NEXT:      largest = fmaxf(largest, a_value);
  // CHECK-NEXT:      count += b_value;
  // CHECK-NEXT:      bits ^= b_value;
  gpu.func @updates(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xi32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %none = arith.constant 0 : i32
    %ni = arith.index_cast %n : i32 to index
    %r:5 = affine.for %i = 0 to %ni iter_args(%p = %zero, %q = %one, %r = %zero, %s = %none, %t = %none) -> (f32, f32, f32, i32, i32) {
      %x = affine.load %a[%i] : memref<?xf32>
      %y = affine.load %b[%i] : memref<?xi32>
      %p1 = arith.addf %p, %x : f32
      %q1 = arith.mulf %q, %x : f32
      %r1 = arith.maxnumf %r, %x : f32
      %s1 = arith.addi %s, %y overflow<nsw> : i32
      %t1 = arith.xori %t, %y : i32
      affine.yield %p1, %q1, %r1, %s1, %t1 : f32, f32, f32, i32, i32
    }
    affine.store %r#0, %a[0] : memref<?xf32>
    affine.store %r#1, %a[1] : memref<?xf32>
    affine.store %r#2, %a[2] : memref<?xf32>
    affine.store %r#3, %b[0] : memref<?xi32>
    affine.store %r#4, %b[1] : memref<?xi32>
    gpu.return
  }

  // Words of C++ and types of CUDA cannot be names, nor can one be given twice. A
  // parameter keeps its name: callers see it. Without one it has its number.
  // CHECK-LABEL: void taken(float *class_2, float *float4_2, int tx, int arg3)
  // CHECK-NEXT:    const int tx_2 = threadIdx.x;
  // CHECK-NEXT:    float4_2[tx_2] = class_2[tx_2];
  gpu.func @taken(%class: memref<?xf32> {gpuopt.name = "class"}, %float4: memref<?xf32> {gpuopt.name = "float4"}, %tx: i32 {gpuopt.name = "tx"}, %none: i32) kernel {
    %x = gpu.thread_id x
    %v = memref.load %class[%x] : memref<?xf32>
    memref.store %v, %float4[%x] : memref<?xf32>
    %at = arith.index_cast %tx : i32 to index
    %w = memref.load %class[%at] : memref<?xf32>
    %other = arith.index_cast %none : i32 to index
    memref.store %w, %float4[%other] : memref<?xf32>
    gpu.return
  }

  // An array in workgroup memory is a tile of what it is filled from, and what is
  // read of it is in a register then.
  // CHECK-LABEL: void tiles(
  // CHECK:         __shared__ float a_tile[64];
  // CHECK-NEXT:    __shared__ float tile[64];
  // CHECK:         float a_reg = a_tile[0];
  // CHECK-NEXT:    float tile_value = tile[0];
  gpu.func @tiles(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %t: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %zero = arith.constant 0.0 : f32
    %x = memref.load %a[%tx] : memref<?xf32>
    memref.store %x, %s[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %zero, %t[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %s[0] : memref<64xf32, #gpu.address_space<workgroup>>
    %z = affine.load %t[0] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = arith.subf %y, %z : f32
    memref.store %y, %b[%tx] : memref<?xf32>
    memref.store %w, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // The first free letter from i on, and again in the next loop.
  // CHECK-LABEL: void counters(float *a, int i)
  // CHECK-NEXT:    for (int j = 0; j < i; ++j)
  // CHECK-NEXT:      for (int k = 0; k < i; ++k)
  // CHECK:         for (int j = 0; j < i; ++j)
  gpu.func @counters(%a: memref<?xf32> {gpuopt.name = "a"}, %i: i32 {gpuopt.name = "i"}) kernel {
    %zero = arith.constant 0.0 : f32
    %n = arith.index_cast %i : i32 to index
    affine.for %p = 0 to %n {
      affine.for %q = 0 to %n {
        affine.store %zero, %a[%p + %q * 2] : memref<?xf32>
      }
    }
    affine.for %p = 0 to %n {
      affine.store %zero, %a[%p] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: void from_source(
  // CHECK:         float velocity = a[tx];
  // CHECK-NEXT:    float energy = velocity * velocity;
  gpu.func @from_source(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xf32> loc("velocity")
    %y = arith.mulf %x, %x : f32 loc("energy")
    memref.store %y, %a[%tx] : memref<?xf32>
    affine.store %y, %a[0] : memref<?xf32>
    affine.store %x, %a[1] : memref<?xf32>
    gpu.return
  }

  // Two values of one name, one after the other, were one variable in the source.
  // CHECK-LABEL: void one_after_the_other(
  // CHECK-NEXT:    float v = a[0];
  // CHECK:         {{^ +}}v = a[3];
  // CHECK-NEXT:    a[4] = v;
  gpu.func @one_after_the_other(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %x = affine.load %a[0] : memref<?xf32> loc("v")
    affine.store %x, %a[1] : memref<?xf32>
    affine.store %x, %a[2] : memref<?xf32>
    %y = affine.load %a[3] : memref<?xf32> loc("v")
    affine.store %y, %a[4] : memref<?xf32>
    affine.store %y, %a[5] : memref<?xf32>
    gpu.return
  }

  // Where both are needed at once they are two.
  // CHECK-LABEL: void at_once(
  // CHECK-NEXT:    float v = a[0];
  // CHECK-NEXT:    float v2 = a[3];
  // CHECK-NEXT:    a[1] = v;
  // CHECK:         a[4] = v2;
  gpu.func @at_once(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %x = affine.load %a[0] : memref<?xf32> loc("v")
    %y = affine.load %a[3] : memref<?xf32> loc("v")
    affine.store %x, %a[1] : memref<?xf32>
    affine.store %x, %a[2] : memref<?xf32>
    affine.store %y, %a[4] : memref<?xf32>
    affine.store %y, %a[5] : memref<?xf32>
    gpu.return
  }
}
