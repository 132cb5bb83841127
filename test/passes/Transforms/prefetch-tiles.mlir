// RUN: gpuopt-opt %s --gpuopt-prefetch-tiles="target=sm_70 stages=1" --canonicalize --cse | FileCheck %s --check-prefix=REGISTERS
// RUN: gpuopt-opt %s --gpuopt-prefetch-tiles=target=sm_70 --canonicalize --cse | FileCheck %s --check-prefix=TWICE
// RUN: gpuopt-opt %s --gpuopt-prefetch-tiles="target=sm_90 stages=3" --canonicalize --cse | FileCheck %s --check-prefix=ASYNC

// Figure 3.8 of the thesis, from its left half: a block of 16 threads shares a row
// of a. test/paper/thesis-fig3-8.cu comes from the naive source.

// The temporary variable of the figure is carried around the loop; a load
// happens only where the next iteration exists.

// REGISTERS-LABEL: gpu.func @mm
// REGISTERS-DAG: %[[TIDX:.*]] = gpu.thread_id x
// REGISTERS-DAG: %[[IDY:.*]] = gpu.block_id y
// REGISTERS-DAG: %[[W:.*]] = arith.index_cast
// REGISTERS:     %[[ANY:.*]] = arith.cmpi sgt, %[[W]], %{{.*}}
// REGISTERS:     %[[FIRST:.*]] = scf.if %[[ANY]] -> (f32) {
// REGISTERS:       affine.load %{{.*}}[symbol(%[[IDY]]), symbol(%[[TIDX]])]
// REGISTERS:     affine.for %[[I:.*]] = 0 to %[[W]] step 16 iter_args(%{{.*}} = %{{.*}}, %[[TMP:.*]] = %[[FIRST]])
// REGISTERS-NEXT:  affine.store %[[TMP]], %{{.*}}[symbol(%[[TIDX]])]
// REGISTERS-NEXT:  gpu.barrier
// REGISTERS-NEXT:  %[[NEXT:.*]] = affine.apply #{{.*}}(%[[I]])
// REGISTERS-NEXT:  %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[W]]
// REGISTERS-NEXT:  %[[LOADED:.*]] = scf.if %[[MORE]] -> (f32) {
// REGISTERS-NEXT:    affine.load %{{.*}}[symbol(%[[IDY]]), %[[I]] + symbol(%[[TIDX]]) + 16]
// REGISTERS:       %[[SUM:.*]] = affine.for %{{.*}} = 0 to 16
// REGISTERS:       gpu.barrier
// REGISTERS-NEXT:  affine.yield %[[SUM]], %[[LOADED]]

// Two stages and one barrier: loads stand before the computation, stores to the
// other stage behind it.

// TWICE-LABEL: gpu.func @mm
// TWICE-SAME:  workgroup(%[[TILE:.*]] : memref<2x16xf32, #gpu.address_space<workgroup>>)
// TWICE-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// TWICE:       scf.if
// TWICE-NEXT:    affine.load
// TWICE-NEXT:    affine.store %{{.*}}, %[[TILE]][0, symbol(%[[TIDX]])]
// TWICE:       affine.for %[[I:.*]] = 0
// TWICE-NEXT:    gpu.barrier
// TWICE:         %[[MORE:.*]] = arith.cmpi slt
// TWICE-NEXT:    %[[LOADED:.*]] = scf.if %[[MORE]] -> (f32) {
// TWICE-NEXT:      affine.load
// TWICE:         affine.for
// TWICE-NEXT:      affine.load %[[TILE]][(%[[I]] floordiv 16) mod 2, %{{.*}}]
// TWICE-NOT:     gpu.barrier
// TWICE:         scf.if %[[MORE]] {
// TWICE-NEXT:      affine.store %[[LOADED]], %[[TILE]][%[[I]] floordiv 16 {{.*}}, symbol(%[[TIDX]])]
// TWICE:         affine.yield
// TWICE-NEXT:  }
// TWICE-NEXT:  gpu.barrier

// Three stages: two groups of asynchronous copies are on their way.

