// RUN: gpuopt-opt %s --gpuopt-unroll-geometric-loops --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

!tile = memref<64xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // for (int o = 8 / 2; o; o >>= 1) { if (t < o) s[t] += s[t + o]; __syncthreads(); }
  // CHECK-LABEL: gpu.func @tree(
  // CHECK-NOT: scf.while
  // CHECK: arith.cmpi slt, %{{.*}}, %c4_i32
  // CHECK: gpu.barrier
  // CHECK: arith.cmpi slt, %{{.*}}, %c2_i32
  // CHECK: gpu.barrier
  // CHECK: arith.cmpi slt, %{{.*}}, %c1_i32
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @tree(%t: i32) workgroup(%s: !tile) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %x = gpu.thread_id x
    // expected-remark@below {{the loop's 3 steps are written out}}
    scf.while (%i = %c8) : (i32) -> i32 {
      %o = arith.shrui %i, %c1 : i32
      %more = arith.cmpi ne, %o, %c0 : i32
      scf.condition(%more) %o : i32
    } do {
    ^bb0(%o: i32):
      %active = arith.cmpi slt, %t, %o : i32
      scf.if %active {
        %d = arith.index_cast %o : i32 to index
        %at = arith.addi %x, %d : index
        %l = memref.load %s[%x] : !tile
        %r = memref.load %s[%at] : !tile
        %sum = arith.addi %l, %r : i32
        memref.store %sum, %s[%x] : !tile
      }
      gpu.barrier
      scf.yield %o : i32
    }
    gpu.return
  }

  // The counter stands on the left, where it is folded in place.
  // CHECK-LABEL: gpu.func @left(
  // CHECK-NOT: scf.while
  // CHECK: %[[A:.*]] = arith.muli %{{.*}}, %c2_i32
  // CHECK: arith.addi %[[A]], %{{.*}}
  // CHECK: gpu.barrier
  // CHECK: arith.addi %arg0, %{{.*}}
  // CHECK: gpu.barrier
  gpu.func @left(%t: i32, %out: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %first = arith.constant 0 : index
    // expected-remark@below {{the loop's 2 steps are written out}}
    %last:2 = scf.while (%o = %c2, %acc = %t) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %o, %c0 : i32
      scf.condition(%more) %o, %acc : i32, i32
    } do {
    ^bb0(%o: i32, %acc: i32):
      %product = arith.muli %o, %t : i32
      %sum = arith.addi %product, %acc : i32
      gpu.barrier
      %next = arith.shrui %o, %c1 : i32
      scf.yield %next, %sum : i32, i32
    }
    memref.store %last#1, %out[%first] : memref<?xi32>
    gpu.return
  }

  // A sorting network: what the inner loop begins with is known when the outer one is unrolled.
  // CHECK-LABEL: gpu.func @network(
  // CHECK-NOT: scf.while
  // CHECK-COUNT-3: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @network() kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    // expected-remark@below {{the loop's 2 steps are written out}}
    scf.while (%k = %c2) : (i32) -> i32 {
      %more = arith.cmpi ule, %k, %c4 : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %half = arith.shrui %k, %c1 : i32
      // expected-remark@below {{the loop's 1 steps are written out}}
      // expected-remark@below {{the loop's 2 steps are written out}}
      scf.while (%j = %half) : (i32) -> i32 {
        %more = arith.cmpi ne, %j, %c0 : i32
        scf.condition(%more) %j : i32
      } do {
      ^bb0(%j: i32):
        gpu.barrier
        %next = arith.shrui %j, %c1 : i32
        scf.yield %next : i32
      }
      %next = arith.shli %k, %c1 : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // for (int d = 0; d < 3; d++) … 1 << d
  // CHECK-LABEL: gpu.func @exponent(
  // CHECK-NOT: affine.for
  // CHECK-COUNT-3: gpu.barrier
  gpu.func @exponent() workgroup(%s: !tile) kernel {
    %c1 = arith.constant 1 : index
    // expected-remark@below {{the loop's 3 steps are written out}}
    affine.for %d = 0 to 3 {
      %o = arith.shli %c1, %d : index
      %v = memref.load %s[%o] : !tile
      gpu.barrier
      memref.store %v, %s[%d] : !tile
    }
    gpu.return
  }
}

// -----

!tile = memref<64xi32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // A loop that begins with a parameter, one that never ends, one of many steps and one that shares nothing stay.
  // CHECK-LABEL: gpu.func @kept(
  // CHECK-COUNT-4: scf.while
  gpu.func @kept(%n: i32, %out: memref<?xi32>) kernel {
    %i0 = arith.constant 0 : index
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    scf.while (%i = %n) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %c0 : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      gpu.barrier
      %next = arith.shrui %i, %c1 : i32
      scf.yield %next : i32
    }
    scf.while (%i = %c0) : (i32) -> i32 {
      %more = arith.cmpi eq, %i, %c0 : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      gpu.barrier
      %next = arith.shrui %i, %c1 : i32
      scf.yield %next : i32
    }
    scf.while (%i = %c64) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %c0 : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      gpu.barrier
      %next = arith.subi %i, %c1 : i32
      scf.yield %next : i32
    }
    scf.while (%i = %c64) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %c0 : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      memref.store %i, %out[%i0] : memref<?xi32>
      %next = arith.shrui %i, %c1 : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}
