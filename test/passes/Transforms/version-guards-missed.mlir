// RUN: gpuopt-opt %s --gpuopt-version-guards="max-operations=12" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: } else {

#geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                             items_per_block = [64, 1, 1]>
gpu.module @kernels {
  // expected-remark@below {{the kernel's block shape is not known}}
  gpu.func @no_geometry(%c: memref<?xf32>) kernel {
    gpu.return
  }

  // The bound differs between threads; equality is no ordering; what holds only
  // below a number holds for few blocks; a multiple of a parameter is not linear.
  // expected-remark@below {{no guard can be decided for a whole block}}
  gpu.func @undecided(%c: memref<?xindex>, %n: index) kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %v = memref.load %c[%t] : memref<?xindex>
    %p = arith.cmpi slt, %t, %v : index
    scf.if %p { memref.store %t, %c[%t] : memref<?xindex> }
    %q = arith.cmpi eq, %b, %n : index
    scf.if %q { memref.store %t, %c[%t] : memref<?xindex> }
    gpu.return
  }

  // expected-remark@below {{no guard can be decided for a whole block}}
  gpu.func @few(%c: memref<?xindex>, %n: index) kernel attributes {gpuopt.geometry = #geometry} {
    %c5 = arith.constant 5 : index
    %t = gpu.thread_id x
    %p = arith.cmpi slt, %t, %c5 : index
    scf.if %p { memref.store %t, %c[%t] : memref<?xindex> }
    %m = arith.muli %t, %n : index
    %r = arith.cmpi slt, %m, %n : index
    scf.if %r { memref.store %t, %c[%t] : memref<?xindex> }
    gpu.return
  }

  // expected-remark@below {{a thread has one work item and no loop, its guards cost little}}
  gpu.func @cheap(%c: memref<?xindex>, %n: index) kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %p = arith.cmpi slt, %t, %n : index
    scf.if %p { memref.store %t, %c[%t] : memref<?xindex> }
    gpu.return
  }

  gpu.func @loaded_subscript(%c: memref<?xindex>, %d: memref<?xf32>) kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    // expected-remark@below {{a subscript depends on a value that is computed here}}
    %v = memref.load %c[%t] : memref<?xindex>
    %x = affine.load %d[%v] : memref<?xf32>
    gpu.return
  }

  // expected-remark@below {{the kernel has 13 operations, too many to have twice}}
  gpu.func @large(%c: memref<?xindex>, %n: index) kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %p = arith.cmpi slt, %t, %n : index
    scf.if %p {
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
      memref.store %t, %c[%t] : memref<?xindex>
    }
    gpu.return
  }
}