// ASYNC-LABEL: gpu.func @mm
// ASYNC-SAME:  workgroup(%[[TILE:.*]] : memref<3x16xf32, #gpu.address_space<workgroup>>)
// ASYNC-DAG:   %[[C0:.*]] = arith.constant 0 : index
// ASYNC-DAG:   %[[C1:.*]] = arith.constant 1 : index
// ASYNC-DAG:   %[[C16:.*]] = arith.constant 16 : index
// ASYNC-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// ASYNC-DAG:   %[[W:.*]] = arith.index_cast
// ASYNC:       %[[ANY:.*]] = arith.cmpi sgt, %[[W]], %[[C0]]
// ASYNC-NEXT:  scf.if %[[ANY]] {
// ASYNC-NEXT:    nvgpu.device_async_copy %{{.*}}[%{{.*}}, %[[TIDX]]], %[[TILE]][%[[C0]], %[[TIDX]]], 1
// ASYNC-NEXT:  }
// ASYNC-NEXT:  nvvm.cp.async.commit.group
// ASYNC-NEXT:  %[[SECOND:.*]] = arith.cmpi sgt, %[[W]], %[[C16]]
// ASYNC-NEXT:  scf.if %[[SECOND]] {
// ASYNC:         nvgpu.device_async_copy %{{.*}}, %[[TILE]][%[[C1]], %[[TIDX]]], 1
// ASYNC:       nvvm.cp.async.commit.group
// ASYNC:       affine.for
// ASYNC-NEXT:    nvvm.cp.async.wait.group 1
// ASYNC-NEXT:    gpu.barrier
// ASYNC:         %[[MORE:.*]] = arith.cmpi slt, %{{.*}}, %[[W]]
// ASYNC-NEXT:    scf.if %[[MORE]] {
// ASYNC:           nvgpu.device_async_copy
// ASYNC-NEXT:    }
// ASYNC-NEXT:    nvvm.cp.async.commit.group
// ASYNC-NEXT:    %[[SUM:.*]] = affine.for
// ASYNC-NOT:     gpu.barrier
// ASYNC:         affine.yield %[[SUM]]
// ASYNC-NEXT:  }
// ASYNC-NEXT:  gpu.barrier
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %w: i32)
      workgroup(%shared0: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tidx = gpu.thread_id x
    %bidx = gpu.block_id x
    %idy = gpu.block_id y
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bidx, %tidx)
    %wi = arith.index_cast %w : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%wi, %wi], strides: [%wi, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%wi, %wi], strides: [%wi, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%wi, %wi], strides: [%wi, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %sum = affine.for %i = 0 to %wi step 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %A[%idy, %i + %tidx] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %shared0[%tidx] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %t = affine.for %k = 0 to 16 iter_args(%r = %s) -> (f32) {
        %x = affine.load %shared0[%k] : memref<16xf32, #gpu.address_space<workgroup>>
        %y = affine.load %B[%i + %k, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %r, %p : f32
        affine.yield %q : f32
      }
      gpu.barrier
      affine.yield %t : f32
    }
    affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}

// Two loads of four elements in a short loop, under a guard: the loop is
// unrolled, copies of 16 bytes go around the first-level cache, and a group is
// made by every thread, whether its guard holds or not. What follows the loop
// finds the last tile in the stage of the last iteration.

// REGISTERS-LABEL: gpu.func @wide
// REGISTERS:      scf.if %{{.*}} -> (vector<4xf32>, vector<4xf32>) {
// REGISTERS:      affine.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[V0:.*]] = %{{.*}}, %[[V1:.*]] = %{{.*}})
// REGISTERS:        scf.if
// REGISTERS:          vector.store %[[V0]]
// REGISTERS:          vector.store %[[V1]]
// REGISTERS:        gpu.barrier

// ASYNC-LABEL: gpu.func @wide
// ASYNC-SAME:  workgroup(%[[TILE:.*]] : memref<3x32x16xf32, #gpu.address_space<workgroup>>)
// ASYNC:       affine.for %[[I:.*]] = 0
// ASYNC:         gpu.barrier
// ASYNC:         %[[BOTH:.*]] = arith.andi
// ASYNC:         scf.if %[[BOTH]] {
// ASYNC:           nvgpu.device_async_copy {{.*}}, 4 {bypassL1}
// ASYNC:           nvgpu.device_async_copy {{.*}}, 4 {bypassL1}
// ASYNC-NEXT:    }
// ASYNC-NEXT:    nvvm.cp.async.commit.group
// ASYNC:         affine.load %[[TILE]][(%[[I]] floordiv 16) mod 3
// ASYNC:       gpu.barrier
// ASYNC:       affine.load %[[TILE]][{{.*}} mod 3, symbol(%{{.*}}), 0]
gpu.module @more_kernels {
  gpu.func @wide(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: i32)
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [32, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %g = arith.cmpi slt, %b, %c8 : index
    %m = arith.index_cast %n : i32 to index
    %sum = affine.for %i = 0 to %m step 16 iter_args(%s = %zero) -> (f32) {
      scf.if %g {
        affine.for %r = 0 to 2 {
          %from = affine.apply affine_map<(i, r)[t] -> (i + r * 8 + t * 64)>(%i, %r)[%t]
          %to = affine.apply affine_map<(r) -> (r * 8)>(%r)
          %v = vector.load %a[%from] {alignment = 16} : memref<?xf32>, vector<4xf32>
          vector.store %v, %tile[%t, %to] : memref<32x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        }
      }
      gpu.barrier
      %x = affine.load %tile[%t, 8] : memref<32x16xf32, #gpu.address_space<workgroup>>
      %y = arith.addf %s, %x : f32
      gpu.barrier
      affine.yield %y : f32
    }
    %z = affine.load %tile[%t, 0] : memref<32x16xf32, #gpu.address_space<workgroup>>
    %w = arith.addf %sum, %z : f32
    affine.store %w, %c[%t] : memref<?xf32>
    gpu.return
  }
}

