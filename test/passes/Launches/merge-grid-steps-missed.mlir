// Loops whose steps stay launches, each with the reason.
//
// RUN: gpuopt-opt %s --gpuopt-split-at-grid-barriers --gpuopt-merge-grid-steps="target=sm_90" --split-input-file \
// RUN:   --remarks-filter-missed=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

gpu.module @kernels {
  gpu.func @up(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: its steps are not s, s/2, … down to 1}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.subi %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @neighbours(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: its kernel accesses more than the elements of its id and a step further}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %c1 : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @overlapping(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: arrays of its kernel may overlap; declare them __restrict__}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %b[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unguarded(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: the guard does not compare with the step}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %n : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @inclusive(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: the guard is not 'id < extent'}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi sle, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @beside(%a: memref<?xf32>, %b: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    // expected-remark @below {{each step of this loop stays a launch: its kernel does more than one guard encloses}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      memref.store %zero, %b[%id] : memref<?xf32>
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @threads(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    %t0 = gpu.thread_id x
    // expected-remark @below {{each step of this loop stays a launch: its kernel has loops, or reads more than the work item's id along x}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %a[%t0] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @conditional(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    // expected-remark @below {{each step of this loop stays a launch: its kernel accesses memory under a condition of its own}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %x = memref.load %a[%id] : memref<?xf32>
        %p = arith.cmpf ogt, %x, %zero : f32
        scf.if %p {
          %at = arith.addi %id, %s : index
          %y = memref.load %a[%at] : memref<?xf32>
          memref.store %y, %a[%id] : memref<?xf32>
        }
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

// Butterflies whose first element is bounded, not the second.
gpu.module @kernels {
  gpu.func @firstElements(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: the guard of its butterflies bounds neither their second elements nor the work item's id}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %group = arith.divsi %id, %s : index
      %start = arith.muli %group, %s overflow<nsw> : index
      %i = arith.addi %id, %start overflow<nsw> : index
      %far = arith.addi %i, %s overflow<nsw> : index
      %in = arith.cmpi slt, %i, %n : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %a[%far] : memref<?xf32>
        memref.store %y, %a[%i] : memref<?xf32>
        memref.store %x, %a[%far] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

// Butterflies whose bound changes from step to step.
gpu.module @kernels {
  gpu.func @changingBound(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: the guard of its butterflies does not compare with a size}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %group = arith.divsi %id, %s : index
      %start = arith.muli %group, %s overflow<nsw> : index
      %i = arith.addi %id, %start overflow<nsw> : index
      %far = arith.addi %i, %s overflow<nsw> : index
      %bound = arith.subi %n, %s : index
      %in = arith.cmpi slt, %far, %bound : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %a[%far] : memref<?xf32>
        memref.store %y, %a[%i] : memref<?xf32>
        memref.store %x, %a[%far] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @wrappingGuard(%a: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    // expected-remark @below {{each step of this loop stays a launch: what the guard of its butterflies compares may wrap around}}
    %last = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %group = arith.divsi %id, %s : index
      %start = arith.muli %group, %s : index
      %i = arith.addi %id, %start : index
      %far = arith.addi %i, %s : index
      %in = arith.cmpi slt, %far, %n : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %a[%far] : memref<?xf32>
        memref.store %y, %a[%i] : memref<?xf32>
        memref.store %x, %a[%far] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}
