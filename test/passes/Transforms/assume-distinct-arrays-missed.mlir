// RUN: gpuopt-opt %s --gpuopt-assume-distinct-arrays --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

// No guard, and work items that are not the launch's: how many there are, only the launcher knows.
gpu.module @kernels {
  // expected-remark @below {{how much of 'x' the kernel accesses is not known, nor whether it overlaps with 'y': no guard or loop bounds the access at}}
  gpu.func @unguarded(%x: memref<?xf32> {gpuopt.name = "x"}, %y: memref<?xf32> {gpuopt.name = "y"})
      kernel attributes {gpuopt.work_items = affine_map<()[s0, s1] -> (64, 1, 1)>} {
    %idx = gpu.global_id x
    affine.for %i = 0 to 8 {
      %value = memref.load %x[%idx] : memref<?xf32>
      memref.store %value, %y[%i] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// x[idx - 1] of the first work item lies before the array.
gpu.module @kernels {
  // expected-remark @below {{the kernel may access what lies before it at}}
  gpu.func @before(%x: memref<?xf32>, %y: memref<?xf32>, %n: i32) kernel {
    %c1 = arith.constant 1 : index
    %end = arith.index_cast %n : i32 to index
    %idx = gpu.global_id x
    %left = arith.subi %idx, %c1 : index
    %inside = arith.cmpi slt, %idx, %end : index
    scf.if %inside {
      affine.for %i = 0 to %end {
        %value = memref.load %x[%left] : memref<?xf32>
        memref.store %value, %y[%i] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

// A subscript that is loaded may be anything.
gpu.module @kernels {
  // expected-remark @below {{the kernel may access what lies before it at}}
  gpu.func @gather(%x: memref<?xf32>, %at: memref<?xi32>, %y: memref<?xf32>, %n: i32) kernel {
    %end = arith.index_cast %n : i32 to index
    %idx = gpu.global_id x
    %inside = arith.cmpi slt, %idx, %end : index
    scf.if %inside {
      affine.for %i = 0 to %end {
        %place = memref.load %at[%i] : memref<?xi32>
        %subscript = arith.index_cast %place : i32 to index
        %value = memref.load %x[%subscript] : memref<?xf32>
        memref.store %value, %y[%i] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

// A variable of the module has an address too.
gpu.module @kernels {
  memref.global "private" @table : memref<8xf32>
  gpu.func @global(%x: memref<?xf32>, %y: memref<?xf32> {gpuopt.name = "y"}) kernel {
    %table = memref.get_global @table : memref<8xf32>
    affine.for %i = 0 to 8 {
      %value = memref.load %x[%i] : memref<?xf32>
      // expected-remark @below {{what overlaps with 'y' is not known: what is accessed here may be any memory}}
      %other = memref.load %table[%i] : memref<8xf32>
      %sum = arith.addf %value, %other : f32
      memref.store %sum, %y[%i] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A pointer may point to a variable of the module, which the launcher does not
// know the place of.
gpu.module @kernels {
  llvm.mlir.global external @table() {addr_space = 1 : i32, externally_initialized} : !llvm.array<8 x f32>
  gpu.func @variable(%x: memref<?xf32>, %y: memref<?xf32> {gpuopt.name = "y"}) kernel {
    %table = gpuopt.get_variable @table : memref<8xf32>
    affine.for %i = 0 to 8 {
      %value = affine.load %x[%i] : memref<?xf32>
      // expected-remark @below {{'y' may point to the variable 'table', whose place the launcher does not know}}
      %other = affine.load %table[%i] : memref<8xf32>
      %sum = arith.addf %value, %other : f32
      affine.store %sum, %y[%i] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// What is computed from an address may be the address of anything.
gpu.module @kernels {
  // expected-remark @below {{how much of 'x' the kernel accesses is not known, nor whether it overlaps with 'y': it is used otherwise than by subscripts}}
  gpu.func @address(%x: memref<?xf32> {gpuopt.name = "x"}, %y: memref<?xi64> {gpuopt.name = "y"}) kernel {
    %address = memref.extract_aligned_pointer_as_index %x : memref<?xf32> -> index
    %number = arith.index_cast %address : index to i64
    affine.for %i = 0 to 8 {
      %value = memref.load %x[%i] : memref<?xf32>
      %rounded = arith.fptosi %value : f32 to i64
      %sum = arith.addi %rounded, %number : i64
      memref.store %sum, %y[%i] : memref<?xi64>
    }
    gpu.return
  }
}
