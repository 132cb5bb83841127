// RUN: gpuopt-opt %s --gpuopt-prepare-launches --split-input-file | FileCheck %s

// Kernels of several modules become those of one: each has a name of its own, and its launch goes with it.
// CHECK:       gpu.launch_func @first::@f
// CHECK:       gpu.launch_func @second::@f_2
// CHECK:       gpu.module @first
// CHECK:         gpu.func @f(
// CHECK:       gpu.module @second
// CHECK:         gpu.func @f_2(
module attributes {gpu.container_module} {
  func.func @host(%a: memref<8xf32>) {
    %one = arith.constant 1 : index
    gpu.launch_func @first::@f blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%a : memref<8xf32>)
    gpu.launch_func @second::@f blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%a : memref<8xf32>)
    return
  }
  gpu.module @first {
    gpu.func @f(%a: memref<8xf32>) kernel {
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @f(%a: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// A part of an array is called after it. What is known of the array need not hold for a part.
// CHECK:       gpu.func @f(%{{.*}}: memref<4x4xf32, strided<[8, 1], offset: 18>> {gpuopt.name = "a"},
// CHECK-SAME:    %{{.*}}: memref<4x4xf32, strided<[8, 1]>> {gpuopt.name = "a_2"},
// CHECK-SAME:    %{{.*}}: memref<8xf32> {gpuopt.aligned = 16 : i64, gpuopt.name = "b"})
module attributes {gpu.container_module} {
  func.func @host(%a: memref<8x8xf32> {gpuopt.name = "a", gpuopt.aligned = 16}, %b: memref<8xf32> {gpuopt.name = "b", gpuopt.aligned = 16}) {
    %one = arith.constant 1 : index
    %inner = memref.subview %a[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
    %corner = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1]>>
    gpu.launch_func @kernels::@f blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%inner : memref<4x4xf32, strided<[8, 1], offset: 18>>, %corner : memref<4x4xf32, strided<[8, 1]>>, %b : memref<8xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<4x4xf32, strided<[8, 1], offset: 18>>, %y: memref<4x4xf32, strided<[8, 1]>>, %z: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// A whole array has its name before its parts, and its promises but that nothing else points to it. An argument of the host without a name does not
// get one that is taken.
// CHECK:       gpu.func @f(%{{.*}}: memref<4xf32, strided<[1], offset: 2>> {gpuopt.name = "a_2"},
// CHECK-SAME:    %{{.*}}: memref<8xf32> {gpuopt.aligned = 16 : i64, gpuopt.name = "a"},
// CHECK-SAME:    %{{.*}}: memref<8xf32> {gpuopt.name = "arg1", llvm.noalias})
module attributes {gpu.container_module} {
  func.func @host(%a: memref<8xf32> {gpuopt.name = "a", gpuopt.aligned = 16, llvm.noalias}, %b: memref<8xf32> {llvm.noalias}) {
    %one = arith.constant 1 : index
    %part = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
    gpu.launch_func @kernels::@f blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%part : memref<4xf32, strided<[1], offset: 2>>, %a : memref<8xf32>, %b : memref<8xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%x: memref<4xf32, strided<[1], offset: 2>>, %y: memref<8xf32>, %z: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// Functions that kernels call have names of their own, too.
// CHECK:       gpu.module @first
// CHECK:         func.func @helper(
// CHECK:       gpu.module @second
// CHECK:         func.func @helper_2(
// CHECK:         call @helper_2()
gpu.module @first {
  func.func @helper() { return }
  gpu.func @f() kernel {
    func.call @helper() : () -> ()
    gpu.return
  }
}
gpu.module @second {
  func.func @helper() { return }
  gpu.func @g() kernel {
    func.call @helper() : () -> ()
    gpu.return
  }
}
