// Kernels whose threads keep their numbers, and why.
//
// RUN: gpuopt-opt %s --gpuopt-permute-geometry="target=sm_90 only-better" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// RUN: not gpuopt-opt %s --gpuopt-permute-geometry="target=sm_90 fastest=w" 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: expected 'fastest' to be x, y, z or auto, found 'w'

// CHECK-NOT: arith.remui

gpu.module @kernels {
  // One of the two is uncoalesced either way.
  // expected-remark@below {{another dimension as x leaves as many accesses uncoalesced}}
  gpu.func @transpose(%a: memref<?x64xf32>, %c: memref<?x64xf32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = memref.load %a[%ty, %tx] : memref<?x64xf32>
    memref.store %v, %c[%tx, %ty] : memref<?x64xf32>
    gpu.return
  }

  // Two become coalesced, and one no longer is.
  // expected-remark@below {{with y as x others would become uncoalesced, or are not known}}
  gpu.func @mixed(%a: memref<?x64xf32>, %b: memref<?x64xf32>, %c: memref<?x64xf32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = memref.load %a[%tx, %ty] : memref<?x64xf32>
    %w = memref.load %b[%tx, %ty] : memref<?x64xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %c[%ty, %tx] : memref<?x64xf32>
    gpu.return
  }

  // Nobody knows what the third would become.
  // expected-remark@below {{with y as x others would become uncoalesced, or are not known}}
  gpu.func @indirect(%i: memref<?xindex>, %a: memref<?xf32>, %c: memref<?x64xf32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %place = memref.load %i[%ty] : memref<?xindex>
    %v = memref.load %a[%place] : memref<?xf32>
    memref.store %v, %c[%tx, %ty] : memref<?x64xf32>
    gpu.return
  }

  gpu.func @shuffle(%c: memref<?x64xf32>) kernel {
    %v = arith.constant 0.0 : f32
    %offset = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    // expected-remark@below {{it uses 'gpu.shuffle', which may depend on what threads form a subgroup}}
    %w, %valid = gpu.shuffle xor %v, %offset, %width : f32
    memref.store %w, %c[%tx, %ty] : memref<?x64xf32>
    gpu.return
  }

  gpu.func @lockstep(%c: memref<?x64xf32>, %flag: !llvm.ptr) kernel {
    %v = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    memref.store %v, %c[%tx, %ty] : memref<?x64xf32>
    // expected-remark@below {{it accesses memory as volatile}}
    llvm.store volatile %v, %flag : f32, !llvm.ptr
    gpu.return
  }

  // All is well as it is, or there is no other dimension: not a word.
  gpu.func @copy(%a: memref<?x64xf32>, %c: memref<?x64xf32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %v = memref.load %a[%ty, %tx] : memref<?x64xf32>
    memref.store %v, %c[%ty, %tx] : memref<?x64xf32>
    gpu.return
  }
  gpu.func @flat(%c: memref<?x64xf32>) kernel {
    %v = arith.constant 0.0 : f32
    %zero = arith.constant 0 : index
    %tx = gpu.thread_id x
    memref.store %v, %c[%tx, %zero] : memref<?x64xf32>
    gpu.return
  }
}
