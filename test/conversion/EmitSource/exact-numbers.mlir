// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s --check-prefixes=CHECK,HIP
// RUN: gpuopt-translate --mlir-to-opencl %s 2>&1 | FileCheck %s --check-prefix=OPENCL

// Where C says something like what is meant, and means something else.
gpu.module @kernels {
  // Bits of 64 are counted by functions of their own; those of 32 would drop the upper half.
  // CHECK-LABEL: void bits(
  // CHECK:         __popcll(a[tx])
  // CHECK:         __clzll(a[tx])
  // CHECK:         __popc(n[tx])
  gpu.func @bits(%a: memref<?xi64> {gpuopt.name = "a"}, %n: memref<?xi32> {gpuopt.name = "n"}) kernel {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<?xi64>
    %ones = math.ctpop %x : i64
    memref.store %ones, %a[%t] : memref<?xi64>
    %y = memref.load %a[%t] : memref<?xi64>
    %zeros = math.ctlz %y : i64
    memref.store %zeros, %a[%t] : memref<?xi64>
    %z = memref.load %n[%t] : memref<?xi32>
    %few = math.ctpop %z : i32
    memref.store %few, %n[%t] : memref<?xi32>
    gpu.return
  }

  // Two signs are not a decrement.
  // CHECK-LABEL: void signs(
  // CHECK:         f[tx] = -(-f[tx]);
  gpu.func @signs(%f: memref<?xf32> {gpuopt.name = "f"}) kernel {
    %t = gpu.thread_id x
    %x = memref.load %f[%t] : memref<?xf32>
    %y = arith.negf %x : f32
    %z = arith.negf %y : f32
    memref.store %z, %f[%t] : memref<?xf32>
    gpu.return
  }

  // By way of `float`, a number would be rounded twice.
  // CHECK-LABEL: void rounded_once(
  // CHECK:         h[tx] = __double2half(d_value);
  // CHECK-NEXT:    b[tx] = __double2bfloat16(d_value);
  // CHECK-NEXT:    b[tx + 1] = __double2bfloat16((double)n[tx]);
  // OPENCL: warning: kernel 'rounded_once' is left out: numbers of type bf16 have no form in OpenCL C
  gpu.func @rounded_once(%d: memref<?xf64> {gpuopt.name = "d"}, %h: memref<?xf16> {gpuopt.name = "h"},
                         %b: memref<?xbf16> {gpuopt.name = "b"}, %n: memref<?xi32> {gpuopt.name = "n"}) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %next = arith.addi %t, %c1 overflow<nsw> : index
    %x = memref.load %d[%t] : memref<?xf64>
    %half = arith.truncf %x : f64 to f16
    memref.store %half, %h[%t] : memref<?xf16>
    %bfloat = arith.truncf %x : f64 to bf16
    memref.store %bfloat, %b[%t] : memref<?xbf16>
    %i = memref.load %n[%t] : memref<?xi32>
    %integer = arith.sitofp %i : i32 to bf16
    memref.store %integer, %b[%next] : memref<?xbf16>
    gpu.return
  }

  // Infinity of bf16 has other bits than that of half.
  // CHECK-LABEL: void infinity(
  // CHECK:         b[tx] = __ushort_as_bfloat16(0x7F80);
  gpu.func @infinity(%b: memref<?xbf16> {gpuopt.name = "b"}) kernel {
    %t = gpu.thread_id x
    %x = arith.constant 0x7F80 : bf16
    memref.store %x, %b[%t] : memref<?xbf16>
    gpu.return
  }

  // C multiplies `unsigned short`s as `int`s, which the product may leave.
  // CHECK-LABEL: void short_product(
  // CHECK:         s[tx] = (unsigned)(unsigned short)s[tx] *
  // CHECK-SAME:    (unsigned)(unsigned short)s[tx + 1];
  gpu.func @short_product(%s: memref<?xi16> {gpuopt.name = "s"}) kernel {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %next = arith.addi %t, %c1 overflow<nsw> : index
    %x = memref.load %s[%t] : memref<?xi16>
    %y = memref.load %s[%next] : memref<?xi16>
    %z = arith.muli %x, %y : i16
    memref.store %z, %s[%t] : memref<?xi16>
    gpu.return
  }

  // Eight halves are copied as a number of 16 bytes, by which the tile is aligned.
  // CHECK-LABEL: void wide_copy(
  // CHECK:         __shared__ __align__(16) __half [[TILE:[_a-z0-9]+]][512];
  // HIP:           *(uint4 *)&[[TILE]][tx * 8] = *(uint4 *)&a[tx * 8];
  gpu.func @wide_copy(%a: memref<?xf16> {gpuopt.name = "a"})
      workgroup(%t: memref<512xf16, #gpu.address_space<workgroup>>) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %c8 = arith.constant 8 : index
    %i = arith.muli %tx, %c8 overflow<nsw> : index
    %token = nvgpu.device_async_copy %a[%i], %t[%i], 8 : memref<?xf16> to memref<512xf16, #gpu.address_space<workgroup>>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %x = memref.load %t[%tx] : memref<512xf16, #gpu.address_space<workgroup>>
    memref.store %x, %a[%tx] : memref<?xf16>
    gpu.return
  }

  // What is not defined may be any number.
  // CHECK-LABEL: void undefined(
  // CHECK:         f[tx] = 0.0f;
  gpu.func @undefined(%f: memref<?xf32> {gpuopt.name = "f"}) kernel {
    %t = gpu.thread_id x
    %x = llvm.mlir.undef : f32
    memref.store %x, %f[%t] : memref<?xf32>
    gpu.return
  }
}
