// Kernels that no sequence of launches can stand for, each with the place that prevents it.
//
// RUN: gpuopt-opt --gpuopt-split-at-grid-barriers --split-input-file --verify-diagnostics %s

gpu.module @kernels {
  gpu.func @divergent(%a: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %id = gpu.global_id x
    %in = arith.cmpi slt, %id, %n : index
    // expected-error @below {{grid-wide synchronisation (gpuopt_global_sync) under control flow that may differ between work items: the condition depends on more than scalar parameters and the launch's size}}
    scf.if %in {
      memref.store %zero, %a[%id] : memref<?xf32>
      gpuopt.grid_barrier
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @byData(%a: memref<?xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %id = gpu.global_id x
    // expected-error @below {{the condition depends on more than scalar parameters and the launch's size}}
    scf.while : () -> () {
      %x = memref.load %a[%c0] : memref<?xi32>
      %more = arith.cmpi sgt, %x, %zero : i32
      scf.condition(%more)
    } do {
      memref.store %zero, %a[%id] : memref<?xi32>
      gpuopt.grid_barrier
      scf.yield
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @live(%a: memref<?xf32>) kernel {
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    %next = arith.addi %id, %c1 : index
    // expected-error @below {{what this computes is needed behind grid-wide synchronisation (gpuopt_global_sync), where it cannot be computed again}}
    %x = memref.load %a[%next] : memref<?xf32>
    gpuopt.grid_barrier
    memref.store %x, %a[%id] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @carried(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    // expected-error @below {{a value that the loop carries depends on more than scalar parameters and the launch's size}}
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %id) -> index {
      %x = memref.load %a[%at] : memref<?xf32>
      memref.store %x, %a[%id] : memref<?xf32>
      gpuopt.grid_barrier
      %next = arith.addi %at, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @workgroup(%a: memref<?xf32>) workgroup(%w: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<?xf32>
    memref.store %x, %w[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    gpuopt.grid_barrier
    // expected-error @below {{workgroup memory may keep its contents across grid-wide synchronisation (gpuopt_global_sync), which separate launches would lose}}
    %y = memref.load %w[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %y, %a[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{cannot be split into launches once the kernel's launch is decided (gpuopt.geometry)}}
  gpu.func @decided(%a: memref<?xf32>) kernel attributes {
      gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %id = gpu.thread_id x
    memref.store %zero, %a[%id] : memref<?xf32>
    gpuopt.grid_barrier
    memref.store %zero, %a[%id] : memref<?xf32>
    gpu.return
  }
}
