// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

gpu.module @kernels {
  gpu.func @uses_thread_id(%c: memref<?xf32>) kernel {
    %v = arith.constant 0.0 : f32
    // expected-remark @below {{uses_thread_id keeps its launch: it uses 'gpu.thread_id', which may depend on the block shape}}
    %t = gpu.thread_id x
    memref.store %v, %c[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

// A block is a work item only where nothing tells its threads apart.
gpu.module @kernels {
  gpu.func @block_and_thread(%c: memref<?xindex>) kernel {
    // expected-remark @below {{block_and_thread keeps its launch: it uses 'gpu.block_id', which may depend on the block shape}}
    %b = gpu.block_id z
    %t = gpu.thread_id z
    memref.store %t, %c[%b] : memref<?xindex>
    gpu.return
  }
  gpu.func @block_and_size(%c: memref<?xindex>) kernel {
    // expected-remark @below {{block_and_size keeps its launch: it uses 'gpu.block_id'}}
    %b = gpu.block_id z
    %d = gpu.block_dim z
    memref.store %d, %c[%b] : memref<?xindex>
    gpu.return
  }
  gpu.func @block_and_item(%c: memref<?xindex>) kernel {
    // expected-remark @below {{block_and_item keeps its launch: it uses 'gpu.block_id'}}
    %b = gpu.block_id z
    %g = gpu.global_id z
    memref.store %g, %c[%b] : memref<?xindex>
    gpu.return
  }
  // The number of blocks along another dimension.
  gpu.func @other_size(%c: memref<?xindex>) kernel {
    %b = gpu.block_id z
    // expected-remark @below {{other_size keeps its launch: it uses 'gpu.grid_dim'}}
    %g = gpu.grid_dim x
    memref.store %g, %c[%b] : memref<?xindex>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-remark @below {{keeps its launch: it uses workgroup memory}}
  gpu.func @uses_workgroup_memory(%c: memref<?xf32>)
      workgroup(%s: memref<16xf32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @has_barrier(%c: memref<?xf32>) kernel {
    // expected-remark @below {{it uses 'gpu.barrier'}}
    gpu.barrier
    gpu.return
  }
}

// -----

// The mathematical library knows nothing of blocks; other functions may.
gpu.module @kernels {
  llvm.func @erff(f32) -> f32
  llvm.func @__gpuopt_lane_id() -> i32
  // expected-remark @below {{launched in blocks of 32x1x1}}
  gpu.func @calls_library(%c: memref<?xf32>, %x: f32) kernel {
    %idx = gpu.global_id x
    %y = llvm.call @erff(%x) : (f32) -> f32
    memref.store %y, %c[%idx] : memref<?xf32>
    gpu.return
  }
  gpu.func @calls_device_function(%c: memref<?xi32>) kernel {
    %idx = gpu.global_id x
    // expected-remark @below {{it uses '__gpuopt_lane_id'}}
    %lane = llvm.call @__gpuopt_lane_id() : () -> i32
    memref.store %lane, %c[%idx] : memref<?xi32>
    gpu.return
  }
}

// -----

// Who is first gets the first place: other blocks would have another order. A sum that nobody reads here has none.
gpu.module @kernels {
  gpu.func @takes_places(%count: memref<1xi32>, %c: memref<?xi32>) kernel {
    %idx = gpu.global_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    // expected-remark @below {{it uses the result of an atomic operation, which depends on the order of work items}}
    %place = memref.atomic_rmw addi %one, %count[%zero] : (i32, memref<1xi32>) -> i32
    %at = arith.index_cast %place : i32 to index
    %value = arith.index_cast %idx : index to i32
    memref.store %value, %c[%at] : memref<?xi32>
    gpu.return
  }
  // expected-remark @below {{launched in blocks of 32x1x1}}
  gpu.func @counts(%count: memref<1xi32>) kernel {
    %idx = gpu.global_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %unused = memref.atomic_rmw addi %one, %count[%zero] : (i32, memref<1xi32>) -> i32
    gpu.return
  }
}

// -----

// Each line doubles the steps that `affine::isValidSymbol` takes to %i.
gpu.module @kernels {
  gpu.func @intricate(%c: memref<?xf32>, %n: index, %on: i1) kernel {
    %v = arith.constant 0.0 : f32
    %i = gpu.global_id x
    scf.if %on {
      %x1 = arith.muli %i, %n : index
      %x2 = arith.muli %x1, %x1 : index
      %x3 = arith.muli %x2, %x2 : index
      %x4 = arith.muli %x3, %x3 : index
      %x5 = arith.muli %x4, %x4 : index
      %x6 = arith.muli %x5, %x5 : index
      %x7 = arith.muli %x6, %x6 : index
      %x8 = arith.muli %x7, %x7 : index
      %x9 = arith.muli %x8, %x8 : index
      %x10 = arith.muli %x9, %x9 : index
      %x11 = arith.muli %x10, %x10 : index
      %x12 = arith.muli %x11, %x11 : index
      %x13 = arith.muli %x12, %x12 : index
      %x14 = arith.muli %x13, %x13 : index
      // expected-remark @below {{intricate keeps its launch: a subscript takes the same values again and again, in more than 10000 steps}}
      memref.store %v, %c[%x14] : memref<?xf32>
    }
    gpu.return
  }
}
