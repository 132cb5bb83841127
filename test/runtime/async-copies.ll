; Asynchronous copies arrive at the wait, not before; a kernel that looks at the
; target too early is told so.
; RUN: gpuopt-run-ll %s --kernel stages --block 32 --races --arg f32[96]=iota --arg f32[96]=zero --print 1:62:4 | FileCheck %s --check-prefix=STAGES
; RUN: not gpuopt-run-ll %s --kernel no_wait --block 32 --races --arg f32[32]=iota --arg f32[32]=zero | FileCheck %s --check-prefix=NOWAIT
; RUN: gpuopt-run-ll %s --kernel no_wait --block 32 --arg f32[32]=iota --arg f32[32]=zero --print 1:0:2 | FileCheck %s --check-prefix=STALE
; RUN: not gpuopt-run-ll %s --kernel no_barrier --block 32 --races --arg f32[32]=iota --arg f32[32]=zero | FileCheck %s --check-prefix=NOBARRIER
; RUN: not gpuopt-run-ll %s --kernel too_few --block 32 --races --arg f32[96]=iota --arg f32[96]=zero | FileCheck %s --check-prefix=TOOFEW
; RUN: not gpuopt-run-ll %s --kernel bounds --block 33 --arg f32[132]=iota | FileCheck %s --check-prefix=BOUNDS
; RUN: gpuopt-run-ll %s --kernel partial --arg f32[4]=1 --arg i32=8 --arg f32[4]=zero --print 2 | FileCheck %s --check-prefix=PARTIAL
; RUN: gpuopt-run-ll %s --kernel no_wait --block 32 --sectors 32 --arg f32[32]=iota --arg f32[32]=zero | FileCheck %s --check-prefix=SECTORS

target triple = "nvptx64-nvidia-cuda"

declare i32 @__gpuopt_thread_id_x()
declare void @__gpuopt_barrier()
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()

@tile = internal addrspace(3) global [32 x float] poison, align 16
@ring = internal addrspace(3) global [2 x [32 x float]] poison, align 16
@wide = internal addrspace(3) global [32 x <4 x float>] poison, align 16

; Each thread copies an element of three rows through two stages, and reads the
; one of its neighbour.
; STAGES: 62 63 64 65
define ptx_kernel void @stages(ptr %a, ptr %c) {
entry:
  %t = call i32 @__gpuopt_thread_id_x()
  %n = xor i32 %t, 1
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %from = getelementptr float, ptr addrspace(1) %g, i32 %t
  %to = getelementptr float, ptr addrspace(3) @ring, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %issued ]
  %stage = and i32 %i, 1
  %next = add i32 %i, 1
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @__gpuopt_barrier()
  %more = icmp ult i32 %next, 3
  br i1 %more, label %issue, label %issued
issue:
  %row = mul i32 %next, 32
  %e = add i32 %row, %t
  %from.next = getelementptr float, ptr addrspace(1) %g, i32 %e
  %other = xor i32 %stage, 1
  %to.next = getelementptr [32 x float], ptr addrspace(3) @ring, i32 %other, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to.next, ptr addrspace(1) %from.next)
  br label %issued
issued:
  call void @llvm.nvvm.cp.async.commit.group()
  %read = getelementptr [32 x float], ptr addrspace(3) @ring, i32 %stage, i32 %n
  %v = load float, ptr addrspace(3) %read, align 4
  %out.row = mul i32 %i, 32
  %o = add i32 %out.row, %n
  %write = getelementptr float, ptr %c, i32 %o
  store float %v, ptr %write, align 4
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The wait is missing: each thread looks at its own element while it is on its
; way, and sees what was there before.
; NOWAIT: fault: data race: thread (0,0,0) of block (0,0,0) reads tile that an asynchronous copy of thread (0,0,0) of block (0,0,0) writes, which it has not waited for
; STALE-NOT: 0 1
; SECTORS: sectors: 8
define ptx_kernel void @no_wait(ptr %a, ptr %c) {
  %t = call i32 @__gpuopt_thread_id_x()
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %from = getelementptr float, ptr addrspace(1) %g, i32 %t
  %to = getelementptr float, ptr addrspace(3) @tile, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @__gpuopt_barrier()
  %v = load float, ptr addrspace(3) %to, align 4
  %write = getelementptr float, ptr %c, i32 %t
  store float %v, ptr %write, align 4
  ret void
}

; A wait is for the thread's own copies; others' want a barrier behind it.
; NOBARRIER: fault: data race: thread (1,0,0) of block (0,0,0) reads tile that thread (0,0,0) of block (0,0,0) writes, and no barrier orders the two
define ptx_kernel void @no_barrier(ptr %a, ptr %c) {
  %t = call i32 @__gpuopt_thread_id_x()
  %n = xor i32 %t, 1
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %from = getelementptr float, ptr addrspace(1) %g, i32 %t
  %to = getelementptr float, ptr addrspace(3) @tile, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.wait.all()
  %read = getelementptr float, ptr addrspace(3) @tile, i32 %n
  %v = load float, ptr addrspace(3) %read, align 4
  %write = getelementptr float, ptr %c, i32 %t
  store float %v, ptr %write, align 4
  ret void
}

; Of two groups the newer one may still be on its way.
; TOOFEW: fault: data race: thread (0,0,0) of block (0,0,0) reads ring that an asynchronous copy of thread (0,0,0) of block (0,0,0) writes, which it has not waited for
define ptx_kernel void @too_few(ptr %a, ptr %c) {
  %t = call i32 @__gpuopt_thread_id_x()
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %from = getelementptr float, ptr addrspace(1) %g, i32 %t
  %to.0 = getelementptr float, ptr addrspace(3) @ring, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to.0, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  %to.1 = getelementptr [32 x float], ptr addrspace(3) @ring, i32 1, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to.1, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  call void @__gpuopt_barrier()
  %v.0 = load float, ptr addrspace(3) %to.0, align 4
  %v.1 = load float, ptr addrspace(3) %to.1, align 4
  %sum = fadd float %v.0, %v.1
  %write = getelementptr float, ptr %c, i32 %t
  store float %sum, ptr %write, align 4
  ret void
}

; BOUNDS: fault: out of bounds: thread (32,0,0) of block (0,0,0) writes 16 bytes at wide[128], which has 128 elements
define ptx_kernel void @bounds(ptr %a) {
  %t = call i32 @__gpuopt_thread_id_x()
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %from = getelementptr <4 x float>, ptr addrspace(1) %g, i32 %t
  %to = getelementptr <4 x float>, ptr addrspace(3) @wide, i32 %t
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %to, ptr addrspace(1) %from)
  ret void
}

; PARTIAL: 1 1 0 0
define ptx_kernel void @partial(ptr %a, i32 %bytes, ptr %c) {
  %g = addrspacecast ptr %a to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) @wide, ptr addrspace(1) %g, i32 %bytes)
  call void @llvm.nvvm.cp.async.wait.all()
  %v = load <4 x float>, ptr addrspace(3) @wide, align 16
  store <4 x float> %v, ptr %c, align 16
  ret void
}
