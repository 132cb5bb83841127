; Races, barriers that not all threads reach, loops without end, traps.
; RUN: not gpuopt-run-ll %s --kernel missing_barrier --block 64 --arg i32[64]=iota --races | FileCheck %s --check-prefix=MISSING
; RUN: not gpuopt-run-ll %s --kernel across_blocks --grid 2 --block 8 --arg i32[8]=zero --races | FileCheck %s --check-prefix=ACROSS
; RUN: gpuopt-run-ll %s --kernel atomics --grid 4 --block 64 --arg i32[1]=zero --arg f32[1]=zero --races --print 0 --print 1 | FileCheck %s --check-prefix=ATOMIC
; RUN: gpuopt-run-ll %s --kernel subgroup_order --block 32 --arg i32[32]=iota --races --print 0:0:2 | FileCheck %s --check-prefix=ORDER
; RUN: not gpuopt-run-ll %s --kernel two_barriers --block 64 | FileCheck %s --check-prefix=TWO
; RUN: not gpuopt-run-ll %s --kernel early_exit --block 64 --arg i32[64]=zero --print 0:0:2 | FileCheck %s --check-prefix=EXIT
; RUN: not gpuopt-run-ll %s --kernel named_short --block 64 | FileCheck %s --check-prefix=SHORT
; RUN: not gpuopt-run-ll %s --kernel endless --grid 4 --block 32 --seconds 0.2 --arg i32[1]=zero | FileCheck %s --check-prefix=ENDLESS
; RUN: not gpuopt-run-ll %s --kernel endless --grid 4 --block 32 --steps 5000 --arg i32[1]=zero | FileCheck %s --check-prefix=STEPS
; RUN: not gpuopt-run-ll %s --kernel endless_barrier --block 32 --seconds 0.2 | FileCheck %s --check-prefix=ENDLESSBARRIER
; RUN: not gpuopt-run-ll %s --kernel traps --block 4 --arg i32[4]=zero --print 0 | FileCheck %s --check-prefix=TRAP
; RUN: not gpuopt-run-ll %s --kernel divides --arg i32[6]=iota --arg i32=-2147483648 --print 0 | FileCheck %s --check-prefix=DIVIDE

target triple = "nvptx64-nvidia-cuda"

declare i32 @__gpuopt_thread_id_x()
declare i32 @__gpuopt_block_id_x()
declare void @__gpuopt_barrier()
declare void @__gpuopt_subgroup_barrier(i64)
declare void @__gpuopt_trap()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)

@tile = internal addrspace(3) global [64 x i32] poison, align 4

; MISSING: fault: data race: race.cu:4:1: thread (32,0,0) of block (0,0,0) writes tile that thread (31,0,0) of block (0,0,0) reads at race.cu:5:1, and no barrier orders the two
; MISSING: fault: data race: race.cu:5:1: thread (32,0,0) of block (0,0,0) reads tile that thread (31,0,0) of block (0,0,0) writes at race.cu:4:1, and no barrier orders the two
define ptx_kernel void @missing_barrier(ptr %data) !dbg !4 {
  %t = call i32 @__gpuopt_thread_id_x()
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %t, ptr addrspace(3) %mine, !dbg !7
  %other = sub i32 63, %t
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i32 %other
  %value = load i32, ptr addrspace(3) %theirs, !dbg !8
  %at = getelementptr i32, ptr %data, i32 %t
  store i32 %value, ptr %at, !dbg !9
  ret void
}

; ACROSS: fault: data race: {{.*}} writes a that thread (0,0,0) of block ({{[01]}},0,0) writes, and no barrier
define ptx_kernel void @across_blocks(ptr %a) {
  %t = call i32 @__gpuopt_thread_id_x()
  %at = getelementptr i32, ptr %a, i32 %t
  store i32 %t, ptr %at
  call void @__gpuopt_barrier()
  ret void
}

; ATOMIC: 256
; ATOMIC: 256
; ATOMIC-NOT: fault
define ptx_kernel void @atomics(ptr %count, ptr %sum) {
  %old = atomicrmw add ptr %count, i32 1 syncscope("device") monotonic
  %before = atomicrmw fadd ptr %sum, float 1.0 syncscope("device") monotonic
  ret void
}

