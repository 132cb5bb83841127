// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-raise-memory))' | FileCheck %s

// Every pointer is an offset from where its array starts, counted in elements,
// of 64 bits as addresses are.

gpu.module @kernels {
  // An index of an array of rows counts rows; both are signed.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK-SAME:    %[[A:.*]]: memref<?xf32>, %[[I:.*]]: i32, %[[J:.*]]: i32)
  // CHECK:         %[[ROW:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK:         %[[START:.*]] = arith.muli %[[ROW]], %c16_i64 : i64
  // CHECK:         %[[COLUMN:.*]] = arith.extsi %[[J]] : i32 to i64
  // Within an object no sum leaves 64 bits.
  // CHECK:         %[[SUM:.*]] = arith.addi %[[START]], %[[COLUMN]] overflow<nsw> : i64
  // CHECK:         %[[AT:.*]] = arith.index_cast %[[SUM]] : i64 to index
  // CHECK:         memref.load %[[A]][%[[AT]]]
  gpu.func @rows(%a: !llvm.ptr, %i: i32, %j: i32) kernel {
    %p = llvm.getelementptr inbounds %a[%i, %j] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<16 x f32>
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
    gpu.return
  }

  // Members that are alike are elements.
  // CHECK-LABEL: gpu.func @members(
  // CHECK:         %[[START:.*]] = arith.muli %{{.*}}, %c3_i64 : i64
  // CHECK:         %[[SUM:.*]] = arith.addi %[[START]], %c2_i64 : i64
  // CHECK:         arith.index_cast %[[SUM]]
  gpu.func @members(%a: !llvm.ptr, %i: i64) kernel {
    %p = llvm.getelementptr %a[%i, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f32, f32, f32)>
    %v = llvm.load %p : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
    gpu.return
  }

  // An offset in bytes is divided where that is exact: 4 * i + 8 bytes are i + 2.
  // CHECK-LABEL: gpu.func @bytes(
  // CHECK-SAME:    %{{.*}}: memref<?xf32>, %[[I:.*]]: i64)
  // CHECK:         %[[SUM:.*]] = arith.addi %[[I]], %c2_i64{{.*}} : i64
  // CHECK:         arith.index_cast %[[SUM]]
  gpu.func @bytes(%a: !llvm.ptr, %i: i64) kernel {
    %c2 = arith.constant 2 : i64
    %b = arith.shli %i, %c2 : i64
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %q = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.load %q : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
    gpu.return
  }

  // A pointer that a loop moves on is a number that it counts.
  // CHECK-LABEL: gpu.func @advanced(
  // CHECK:         cf.br ^[[HEAD:.*]](%c0_i64, %{{.*}} : i64, i32)
  // CHECK:         ^[[HEAD]](%[[OFFSET:.*]]: i64, %{{.*}}: i32):
  // CHECK:         %[[AT:.*]] = arith.index_cast %[[OFFSET]]
  // CHECK:         memref.store %{{.*}}, %{{.*}}[%[[AT]]]
  // CHECK:         %[[NEXT:.*]] = arith.addi %[[OFFSET]], %c1_i64 overflow<nsw>
  // CHECK:         cf.br ^[[HEAD]](%[[NEXT]],
  gpu.func @advanced(%a: !llvm.ptr, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    cf.br ^head(%a, %c0 : !llvm.ptr, i32)
  ^head(%p: !llvm.ptr, %i: i32):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    llvm.store %zero, %p : f32, !llvm.ptr
    %q = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %j = arith.addi %i, %c1 : i32
    cf.br ^head(%q, %j : !llvm.ptr, i32)
  ^end:
    gpu.return
  }

  // So is one of two places.
  // CHECK-LABEL: gpu.func @chosen(
  // CHECK:         arith.select %{{.*}}, %c4_i64, %c0_i64 : i64
  gpu.func @chosen(%a: !llvm.ptr, %is: i1) kernel {
    %p = llvm.getelementptr %a[4] : (!llvm.ptr) -> !llvm.ptr, f32
    %q = llvm.select %is, %p, %a : i1, !llvm.ptr
    %v = llvm.load %q : !llvm.ptr -> f32
    llvm.store %v, %a : f32, !llvm.ptr
    gpu.return
  }

  // Addresses in one array are in the order of their offsets, which may be negative.
  // Whether there is an array is asked of its address.
  // CHECK-LABEL: gpu.func @compared(
  // CHECK-SAME:    %[[A:.*]]: memref<?xf32>, %[[I:.*]]: i64)
  // CHECK:         arith.cmpi slt, %c0_i64, %[[I]] : i64
  // CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
  // CHECK:         arith.cmpi ne, %[[ADDRESS]], %c0 : index
  gpu.func @compared(%a: !llvm.ptr, %i: i64) kernel {
    %null = llvm.mlir.zero : !llvm.ptr
    %zero = arith.constant 0.0 : f32
    %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %isBelow = llvm.icmp "ult" %a, %p : !llvm.ptr
    %isThere = llvm.icmp "ne" %a, %null : !llvm.ptr
    %both = arith.andi %isBelow, %isThere : i1
    cf.cond_br %both, ^then, ^end
  ^then:
    llvm.store %zero, %p : f32, !llvm.ptr
    cf.br ^end
  ^end:
    gpu.return
  }

  // A vector is as many elements as it has lanes. What it is aligned to stays.
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK:         arith.muli %{{.*}}, %c4_i64 : i64
  // CHECK:         vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
  gpu.func @vectors(%a: !llvm.ptr, %i: i64) kernel {
    %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
    %v = llvm.load %p {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
    llvm.store %v, %a {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
    gpu.return
  }

  // An update that orders nothing else is one of `memref`.
  // CHECK-LABEL: gpu.func @updated(
  // CHECK:         memref.atomic_rmw addi %{{.*}}, %{{.*}}[%{{.*}}] : (i32, memref<?xi32>) -> i32
  gpu.func @updated(%a: !llvm.ptr, %i: i64, %x: i32) kernel {
    %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %old = llvm.atomicrmw add %p, %x syncscope("device") monotonic : !llvm.ptr, i32
    gpu.return
  }

  // A thread's own array has its size.
  // CHECK-LABEL: gpu.func @local(
  // CHECK:         %[[L:.*]] = memref.alloca() : memref<4xf32, #gpu.address_space<private>>
  // CHECK:         memref.store %{{.*}}, %[[L]][
  // CHECK:         memref.load %[[L]][
  gpu.func @local(%a: !llvm.ptr, %i: i64) kernel {
    %one = arith.constant 1 : i32
    %x = llvm.load %a : !llvm.ptr -> f32
    %l = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
    %p = llvm.getelementptr inbounds %l[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    llvm.store %x, %p : f32, !llvm.ptr
    %y = llvm.load %l : !llvm.ptr -> f32
    llvm.store %y, %a : f32, !llvm.ptr
    gpu.return
  }

  // An array that is read as numbers of several types has the elements of one;
  // the others are read as vectors of these, bit by bit the same.
  // CHECK-LABEL: gpu.func @mixed(
  // CHECK-SAME:    memref<?xf32>
  // CHECK:         memref.load
  // CHECK:         %[[PAIR:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<2xf32>
  // CHECK:         vector.bitcast %[[PAIR]] : vector<2xf32> to vector<1xi64>
  gpu.func @mixed(%a: !llvm.ptr {gpuopt.name = "a"}, %b: !llvm.ptr {gpuopt.name = "b"}) kernel {
    %v = llvm.load %a : !llvm.ptr -> f32
    %w = llvm.load %a : !llvm.ptr -> i64
    llvm.store %w, %b : i64, !llvm.ptr
    gpu.return
  }
}
