// RUN: gpuopt-opt %s -split-input-file -verify-diagnostics

// Geometry.

// expected-error @below {{expected three dimensions (x, y, z) in 'block', found 2}}
#g = #gpuopt.geometry<block = [16, 16], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>

// -----

// expected-error @below {{expected three dimensions (x, y, z) in 'items_per_block', found 4}}
#g = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1, 1]>

// -----

// expected-error @below {{expected 'items_per_thread' to be positive, found 0}}
#g = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 0, 1], items_per_block = [16, 16, 1]>

// -----

// expected-error @below {{expected fewer than 2^63 elements in 'block'}}
#g = #gpuopt.geometry<block = [4611686018427387904, 4, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>

// -----

// expected-error @below {{expected 'items_per_block' (512 in all) to be at most 'block' times 'items_per_thread' (256)}}
#g = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 16, 1]>

// -----

// expected-error @below {{expected at most three extents, found 4}}
#g = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1], extents = [unit, unit, unit, unit]>

// -----

// expected-error @below {{expected an extent to be 'unit' or a map from symbols (the kernel's arguments) to one value, found 3 : i64}}
#g = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1], extents = [3]>

// -----

// expected-error @below {{expected an extent to be 'unit' or a map from symbols (the kernel's arguments) to one value, found affine_map<(d0) -> (d0)>}}
#g = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1], extents = [affine_map<(d0) -> (d0)>]>

// -----

// expected-error @below {{expected three dimensions (x, y, z) in 'original_block', found 1}}
#g = #gpuopt.geometry<original_block = [1], block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>

// -----

// expected-error @below {{expected 'original_block' to hold sizes, or 0 for any, found -1}}
#g = #gpuopt.geometry<original_block = [0, 0, -1], block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>

// -----

// Order of blocks.

// expected-error @below {{expected groups of 2 'rows' or more, found 0}}
#o = #gpuopt.block_order<grouped>

// -----

// expected-error @below {{expected 'rows' only in the grouped order}}
#o = #gpuopt.block_order<diagonal, rows = 8>

// -----

// Access.

// expected-error @below {{expected 'element_bytes' to be positive, found 0}}
#a = #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 0, bytes = 4, function = "tx">

// -----

// expected-error @below {{expected 'bytes' to be positive, found -4}}
#a = #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4, bytes = -4, function = "tx">

// -----

// expected-error @below {{expected either 'function' or 'unresolved'}}
#a = #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4, bytes = 4>

// -----

// expected-error @below {{expected either 'function' or 'unresolved'}}
#a = #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4, bytes = 4, function = "tx", unresolved = "why">

// -----

// Segment.

// expected-error @below {{expected 'requests' to be positive, found 0}}
#s = #gpuopt.segment<verdict = coalesced, stride_bytes = 4, sectors = 4, requests = 0>

// -----

// expected-error @below {{expected 'reason' where the verdict is unresolved}}
#s = #gpuopt.segment<verdict = unresolved>

// -----

// expected-error @below {{expected no 'sectors' and no 'stride_bytes' where the verdict is unresolved}}
#s = #gpuopt.segment<verdict = unresolved, sectors = 4, reason = "why">

// -----

// expected-error @below {{expected 'reason' only where the verdict is unresolved}}
#s = #gpuopt.segment<verdict = coalesced, sectors = 4, reason = "why">

// -----

// expected-error @below {{expected 'sectors' to be positive, found 0}}
#s = #gpuopt.segment<verdict = coalesced, stride_bytes = 4>

// -----

// expected-error @below {{expected a broadcast to have 'stride_bytes' 0, found 4}}
#s = #gpuopt.segment<verdict = broadcast, stride_bytes = 4, sectors = 1>

// -----

// expected-error @below {{expected 'stride_bytes' where the verdict is strided}}
#s = #gpuopt.segment<verdict = strided, sectors = 8>

// -----

// Sharing.

// expected-error @below {{expected 'distance' to be positive, found 0}}
#s = #gpuopt.sharing<between = threads, direction = x, kind = full, distance = 0>

// -----

// expected-error @below {{expected 'reuse' to be more than the 1 elements, found 1}}
#s = #gpuopt.sharing<between = blocks, direction = y, kind = full, reuse = 1>

// -----

// expected-error @below {{expected 'overlap_percent' from 0 to 100, found 101}}
#s = #gpuopt.sharing<between = blocks, direction = y, kind = partial, overlap_percent = 101>

// -----