// A fill in two versions: both are copied asynchronously, to the same stage. An
// element that a guard leaves out is a number, which is stored. There are no
// registers for the data of both: targets without asynchronous copies load nothing
// ahead, and do not wait for each load of the marked loop at a time.

// REGISTERS-LABEL: gpu.func @versions
// REGISTERS-NOT:  scf.if
// REGISTERS:      affine.for %{{.*}} = 0 to %{{.*}} step 32 iter_args(%{{.*}} = %{{.*}}) -> (f32) {

// TWICE-LABEL: gpu.func @versions
// TWICE-SAME:  workgroup(%{{.*}} : memref<32xf32
// TWICE:       } else {
// TWICE-NOT:     affine.for
// TWICE:         scf.if
// TWICE:         scf.if
// TWICE:       } {gpuopt.unguarded}

// ASYNC-LABEL: gpu.func @versions
// ASYNC-SAME:  workgroup(%[[TILE:.*]] : memref<3x32xf32, #gpu.address_space<workgroup>>)
// ASYNC-DAG:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// ASYNC-DAG:   %[[TIDX:.*]] = gpu.thread_id x
// ASYNC:       affine.for %[[I:.*]] = 0 to %{{.*}} step 32
// ASYNC-NEXT:    nvvm.cp.async.wait.group 1
// ASYNC-NEXT:    gpu.barrier
// ASYNC:         %[[MORE:.*]] = arith.cmpi slt
// ASYNC-NEXT:    scf.if %[[MORE]] {
// ASYNC:           %[[FULL:.*]] = arith.cmpi sge
// ASYNC-NEXT:      %[[NOW:.*]] = arith.andi %{{.*}}, %[[FULL]]
// ASYNC-NEXT:      scf.if %[[NOW]] {
// ASYNC-COUNT-2:     nvgpu.device_async_copy
// ASYNC-NEXT:      } else {
// ASYNC-NEXT:        affine.for %[[ROUND:.*]] = 0 to 2 {
// ASYNC:               %[[EXISTS:.*]] = arith.cmpi slt
// ASYNC-NEXT:          scf.if %[[EXISTS]] {
// ASYNC:                 nvgpu.device_async_copy %{{.*}}, %[[TILE]][%{{.*}}, %{{.*}}], 1
// ASYNC-NEXT:          } else {
// ASYNC-NEXT:            affine.store %[[ZERO]], %[[TILE]][%[[I]] floordiv 32 - ((%[[I]] floordiv 32 + 2) floordiv 3) * 3 + 2, %[[ROUND]] * 16 + symbol(%[[TIDX]])]
// ASYNC-NEXT:          }
// ASYNC-NEXT:        } {gpuopt.rolled}
// ASYNC-NEXT:      } {gpuopt.unguarded}
// ASYNC-NEXT:    }
// ASYNC-NEXT:    nvvm.cp.async.commit.group
// ASYNC:         affine.load %[[TILE]][(%[[I]] floordiv 32) mod 3
gpu.module @versions {
  gpu.func @versions(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %k: index, %inside: i1)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %sum = affine.for %i = 0 to %k step 32 iter_args(%s = %zero) -> (f32) {
      %left = affine.apply affine_map<(i)[k] -> (k - i - 32)>(%i)[%k]
      %full = arith.cmpi sge, %left, %c0 : index
      %now = arith.andi %inside, %full : i1
      scf.if %now {
        %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
        %w = affine.load %a[%i + symbol(%t) + 16] : memref<?xf32>
        affine.store %v, %tile[symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
        affine.store %w, %tile[symbol(%t) + 16] : memref<32xf32, #gpu.address_space<workgroup>>
      } else {
        affine.for %round = 0 to 2 {
          %column = affine.apply affine_map<(i, r)[t] -> (i + r * 16 + t)>(%i, %round)[%t]
          %exists = arith.cmpi slt, %column, %k : index
          %v = scf.if %exists -> (f32) {
            %w = affine.load %a[%i + %round * 16 + symbol(%t)] : memref<?xf32>
            scf.yield %w : f32
          } else {
            scf.yield %zero : f32
          }
          affine.store %v, %tile[%round * 16 + symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
        } {gpuopt.rolled}
      } {gpuopt.unguarded}
      gpu.barrier
      %next = affine.for %j = 0 to 32 iter_args(%u = %s) -> (f32) {
        %x = affine.load %tile[%j] : memref<32xf32, #gpu.address_space<workgroup>>
        %y = arith.addf %u, %x : f32
        affine.yield %y : f32
      }
      gpu.barrier
      affine.yield %next : f32
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}
