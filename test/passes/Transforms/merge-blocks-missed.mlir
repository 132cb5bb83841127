// RUN: gpuopt-opt %s --gpuopt-merge-blocks="dim=x factor=32 target=sm_90" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: items_per_block = [2048

#geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                             items_per_block = [32, 1, 1]>
// Half a subgroup: two of them would become one.
#half = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [16, 1, 1]>
#large = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [64, 1, 1]>
gpu.module @kernels {
  // expected-remark@below {{the kernel's block shape is not known}}
  gpu.func @no_geometry(%c: memref<?xf32>) kernel {
    gpu.return
  }

  gpu.func @lane(%c: memref<?xindex>) kernel attributes {gpuopt.geometry = #half} {
    // expected-remark@below {{'gpu.lane_id' depends on how threads are grouped}}
    %l = gpu.lane_id
    memref.store %l, %c[%l] : memref<?xindex>
    gpu.return
  }

  llvm.func @__gpuopt_shuffle_down(i64, i32, i32, i32) -> i32
  gpu.func @shuffle(%c: memref<?xi32>, %mask: i64, %by: i32) kernel
      attributes {gpuopt.geometry = #half} {
    %t = gpu.thread_id x
    %v = memref.load %c[%t] : memref<?xi32>
    // expected-remark@below {{'__gpuopt_shuffle_down' depends on how threads are grouped}}
    %w = llvm.call @__gpuopt_shuffle_down(%mask, %v, %by, %by) : (i64, i32, i32, i32) -> i32
    memref.store %w, %c[%t] : memref<?xi32>
    gpu.return
  }

  gpu.func @barrier_under_guard(%n: index) kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    affine.for %i = 0 to %b {
      // expected-remark@below {{the merged blocks may not reach a barrier equally often}}
      gpu.barrier
    }
    gpu.return
  }

  // expected-remark@below {{needs 2048 threads, a block has at most 1024}}
  gpu.func @too_large(%n: index) kernel attributes {gpuopt.geometry = #large} {
    gpu.return
  }

  // expected-remark@below {{needs 131072 bytes of workgroup memory, a block has 49152}}
  gpu.func @large_array(%a: memref<?xf32> {llvm.noalias})
      workgroup(%w: memref<1024xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = memref.load %a[%b] : memref<?xf32>
    memref.store %v, %w[%t] : memref<1024xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  gpu.func @view(%a: memref<?xf32> {llvm.noalias})
      // expected-remark@below {{a workgroup array is used in a way that cannot be given to each merged block}}
      workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = memref.load %a[%b] : memref<?xf32>
    %s = memref.cast %w : memref<32xf32, #gpu.address_space<workgroup>>
        to memref<?xf32, #gpu.address_space<workgroup>>
    memref.store %v, %s[%t] : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Odd blocks fill the array, through a view.
  gpu.func @odd_blocks(%a: memref<?xf32> {llvm.noalias, llvm.readonly}, %c: memref<?xf32> {llvm.noalias})
      // expected-remark@below {{a workgroup array is used in a way that cannot be given to each merged block}}
      workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %m = affine.apply affine_map<()[s0] -> (s0 mod 2)>()[%b]
    %odd = arith.cmpi eq, %m, %c1 : index
    %v = memref.reinterpret_cast %w to offset: [0], sizes: [32], strides: [1]
        : memref<32xf32, #gpu.address_space<workgroup>> to memref<32xf32, strided<[1]>, #gpu.address_space<workgroup>>
    scf.if %odd {
      %x = memref.load %a[%t] : memref<?xf32>
      memref.store %x, %v[%t] : memref<32xf32, strided<[1]>, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %y = memref.load %w[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    %p = arith.muli %b, %c32 : index
    %q = arith.addi %p, %t : index
    memref.store %y, %c[%q] : memref<?xf32>
    gpu.return
  }

  gpu.func @assembly(%c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.inline_asm' are not known}}
    %b = llvm.inline_asm "mov.u32 $0, %ctaid.x;", "=r" : () -> i32
    %t = gpu.thread_id x
    memref.store %b, %c[%t] : memref<?xi32>
    gpu.return
  }

  // What a statement does beside arithmetic, or may do, keeps merges away: an effect, a predicate, a carry from elsewhere, an
  // address, and whatever is no arithmetic.
  gpu.func @volatile_assembly(%x: i32, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.inline_asm' are not known}}
    %b = llvm.inline_asm has_side_effects "mov.u32 $0, $1;", "=r,r" %x : (i32) -> i32
    gpu.return
  }
  gpu.func @predicated_assembly(%x: i32, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.inline_asm' are not known}}
    %b = llvm.inline_asm "{ .reg .pred p; setp.ne.u32 p, $1, 0; @p mov.u32 $0, $1; }", "=r,r" %x : (i32) -> i32
    gpu.return
  }
  gpu.func @carry(%x: i32, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.inline_asm' are not known}}
    %b = llvm.inline_asm "add.cc.u32 $0, $1, $1;", "=r,r" %x : (i32) -> i32
    gpu.return
  }
  gpu.func @clobber(%x: i32, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.inline_asm' are not known}}
    %b = llvm.inline_asm "mov.u32 $0, $1;", "=r,r,~{memory}" %x : (i32) -> i32
    gpu.return
  }
  gpu.func @load(%x: i64, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.inline_asm' are not known}}
    %b = llvm.inline_asm "ld.global.u32 $0, [$1];", "=r,l" %x : (i64) -> i32
    gpu.return
  }
  gpu.func @vote(%x: i1, %c: memref<?xi32>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'llvm.call_intrinsic' are not known}}
    %b = llvm.call_intrinsic "llvm.nvvm.vote.any"(%x) : (i1) -> i1
    gpu.return
  }

  // Dynamic workgroup memory, or that of which the address goes elsewhere: each
  // merged block would need its own.
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x f32>
  gpu.func @elsewhere(%c: memref<?xf32>) kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    // expected-remark@below {{'llvm.mlir.addressof' is workgroup memory of unknown size or origin}}
    %d = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %x = llvm.load %d : !llvm.ptr<3> -> f32
    memref.store %x, %c[%b] : memref<?xf32>
    gpu.return
  }
}
