// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// What occurs three times with other numbers is a function of these.
// CHECK-LABEL: void thrice(
// CHECK:         auto store_a = [&](int count, int first) {
// CHECK-NEXT:      for (int i = 0; i < count; ++i) {
// CHECK-NEXT:        a_tile[tx] = a[i * 64 + first + tx];
// CHECK:             __syncthreads();
// CHECK:         };
// CHECK-NEXT:    store_a(n, 0);
// CHECK-NEXT:    store_a(m, 1024);
// CHECK-NEXT:    store_a(8, 5000);
// CHECK-NEXT:  }
// C has no local functions.
// OPENCL-LABEL: void thrice(
// OPENCL-COUNT-3: for (int i = 0;
// OPENCL-NOT:     auto
gpu.module @kernels {
  gpu.func @thrice(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %m: i32 {gpuopt.name = "m"})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_cast %m : i32 to index
    affine.for %i = 0 to %ni {
      %x = affine.load %a[%i * 64 + symbol(%tx)] : memref<?xf32>
      affine.store %x, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[%i * 64 + symbol(%tx)] : memref<?xf32>
      gpu.barrier
    }
    affine.for %i = 0 to %mi {
      %x = affine.load %a[%i * 64 + symbol(%tx) + 1024] : memref<?xf32>
      affine.store %x, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[%i * 64 + symbol(%tx) + 1024] : memref<?xf32>
      gpu.barrier
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i * 64 + symbol(%tx) + 5000] : memref<?xf32>
      affine.store %x, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[%i * 64 + symbol(%tx) + 5000] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }

  // A value that the sequence reads and that only exists in one place stays
  // where it is: no function.
  // CHECK-LABEL: void other(
  // CHECK-NOT:     auto
  // CHECK:       }
  gpu.func @other(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %ni = arith.index_cast %n : i32 to index
    %p = affine.load %a[0] : memref<?xf32>
    affine.store %p, %a[2] : memref<?xf32>
    affine.for %i = 0 to %ni {
      affine.store %p, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[%i * 64 + symbol(%tx)] : memref<?xf32>
      affine.store %p, %a[%i * 64 + symbol(%tx) + 512] : memref<?xf32>
      affine.store %p, %a[%i * 64 + symbol(%tx) + 768] : memref<?xf32>
      gpu.barrier
    }
    %q = affine.load %a[1] : memref<?xf32>
    affine.store %q, %a[3] : memref<?xf32>
    affine.store %q, %a[2] : memref<?xf32>
    affine.for %i = 0 to %ni {
      affine.store %q, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[%i * 64 + symbol(%tx)] : memref<?xf32>
      affine.store %q, %a[%i * 64 + symbol(%tx) + 512] : memref<?xf32>
      affine.store %q, %a[%i * 64 + symbol(%tx) + 768] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }

  // What both branches end with stands behind them.
  // CHECK-LABEL: void ends(
  // CHECK:         if (n > 7)
  // CHECK-NEXT:      a_tile[tx] = a[tx];
  // CHECK-NEXT:    else
  // CHECK-NEXT:      a_tile[tx] = a[tx + 64];
  // CHECK-NEXT:    __syncthreads();
  // CHECK-NEXT:    a[tx + 128] = a_tile[63 - tx];
  // CHECK-NEXT:  }
  gpu.func @ends(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %ni = arith.index_cast %n : i32 to index
    %c7 = arith.constant 7 : index
    %is = arith.cmpi sgt, %ni, %c7 : index
    scf.if %is {
      %x = affine.load %a[symbol(%tx)] : memref<?xf32>
      affine.store %x, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[symbol(%tx) + 128] : memref<?xf32>
    } else {
      %x = affine.load %a[symbol(%tx) + 64] : memref<?xf32>
      affine.store %x, %tile[symbol(%tx)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %tile[-symbol(%tx) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %y, %a[symbol(%tx) + 128] : memref<?xf32>
    }
    gpu.return
  }
}
