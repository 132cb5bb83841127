// RUN: gpuopt-opt %s --gpuopt-expand-grid-stride-loops --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.work_items
// CHECK-NOT: gpuopt.requires
gpu.module @kernels {
  // Each element is made of the one before, which one thread may have written.
  gpu.func @chain(%a: memref<?xf32>, %n: index) kernel {
    %one = arith.constant 1 : index
    %x = gpu.global_id x
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    scf.for %i = %x to %n step %dx {
      %next = arith.addi %i, %one : index
      %v = memref.load %a[%i] : memref<?xf32>
      // expected-remark@below {{an iteration may write what another one of the same thread accesses}}
      memref.store %v, %a[%next] : memref<?xf32>
    }
    gpu.return
  }

  // Two iterations write the same element, the second one last.
  gpu.func @pairs(%a: memref<?xindex>, %n: index) kernel {
    %two = arith.constant 2 : index
    %x = gpu.global_id x
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    scf.for %i = %x to %n step %dx {
      %half = arith.divui %i, %two : index
      // expected-remark@below {{an iteration may write what another one of the same thread accesses}}
      memref.store %i, %a[%half] : memref<?xindex>
    }
    gpu.return
  }

  // The first of a row would be read by work items that run beside the one that writes it.
  gpu.func @first_of_row(%a: memref<?xf32>, %height: i32, %width: i32) kernel {
    %m = arith.index_cast %height : i32 to index
    %n = arith.index_cast %width : i32 to index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    %by = gpu.block_dim y
    %gy = gpu.grid_dim y
    %dy = arith.muli %by, %gy : index
    scf.for %i = %y to %m step %dy {
      %row = arith.muli %i, %n : index
      %v = memref.load %a[%row] : memref<?xf32>
      scf.for %j = %x to %n step %dx {
        %at = arith.addi %row, %j : index
        // expected-remark@below {{an iteration may write what is read outside of the loops}}
        memref.store %v, %a[%at] : memref<?xf32>
      }
    }
    gpu.return
  }

  // A sum goes from iteration to iteration.
  gpu.func @sum(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    // expected-remark@below {{iterations take a value from the ones before}}
    %sum = scf.for %i = %x to %n step %dx iter_args(%s = %zero) -> f32 {
      %v = memref.load %a[%i] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    memref.store %sum, %c[%x] : memref<?xf32>
    gpu.return
  }

  // What a thread does once is not done once for each iteration.
  gpu.func @once(%a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %n: index, %v: f32) kernel {
    %zero = arith.constant 0 : index
    %x = gpu.global_id x
    %bx = gpu.block_dim x
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    scf.for %i = %x to %n step %dx {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    // expected-remark@below {{'memref.store' stands outside of the iterations}}
    memref.store %v, %c[%zero] : memref<?xf32>
    gpu.return
  }

  // How many threads there are is seen.
  gpu.func @share(%a: memref<?xindex>, %n: index) kernel {
    %x = gpu.global_id x
    %bx = gpu.block_dim x
    // expected-remark@below {{'gpu.grid_dim' is used for more than bounds of the loops}}
    %gx = gpu.grid_dim x
    %dx = arith.muli %bx, %gx : index
    scf.for %i = %x to %n step %dx {
      memref.store %gx, %a[%i] : memref<?xindex>
    }
    gpu.return
  }

  // No grid-stride loop: nothing is said.
  gpu.func @strided(%a: memref<?xf32>, %n: index, %d: index, %v: f32) kernel {
    %x = gpu.global_id x
    scf.for %i = %x to %n step %d {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
