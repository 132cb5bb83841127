// RUN: gpuopt-opt %s --gpuopt-slice-accesses --remarks-filter=gpuopt --remark-format=emitRemark -verify-diagnostics -split-input-file

// The kernel writes what its addresses are read from.
gpu.module @written {
  gpu.func @scatter(%at: memref<?xi32> {gpuopt.name = "at"}, %a: memref<?xf32> {llvm.noalias}) kernel {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0 : i32
    %id = gpu.global_id x
    // expected-remark @below {{an address, or what decides about an access, depends on 'at', which the kernel writes}}
    %i = affine.load %at[symbol(%id)] : memref<?xi32>
    %index = arith.index_cast %i : i32 to index
    memref.store %one, %a[%index] : memref<?xf32>
    affine.store %zero, %at[symbol(%id)] : memref<?xi32>
    gpu.return
  }
}

// -----

// The kernel may write it, as nothing says that the arrays do not overlap.
gpu.module @overlapping {
  gpu.func @gather(%at: memref<?xi32> {gpuopt.name = "at"}, %a: memref<?xf32>, %c: memref<?xf32>) kernel {
    %id = gpu.global_id x
    // expected-remark @below {{depends on 'at', to which a pointer may lead that the kernel writes through (__restrict__ and --assume-noalias say that none does)}}
    %i = affine.load %at[symbol(%id)] : memref<?xi32>
    %index = arith.index_cast %i : i32 to index
    %x = memref.load %a[%index] : memref<?xf32>
    affine.store %x, %c[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Data that threads exchange through workgroup memory.
gpu.module @exchanged {
  gpu.func @by_tile(%at: memref<?xindex> {llvm.noalias}, %a: memref<?xf32> {llvm.noalias})
      workgroup(%tile: memref<16xindex, #gpu.address_space<workgroup>>) kernel {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %x = affine.load %at[symbol(%t)] : memref<?xindex>
    affine.store %x, %tile[symbol(%t)] : memref<16xindex, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark @below {{depends on workgroup memory, which other threads write}}
    %y = affine.load %tile[15 - symbol(%t)] : memref<16xindex, #gpu.address_space<workgroup>>
    memref.store %one, %a[%y] : memref<?xf32>
    gpu.return
  }
}

// -----

// An atomic operation gives each thread another place.
gpu.module @counted {
  gpu.func @append(%count: memref<?xi32> {gpuopt.name = "count", llvm.noalias}, %a: memref<?xf32> {llvm.noalias}) kernel {
    %one = arith.constant 1.0 : f32
    %by = arith.constant 1 : i32
    %zero = arith.constant 0 : index
    // expected-remark @below {{depends on 'count', which the kernel writes}}
    %i = memref.atomic_rmw addi %by, %count[%zero] : (i32, memref<?xi32>) -> i32
    %index = arith.index_cast %i : i32 to index
    memref.store %one, %a[%index] : memref<?xf32>
    gpu.return
  }
}

// -----

// So does one in workgroup memory, for the place in the block's part.
gpu.module @counted_in_block {
  gpu.func @compact(%a: memref<?xf32> {llvm.noalias})
      workgroup(%count: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %one = arith.constant 1.0 : f32
    %by = arith.constant 1 : i32
    %none = arith.constant 0 : i32
    %zero = arith.constant 0 : index
    memref.store %none, %count[%zero] : memref<1xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark @below {{depends on workgroup memory, which other threads write}}
    %i = memref.atomic_rmw addi %by, %count[%zero] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
    %index = arith.index_cast %i : i32 to index
    memref.store %one, %a[%index] : memref<?xf32>
    gpu.return
  }
}

// -----

// And one of any function of what is there.
gpu.module @changed_in_block {
  gpu.func @double(%a: memref<?xf32> {llvm.noalias})
      workgroup(%count: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0 : index
    // expected-remark @below {{depends on workgroup memory, which other threads write}}
    %i = memref.generic_atomic_rmw %count[%zero] : memref<1xi32, #gpu.address_space<workgroup>> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %old : i32
      memref.atomic_yield %new : i32
    }
    %index = arith.index_cast %i : i32 to index
    memref.store %one, %a[%index] : memref<?xf32>
    gpu.return
  }
}

// -----

// Lanes of a subgroup tell each other.
gpu.module @shuffled {
  gpu.func @by_lanes(%at: memref<?xi32> {llvm.noalias}, %a: memref<?xf32> {llvm.noalias}) kernel {
    %one = arith.constant 1.0 : f32
    %by = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %x = affine.load %at[symbol(%t)] : memref<?xi32>
    // expected-remark @below {{depends on 'gpu.shuffle', which a CPU cannot tell}}
    %y, %valid = gpu.shuffle xor %x, %by, %width : i32
    %index = arith.index_cast %y : i32 to index
    memref.store %one, %a[%index] : memref<?xf32>
    gpu.return
  }
}

// -----

// A function of the device's library decides.
gpu.module @library {
  llvm.func @__nv_cosf(f32) -> f32
  gpu.func @by_function(%key: memref<?xf32> {llvm.noalias}, %a: memref<?xf32> {llvm.noalias}) kernel {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %x = affine.load %key[symbol(%t)] : memref<?xf32>
    // expected-remark @below {{depends on '__nv_cosf', which a CPU cannot tell}}
    %y = llvm.call @__nv_cosf(%x) : (f32) -> f32
    %goes = arith.cmpf olt, %y, %one : f32
    scf.if %goes {
      affine.store %one, %a[symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// An access that is not raised.
gpu.module @pointer {
  gpu.func @by_address(%a: !llvm.ptr) kernel {
    // expected-remark @below {{'llvm.load' may access global memory, and is no load or store of an array}}
    %x = llvm.load %a : !llvm.ptr -> f32
    gpu.return
  }
}

// -----

// Assembly that is given what may be an address.
gpu.module @assembly {
  gpu.func @by_assembly(%a: i64) kernel {
    // expected-remark @below {{'llvm.inline_asm' may access global memory}}
    llvm.inline_asm has_side_effects "st.global.b32 [$0], 0;", "l" %a : (i64) -> ()
    gpu.return
  }
}

// -----

// How often a loop with accesses runs depends on what the kernel writes.
gpu.module @relaxation {
  gpu.func @until(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %limit = arith.constant 1.0 : f32
    %id = gpu.global_id x
    %first = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.while (%i = %first) : (index) -> index {
      // expected-remark @below {{depends on 'a', which the kernel writes}}
      %x = memref.load %a[%i] : memref<?xf32>
      %goes_on = arith.cmpf olt, %x, %limit : f32
      scf.condition(%goes_on) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %limit, %a[%i] : memref<?xf32>
      %next = arith.addi %i, %one : index
      scf.yield %next : index
    }
    gpu.return
  }
}