// expected-error @below {{expected neighbours that share something, found 'none'}}
#s = #gpuopt.sharing<between = blocks, direction = y, kind = none>

// -----

func.func @f(%a: memref<4xf32>, %i: index) {
  // expected-error @below {{expected 'gpuopt.sharing' to be a #gpuopt.sharing, or an array of them, found [1]}}
  %0 = memref.load %a[%i] {gpuopt.sharing = [1]} : memref<4xf32>
  return
}

// -----

// The places of the attributes.

// expected-error @below {{expected 'gpuopt.geometry' only on functions}}
gpu.module @m attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {}

// -----

// expected-error @below {{expected 'gpuopt.geometry' to be a #gpuopt.geometry, found 3 : i64}}
func.func private @f() attributes {gpuopt.geometry = 3}

// -----

// expected-error @below {{expected 'gpuopt.fallback' to be the symbol of a kernel, found unit}}
func.func private @f() attributes {gpuopt.fallback}

// -----

// expected-error @below {{expected 'gpuopt.fallback' only on functions}}
gpu.module @m attributes {gpuopt.fallback = @f} {}

// -----

// expected-error @below {{expected 'gpuopt.source_name' to be a string, found unit}}
func.func private @f() attributes {gpuopt.source_name}

// -----

// expected-error @below {{expected 'gpuopt.target' to be a #gpuopt.target, found "sm_90"}}
gpu.module @m attributes {gpuopt.target = "sm_90"} {}

// -----

// expected-error @below {{expected 'gpuopt.name' to be a string, found unit}}
func.func @f(%a: i32 {gpuopt.name}) { return }

// -----

func.func @f() {
  // expected-error @below {{expected 'gpuopt.access' only on accesses to memory}}
  %0 = arith.constant {gpuopt.access = #gpuopt.access<array = "a", kind = load, space = global, element_bytes = 4, bytes = 4, function = "tx">} 0 : i32
  return
}

// -----

func.func @f(%a: memref<4xf32>, %i: index) {
  // expected-error @below {{expected 'gpuopt.segment' to be a #gpuopt.segment, found unit}}
  %0 = memref.load %a[%i] {gpuopt.segment} : memref<4xf32>
  return
}

// -----

func.func @f(%a: memref<4xf32>, %i: index) {
  // expected-error @below {{expected 'gpuopt.sharing' to be a #gpuopt.sharing, or an array of them, found unit}}
  %0 = memref.load %a[%i] {gpuopt.sharing} : memref<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @below {{expected 'gpuopt.collective' only on 'affine.parallel' without results}}
  affine.for %i = 0 to 16 {
  } {gpuopt.collective}
  return
}

// -----

func.func @f() {
  // expected-error @below {{expected 'gpuopt.collective' to be a unit attribute, found 1 : i64}}
  affine.parallel (%i) = (0) to (16) {
  } {gpuopt.collective = 1}
  return
}

// -----

// expected-error @below {{has an unknown attribute 'gpuopt.geometri'}}
func.func private @f() attributes {gpuopt.geometri}

// -----

// expected-error @below {{has an unknown attribute 'gpuopt.geometry'}}
func.func private @f(i32 {gpuopt.geometry = 1})

// -----

// expected-error @below {{expected 'gpuopt.extents' to be an array of strings, found [1]}}
func.func private @f(memref<?xf32> {gpuopt.extents = [1]})

// -----

func.func @f(%c: i1) {
  // expected-error @below {{expected 'gpuopt.rolled' only on 'affine.for'}}
  scf.if %c {
  } {gpuopt.rolled}
  return
}

// -----

func.func @f(%c: i1) {
  // expected-error @below {{expected 'gpuopt.tile_loop' only on 'affine.for'}}
  scf.if %c {
  } {gpuopt.tile_loop}
  return
}

// -----

// expected-error @below {{expected 'gpuopt.block_order' to be a #gpuopt.block_order, found "grouped by 8"}}
func.func private @f() attributes {gpuopt.block_order = "grouped by 8"}

// -----

// Units that multiply matrices.

// expected-error @below {{expected 'depth' to be positive, found 0}}
#u = #gpuopt.matrix_unit<rows = 16, columns = 8, depth = 0, operands = f16, sums = f32, gflops = 1>

// -----

// expected-error @below {{expected numbers, found 'index'}}
#u = #gpuopt.matrix_unit<rows = 16, columns = 8, depth = 16, operands = index, sums = f32, gflops = 1>
