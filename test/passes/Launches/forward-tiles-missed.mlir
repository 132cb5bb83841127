// RUN: gpuopt-opt %s --gpuopt-forward-tiles --split-input-file --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.fallback

// A tree of sums: what is loaded was stored in the iteration before.
gpu.module @kernels {
  gpu.func @tree(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.for %i = 0 to 6 {
      // expected-remark @below {{what is loaded may be stored in the iteration before}}
      %f = affine.load %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      %g = arith.addf %f, %f : f32
      gpu.barrier
      affine.store %g, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
    }
    affine.store %e, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// The array that the tile is filled from may be the one that is written.
gpu.module @kernels {
  gpu.func @may_alias(%a: memref<?xf32>, %c: memref<?xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    // expected-remark @below {{what is stored was loaded from memory that the kernel may write}}
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Only some threads store: what the others' elements hold is not known.
gpu.module @kernels {
  gpu.func @some(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %inside = arith.cmpi slt, %x, %n : index
    // expected-remark @below {{what fills the tile is no single store in loops}}
    scf.if %inside {
      %e = affine.load %a[symbol(%x)] : memref<?xf32>
      affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %h = affine.load %s[0] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Several iterations of a thread store to one place: the last one counts.
gpu.module @kernels {
  gpu.func @again(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<96xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    affine.for %i = 0 to 32 {
      %e = affine.load %a[symbol(%x) + %i * 100] : memref<?xf32>
      // expected-remark @below {{the place in the tile is no sum of multiples of ids and iterators}}
      affine.store %e, %s[symbol(%t) + %i] : memref<96xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %h = affine.load %s[symbol(%t)] : memref<96xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Beyond what the threads of the block have stored.
gpu.module @kernels {
  gpu.func @beyond(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<65xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<65xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark @below {{which thread has stored what is loaded is not known}}
    %h = affine.load %s[symbol(%t) + 1] : memref<65xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// The barrier keeps the stores to c in order, too.
gpu.module @kernels {
  gpu.func @ordered(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-remark @below {{a barrier may order this store and others}}
    affine.store %e, %c[0] : memref<?xf32>
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// The source's tiles are known to be better.
gpu.module @kernels {
  // expected-remark @below {{the source's own tiles are better by the model}}
  gpu.func @kept(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {gpuopt.keeps_tiles, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// A loop that may not run stores nothing: the element is from the fill before.
gpu.module @kernels {
  gpu.func @empty(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.for %i = 5 to 5 {
      %f = affine.load %b[symbol(%x)] : memref<?xf32>
      // expected-remark @below {{the place in the tile is no sum of multiples of ids and iterators}}
      affine.store %f, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// No barrier: another thread may not have stored yet.
gpu.module @kernels {
  gpu.func @unordered(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-remark @below {{no barrier between the store to the tile and the load}}
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// What a tile holds before anything is stored nobody knows.
gpu.module @kernels {
  gpu.func @nothing(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    // expected-remark @below {{nothing is stored before}}
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.store %h, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Atomics on the tile.
gpu.module @kernels {
  gpu.func @histogram(%a: memref<?xi32> {llvm.noalias}, %c: memref<?xi32> {llvm.noalias}, %one: i32)
      workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %e = affine.load %a[symbol(%x)] : memref<?xi32>
    affine.store %e, %s[symbol(%t)] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark @below {{the tile is used by more than loads and stores}}
    %old = memref.atomic_rmw addi %one, %s[%t] : (i32, memref<64xi32, #gpu.address_space<workgroup>>) -> i32
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xi32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xi32>
    gpu.return
  }
}

// -----

// The stored value is the sum so far: the loop would have to be run again.
gpu.module @kernels {
  gpu.func @carried(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %all = affine.for %i = 0 to 8 iter_args(%sum = %zero) -> f32 {
      %e = affine.load %a[symbol(%x) + %i * 64] : memref<?xf32>
      // expected-remark @below {{what is stored depends on a value that a loop carries}}
      %next = arith.addf %sum, %e : f32
      affine.store %next, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %h, %c[symbol(%x) + %i * 64] : memref<?xf32>
      gpu.barrier
      affine.yield %next : f32
    }
    affine.store %all, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// Another thread that shuffled would get another value.
gpu.module @kernels {
  gpu.func @shuffled(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %e = affine.load %a[symbol(%x)] : memref<?xf32>
    // expected-remark @below {{what is stored is computed by 'gpu.shuffle'}}
    %f, %valid = gpu.shuffle xor %e, %one, %width : f32
    affine.store %f, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// What each thread prints comes before what others print behind the barrier.
gpu.module @kernels {
  gpu.func @printed(%c: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %number = arith.index_cast %t : index to i32
    %e = arith.sitofp %number : i32 to f32
    affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-remark @below {{a barrier may order what 'gpu.printf' does}}
    gpu.printf "%d\n", %t : index
    gpu.barrier
    %h = affine.load %s[-symbol(%t) + 63] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %h, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// -----

// The last tile is not used as a whole: what would be loaded in its place is guarded by how much of it is.
gpu.module @kernels {
  gpu.func @ragged(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %r = affine.for %p = 0 to %n step 64 iter_args(%sum = %zero) -> (f32) {
      %e = affine.load %a[%p + symbol(%t)] : memref<?xf32>
      affine.store %e, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %part = affine.for %i = 0 to min affine_map<(d0)[s0] -> (64, s0 - d0)>(%p)[%n] iter_args(%q = %sum) -> (f32) {
        // expected-remark @below {{a loop does not always go through the whole tile}}
        %h = affine.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
        %next = arith.addf %q, %h : f32
        affine.yield %next : f32
      }
      gpu.barrier
      affine.yield %part : f32
    }
    affine.store %r, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}
