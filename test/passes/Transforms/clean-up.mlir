// RUN: gpuopt-opt %s --gpuopt-clean-up | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-clean-up --gpuopt-clean-up --gpuopt-assign-geometry="target=sm_90" --gpuopt-clean-up | FileCheck %s --check-prefix=AGAIN

// What canonicalize and cse do: x + 0 is x, the second product is the first one.
// CHECK-LABEL: gpu.func @fold
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[PRODUCT]]]
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[PRODUCT]]]
// CHECK-NEXT: gpu.return

// What another pass has made in between is cleaned up, what it has left alone stays.
// AGAIN-LABEL: gpu.func @nothing()
// AGAIN-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @fold(%a: memref<?xf32>, %x: index, %y: index, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %sum = arith.addi %x, %c0 : index
    %first = arith.muli %sum, %y : index
    %second = arith.muli %x, %y : index
    memref.store %v, %a[%first] : memref<?xf32>
    memref.store %v, %a[%second] : memref<?xf32>
    gpu.return
  }
  gpu.func @nothing() kernel {
    gpu.return
  }
}
