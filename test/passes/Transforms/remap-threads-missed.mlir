// RUN: gpuopt-opt %s --gpuopt-remap-threads="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// CHECK-NOT: affine.apply

#plane = #gpuopt.geometry<block = [32, 32, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [32, 32, 1]>

gpu.module @kernels {
  // What a thread has loaded before the barrier is in its registers.
  gpu.func @before(%in: memref<32x32xf32>)
      workgroup(%a: memref<32x32xf32, #gpu.address_space<workgroup>>,
                %b: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %v = affine.load %in[%y, %x] : memref<32x32xf32>
    affine.store %v, %a[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = affine.load %a[%x, %y] : memref<32x32xf32, #gpu.address_space<workgroup>>
    // expected-remark@below {{this uses what a thread has computed before}}
    %sum = arith.addf %v, %w : f32
    affine.store %sum, %b[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }

  // So is what it uses behind the next one.
  gpu.func @behind(%out: memref<32x32xf32>)
      workgroup(%a: memref<32x32xf32, #gpu.address_space<workgroup>>,
                %b: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    gpu.barrier
    %w = affine.load %a[%x, %y] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %w, %b[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark@below {{this uses what a thread has computed between other barriers}}
    affine.store %w, %out[%y, %x] : memref<32x32xf32>
    gpu.return
  }

  // Lanes exchange what they have.
  gpu.func @lanes()
      workgroup(%a: memref<32x32xi32, #gpu.address_space<workgroup>>,
                %b: memref<32x32xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    gpu.barrier
    %w = affine.load %a[%x, %y] : memref<32x32xi32, #gpu.address_space<workgroup>>
    // expected-remark@below {{another thread could not do this}}
    %o, %valid = gpu.shuffle xor %w, %one, %width : i32
    affine.store %o, %b[%y, %x] : memref<32x32xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }

  // On diagonals the stores to global memory would be in 32 sectors: nothing is said, as nothing is to be won.
  gpu.func @global(%out: memref<32x32xf32>)
      workgroup(%a: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    gpu.barrier
    %w = affine.load %a[%x, %y] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %w, %out[%y, %x] : memref<32x32xf32>
    gpu.return
  }

  // The iteration of a loop goes on in the next one: its first operations are no phase.
  gpu.func @loop()
      workgroup(%a: memref<32x32xf32, #gpu.address_space<workgroup>>,
                %b: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    gpu.barrier
    affine.for %i = 0 to 4 {
      %w = affine.load %a[%x, %y] : memref<32x32xf32, #gpu.address_space<workgroup>>
      affine.store %w, %b[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
      // expected-remark@below {{another thread could not do this}}
      gpu.barrier
    }
    gpu.return
  }
}
