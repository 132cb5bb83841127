; What only AMD's IR has: sizes from the dispatch, local address space, lane operations.
; RUN: gpuopt-run-ll %s --subgroup 64 --kernel sizes --grid 3,2 --block 4,8 --arg i64[8]=zero --print 0 | FileCheck %s --check-prefix=SIZES
; RUN: gpuopt-run-ll %s --subgroup 64 --kernel lanes --block 64 --arg i32[64]=iota --arg i64[64]=zero --print 0:0:3 --print 1:5:1 | FileCheck %s --check-prefix=LANES
; RUN: gpuopt-run-ll %s --subgroup 64 --kernel mirror --block 96 --arg i32[96]=iota --print 0:0:3 --races | FileCheck %s --check-prefix=MIRROR
; RUN: gpuopt-run-ll %s --subgroup 64 --kernel library --arg f32[4]=0.5 --print 0 | FileCheck %s --check-prefix=LIBRARY
; RUN: gpuopt-run-ll %s --subgroup 64 --kernel aggregate --arg pack:i32=3:i32=4:i64=5 --arg i64[1]=zero --print 1 | FileCheck %s --check-prefix=AGGREGATE

target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare i64 @__ockl_get_local_size(i32)
declare i64 @__ockl_get_num_groups(i32)
declare i64 @__ockl_get_global_id(i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare void @llvm.amdgcn.s.barrier()
declare float @__ocml_exp_f32(float)
declare float @__ocml_rsqrt_f32(float)
declare float @llvm.amdgcn.rcp.f32(float)

@tile = internal addrspace(3) global [96 x i32] poison, align 4

; SIZES: 4 8 3 2 4 16 26 0
define amdgpu_kernel void @sizes(ptr addrspace(1) %out) {
  %x = call i64 @__ockl_get_local_size(i32 0)
  %y = call i64 @__ockl_get_local_size(i32 1)
  %gx = call i64 @__ockl_get_num_groups(i32 0)
  %gy = call i64 @__ockl_get_num_groups(i32 1)
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %sizeAt = getelementptr i8, ptr addrspace(4) %implicit, i64 12
  %size = load i16, ptr addrspace(4) %sizeAt
  %size64 = zext i16 %size to i64
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %itemsAt = getelementptr i8, ptr addrspace(4) %packet, i64 16
  %items = load i32, ptr addrspace(4) %itemsAt
  %items64 = zext i32 %items to i64
  store i64 %x, ptr addrspace(1) %out
  %o1 = getelementptr i64, ptr addrspace(1) %out, i64 1
  store i64 %y, ptr addrspace(1) %o1
  %o2 = getelementptr i64, ptr addrspace(1) %out, i64 2
  store i64 %gx, ptr addrspace(1) %o2
  %o3 = getelementptr i64, ptr addrspace(1) %out, i64 3
  store i64 %gy, ptr addrspace(1) %o3
  %o4 = getelementptr i64, ptr addrspace(1) %out, i64 4
  store i64 %size64, ptr addrspace(1) %o4
  %o5 = getelementptr i64, ptr addrspace(1) %out, i64 5
  store i64 %items64, ptr addrspace(1) %o5
  %idx = call i64 @__ockl_get_global_id(i32 0)
  %idy = call i64 @__ockl_get_global_id(i32 1)
  %sum = add i64 %idx, %idy
  %o6 = getelementptr i64, ptr addrspace(1) %out, i64 6
  %old = atomicrmw max ptr addrspace(1) %o6, i64 %sum syncscope("agent") monotonic
  ret void
}

; LANES: 63 62 61
; LANES: 6148914691236517210
define amdgpu_kernel void @lanes(ptr addrspace(1) %values, ptr addrspace(1) %votes) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)
  %at = getelementptr i32, ptr addrspace(1) %values, i32 %t
  %value = load i32, ptr addrspace(1) %at
  %mirror = sub i32 63, %lane
  %address = shl i32 %mirror, 2
  %other = call i32 @llvm.amdgcn.ds.bpermute(i32 %address, i32 %value)
  store i32 %other, ptr addrspace(1) %at
  %even = trunc i32 %t to i1
  %isEven = xor i1 %even, true
  %ballot = call i64 @llvm.amdgcn.ballot.i64(i1 %isEven)
  %five = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 5)
  %zero = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  %both = add i32 %five, %zero
  %both64 = zext i32 %both to i64
  %sum = add i64 %ballot, %both64
  %voteAt = getelementptr i64, ptr addrspace(1) %votes, i32 %t
  store i64 %sum, ptr addrspace(1) %voteAt
  ret void
}

; MIRROR: 95 94 93
; MIRROR-NOT: fault
define amdgpu_kernel void @mirror(ptr addrspace(1) %values) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr i32, ptr addrspace(1) %values, i32 %t
  %value = load i32, ptr addrspace(1) %at
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %value, ptr addrspace(3) %mine
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %mirror = sub i32 95, %t
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i32 %mirror
  %generic = addrspacecast ptr addrspace(3) %theirs to ptr
  %other = load i32, ptr %generic
  store i32 %other, ptr addrspace(1) %at
  ret void
}

