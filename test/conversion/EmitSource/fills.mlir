// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Tiles that are filled in the same iterations are filled in one loop.
// CHECK-LABEL: void joined(
// CHECK:       #pragma unroll
// CHECK-NEXT:  for (int i = 0; i < 4; ++i) {
// CHECK-NEXT:    a_tile[i * 16 + tx] = a[i * 16 + tx];
// CHECK-NEXT:    b_tile[i * 16 + tx] = b[i * 32 + tx];
// CHECK-NEXT:  }
// CHECK-NEXT:  __syncthreads();
gpu.module @kernels {
  gpu.func @joined(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly},
                   %b: memref<?xf32> {gpuopt.name = "b", llvm.readonly}, %c: memref<?xf32> {gpuopt.name = "c"})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %t: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel {
    %tx = gpu.thread_id x
    %x0 = affine.load %a[symbol(%tx)] : memref<?xf32>
    affine.store %x0, %s[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[symbol(%tx) + 16] : memref<?xf32>
    affine.store %x1, %s[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    %x2 = affine.load %a[symbol(%tx) + 32] : memref<?xf32>
    affine.store %x2, %s[symbol(%tx) + 32] : memref<64xf32, #gpu.address_space<workgroup>>
    %x3 = affine.load %a[symbol(%tx) + 48] : memref<?xf32>
    affine.store %x3, %s[symbol(%tx) + 48] : memref<64xf32, #gpu.address_space<workgroup>>
    %y0 = affine.load %b[symbol(%tx)] : memref<?xf32>
    affine.store %y0, %t[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    %y1 = affine.load %b[symbol(%tx) + 32] : memref<?xf32>
    affine.store %y1, %t[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    %y2 = affine.load %b[symbol(%tx) + 64] : memref<?xf32>
    affine.store %y2, %t[symbol(%tx) + 32] : memref<64xf32, #gpu.address_space<workgroup>>
    %y3 = affine.load %b[symbol(%tx) + 96] : memref<?xf32>
    affine.store %y3, %t[symbol(%tx) + 48] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = affine.load %s[0] : memref<64xf32, #gpu.address_space<workgroup>>
    %v = affine.load %t[0] : memref<64xf32, #gpu.address_space<workgroup>>
    %w = arith.addf %u, %v : f32
    affine.store %w, %c[symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // Too few for loops of their own, they are in one loop that takes one of
  // each.
  // CHECK-LABEL: void together(
  // CHECK:       #pragma unroll
  // CHECK-NEXT:  for (int i = 0; i < 2; ++i)
  // CHECK-NEXT:    if (i * 16 + tx < n) {
  // CHECK-NEXT:      a_tile[i * 16 + tx] = a[i * 16 + tx];
  // CHECK-NEXT:      b_tile[i * 16 + tx] = b[i * 32 + tx];
  // CHECK-NEXT:    }
  gpu.func @together(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly},
                     %b: memref<?xf32> {gpuopt.name = "b", llvm.readonly}, %c: memref<?xf32> {gpuopt.name = "c"},
                     %n: index {gpuopt.name = "n"})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %t: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel {
    %tx = gpu.thread_id x
    %next = affine.apply affine_map<()[t] -> (t + 16)>()[%tx]
    %first = arith.cmpi slt, %tx, %n : index
    %second = arith.cmpi slt, %next, %n : index
    scf.if %first {
      %x0 = affine.load %a[symbol(%tx)] : memref<?xf32>
      affine.store %x0, %s[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    scf.if %second {
      %x1 = affine.load %a[symbol(%tx) + 16] : memref<?xf32>
      affine.store %x1, %s[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    scf.if %first {
      %y0 = affine.load %b[symbol(%tx)] : memref<?xf32>
      affine.store %y0, %t[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    scf.if %second {
      %y1 = affine.load %b[symbol(%tx) + 32] : memref<?xf32>
      affine.store %y1, %t[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %u = affine.load %s[0] : memref<64xf32, #gpu.address_space<workgroup>>
    %v = affine.load %t[0] : memref<64xf32, #gpu.address_space<workgroup>>
    %w = arith.addf %u, %v : f32
    affine.store %w, %c[symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // What is filled from the other tile stays behind all of that.
  // CHECK-LABEL: void ordered(
  // CHECK:       for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:    a_tile[i * 16 + tx] = a[i * 16 + tx];
  // CHECK-NEXT:  #pragma unroll
  // CHECK-NEXT:  for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:    tile[i * 16 + tx] = a_tile[tx - i * 16 + 48];
  gpu.func @ordered(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly}, %c: memref<?xf32> {gpuopt.name = "c"})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %t: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel {
    %tx = gpu.thread_id x
    %x0 = affine.load %a[symbol(%tx)] : memref<?xf32>
    affine.store %x0, %s[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[symbol(%tx) + 16] : memref<?xf32>
    affine.store %x1, %s[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    %x2 = affine.load %a[symbol(%tx) + 32] : memref<?xf32>
    affine.store %x2, %s[symbol(%tx) + 32] : memref<64xf32, #gpu.address_space<workgroup>>
    %x3 = affine.load %a[symbol(%tx) + 48] : memref<?xf32>
    affine.store %x3, %s[symbol(%tx) + 48] : memref<64xf32, #gpu.address_space<workgroup>>
    %y0 = affine.load %s[symbol(%tx) + 48] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %y0, %t[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    %y1 = affine.load %s[symbol(%tx) + 32] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %y1, %t[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    %y2 = affine.load %s[symbol(%tx) + 16] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %y2, %t[symbol(%tx) + 32] : memref<64xf32, #gpu.address_space<workgroup>>
    %y3 = affine.load %s[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %y3, %t[symbol(%tx) + 48] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = affine.load %t[0] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %v, %c[symbol(%tx)] : memref<?xf32>
    gpu.return
  }
}
