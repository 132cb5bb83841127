// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --split-input-file --verify-roundtrip | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=8,4" --split-input-file | FileCheck %s --check-prefix=BLOCK

// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90 resident=2" --split-input-file | FileCheck %s --check-prefix=RESIDENT

// Ids of work items become block and thread ids; the guards give the extents;
// the original stays for launches that cannot be covered.

// CHECK-DAG: #[[$N:.*]] = affine_map<()[s0, s1, s2] -> (s1)>
// CHECK-DAG: #[[$M:.*]] = affine_map<()[s0, s1, s2] -> (s2)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0 * 32 + d1)>
// CHECK-LABEL: gpu.func @two_dimensional(
// CHECK-SAME: gpuopt.fallback = @two_dimensional__original
// CHECK-SAME: gpuopt.geometry = #gpuopt.geometry<block = [32, 8, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 8, 1], extents = [#[[$N]], #[[$M]], unit]>
// CHECK-SAME: known_block_size = array<i32: 32, 8, 1>
// CHECK: %[[BX:.*]] = gpu.block_id x
// CHECK: %[[TX:.*]] = gpu.thread_id x
// CHECK: affine.apply #[[$ID]](%[[BX]], %[[TX]])
// CHECK-NOT: gpu.global_id
// CHECK-LABEL: gpu.func @two_dimensional__original(
// CHECK-NOT: gpuopt.geometry
// CHECK: gpu.global_id x

// RESIDENT-LABEL: gpu.func @two_dimensional(
// RESIDENT-SAME: gpuopt.resident_blocks = 2 : i64
// RESIDENT-LABEL: gpu.func @two_dimensional__original(
// RESIDENT-NOT: gpuopt.resident_blocks
// RESIDENT: gpu.return

// BLOCK: affine_map<(d0, d1) -> (d0 * 8 + d1)>
// BLOCK-LABEL: gpu.func @two_dimensional(
// BLOCK-SAME: block = [8, 4, 1]
gpu.module @kernels {
  gpu.func @two_dimensional(%c: memref<?xf32>, %n: i32, %m: i32) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %ni = arith.index_cast %n : i32 to index
    %mi = arith.index_cast %m : i32 to index
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// One dimension: as many threads as coalesce together.
// CHECK-LABEL: gpu.func @one_dimensional(
// CHECK-SAME: block = [32, 1, 1]
gpu.module @kernels {
  gpu.func @one_dimensional(%c: memref<?xf32>, %n: i32) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    memref.store %v, %c[%idx] : memref<?xf32>
    gpu.return
  }
}

// -----

// What each row of work items reads again and again may go through a square tile;
// what all of them read needs none.
// CHECK-LABEL: gpu.func @row_of_its_own(
// CHECK-SAME: block = [16, 16, 1]
// CHECK-LABEL: gpu.func @same_for_all(
// CHECK-SAME: block = [32, 8, 1]
// CHECK-LABEL: gpu.func @clamped(
// CHECK-SAME: block = [32, 8, 1]
gpu.module @kernels {
  gpu.func @row_of_its_own(%a: memref<?x64xf32>, %c: memref<?x64xf32>) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    affine.for %i = 0 to 64 {
      %v = affine.load %a[%idy, %i] : memref<?x64xf32>
      affine.store %v, %c[%idy, %idx] : memref<?x64xf32>
    }
    gpu.return
  }
  gpu.func @same_for_all(%a: memref<64xf32>, %c: memref<?x64xf32>) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    affine.for %i = 0 to 64 {
      %v = affine.load %a[%i] : memref<64xf32>
      affine.store %v, %c[%idy, %idx] : memref<?x64xf32>
    }
    gpu.return
  }
  gpu.func @clamped(%a: memref<?x64xf32>, %c: memref<?x64xf32>) kernel {
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %column = affine.min affine_map<(x) -> (x + 1, 63)>(%idx)
    %v = memref.load %a[%idy, %column] : memref<?x64xf32>
    affine.store %v, %c[%idy, %idx] : memref<?x64xf32>
    gpu.return
  }
}

