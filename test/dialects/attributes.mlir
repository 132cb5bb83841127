// RUN: gpuopt-opt %s | gpuopt-opt | FileCheck %s

// Every attribute round-trips, with and without its optional parameters.

// CHECK: #[[$EXTENT:.*]] = affine_map<()[s0, s1] -> (s1)>
// CHECK: gpu.func @geometry
// CHECK-SAME: gpuopt.name = "a"
// CHECK-SAME: gpuopt.fallback = @geometry__original
// CHECK-SAME: gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 4, 1], items_per_block = [16, 64, 1], extents = [#[[$EXTENT]], unit]>
// CHECK-SAME: gpuopt.source_name = "geometry"
gpu.module @kernels {
  gpu.func @geometry(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32) kernel attributes {
      gpuopt.fallback = @geometry__original, gpuopt.source_name = "geometry",
      gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 4, 1],
          items_per_block = [16, 64, 1], extents = [affine_map<()[s0, s1] -> (s1)>, unit]>} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @batch
  // CHECK-SAME: #gpuopt.geometry<original_block = [0, 0, 1], block = [16, 16, 1], {{.*}}, extents = [unit, unit, unit]>
  // CHECK-LABEL: gpu.func @batch_without_extents
  // CHECK-SAME: #gpuopt.geometry<original_block = [0, 0, 1], {{.*}}, items_per_block = [16, 16, 1]>
  gpu.func @batch() kernel attributes {
      gpuopt.geometry = #gpuopt.geometry<original_block = [0, 0, 1], block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1], extents = [unit, unit, unit]>} {
    gpu.return
  }
  gpu.func @batch_without_extents() kernel attributes {
      gpuopt.geometry = #gpuopt.geometry<original_block = [0, 0, 1], block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @diagonal
  // CHECK-SAME: gpuopt.block_order = #gpuopt.block_order<diagonal>
  gpu.func @diagonal() kernel attributes {gpuopt.block_order = #gpuopt.block_order<diagonal>} {
    gpu.return
  }
  // CHECK-LABEL: gpu.func @grouped
  // CHECK-SAME: gpuopt.block_order = #gpuopt.block_order<grouped, rows = 8>
  gpu.func @grouped() kernel attributes {gpuopt.block_order = #gpuopt.block_order<grouped, rows = 8>} {
    gpu.return
  }

  // CHECK-LABEL: gpu.func @accesses
  gpu.func @accesses(%a: memref<?xf32>, %i: index) kernel {
    // CHECK: #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4, bytes = 4, function = "n*ty + tx">
    // CHECK-SAME: #gpuopt.segment<verdict = strided, stride_bytes = 8, sectors = 39, requests = 8, staging = g2s, assuming = "n = 4096">
    // CHECK-SAME: #gpuopt.sharing<between = threads, direction = x, kind = full, reuse = 16>
    %0 = memref.load %a[%i] {
      gpuopt.access = #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4,
          bytes = 4, function = "n*ty + tx">,
      gpuopt.segment = #gpuopt.segment<verdict = strided, stride_bytes = 8, sectors = 39,
          requests = 8, staging = g2s, assuming = "n = 4096">,
      gpuopt.sharing = #gpuopt.sharing<between = threads, direction = x, kind = full, reuse = 16>
    } : memref<?xf32>
    // CHECK: #gpuopt.access<array = "a", kind = atomic, space = workgroup, element_bytes = 4, bytes = 4, unresolved = "why">
    // CHECK-SAME: #gpuopt.segment<verdict = unresolved, reason = "why">
    %1 = memref.load %a[%i] {
      gpuopt.access = #gpuopt.access<array = "a", kind = atomic, space = workgroup,
          element_bytes = 4, bytes = 4, unresolved = "why">,
      gpuopt.segment = #gpuopt.segment<verdict = unresolved, reason = "why">
    } : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @collective
  gpu.func @collective() kernel {
    // CHECK: affine.parallel
    // CHECK: } {gpuopt.collective}
    affine.parallel (%i, %j) = (0, 0) to (16, 16) {
    } {gpuopt.collective}
    gpu.return
  }
}
