// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16,16" --gpuopt-coalesce-accesses="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

// The loaded data has no reuse: each segment of A[idy][0] holds one datum that
// is needed (section 3.4).
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @no_reuse(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    // expected-remark @below {{the data loaded has no reuse}}
    %x = affine.load %a[%idy, 0] : memref<?x?xf32>
    affine.store %x, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Without `__restrict__`, the store to c may write a.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @may_alias(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    affine.for %i = 0 to %n {
      // expected-remark @below {{'affine.store' may write the array before it is read}}
      %x = affine.load %a[%idx, %i] : memref<?x?xf32>
      affine.store %x, %c[%idy, %idx] : memref<?x?xf32>
    }
    gpu.return
  }

  // A store after the loop is harmless: another thread's would be a race, and
  // the thread's own comes after its loads.
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @store_after(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      // expected-remark @below {{strided load goes through a tile [16][16] of workgroup memory}}
      %x = affine.load %a[%idx, %i] : memref<?x?xf32>
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Threads leave the loop at different times: no barrier in it.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @triangular(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to affine_map<(d0) -> (d0)>(%idx) iter_args(%s = %zero) -> (f32) {
      // expected-remark @below {{the threads of a block run its loop differently often}}
      %x = affine.load %a[%idx, %i] : memref<?x?xf32>
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }

  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @in_while(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %limit = arith.constant 1.0 : f32
    %end = scf.while (%s = %zero) : (f32) -> f32 {
      %go = arith.cmpf olt, %s, %limit : f32
      scf.condition(%go) %s : f32
    } do {
    ^bb0(%s: f32):
      %sum = affine.for %i = 0 to %n iter_args(%r = %s) -> (f32) {
        // expected-remark @below {{it stands in 'scf.while', which threads may leave at different times}}
        %x = affine.load %a[%idx, %i] : memref<?x?xf32>
        %t = arith.addf %r, %x : f32
        affine.yield %t : f32
      }
      scf.yield %sum : f32
    }
    affine.store %end, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// a[idy][i] is the same for all idx. Were idx > 0 the condition, thread 0 would
// not do the load, but the others would. Nothing tells how many others there are:
// thread 1 may be none of the original launch.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @not_represented(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %g = arith.cmpi sgt, %idx, %c0 : index
    scf.if %g {
      %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
        // expected-remark @below {{its condition may hold for threads that share the datum, but not for the first of them}}
        %x = affine.load %a[%idy, %i] : memref<?x?xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    }
    gpu.return
  }

  // A condition on data cannot be checked by another thread.
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @data_condition(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}, %m: memref<?xi1> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %g = memref.load %m[%idx] : memref<?xi1>
    scf.if %g {
      %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
        // expected-remark @below {{other threads cannot compute its condition: a value is loaded from memory}}
        %x = affine.load %a[%idx, %i] : memref<?x?xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    }
    gpu.return
  }
}

// -----

// An index from memory, and a store that is read again.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @indirect(%a: memref<?xf32> {llvm.noalias}, %p: memref<?xindex> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %at = memref.load %p[%idx] : memref<?xindex>
    // expected-remark @below {{unresolved index}}
    %x = memref.load %a[%at] : memref<?xf32>
    affine.store %x, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }

  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @read_after_store(%c: memref<?x?xf32> {llvm.noalias}, %d: memref<?x?xf32> {llvm.noalias}, %x: f32) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    // expected-remark @below {{'affine.load' may access the array after it is written}}
    affine.store %x, %c[%idx, %idy] : memref<?x?xf32>
    // expected-remark @below {{'affine.store' may write the array before it is read}}
    %y = affine.load %c[%idx, %idy] : memref<?x?xf32>
    affine.store %y, %d[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// A condition that is not scf.if is not checked for another thread.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @in_affine_if(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      %x = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%idx) -> f32 {
        // expected-remark @below {{it stands in 'affine.if'}}
        %y = affine.load %a[%idx, %i] : memref<?x?xf32>
        affine.yield %y : f32
      } else {
        affine.yield %zero : f32
      }
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// The loop may begin just below 2^63, where 16 more are a negative number: a
// tile holds one iteration.
gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 16x16x1}}
  gpu.func @near_the_end(%a: memref<?x?xf32> {llvm.noalias}, %c: memref<?x?xf32> {llvm.noalias}, %lo: index, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = %lo to %n iter_args(%s = %zero) -> (f32) {
      // expected-remark @below {{strided load goes through a tile [16] of workgroup memory}}
      %x = affine.load %a[%idx, %i - symbol(%lo)] : memref<?x?xf32>
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[%idy, %idx] : memref<?x?xf32>
    gpu.return
  }
}
