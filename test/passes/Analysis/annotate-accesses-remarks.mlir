// RUN: gpuopt-opt %s --gpuopt-annotate-accesses="target=sm_90 block=32" -split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark -verify-diagnostics -o /dev/null

// Blocks of 32 threads: one subgroup. Figures are per request of 32 lanes.

gpu.module @kernels {
  // Row per thread, the matrix-vector product of Figure 2(b): rows of w = 4096
  // floats lie 16384 bytes apart, a sector for each lane. Per item and
  // iteration (32 + 1) / 32 sectors, 4096 iterations, and 4 / 32 for the store.
  // expected-remark @below {{4224.125 sectors per work item}}
  gpu.func @mv(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"},
               %c: memref<?xf32> {gpuopt.name = "c"}, %w: i32 {gpuopt.name = "w"}) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %wi = arith.index_cast %w : i32 to index
    %sum = affine.for %i = 0 to %wi iter_args(%s = %zero) -> (f32) {
      %row = arith.muli %idx, %wi : index
      %at = arith.addi %row, %i : index
      // expected-remark @below {{load of 'a' is strided by 16384 bytes, 32 sectors per request (assuming w = 4096)}}
      %x = memref.load %a[%at] : memref<?xf32>
      // expected-remark @below {{load of 'b' is broadcast, 1 sector per request}}
      // expected-remark @below {{load of 'b' is shared by all blocks along x (g2r)}}
      %y = affine.load %b[%i] : memref<?xf32>
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    // expected-remark @below {{store of 'c' is coalesced, 4 sectors per request}}
    memref.store %sum, %c[%idx] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // One access of 32 sectors at most, an unresolved one of 32, one of 5: (12 +
  // 16 + 32 + 5) / 32.
  // expected-remark @below {{2.031 sectors per work item}}
  gpu.func @kinds(%a: memref<?x3xf32>, %v: memref<?xf32>, %indices: memref<?xi32>) kernel {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    // An array of structures of three floats: 32 * 12 bytes, all 12 sectors.
    // expected-remark @below {{load of 'arg0' is strided by 12 bytes, 12 sectors per request}}
    %0 = memref.load %a[%idx, %c1] : memref<?x3xf32>
    // Four floats per thread: 512 bytes.
    %four = affine.apply affine_map<(d0) -> (4 * d0)>(%idx)
    // expected-remark @below {{load of 'arg1' is coalesced, 16 sectors per request}}
    %1 = vector.load %v[%four] : memref<?xf32>, vector<4xf32>
    // Misaligned by one: bytes 4 to 132.
    %next = arith.addi %idx, %c1 : index
    // expected-remark @below {{load of 'arg2' is misaligned, 5 sectors per request}}
    // expected-remark @below {{load of 'arg2' is 20 % shared by neighbouring blocks along x in its memory segments only}}
    %2 = memref.load %indices[%next] : memref<?xi32>
    %i = arith.index_cast %2 : i32 to index
    // expected-remark @below {{atomic of 'arg1' is unresolved: a subscript is loaded from memory}}
    %3 = memref.atomic_rmw addf %zero, %v[%i] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // A tile in workgroup memory: stored by rows, read by columns; 32 rows of 32
  // floats put a column into one bank, 33 floats spread it.
  // expected-remark @below {{0.125 sectors per work item}}
  gpu.func @banks(%a: memref<?xf32> {gpuopt.name = "a"})
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>,
                %padded: memref<32x33xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %tx = gpu.thread_id x
    // expected-remark @below {{load of 'a' is coalesced, 4 sectors per request}}
    %0 = memref.load %a[%tx] : memref<?xf32>
    // expected-remark @below {{store of 'local0' meets 1 words per bank}}
    memref.store %0, %tile[%c0, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark @below {{load of 'local0' meets 32 words per bank}}
    %1 = memref.load %tile[%tx, %c0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    // expected-remark @below {{load of 'local1' meets 1 words per bank}}
    %2 = memref.load %padded[%tx, %c0] : memref<32x33xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // Arithmetic that may wrap in 32 bits is followed with its wrapping.
  // expected-remark @below {{0.250 sectors per work item}}
  gpu.func @wrap(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %id = gpu.global_id x
    %i = arith.index_cast %id : index to i32
    %may = arith.addi %i, %n : i32
    %must = arith.addi %i, %n overflow<nsw> : i32
    %0 = arith.index_cast %may : i32 to index
    %1 = arith.index_cast %must : i32 to index
    // expected-remark @below {{4294967296*((bx*bdx + tx + n + 2147483648) floordiv 4294967296)}}
    %2 = memref.load %a[%0] : memref<?xf32>
    // expected-remark @below {{load of 'a' is coalesced, 4 sectors per request (assuming n = 4096)}}
    %3 = memref.load %a[%1] : memref<?xf32>
    gpu.return
  }
}

// -----

// What a loaded index chooses costs a sector for each lane, once: blocks inside take the version without guards, and the other
// one's accesses count nothing, be their addresses known or not. Per item 4 / 32 for the index, 1, and 4 / 32 for the store.
gpu.module @kernels {
  // expected-remark @below {{1.250 sectors per work item}}
  gpu.func @gather(%a: memref<?xf32> {gpuopt.name = "a"}, %at: memref<?xi32> {gpuopt.name = "at"},
                   %c: memref<?xf32> {gpuopt.name = "c"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %idx = gpu.global_id x
    %bx = gpu.block_id x
    %c32 = arith.constant 32 : index
    %size = arith.index_cast %n : i32 to index
    %first = arith.muli %bx, %c32 : index
    %end = arith.addi %first, %c32 : index
    %inside = arith.cmpi sle, %end, %size : index
    scf.if %inside {
      // expected-remark @below {{load of 'at' is coalesced, 4 sectors per request}}
      %i = memref.load %at[%idx] : memref<?xi32>
      %where = arith.index_cast %i : i32 to index
      // expected-remark @below {{load of 'a' is unresolved}}
      %x = memref.load %a[%where] : memref<?xf32>
      // expected-remark @below {{store of 'c' is coalesced, 4 sectors per request}}
      memref.store %x, %c[%idx] : memref<?xf32>
    } else {
      %guard = arith.cmpi slt, %idx, %size : index
      scf.if %guard {
        // expected-remark @below {{load of 'at' is coalesced, 4 sectors per request}}
        %i = memref.load %at[%idx] : memref<?xi32>
        %where = arith.index_cast %i : i32 to index
        // expected-remark @below {{load of 'a' is unresolved}}
        %x = memref.load %a[%where] : memref<?xf32>
        // expected-remark @below {{store of 'c' is coalesced, 4 sectors per request}}
        memref.store %x, %c[%idx] : memref<?xf32>
      }
    }
    gpu.return
  }
}
