// Kernels in position form compute the same, bit by bit, however their
// positions are shared out to blocks and threads, at sizes that fill no tile and
// no block, without accesses out of bounds. Collective loops are run as they
// stand, by every thread, so that threads write the same to the same elements.

// Both operands of a matrix product in tiles: 16 x 16 blocks, then 16 x 32
// threads of 4 x 2 items (along x two interleaved pairs).
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s -o %t.ll
// RUN: gpuopt-run-ll %t.ll --kernel mm --grid 5,6 --block 16,16 --arg 'f32[1710]=rand' --arg 'f32[1350]=rand' \
// RUN:   --arg 'f32[7125]=zero' --arg i32=95 --arg i32=75 --arg i32=18 --print 2 > %t.mm
// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=y factor=2 target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 target=sm_90" --gpuopt-merge-threads="dim=y factor=2 target=sm_90" \
// RUN:   --gpuopt-version-guards --canonicalize \
// RUN:   | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t.merged.ll
// RUN: gpuopt-run-ll %t.merged.ll --kernel mm --grid 2,2 --block 16,32 --arg 'f32[1710]=rand' --arg 'f32[1350]=rand' \
// RUN:   --arg 'f32[7125]=zero' --arg i32=95 --arg i32=75 --arg i32=18 --print 2 > %t.mm.merged
// RUN: diff %t.mm %t.mm.merged

// A window with a margin: 16 threads; then 48 threads of 6 items.
// RUN: gpuopt-run-ll %t.ll --kernel window --grid 19 --block 16 --arg 'f32[307]=rand' --arg 'f32[303]=zero' \
// RUN:   --arg i32=303 --print 1 > %t.window
// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=x factor=3 target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=3 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 ownership=interleaved target=sm_90" \
// RUN:   | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t.window.ll
// RUN: gpuopt-run-ll %t.window.ll --kernel window --grid 2 --block 48 --arg 'f32[307]=rand' --arg 'f32[303]=zero' \
// RUN:   --arg i32=303 --print 1 > %t.window.merged
// RUN: diff %t.window %t.window.merged

