// Kernels with tiles in all layouts compute what the plain ones do.

// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s -o %t.plain.ll
// RUN: gpuopt-opt %s --gpuopt-eliminate-bank-conflicts="target=sm_90" --canonicalize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %t.mlir -o %t.changed.ll
// RUN: gpuopt-run-ll %t.plain.ll --kernel padded --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 > %t.plain
// RUN: gpuopt-run-ll %t.changed.ll --kernel padded --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 --races > %t.changed
// RUN: diff %t.plain %t.changed
// RUN: gpuopt-run-ll %t.plain.ll --kernel swizzled --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 > %t.plain
// RUN: gpuopt-run-ll %t.changed.ll --kernel swizzled --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 --races > %t.changed
// RUN: diff %t.plain %t.changed
// RUN: gpuopt-run-ll %t.plain.ll --kernel structures --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 > %t.plain
// RUN: gpuopt-run-ll %t.changed.ll --kernel structures --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 --races > %t.changed
// RUN: diff %t.plain %t.changed
// RUN: gpuopt-run-ll %t.plain.ll --kernel flat --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 > %t.plain
// RUN: gpuopt-run-ll %t.changed.ll --kernel flat --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 --races > %t.changed
// RUN: diff %t.plain %t.changed
// RUN: gpuopt-run-ll %t.plain.ll --kernel tree --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 > %t.plain
// RUN: gpuopt-run-ll %t.changed.ll --kernel tree --grid 3 --block 32 --arg 'f32[1536]=rand' --arg 'f32[1536]=zero' \
// RUN:   --print 1 --races > %t.changed
// RUN: diff %t.plain %t.changed

#line = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 1, 1]>

gpu.module @kernels {
  // A block turns 16 rows of 32 elements into 32 rows of 16.
  // CHECK-LABEL: gpu.func @padded
  // CHECK-SAME: memref<16x34xf32
  gpu.func @padded(%a: memref<?xf32>, %b: memref<?xf32>)
      workgroup(%tile: memref<16x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %t = gpu.thread_id x
    affine.for %r = 0 to 16 {
      %v = affine.load %a[%bx * 512 + %r * 32 + %t] : memref<?xf32>
      affine.store %v, %tile[%r, %t] : memref<16x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %r = 0 to 32 step 2 {
      %v = affine.load %tile[%t mod 16, %r + %t floordiv 16] : memref<16x32xf32, #gpu.address_space<workgroup>>
      affine.store %v, %b[%bx * 512 + %r * 16 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // A thread reads a row, four elements at a time.
  // CHECK-LABEL: gpu.func @swizzled
  // CHECK-SAME: memref<32x16xf32
  // CHECK: arith.xori
  // CHECK: arith.xori
  gpu.func @swizzled(%a: memref<?xf32>, %b: memref<?xf32>)
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %t = gpu.thread_id x
    affine.for %r = 0 to 32 step 2 {
      %v = affine.load %a[%bx * 512 + %r * 16 + %t] : memref<?xf32>
      affine.store %v, %tile[%r + %t floordiv 16, %t mod 16] : memref<32x16xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %k = 0 to 16 step 4 {
      %v = affine.vector_load %tile[%t, %k] : memref<32x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      affine.vector_store %v, %b[%bx * 512 + %t * 16 + %k] : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }

  // Members of structures, exchanged between threads.
  // CHECK-LABEL: gpu.func @structures
  // CHECK-SAME: memref<4x32xf32
  gpu.func @structures(%a: memref<?xf32>, %b: memref<?xf32>)
      workgroup(%tile: memref<32x4xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %t = gpu.thread_id x
    affine.for %c = 0 to 4 {
      %v = affine.load %a[%bx * 128 + %c * 32 + %t] : memref<?xf32>
      affine.store %v, %tile[%t, %c] : memref<32x4xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %c = 0 to 4 {
      %v = affine.load %tile[31 - %t, %c] : memref<32x4xf32, #gpu.address_space<workgroup>>
      affine.store %v, %b[%bx * 128 + %c * 32 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @flat
  // CHECK-SAME: memref<128xf32
  // CHECK: remui
  gpu.func @flat(%a: memref<?xf32>, %b: memref<?xf32>)
      workgroup(%tile: memref<128xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %t = gpu.thread_id x
    affine.for %c = 0 to 4 {
      %v = affine.load %a[%bx * 128 + %c * 32 + %t] : memref<?xf32>
      affine.store %v, %tile[%t * 4 + %c] : memref<128xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %c = 0 to 4 {
      %v = affine.load %tile[124 - %t * 4 + %c] : memref<128xf32, #gpu.address_space<workgroup>>
      affine.store %v, %b[%bx * 128 + %c * 32 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @tree
  // CHECK-SAME: memref<265xf32
  gpu.func @tree(%a: memref<?xf32>, %b: memref<?xf32>)
      workgroup(%tile: memref<257xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %bx = gpu.block_id x
    %t = gpu.thread_id x
    affine.for %c = 0 to 8 {
      %v = affine.load %a[%bx * 256 + %c * 32 + %t] : memref<?xf32>
      affine.store %v, %tile[%c * 32 + %t] : memref<257xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %r = 0 to 8 {
      %u = affine.load %tile[%t * 2] : memref<257xf32, #gpu.address_space<workgroup>>
      %v = affine.load %tile[%t * 4] : memref<257xf32, #gpu.address_space<workgroup>>
      %w = affine.load %tile[%t * 8] : memref<257xf32, #gpu.address_space<workgroup>>
      affine.store %u, %b[%bx * 96 + %t] : memref<?xf32>
      affine.store %v, %b[%bx * 96 + 32 + %t] : memref<?xf32>
      affine.store %w, %b[%bx * 96 + 64 + %t] : memref<?xf32>
    }
    gpu.return
  }
}