; ORDER: 31 30
; ORDER-NOT: fault
define ptx_kernel void @subgroup_order(ptr %a) {
  %t = call i32 @__gpuopt_thread_id_x()
  %at = getelementptr i32, ptr %a, i32 %t
  %other = sub i32 31, %t
  %theirs = getelementptr i32, ptr %a, i32 %other
  %value = load i32, ptr %theirs
  call void @__gpuopt_subgroup_barrier(i64 4294967295)
  store i32 %value, ptr %at
  ret void
}

; TWO: fault: barrier divergence: race.cu:4:1: thread (0,0,0) of block (0,0,0) waits at a barrier while thread (32,0,0) of block (0,0,0) waits at another one, at race.cu:5:1
define ptx_kernel void @two_barriers() !dbg !10 {
  %t = call i32 @__gpuopt_thread_id_x()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %left, label %right
left:
  call void @__gpuopt_barrier(), !dbg !11
  br label %end
right:
  call void @__gpuopt_barrier(), !dbg !12
  br label %end
end:
  ret void
}

; EXIT: 1 1
; EXIT: fault: barrier divergence: thread (0,0,0) of block (0,0,0) waits at a barrier that thread (32,0,0) of block (0,0,0) never reaches: it left the kernel
define ptx_kernel void @early_exit(ptr %a) {
  %t = call i32 @__gpuopt_thread_id_x()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %on, label %out
on:
  call void @__gpuopt_barrier()
  %at = getelementptr i32, ptr %a, i32 %t
  store i32 1, ptr %at
  ret void
out:
  ret void
}

; SHORT: waits at a barrier for more threads than come
define ptx_kernel void @named_short() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 96)
  ret void
}

; ENDLESS: fault: timeout: thread {{.*}} was still in a loop after {{[0-9.]+}} seconds
; STEPS:      fault: endless loop: thread (0,0,0) of block (0,0,0) was still in a loop after 5000 steps
; STEPS-NOT: fault
define ptx_kernel void @endless(ptr %flag) {
entry:
  br label %loop
loop:
  %value = load atomic i32, ptr %flag monotonic, align 4
  %go = icmp eq i32 %value, 0
  br i1 %go, label %loop, label %end
end:
  ret void
}

; ENDLESSBARRIER: fault: timeout
define ptx_kernel void @endless_barrier() {
entry:
  br label %loop
loop:
  call void @__gpuopt_barrier()
  br label %loop
}

; TRAP: 0 0 0 1
; TRAP: fault: trap: thread (0,0,0) of block (0,0,0) traps (and 2 more times at this place)
define ptx_kernel void @traps(ptr %a) {
  %t = call i32 @__gpuopt_thread_id_x()
  %low = icmp ult i32 %t, 3
  br i1 %low, label %bad, label %good
bad:
  call void @__gpuopt_trap()
  unreachable
good:
  %at = getelementptr i32, ptr %a, i32 %t
  store i32 1, ptr %at
  ret void
}

; DIVIDE: 5 0 -2147483648 0 -1 7
; DIVIDE: fault: trap: thread (0,0,0) of block (0,0,0) divides by zero
define ptx_kernel void @divides(ptr %a, i32 %min) {
  %zero = load i32, ptr %a
  %fiveAt = getelementptr i32, ptr %a, i32 5
  %five = load i32, ptr %fiveAt
  %minus = sub i32 %zero, 1
  %q = udiv i32 %five, %zero
  %s = sdiv i32 %min, %minus
  %r = srem i32 %min, %minus
  %huge = fptosi float 0x4600000000000000 to i32
  %high = add i32 %huge, 1
  %clamped = icmp eq i32 %high, -2147483648
  %seven = select i1 %clamped, i32 7, i32 0
  store i32 %q, ptr %a
  %a1 = getelementptr i32, ptr %a, i32 1
  store i32 %zero, ptr %a1
  %a2 = getelementptr i32, ptr %a, i32 2
  store i32 %s, ptr %a2
  %a3 = getelementptr i32, ptr %a, i32 3
  store i32 %r, ptr %a3
  %a4 = getelementptr i32, ptr %a, i32 4
  store i32 %minus, ptr %a4
  store i32 %seven, ptr %fiveAt
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "race.cu", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "missing_barrier", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 4, column: 1, scope: !4)
!8 = !DILocation(line: 5, column: 1, scope: !4)
!9 = !DILocation(line: 6, column: 1, scope: !4)
!10 = distinct !DISubprogram(name: "two_barriers", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 4, column: 1, scope: !10)
!12 = !DILocation(line: 5, column: 1, scope: !10)