// Three dimensions: blocks of 4 x 2 x 2; then 8 x 2 x 2 threads of 2 x 3 x 6.
// RUN: gpuopt-run-ll %t.ll --kernel volume --grid 5,7,10 --block 4,2,2 --arg 'f32[4199]=rand' --arg 'f32[4199]=zero' \
// RUN:   --arg i32=19 --arg i32=13 --arg i32=17 --print 1 > %t.volume
// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=x factor=2 target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=y factor=3 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=z factor=2 ownership=contiguous target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=z factor=3 target=sm_90" \
// RUN:   | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t.volume.ll
// RUN: gpuopt-run-ll %t.volume.ll --kernel volume --grid 2,3,2 --block 8,2,2 --arg 'f32[4199]=rand' \
// RUN:   --arg 'f32[4199]=zero' --arg i32=19 --arg i32=13 --arg i32=17 --print 1 --races > %t.volume.merged
// RUN: diff %t.volume %t.volume.merged

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %m: i32, %n: i32, %k: i32)
      workgroup(%ta: memref<16x16xf32, #wg>, %tb: memref<16x16xf32, #wg>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %idy = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%by, %ty)
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    %sum = affine.for %i = 0 to %ki step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%r, %j) = (0, 0) to (16, 16) {
        %row = affine.apply affine_map<(b, r) -> (b * 16 + r)>(%by, %r)
        %col = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %gr = arith.cmpi slt, %row, %mi : index
        %gc = arith.cmpi slt, %col, %ki : index
        %legal = arith.andi %gr, %gc : i1
        scf.if %legal {
          %v = affine.load %A[%by * 16 + %r, %i + %j] : memref<?x?xf32, strided<[?, 1]>>
          affine.store %v, %ta[%r, %j] : memref<16x16xf32, #wg>
        }
      } {gpuopt.collective}
      affine.parallel (%j, %q) = (0, 0) to (16, 16) {
        %row = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %col = affine.apply affine_map<(b, q) -> (b * 16 + q)>(%bx, %q)
        %gr = arith.cmpi slt, %row, %ki : index
        %gc = arith.cmpi slt, %col, %ni : index
        %legal = arith.andi %gr, %gc : i1
        scf.if %legal {
          %v = affine.load %B[%i + %j, %bx * 16 + %q] : memref<?x?xf32, strided<[?, 1]>>
          affine.store %v, %tb[%j, %q] : memref<16x16xf32, #wg>
        }
      } {gpuopt.collective}
      gpu.barrier
      %r = scf.if %g -> (f32) {
        %q = affine.for %kk = 0 to min affine_map<(i)[k] -> (16, k - i)>(%i)[%ki]
            iter_args(%t = %s) -> (f32) {
          %x = affine.load %ta[%ty, %kk] : memref<16x16xf32, #wg>
          %y = affine.load %tb[%kk, %tx] : memref<16x16xf32, #wg>
          %p = arith.mulf %x, %y fastmath<contract> : f32
          %u = arith.addf %t, %p fastmath<contract> : f32
          affine.yield %u : f32
        }
        scf.yield %q : f32
      } else {
        scf.yield %s : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }

  // c[i] = a[i] + 2 * a[i + 4]
  gpu.func @window(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: i32)
      workgroup(%tile: memref<20xf32, #wg>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %two = arith.constant 2.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %ni = arith.index_cast %n : i32 to index
    %end = affine.apply affine_map<(n) -> (n + 4)>(%ni)
    affine.parallel (%v) = (0) to (20) {
      %q = affine.apply affine_map<(b, v) -> (b * 16 + v)>(%b, %v)
      %legal = arith.cmpi slt, %q, %end : index
      scf.if %legal {
        %x = affine.load %a[%q] : memref<?xf32>
        affine.store %x, %tile[%v] : memref<20xf32, #wg>
      }
    } {gpuopt.collective}
    gpu.barrier
    %p = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    %g = arith.cmpi slt, %p, %ni : index
    scf.if %g {
      %x = affine.load %tile[%t] : memref<20xf32, #wg>
      %later = affine.apply affine_map<(t) -> (t + 4)>(%t)
      %y = memref.load %tile[%later] : memref<20xf32, #wg>
      %w = arith.mulf %two, %y : f32
      %s = arith.addf %x, %w : f32
      affine.store %s, %c[%p] : memref<?xf32>
    }
    gpu.return
  }

  // c[z][y][x] = a[z][y][x] * x, in what order it may be
  gpu.func @volume(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias},
                   %d: i32, %h: i32, %w: i32)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [4, 2, 2],
          items_per_thread = [1, 1, 1], items_per_block = [4, 2, 2]>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %di = arith.index_cast %d : i32 to index
    %hi = arith.index_cast %h : i32 to index
    %wi = arith.index_cast %w : i32 to index
    %row = arith.muli %hi, %wi : index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%di, %hi, %wi], strides: [%row, %wi, 1]
        : memref<?xf32> to memref<?x?x?xf32, strided<[?, ?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%di, %hi, %wi], strides: [%row, %wi, 1]
        : memref<?xf32> to memref<?x?x?xf32, strided<[?, ?, 1]>>
    %idx = affine.apply affine_map<(b, t) -> (b * 4 + t)>(%bx, %tx)
    %idy = affine.apply affine_map<(b, t) -> (b * 2 + t)>(%by, %ty)
    %idz = affine.apply affine_map<(b, t) -> (b * 2 + t)>(%bz, %tz)
    %gx = arith.cmpi slt, %idx, %wi : index
    %gy = arith.cmpi slt, %idy, %hi : index
    %gz = arith.cmpi slt, %idz, %di : index
    %gxy = arith.andi %gx, %gy : i1
    %g = arith.andi %gxy, %gz : i1
    scf.if %g {
      %v = affine.load %A[%bz * 2 + %tz, %by * 2 + %ty, %bx * 4 + %tx] : memref<?x?x?xf32, strided<[?, ?, 1]>>
      %i = arith.index_cast %idx : index to i32
      %f = arith.sitofp %i : i32 to f32
      %p = arith.mulf %v, %f : f32
      affine.store %p, %C[%idz, %idy, %idx] : memref<?x?x?xf32, strided<[?, ?, 1]>>
    }
    gpu.return
  }
}
