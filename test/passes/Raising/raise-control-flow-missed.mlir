// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-control-flow)))' \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: scf.for

gpu.module @kernels {
  // for (unsigned i = 0; i < n; i += 3): past 2^32 - 3 the test comes too late.
  gpu.func @wraps(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    cf.br ^test(%c0 : i32)
  ^test(%i: i32):
    %c = arith.cmpi ult, %i, %n : i32
    // expected-remark@below {{loop not counted: the variable may step past the bound and wrap}}
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_castui %i : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    %next = arith.addi %i, %c3 : i32
    cf.br ^test(%next : i32)
  ^end:
    gpu.return
  }

  // for (int s = n; s > 0; s /= 2)
  gpu.func @halves(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    cf.br ^test(%n : i32)
  ^test(%i: i32):
    %c = arith.cmpi sgt, %i, %c0 : i32
    // expected-remark@below {{loop not counted: the variable that is tested does not advance by a fixed amount}}
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_cast %i : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    %next = arith.divsi %i, %c2 : i32
    cf.br ^test(%next : i32)
  ^end:
    gpu.return
  }

  // The end moves.
  gpu.func @moving_bound(%a: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = arith.constant 0 : index
    cf.br ^test(%c0 : i32)
  ^test(%i: i32):
    %n = memref.load %a[%first] : memref<?xi32>
    %c = arith.cmpi slt, %i, %n : i32
    // expected-remark@below {{loop not counted: the test has effects or reads memory}}
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_cast %i : i32 to index
    memref.store %i, %a[%at] : memref<?xi32>
    %next = arith.addi %i, %c1 overflow<nsw> : i32
    cf.br ^test(%next : i32)
  ^end:
    gpu.return
  }

  // for (int i = 0; i < n; i++) { if (a[i] == 0) break; a[i] = 0; }
  gpu.func @break(%a: memref<?xi32>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cf.br ^test(%c0 : i32)
  ^test(%i: i32):
    %c = arith.cmpi slt, %i, %n : i32
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %a[%at] : memref<?xi32>
    %z = arith.cmpi eq, %v, %c0 : i32
    cf.cond_br %z, ^end, ^rest
  ^rest:
    memref.store %c0, %a[%at] : memref<?xi32>
    %next = arith.addi %i, %c1 overflow<nsw> : i32
    // expected-remark@below {{loop not counted: it may be left from within (a break or a return)}}
    cf.br ^test(%next : i32)
  ^end:
    gpu.return
  }

  // do … while (i != n) without a promise not to wrap.
  gpu.func @at_least_once_wraps(%a: memref<?xf32>, %i0: i32, %n: i32, %v: f32) kernel {
    %c1 = arith.constant 1 : i32
    cf.br ^body(%i0 : i32)
  ^body(%i: i32):
    %at = arith.index_cast %i : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    %next = arith.addi %i, %c1 : i32
    %c = arith.cmpi slt, %next, %n : i32
    // expected-remark@below {{loop not counted: the test has effects or reads memory}}
    cf.cond_br %c, ^body(%next : i32), ^end
  ^end:
    gpu.return
  }

  // for (unsigned i = 0; i < n; i++) with an n of 64 bits: endless where n is more than i holds.
  gpu.func @bound_of_more_bits(%b: memref<?xf32>, %n: i64) kernel {
    %v = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-remark@below {{loop not counted: the variable may step past the bound and wrap}}
    %1 = scf.while (%i = %c0) : (i32) -> i32 {
      %wide = arith.extui %i : i32 to i64
      %more = arith.cmpi ult, %wide, %n : i64
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_castui %i : i32 to index
      memref.store %v, %b[%at] : memref<?xf32>
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // for (int i = from; i < n; i++) without a sign: where `from` is negative it is beyond n.
  gpu.func @begins_below_zero(%b: memref<?xf32>, %from: i32, %n: i64) kernel {
    %v = arith.constant 1.0 : f32
    %c1 = arith.constant 1 : i32
    // expected-remark@below {{loop not counted: the variable may step past the bound and wrap}}
    %1 = scf.while (%i = %from) : (i32) -> i32 {
      %wide = arith.extsi %i : i32 to i64
      %more = arith.cmpi ult, %wide, %n : i64
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %b[%at] : memref<?xf32>
      %next = arith.addi %i, %c1 overflow<nsw> : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}