// -----

// Without a guard there is no extent, and with different ones none for all.
// CHECK-LABEL: gpu.func @no_guard(
// CHECK-SAME: extents = [unit, unit, unit]
// CHECK-LABEL: gpu.func @different_guards(
// CHECK-SAME: extents = [unit, unit, unit]
gpu.module @kernels {
  gpu.func @no_guard(%c: memref<?xf32>) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    memref.store %v, %c[%idx] : memref<?xf32>
    gpu.return
  }
  gpu.func @different_guards(%c: memref<?xf32>, %n: index, %m: index) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %g0 = arith.cmpi slt, %idx, %n : index
    %g1 = arith.cmpi slt, %idx, %m : index
    scf.if %g0 {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    scf.if %g1 {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Loads count as effects too: beyond the extent they could be out of bounds.
// CHECK-LABEL: gpu.func @unguarded_load(
// CHECK-SAME: extents = [unit, unit, unit]
gpu.module @kernels {
  gpu.func @unguarded_load(%c: memref<?xf32>, %n: index) kernel {
    %idx = gpu.global_id x
    %v = memref.load %c[%idx] : memref<?xf32>
    %g = arith.cmpi slt, %idx, %n : index
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// An early return: `if (idx >= n || idy >= m) return;`.
// CHECK-DAG: #[[$N:.*]] = affine_map<()[s0, s1, s2] -> (s1)>
// CHECK-DAG: #[[$M:.*]] = affine_map<()[s0, s1, s2] -> (s2)>
// CHECK-LABEL: gpu.func @early_return(
// CHECK-SAME: extents = [#[[$N]], #[[$M]], unit]
gpu.module @kernels {
  gpu.func @early_return(%c: memref<?xf32>, %n: index, %m: index) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %gx = arith.cmpi sge, %idx, %n : index
    %gy = arith.cmpi sge, %idy, %m : index
    %g = arith.ori %gx, %gy : i1
    scf.if %g {
    } else {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// `idx + 1 <= n` is `idx < n`; `n > 2 * idx + 1` is `idx < (n - 1) ceildiv 2`.
// CHECK-DAG: #[[$SHIFTED:.*]] = affine_map<()[s0, s1] -> (s1)>
// CHECK-DAG: #[[$SCALED:.*]] = affine_map<()[s0, s1] -> ((s1 - 1) ceildiv 2)>
// CHECK-LABEL: gpu.func @shifted(
// CHECK-SAME: extents = [#[[$SHIFTED]], unit, unit]
// CHECK-LABEL: gpu.func @scaled(
// CHECK-SAME: extents = [#[[$SCALED]], unit, unit]
gpu.module @kernels {
  gpu.func @shifted(%c: memref<?xf32>, %n: index) kernel {
    %v = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    %idx = gpu.global_id x
    %next = arith.addi %idx, %one : index
    %g = arith.cmpi sle, %next, %n : index
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @scaled(%c: memref<?xf32>, %n: index) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %odd = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%idx)
    %g = arith.cmpi sgt, %n, %odd : index
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// An unsigned bound is what the argument is without a sign: a "negative" one is
// more than any launch has work items.
// CHECK: #[[$UNSIGNED:.*]] = affine_map<()[s0, s1] -> (s1 mod 4294967296)>
// CHECK-LABEL: gpu.func @unsigned_guard(
// CHECK-SAME: extents = [#[[$UNSIGNED]], unit, unit]
// `n - idx > 0` does not bound idx where it is unsigned.
// CHECK-LABEL: gpu.func @wrapped_guard(
// CHECK-SAME: extents = [unit, unit, unit]
gpu.module @kernels {
  gpu.func @unsigned_guard(%c: memref<?xf32>, %n: i32) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %id = arith.index_cast %idx : index to i32
    %g = arith.cmpi ult, %id, %n : i32
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @wrapped_guard(%c: memref<?xf32>, %n: index) kernel {
    %v = arith.constant 0.0 : f32
    %zero = arith.constant 0 : index
    %idx = gpu.global_id x
    %left = arith.subi %n, %idx : index
    %g = arith.cmpi ugt, %left, %zero : index
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Arithmetic of the source in 32 bits wraps unless it is said not to.
// CHECK-DAG: #[[$EXACT:.*]] = affine_map<()[s0, s1, s2] -> (s1 * s2)>
// CHECK-DAG: #[[$WRAPPED:.*]] = affine_map<()[s0, s1, s2] -> (s1 * s2 - ((s1 * s2 + 2147483648) floordiv 4294967296) * 4294967296)>
// CHECK-LABEL: gpu.func @exact_product(
// CHECK-SAME: extents = [#[[$EXACT]], unit, unit]
// CHECK-LABEL: gpu.func @wrapped_product(
// CHECK-SAME: extents = [#[[$WRAPPED]], unit, unit]
gpu.module @kernels {
  gpu.func @exact_product(%c: memref<?xf32>, %h: i32, %w: i32) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %size = arith.muli %h, %w overflow<nsw> : i32
    %end = arith.index_cast %size : i32 to index
    %g = arith.cmpi slt, %idx, %end : index
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @wrapped_product(%c: memref<?xf32>, %h: i32, %w: i32) kernel {
    %v = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %size = arith.muli %h, %w : i32
    %end = arith.index_cast %size : i32 to index
    %g = arith.cmpi slt, %idx, %end : index
    scf.if %g {
      memref.store %v, %c[%idx] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A row of a block is as wide as what coalesces together, unless coalescing may
// stage something in tiles: what threads of a row repeat in a loop, or what they
// access apart from each other. What each has its own of in a loop it may not.

// CHECK-LABEL: gpu.func @stencil(
// CHECK-SAME: block = [32, 8, 1]
// CHECK-LABEL: gpu.func @row_in_loop(
// CHECK-SAME: block = [16, 16, 1]
// CHECK-LABEL: gpu.func @column(
// CHECK-SAME: block = [16, 16, 1]
gpu.module @kernels {
  gpu.func @stencil(%a: memref<?x?xf32>, %c: memref<?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %s = affine.for %i = 0 to 3 iter_args(%t = %zero) -> (f32) {
      %v = affine.load %a[symbol(%y) + %i, symbol(%x) + 1] : memref<?x?xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %c[symbol(%y), symbol(%x)] : memref<?x?xf32>
    gpu.return
  }

  gpu.func @row_in_loop(%a: memref<?x?xf32>, %c: memref<?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %s = affine.for %i = 0 to 3 iter_args(%t = %zero) -> (f32) {
      %v = affine.load %a[symbol(%y), %i] : memref<?x?xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.store %s, %c[symbol(%y), symbol(%x)] : memref<?x?xf32>
    gpu.return
  }

  gpu.func @column(%a: memref<?x?xf32>, %c: memref<?x?xf32>) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %v = affine.load %a[symbol(%y), symbol(%x)] : memref<?x?xf32>
    affine.store %v, %c[symbol(%x), symbol(%y)] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// The tuned kernel is for n = 64: its own extent is a number, and what it falls
// back to says what it takes itself.
gpu.module @kernels {
  gpu.func @specialized(%out: memref<?xf32>, %n: i32) kernel
      attributes {gpuopt.fallback = @specialized__original} {
    %zero = arith.constant 0.0 : f32
    %size = arith.constant 64 : index
    %item = gpu.global_id x
    %inside = arith.cmpi slt, %item, %size : index
    scf.if %inside {
      memref.store %zero, %out[%item] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @specialized__original(%out: memref<?xf32>, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %size = arith.index_cast %n : i32 to index
    %item = gpu.global_id x
    %inside = arith.cmpi slt, %item, %size : index
    scf.if %inside {
      memref.store %zero, %out[%item] : memref<?xf32>
    }
    gpu.return
  }
}
// CHECK: #[[KNOWN:map[0-9]*]] = affine_map<()[s0, s1] -> (64)>
// CHECK: #[[OWN:map[0-9]*]] = affine_map<()[s0, s1] -> (s1)>
// CHECK: gpu.func @specialized(
// CHECK-SAME: extents = [#[[KNOWN]], unit, unit]
// CHECK: gpu.func @specialized__original(
// CHECK-SAME: gpuopt.own_extents = [#[[OWN]], unit, unit]

// -----

// idx < (size_t)n, for launches in which it is not negative as a signed number,
// as which it is compared from here on. Of two ends the least one counts.
gpu.module @kernels {
  gpu.func @sizes(%out: memref<?xf32>, %n: i64 {gpuopt.unsigned}) kernel {
    %zero = arith.constant 0.0 : f32
    %size = arith.index_cast %n : i64 to index
    %item = gpu.global_id x
    %inside = arith.cmpi ult, %item, %size : index
    scf.if %inside {
      memref.store %zero, %out[%item] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @two(%out: memref<?xf32>, %n: i32, %m: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %rows = arith.index_cast %n : i32 to index
    %columns = arith.index_cast %m : i32 to index
    %item = gpu.global_id x
    %inside = arith.cmpi slt, %item, %rows : index
    %isToo = arith.cmpi slt, %item, %columns : index
    %both = arith.andi %inside, %isToo : i1
    scf.if %both {
      memref.store %zero, %out[%item] : memref<?xf32>
    }
    gpu.return
  }
}
// CHECK-DAG: #[[SIZE:set[0-9]*]] = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (s1 >= 0)>
// CHECK-DAG: #[[ROWS:map[0-9]*]] = affine_map<()[s0, s1, s2] -> (s1)>
// CHECK-DAG: #[[BOTH:map[0-9]*]] = affine_map<()[s0, s1, s2] -> (s1, s2)>
// CHECK: gpu.func @sizes(
// CHECK-SAME: gpuopt.requires = #[[SIZE]]
// CHECK: arith.cmpi slt
// CHECK: gpu.func @two(
// CHECK-SAME: extents = [#[[ROWS]], unit, unit]
// CHECK: gpu.func @two__original(
// CHECK-SAME: gpuopt.own_extents = [#[[BOTH]], unit, unit]

// -----

// Under a mask, x is at most y, which is less than n: the kernel acts on nothing beyond n along x, either.
// CHECK: #[[$N:.*]] = affine_map<()[s0, s1] -> (s1)>
// CHECK-LABEL: gpu.func @masked
// CHECK-SAME: extents = [#[[$N]], #[[$N]], unit]
gpu.module @kernels {
  gpu.func @masked(%c: memref<4096x4096xf32>, %n: i32) kernel {
    %one = arith.constant 1.0 : f32
    %size = arith.index_cast %n : i32 to index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %row = arith.cmpi slt, %y, %size : index
    %mask = arith.cmpi sle, %x, %y : index
    %g = arith.andi %row, %mask : i1
    scf.if %g {
      affine.store %one, %c[symbol(%y), symbol(%x)] : memref<4096x4096xf32>
    }
    gpu.return
  }
}

// -----

// No merge will make more than a row of threads of this block: what it prints to is not known.
// CHECK-LABEL: gpu.func @prints
// CHECK-SAME: block = [256, 1, 1]
gpu.module @kernels {
  llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
  gpu.func @prints(%c: memref<?xf32>, %text: !llvm.ptr, %n: i32) kernel {
    %one = arith.constant 1.0 : f32
    %size = arith.index_cast %n : i32 to index
    %x = gpu.global_id x
    %g = arith.cmpi slt, %x, %size : index
    scf.if %g {
      affine.store %one, %c[symbol(%x)] : memref<?xf32>
      %0 = llvm.call @vprintf(%text, %text) : (!llvm.ptr, !llvm.ptr) -> i32
    }
    gpu.return
  }
}
