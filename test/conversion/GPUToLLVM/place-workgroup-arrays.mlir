// RUN: gpuopt-opt %s --gpuopt-place-workgroup-arrays="most-bytes=49152" --split-input-file -verify-diagnostics | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-place-workgroup-arrays --split-input-file | FileCheck %s --check-prefix=ANY

// More than can be declared: one behind the other, each from a multiple of 1024
// bytes on.

// CHECK-LABEL: gpu.func @large(
// CHECK-NOT:     workgroup(
// CHECK:         %[[MEMORY:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK:         %[[SMALL:.*]] = memref.view %[[MEMORY]][%c0][] : {{.*}} to memref<5xf32
// CHECK:         %[[LARGE:.*]] = memref.view %[[MEMORY]][%c1024{{.*}}][] : {{.*}} to memref<13000xf32
// CHECK:         affine.load %[[SMALL]][0]
// CHECK:         affine.store %{{.*}}, %[[LARGE]][7]
// ANY-LABEL: gpu.func @large(
// ANY-SAME:    workgroup(
gpu.module @kernels {
  gpu.func @large() workgroup(%small: memref<5xf32, #gpu.address_space<workgroup>>,
                              %large: memref<13000xf32, #gpu.address_space<workgroup>>) kernel {
    %x = affine.load %small[0] : memref<5xf32, #gpu.address_space<workgroup>>
    affine.store %x, %large[7] : memref<13000xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// What fits stays. Matrices of warpgroups begin where a swizzle does.

// CHECK-LABEL: gpu.func @fits(
// CHECK-SAME:    workgroup(%{{.*}} : memref<64x64xf16, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64}, %{{.*}} : memref<5xf32, #gpu.address_space<workgroup>>)
gpu.module @kernels {
  gpu.func @fits(%out: memref<1xi64>)
      workgroup(%tile: memref<64x64xf16, #gpu.address_space<workgroup>>, %small: memref<5xf32, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0 : index
    %d = gpuopt.matrix_descriptor %tile[%zero, %zero] {panel_bytes = 0 : i64} : memref<64x64xf16, #gpu.address_space<workgroup>>
    affine.store %d, %out[0] : memref<1xi64>
    %x = affine.load %small[0] : memref<5xf32, #gpu.address_space<workgroup>>
    affine.store %x, %small[1] : memref<5xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// The kernel's own memory of that kind begins at the same place.

gpu.module @kernels {
  gpu.func @both() workgroup(%large: memref<13000xf32, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0 : index
    // expected-error @below {{the kernel's arrays take the place of workgroup memory whose size the launch gives}}
    %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %memory[%zero][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %x = affine.load %large[0] : memref<13000xf32, #gpu.address_space<workgroup>>
    affine.store %x, %view[7] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
