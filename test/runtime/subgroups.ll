; Shuffles, votes and reductions of a subgroup, under divergence too.
; RUN: gpuopt-run-ll %s --kernel reduce --block 64 --arg i32[64]=iota --print 0:0:1 --print 0:32:1 | FileCheck %s --check-prefix=REDUCE
; RUN: gpuopt-run-ll %s --kernel segments --block 32 --arg i32[32]=iota --arg i32[32]=iota --print 0:0:9 --print 1:6:3 | FileCheck %s --check-prefix=SEGMENTS
; RUN: gpuopt-run-ll %s --kernel votes --block 40 --arg i32[40]=zero --arg i32[40]=zero --print 0:0:1 --print 0:39:1 --print 1:0:1 | FileCheck %s --check-prefix=VOTES
; RUN: gpuopt-run-ll %s --kernel branches --block 32 --arg i32[32]=zero --print 0:0:1 --print 0:15:2 --print 0:31:1 | FileCheck %s --check-prefix=BRANCHES
; RUN: gpuopt-run-ll %s --kernel loops --block 32 --arg i32[32]=zero --print 0:0:1 --print 0:31:1 | FileCheck %s --check-prefix=LOOPS
; RUN: gpuopt-run-ll %s --kernel match --block 32 --arg i32[32]=zero --print 0:0:3 | FileCheck %s --check-prefix=MATCH
; RUN: gpuopt-run-ll %s --kernel own --block 64 --subgroup 64 --arg i64[64]=zero --arg f32[64]=iota --print 0:0:2 --print 1:0:2 | FileCheck %s --check-prefix=OWN
; RUN: not gpuopt-run-ll %s --kernel absent --block 32 --arg i32[32]=zero | FileCheck %s --check-prefix=ABSENT
; RUN: not gpuopt-run-ll %s --kernel outside --block 32 --arg i32[32]=zero | FileCheck %s --check-prefix=OUTSIDE

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @__gpuopt_thread_id_x()
declare i32 @__gpuopt_lane_id()
declare i64 @__gpuopt_ballot(i64, i32)
declare i32 @__gpuopt_shuffle_xor(i64, i32, i32, i32)

; A tree over the subgroup: 0 + … + 31, and 32 + … + 63.
; REDUCE: 496
; REDUCE: 1520
define ptx_kernel void @reduce(ptr %data) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %first = load i32, ptr %at
  br label %loop

loop:
  %d = phi i32 [ 16, %entry ], [ %d2, %loop ]
  %sum = phi i32 [ %first, %entry ], [ %more, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %sum, i32 %d, i32 31)
  %more = add i32 %sum, %other
  %d2 = lshr i32 %d, 1
  %again = icmp ne i32 %d2, 0
  br i1 %again, label %loop, label %end

end:
  store i32 %more, ptr %at
  ret void
}

; Segments of 8 lanes (c = 0x1800): the first lane of each has no lane below.
; SEGMENTS: 0 0 1 2 3 4 5 6 8
; SEGMENTS: 1 1 0
define ptx_kernel void @segments(ptr %values, ptr %valid) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %values, i32 %t
  %value = load i32, ptr %at
  %pair = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %value, i32 1, i32 6144)
  %below = extractvalue {i32, i1} %pair, 0
  %has = extractvalue {i32, i1} %pair, 1
  store i32 %below, ptr %at
  %flag = zext i1 %has to i32
  %flagAt = getelementptr i32, ptr %valid, i32 %t
  store i32 %flag, ptr %flagAt
  ret void
}

; The second subgroup has 8 lanes: absent ones do not vote.
; VOTES: 15
; VOTES: 7
; VOTES: 496
define ptx_kernel void @votes(ptr %ballots, ptr %sums) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %low = icmp ult i32 %lane, 4
  %mask = select i1 false, i32 0, i32 -1
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %low)
  %true = icmp ult i32 %lane, 32
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %true)
  %none = icmp ugt i32 %lane, 32
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %none)
  %isSecond = icmp ugt i32 %t, 31
  %half = select i1 %isSecond, i32 7, i32 %ballot
  %wrong = xor i1 %all, true
  %bad = or i1 %wrong, %any
  %result = select i1 %bad, i32 -1, i32 %half
  %at = getelementptr i32, ptr %ballots, i32 %t
  store i32 %result, ptr %at
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %lane, i32 %mask)
  %sumAt = getelementptr i32, ptr %sums, i32 %t
  store i32 %sum, ptr %sumAt
  ret void
}

