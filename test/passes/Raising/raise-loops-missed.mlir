// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-loops)))' \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: affine.for

gpu.module @kernels {
  gpu.func @step(%a: memref<?xf32>, %n: index, %s: index, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-remark@below {{the loop stays scf.for: its step is no positive constant}}
    scf.for %i = %c0 to %n step %s {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  gpu.func @loaded(%a: memref<?xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    %outer = arith.cmpi slt, %id, %c1 : index
    scf.if %outer {
      %n = memref.load %a[%id] : memref<?xindex>
      // expected-remark@below {{the loop stays scf.for: its upper bound}}
      scf.for %i = %c0 to %n step %c1 {
        memref.store %i, %a[%i] : memref<?xindex>
      }
    }
    gpu.return
  }

  // A step that is not constant may be negative, or wrap.
  gpu.func @while(%a: memref<?xi32>, %n: i32, %s: i32) kernel {
    %c0 = arith.constant 0 : i32
    // expected-remark@below {{the loop stays scf.while: it does not count}}
    %last = scf.while (%i = %c0) : (i32) -> i32 {
      %c = arith.cmpi slt, %i, %n : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %i, %a[%at] : memref<?xi32>
      %next = arith.addi %i, %s : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}
