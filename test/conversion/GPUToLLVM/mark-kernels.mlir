// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-mark-kernels))' | FileCheck %s
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-mark-kernels{vendor=amd}))' | FileCheck %s --check-prefix=AMD

// What the assembler must know of a kernel's launch, in each vendor's words.
#geometry = #gpuopt.geometry<block = [32, 8, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 8, 1]>

gpu.module @kernels {
  // A shape that every launch has is required: there are registers for 256
  // threads and no more, and one block of a multiprocessor may have them all.
  // CHECK:       llvm.func @shaped(
  // CHECK-SAME:    nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 32, 8, 1>
  // AMD:         llvm.func @shaped(
  // AMD-SAME:      rocdl.flat_work_group_size = "256,256"
  // AMD-SAME:      rocdl.kernel
  // AMD-SAME:      rocdl.reqd_work_group_size = array<i32: 32, 8, 1>
  llvm.func @shaped(%a: !llvm.ptr) attributes {gpu.kernel, gpuopt.geometry = #geometry} {
    llvm.return
  }

  // The tuner may know that two blocks are better.
  // CHECK:       llvm.func @resident(
  // CHECK-SAME:    nvvm.minctasm = 2 : i32
  llvm.func @resident(%a: !llvm.ptr)
      attributes {gpu.kernel, gpuopt.geometry = #geometry, gpuopt.resident_blocks = 2 : i64} {
    llvm.return
  }

  // `__launch_bounds__(128, 4)`: at most, and at least four blocks at a time.
  // CHECK:       llvm.func @bounded(
  // CHECK-SAME:    nvvm.kernel, nvvm.maxntid = array<i32: 128>, nvvm.minctasm = 4 : i32
  // AMD:         llvm.func @bounded(
  // AMD-SAME:      rocdl.flat_work_group_size = "1,128"
  llvm.func @bounded(%a: !llvm.ptr) attributes {gpu.kernel, gpuopt.launch_bounds = array<i32: 128, 4>} {
    llvm.return
  }

  // A shape says more than the source's bound, which goes.
  // CHECK:       llvm.func @both(
  // CHECK-NOT:     maxntid
  // CHECK-SAME:    nvvm.reqntid = array<i32: 32, 8, 1>
  llvm.func @both(%a: !llvm.ptr)
      attributes {gpu.kernel, gpuopt.geometry = #geometry, passthrough = [["nvvm.maxntid", "512"]]} {
    llvm.return
  }

  // Nothing is known: AMD's assembler has to provide for the largest block.
  // CHECK:       llvm.func @unknown(
  // CHECK-NOT:     reqntid
  // CHECK-NOT:     minctasm
  // AMD:         llvm.func @unknown(
  // AMD-SAME:      rocdl.flat_work_group_size = "1,1024"
  llvm.func @unknown(%a: !llvm.ptr) attributes {gpu.kernel} {
    llvm.return
  }

  // What is known of parameters means nothing to LLVM, but for the ABI's part
  // of it, which conversion has put aside.
  // CHECK:       llvm.func @parameters(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i8 {llvm.zeroext})
  llvm.func @parameters(%a: !llvm.ptr {gpuopt.name = "a", gpuopt.unsigned, llvm.noalias}, %b: i8 {gpuopt.name = "b"})
      attributes {gpu.kernel, gpuopt.parameter_attributes = [{}, {llvm.zeroext}]} {
    llvm.return
  }

  // A function that is no kernel has no launch.
  // CHECK:       llvm.func @helper()
  // CHECK-NOT:     nvvm
  // CHECK:         llvm.return
  llvm.func @helper() {
    llvm.return
  }
}
