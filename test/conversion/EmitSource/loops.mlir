// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda %s -o %t.cu && gpuopt-translate --cuda-to-mlir %t.cu -o /dev/null

// Each kind of loop has the one of C++ that says the same.

gpu.module @kernels {
  // A counter is an `int` where it cannot leave it. This one may step over the
  // largest `n` before it is compared.
  // CHECK-LABEL: void counted(
  // CHECK:         for (long long i = 4; i < n; i += 2)
  // CHECK-NEXT:      a[i] = 0.0f;
  gpu.func @counted(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : i32 to index
    affine.for %i = 4 to %ni step 2 {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // One iteration is no loop.
  // CHECK-LABEL: void nothing_to_count(
  // CHECK-NOT:     for
  // CHECK:         a[6] = 0.0f;
  gpu.func @nothing_to_count(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %zero = arith.constant 0.0 : f32
    affine.for %i = 3 to 4 {
      affine.store %zero, %a[%i * 2] : memref<?xf32>
    }
    gpu.return
  }

  // A step may be computed, if it is positive: sizes of blocks and grids are. A
  // number of blocks that is read once has no variable.
  // CHECK-LABEL: void stepped(
  // CHECK:         const int block_x = blockDim.x;
  // CHECK-NOT:     const int grid_x
  // CHECK:         for (long long i = idx; i < n; i += (long long)block_x * (int)gridDim.x)
  gpu.func @stepped(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : i32 to index
    %id = gpu.global_id x
    %block = gpu.block_dim x
    %grid = gpu.grid_dim x
    %all = arith.muli %block, %grid overflow<nsw> : index
    scf.for %i = %id to %ni step %all {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // A condition that is asked first is that of a `while`, and what the loop carries
  // is one variable in it and behind it. A shift of a variable is written as one.
  // CHECK-LABEL: void first(
  // CHECK:         int [[I:[_a-z0-9]+]] = n;
  // CHECK-NEXT:    while ([[I]] > 0) {
  // CHECK-NEXT:      a[[[I]]] = 1;
  // CHECK-NEXT:      [[I]] >>= 1;
  // CHECK-NEXT:    }
  // CHECK-NEXT:    a[0] = [[I]];
  gpu.func @first(%a: memref<?xi32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %last = scf.while (%i = %n) : (i32) -> i32 {
      %zero = arith.constant 0 : i32
      %more = arith.cmpi sgt, %i, %zero : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %one, %a[%at] : memref<?xi32>
      %next = arith.shrsi %i, %one : i32
      scf.yield %next : i32
    }
    memref.store %last, %a[%c0] : memref<?xi32>
    gpu.return
  }

  // One that is asked last is that of a `do`. What it reads is declared outside,
  // since the condition does not see what the braces hold.
  // CHECK-LABEL: void afterwards(
  // CHECK-NEXT:    int [[NEXT:[_a-z0-9]+]];
  // CHECK-NEXT:    do {
  // CHECK-NEXT:      [[NEXT]] = a[0] + 1;
  // CHECK-NEXT:      a[0] = [[NEXT]];
  // CHECK-NEXT:    } while ([[NEXT]] < n);
  gpu.func @afterwards(%a: memref<?xi32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %one = arith.constant 1 : i32
    scf.while : () -> () {
      %x = affine.load %a[0] : memref<?xi32>
      %next = arith.addi %x, %one overflow<nsw> : i32
      affine.store %next, %a[0] : memref<?xi32>
      %more = arith.cmpi slt, %next, %n : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.return
  }

  // One with something before and behind it leaves the loop in the middle.
  // CHECK-LABEL: void between(
  // CHECK:         while (true) {
  // CHECK:           a[{{.*}}] = 1;
  // CHECK:           if (!([[VALUE:[_a-z0-9]+]] > 0))
  // CHECK-NEXT:        break;
  // CHECK-NEXT:      {{.*}} >> 1;
  // CHECK-NEXT:    }
  gpu.func @between(%a: memref<?xi32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %last = scf.while (%i = %n) : (i32) -> i32 {
      %at = arith.index_cast %i : i32 to index
      %v = memref.load %a[%at] : memref<?xi32>
      memref.store %one, %a[%at] : memref<?xi32>
      %more = arith.cmpi sgt, %v, %zero : i32
      scf.condition(%more) %v : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.shrsi %i, %one : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // Bounds are rounded down in MLIR and to zero in C++. Where the loop starts at
  // zero, a negative end gives no iteration either way, and the plain division does.
  // CHECK-LABEL: void halving(
  // CHECK:         for (int i = 0; i < n / 4; ++i)
  // CHECK:         for (int i = n / 4 * 4; i < n; ++i)
  gpu.func @halving(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %ni = arith.index_cast %n : i32 to index
    %zero = arith.constant 0.0 : f32
    affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 4)>()[%ni] {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    affine.for %i = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%ni] to %ni {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    affine.for %i = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%ni] to %ni step 4 {
      affine.store %zero, %a[%i + 1] : memref<?xf32>
    }
    gpu.return
  }

  // An end that may lie behind the largest `int` is compared otherwise: `i <= n` for
  // n + 1. With 64 bits the counter has as many, unless a constant bounds it.
  // CHECK-LABEL: void far(
  // CHECK:         for (long long i = 0; i <= n; ++i)
  // CHECK:         for (int i = 0; i + 1 < n; ++i)
  // CHECK:         for (long long i = 0; i < m; ++i)
  // CHECK:         for (int i = 0; i < min(min((long long)n, m), 100ll); ++i)
  gpu.func @far(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %m: i64 {gpuopt.name = "m"}) kernel {
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_cast %m : i64 to index
    %zero = arith.constant 0.0 : f32
    affine.for %i = 0 to affine_map<()[s0] -> (s0 + 1)>()[%ni] {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    affine.for %i = 0 to affine_map<()[s0] -> (s0 - 1)>()[%ni] {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    affine.for %i = 0 to %mi {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1, 100)>()[%ni, %mi] {
      affine.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // What is undefined before a loop is a variable without a value.
  // CHECK-LABEL: void carried(
  // CHECK-NEXT:    float [[X:[_a-z0-9]+]];
  // CHECK-NEXT:    for (int i = 0; i < n; ++i)
  // CHECK-NEXT:      [[X]] = a[i];
  // CHECK-NEXT:    a[0] = [[X]];
  gpu.func @carried(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %ni = arith.index_cast %n : i32 to index
    %zero = arith.constant 0.0 : f32
    %undefined = ub.poison : f32
    %r = affine.for %i = 0 to %ni iter_args(%x = %undefined) -> f32 {
      %y = affine.load %a[%i] : memref<?xf32>
      affine.yield %y : f32
    }
    affine.store %r, %a[0] : memref<?xf32>
    gpu.return
  }
}