; LIBRARY: 1.64872 1.41421 2 0.5
define amdgpu_kernel void @library(ptr addrspace(1) %values) {
  %local = alloca float, addrspace(5)
  %x = load float, ptr addrspace(1) %values
  store float %x, ptr addrspace(5) %local
  %same = load float, ptr addrspace(5) %local
  %exp = call float @__ocml_exp_f32(float %same)
  %rsqrt = call float @__ocml_rsqrt_f32(float %x)
  %rcp = call float @llvm.amdgcn.rcp.f32(float %x)
  store float %exp, ptr addrspace(1) %values
  %o1 = getelementptr float, ptr addrspace(1) %values, i64 1
  store float %rsqrt, ptr addrspace(1) %o1
  %o2 = getelementptr float, ptr addrspace(1) %values, i64 2
  store float %rcp, ptr addrspace(1) %o2
  ret void
}

; AGGREGATE: 12
%struct.S = type { i32, i32, i64 }
define amdgpu_kernel void @aggregate(%struct.S %s.coerce, ptr addrspace(1) %out) {
  %a = extractvalue %struct.S %s.coerce, 0
  %b = extractvalue %struct.S %s.coerce, 1
  %c = extractvalue %struct.S %s.coerce, 2
  %ab = add i32 %a, %b
  %ab64 = zext i32 %ab to i64
  %sum = add i64 %ab64, %c
  store i64 %sum, ptr addrspace(1) %out
  ret void
}

; A struct in constant memory, as unoptimised code copies it: an intrinsic whose
; name spells the address spaces.
; RUN: gpuopt-run-ll %s --subgroup 64 --kernel byref --arg pack:i32=3:i32=4:i64=5 --arg i64[1]=zero --print 1 | FileCheck %s --check-prefix=BYREF
; BYREF: 5
declare void @llvm.memcpy.p5.p4.i64(ptr addrspace(5), ptr addrspace(4), i64, i1)
define amdgpu_kernel void @byref(ptr addrspace(4) byref(%struct.S) align 8 %s, ptr addrspace(1) %out) {
  %copy = alloca %struct.S, align 8, addrspace(5)
  call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) align 8 %copy, ptr addrspace(4) align 8 %s, i64 16, i1 false)
  %at = getelementptr %struct.S, ptr addrspace(5) %copy, i32 0, i32 2
  %value = load i64, ptr addrspace(5) %at
  store i64 %value, ptr addrspace(1) %out
  ret void
}

; The fences beside a barrier order one block only.
; RUN: not gpuopt-run-ll %s --subgroup 64 --kernel blocks --grid 2 --block 64 --arg i32[1]=zero --races | FileCheck %s --check-prefix=BLOCKS
; BLOCKS: fault: data race: {{.*}} writes out that thread (0,0,0) of block
define amdgpu_kernel void @blocks(ptr addrspace(1) %out) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %t, 0
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br i1 %first, label %write, label %end
write:
  store i32 1, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; A flag in workgroup memory, of AMD's scope of a block: it is waited for, and orders; that of a wavefront does not.
; RUN: gpuopt-run-ll %s --subgroup 32 --kernel flag --block 64 --arg i32[64]=zero --print 0:0:1 --print 0:63:1 --races | FileCheck %s --check-prefix=FLAG
; RUN: not gpuopt-run-ll %s --subgroup 32 --kernel wave --block 64 --arg i32[64]=zero --races | FileCheck %s --check-prefix=WAVE
; FLAG: 42
; FLAG: 42
; FLAG-NOT: fault
; WAVE: fault: data race: {{.*}} reads shared that thread (32,0,0) of block (0,0,0) writes
@shared = internal addrspace(3) global [2 x i32] poison, align 4
define amdgpu_kernel void @flag(ptr addrspace(1) %out) {
entry:
  %flag = getelementptr i32, ptr addrspace(3) @shared, i32 1
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %meet
set:
  store i32 0, ptr addrspace(3) %flag
  br label %meet
meet:
  call void @llvm.amdgcn.s.barrier()
  %is = icmp eq i32 %t, 32
  br i1 %is, label %write, label %wait
write:
  store i32 42, ptr addrspace(3) @shared
  store atomic i32 1, ptr addrspace(3) %flag syncscope("workgroup") release, align 4
  br label %wait
wait:
  %value = load atomic i32, ptr addrspace(3) %flag syncscope("workgroup") acquire, align 4
  %none = icmp eq i32 %value, 0
  br i1 %none, label %wait, label %end
end:
  %sum = load i32, ptr addrspace(3) @shared
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %sum, ptr addrspace(1) %at
  ret void
}
define amdgpu_kernel void @wave(ptr addrspace(1) %out) {
entry:
  %flag = getelementptr i32, ptr addrspace(3) @shared, i32 1
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %set, label %meet
set:
  store i32 0, ptr addrspace(3) %flag
  br label %meet
meet:
  call void @llvm.amdgcn.s.barrier()
  %is = icmp eq i32 %t, 32
  br i1 %is, label %write, label %wait
write:
  store i32 42, ptr addrspace(3) @shared
  store atomic i32 1, ptr addrspace(3) %flag syncscope("wavefront") release, align 4
  br label %wait
wait:
  %value = load atomic i32, ptr addrspace(3) %flag syncscope("wavefront") acquire, align 4
  %none = icmp eq i32 %value, 0
  br i1 %none, label %wait, label %end
end:
  %sum = load i32, ptr addrspace(3) @shared
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %sum, ptr addrspace(1) %at
  ret void
}