; The lanes of each branch are active there, all of them after it.
; BRANCHES: 65535
; BRANCHES: 65535 -65536
; BRANCHES: -65536
define ptx_kernel void @branches(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %t
  %low = icmp ult i32 %t, 16
  br i1 %low, label %left, label %right

left:
  %a = call i32 @llvm.nvvm.activemask()
  br label %end

right:
  %b = call i32 @llvm.nvvm.activemask()
  br label %end

end:
  %mask = phi i32 [ %a, %left ], [ %b, %right ]
  %all = call i32 @llvm.nvvm.activemask()
  %together = icmp eq i32 %all, -1
  %result = select i1 %together, i32 %mask, i32 0
  store i32 %result, ptr %at
  ret void
}

; Lane t takes t + 1 turns; each turn sees the lanes still in the loop, and all
; lanes meet after it: the sum over the turns of how many lanes there were.
; LOOPS: 1032
; LOOPS: 1528
define ptx_kernel void @loops(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %mask = call i32 @llvm.nvvm.activemask()
  %lanes = call i32 @llvm.ctpop.i32(i32 %mask)
  %sum1 = add i32 %sum, %lanes
  %i1 = add i32 %i, 1
  %again = icmp ule i32 %i1, %t
  br i1 %again, label %loop, label %end

end:
  %all = call i32 @llvm.nvvm.activemask()
  %together = icmp eq i32 %all, -1
  %more = select i1 %together, i32 1000, i32 0
  %result = add i32 %sum1, %more
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %result, ptr %at
  ret void
}
declare i32 @llvm.ctpop.i32(i32)

; Lanes with the same t mod 3.
; MATCH: 1227133513 -1840700270 613566756
define ptx_kernel void @match(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %key = urem i32 %t, 3
  %mask = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %key)
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %mask, ptr %at
  ret void
}

; Our own functions, in a subgroup of 64.
; OWN: 6148914691236517205 6148914691236517205
; OWN: 1 0
define ptx_kernel void @own(ptr %ballots, ptr %swapped) {
  %t = call i32 @__gpuopt_thread_id_x()
  %lane = call i32 @__gpuopt_lane_id()
  %bit = and i32 %lane, 1
  %even = xor i32 %bit, 1
  %votes = call i64 @__gpuopt_ballot(i64 -1, i32 %even)
  %at = getelementptr i64, ptr %ballots, i32 %t
  store i64 %votes, ptr %at
  %valueAt = getelementptr float, ptr %swapped, i32 %t
  %value = load i32, ptr %valueAt
  %other = call i32 @__gpuopt_shuffle_xor(i64 -1, i32 %value, i32 1, i32 64)
  store i32 %other, ptr %valueAt
  ret void
}

declare void @__gpuopt_barrier()

; The mask names lanes that wait elsewhere.
; ABSENT: fault: barrier divergence: thread (0,0,0) of block (0,0,0) waits for lanes of its subgroup
define ptx_kernel void @absent(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 16
  br i1 %low, label %left, label %end

left:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %end

end:
  call void @__gpuopt_barrier()
  ret void
}

; Code from before subgroup barriers: lockstep by volatile workgroup memory.
; RUN: gpuopt-run-ll %s --kernel lockstep --block 32 --arg i32[32]=iota --print 0:0:1 | FileCheck %s --check-prefix=LOCKSTEP
; LOCKSTEP: 496
@cells = internal addrspace(3) global [64 x i32] poison, align 4
define ptx_kernel void @lockstep(ptr %data) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %first = load i32, ptr %at
  %mine = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  %high = add i32 %t, 32
  %pad = getelementptr i32, ptr addrspace(3) @cells, i32 %high
  store volatile i32 0, ptr addrspace(3) %pad
  store volatile i32 %first, ptr addrspace(3) %mine
  br label %loop

loop:
  %d = phi i32 [ 16, %entry ], [ %d2, %loop ]
  %from = add i32 %t, %d
  %theirs = getelementptr i32, ptr addrspace(3) @cells, i32 %from
  %a = load volatile i32, ptr addrspace(3) %mine
  %b = load volatile i32, ptr addrspace(3) %theirs
  %sum = add i32 %a, %b
  store volatile i32 %sum, ptr addrspace(3) %mine
  %d2 = lshr i32 %d, 1
  %again = icmp ne i32 %d2, 0
  br i1 %again, label %loop, label %end

end:
  store i32 %sum, ptr %at
  ret void
}

; The mask does not name the lane itself.
; OUTSIDE: fault: barrier divergence: thread (1,0,0) of block (0,0,0) takes part in an operation of its subgroup whose mask does not name its lane
define ptx_kernel void @outside(ptr %out) {
  call void @llvm.nvvm.bar.warp.sync(i32 -3)
  ret void
}
