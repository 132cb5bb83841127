// The device functions of an un-raised import become each target's intrinsics.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s --check-prefix=NV
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s | FileCheck %s --check-prefix=AMD
// RUN: gpuopt-translate --mlir-to-resources --target=gfx942 %s | FileCheck %s --check-prefix=GFX942

gpu.module @kernels {
  llvm.func @__gpuopt_thread_id_x() -> i32
  llvm.func @__gpuopt_block_id_y() -> i32
  llvm.func @__gpuopt_block_dim_z() -> i32
  llvm.func @__gpuopt_grid_dim_x() -> i32
  llvm.func @__gpuopt_lane_id() -> i32
  llvm.func @__gpuopt_subgroup_size() -> i32
  llvm.func @__gpuopt_clock() -> i64
  llvm.func @__gpuopt_barrier()
  llvm.func @__gpuopt_barrier_count(i32) -> i32
  llvm.func @__gpuopt_subgroup_barrier(i64)
  llvm.func @__gpuopt_fence(i32)
  llvm.func @__gpuopt_shuffle_idx(i64, i32, i32, i32) -> i32
  llvm.func @__gpuopt_shuffle_up(i64, i32, i32, i32) -> i32
  llvm.func @__gpuopt_shuffle_down(i64, i32, i32, i32) -> i32
  llvm.func @__gpuopt_shuffle_xor(i64, i32, i32, i32) -> i32
  llvm.func @__gpuopt_ballot(i64, i32) -> i64
  llvm.func @__gpuopt_active_mask() -> i64
  llvm.func @__gpuopt_trap()

  // NV-LABEL: define ptx_kernel void @ids(
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  // NV: call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  // NV: store i32 32,
  // NV: call i64 @llvm.readcyclecounter()
  // AMD-LABEL: define amdgpu_kernel void @ids(
  // AMD: call i32 @llvm.amdgcn.workitem.id.x()
  // AMD: call i32 @llvm.amdgcn.workgroup.id.y()
  // AMD: call i64 @__ockl_get_local_size(i32 2)
  // AMD: call i64 @__ockl_get_num_groups(i32 0)
  // AMD: call i32 @llvm.amdgcn.mbcnt.hi(
  // AMD: store i32 64,
  // GFX942: ids: {{[0-9]+}} registers, 0 bytes spilled
  llvm.func @ids(%out: !llvm.ptr, %times: !llvm.ptr) attributes {gpu.kernel} {
    %0 = llvm.call @__gpuopt_thread_id_x() : () -> i32
    %1 = llvm.call @__gpuopt_block_id_y() : () -> i32
    %2 = llvm.call @__gpuopt_block_dim_z() : () -> i32
    %3 = llvm.call @__gpuopt_grid_dim_x() : () -> i32
    %4 = llvm.call @__gpuopt_lane_id() : () -> i32
    %5 = llvm.call @__gpuopt_subgroup_size() : () -> i32
    llvm.store volatile %0, %out : i32, !llvm.ptr
    llvm.store volatile %1, %out : i32, !llvm.ptr
    llvm.store volatile %2, %out : i32, !llvm.ptr
    llvm.store volatile %3, %out : i32, !llvm.ptr
    llvm.store volatile %4, %out : i32, !llvm.ptr
    llvm.store %5, %out : i32, !llvm.ptr
    %6 = llvm.call @__gpuopt_clock() : () -> i64
    llvm.store %6, %times : i64, !llvm.ptr
    llvm.return
  }

  // NV-LABEL: define ptx_kernel void @sync(
  // NV: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  // NV: call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1
  // NV: call void @llvm.nvvm.bar.warp.sync(i32
  // NV: call void @llvm.nvvm.membar.cta()
  // NV: call void @llvm.nvvm.membar.gl()
  // NV: call void @llvm.nvvm.membar.sys()
  // NV: call void @llvm.trap()
  // AMD-LABEL: define amdgpu_kernel void @sync(
  // AMD: fence syncscope("workgroup") release
  // AMD: call void @llvm.amdgcn.s.barrier()
  // AMD: fence syncscope("workgroup") acquire
  // The count goes through workgroup memory.
  // AMD: atomicrmw add ptr addrspace(3) @__gpuopt_barrier_count
  // AMD: call void @llvm.amdgcn.wave.barrier()
  // AMD: fence syncscope("workgroup") seq_cst
  // AMD: fence syncscope("agent") seq_cst
  // AMD: fence seq_cst
  // AMD: call void @llvm.trap()
  // GFX942: sync: {{.*}} 4 bytes of workgroup memory
  llvm.func @sync(%out: !llvm.ptr, %p: i32, %m: i64) attributes {gpu.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    llvm.call @__gpuopt_barrier() : () -> ()
    %0 = llvm.call @__gpuopt_barrier_count(%p) : (i32) -> i32
    llvm.store %0, %out : i32, !llvm.ptr
    llvm.call @__gpuopt_subgroup_barrier(%m) : (i64) -> ()
    llvm.call @__gpuopt_fence(%c0) : (i32) -> ()
    llvm.call @__gpuopt_fence(%c1) : (i32) -> ()
    llvm.call @__gpuopt_fence(%c2) : (i32) -> ()
    llvm.call @__gpuopt_trap() : () -> ()
    llvm.return
  }

  // NV-LABEL: define ptx_kernel void @lanes(
  // NV: %[[SEGMENT:.*]] = shl i32 %{{.*}}, 8
  // NV: %[[CLAMP:.*]] = or i32 %[[SEGMENT]], 31
  // NV: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %{{.*}}, i32 %{{.*}}, i32 %{{.*}}, i32 %[[CLAMP]])
  // NV: call i32 @llvm.nvvm.shfl.sync.up.i32(
  // NV: call i32 @llvm.nvvm.shfl.sync.down.i32(
  // NV: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
  // NV: call i32 @llvm.nvvm.vote.ballot.sync(
  // NV: call i32 @llvm.nvvm.activemask()
  // AMD-LABEL: define amdgpu_kernel void @lanes(
  // AMD-COUNT-4: call i32 @llvm.amdgcn.ds.bpermute(
  // AMD-COUNT-2: call i64 @llvm.amdgcn.ballot.i64(
  // GFX942: lanes: {{[0-9]+}} registers
  llvm.func @lanes(%out: !llvm.ptr, %m: i64, %v: i32, %w: i32, %d: i32) attributes {gpu.kernel} {
    %0 = llvm.call @__gpuopt_shuffle_idx(%m, %v, %d, %w) : (i64, i32, i32, i32) -> i32
    %1 = llvm.call @__gpuopt_shuffle_up(%m, %0, %d, %w) : (i64, i32, i32, i32) -> i32
    %2 = llvm.call @__gpuopt_shuffle_down(%m, %1, %d, %w) : (i64, i32, i32, i32) -> i32
    %3 = llvm.call @__gpuopt_shuffle_xor(%m, %2, %d, %w) : (i64, i32, i32, i32) -> i32
    %4 = llvm.call @__gpuopt_ballot(%m, %3) : (i64, i32) -> i64
    %5 = llvm.call @__gpuopt_active_mask() : () -> i64
    %6 = llvm.add %4, %5 : i64
    llvm.store %6, %out : i64, !llvm.ptr
    llvm.return
  }
}
