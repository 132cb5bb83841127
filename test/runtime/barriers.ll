; Barriers in loops and nested control flow, with static and dynamic workgroup memory.
; RUN: gpuopt-run-ll %s --kernel scan --block 64 --arg i32[64]=1 --print 0:0:4 --print 0:63 --races | FileCheck %s --check-prefix=SCAN
; RUN: gpuopt-run-ll %s --kernel nested --grid 3 --block 40 --shared 160 --arg i32[120]=zero --arg i32=7 --print 0:0:3 --print 0:117 --races | FileCheck %s --check-prefix=NESTED
; RUN: gpuopt-run-ll %s --kernel count --block 50 --arg i32[50]=iota --print 0:0:2 | FileCheck %s --check-prefix=COUNT
; RUN: gpuopt-run-ll %s --kernel named --block 64 --arg i32[64]=zero --print 0:0:2 | FileCheck %s --check-prefix=NAMED

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)

@buffer = internal addrspace(3) global [64 x i32] poison, align 4
@dynamic = external addrspace(3) global [0 x i32], align 4

; An inclusive prefix sum: a barrier on both sides of each step of a loop.
; SCAN: 1 2 3 4
; SCAN: 64
; SCAN-NOT: fault
define ptx_kernel void @scan(ptr %data) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %data, i32 %t
  %mine = getelementptr i32, ptr addrspace(3) @buffer, i32 %t
  %first = load i32, ptr %at
  br label %loop

loop:
  %d = phi i32 [ 1, %entry ], [ %d2, %next ]
  %sum = phi i32 [ %first, %entry ], [ %more, %next ]
  store i32 %sum, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %has = icmp uge i32 %t, %d
  br i1 %has, label %add, label %next

add:
  %from = sub i32 %t, %d
  %other = getelementptr i32, ptr addrspace(3) @buffer, i32 %from
  %value = load i32, ptr addrspace(3) %other
  %added = add i32 %sum, %value
  br label %next

next:
  %more = phi i32 [ %added, %add ], [ %sum, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d2 = shl i32 %d, 1
  %again = icmp ult i32 %d2, 64
  br i1 %again, label %loop, label %end

end:
  store i32 %more, ptr %at
  ret void
}

; A barrier under conditions that are the same for the block but not for the grid.
; NESTED: 7 7 7
; NESTED: 21 21 21
; NESTED-NOT: fault
define ptx_kernel void @nested(ptr %out, i32 %value) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %n
  %id = add i32 %start, %t
  %at = getelementptr i32, ptr %out, i32 %id
  %mine = getelementptr i32, ptr addrspace(3) @dynamic, i32 %t
  %last = sub i32 %n, 1
  %mirror = sub i32 %last, %t
  %theirs = getelementptr i32, ptr addrspace(3) @dynamic, i32 %mirror
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %latch ]
  %odd = and i32 %b, 1
  %isOdd = icmp eq i32 %odd, 1
  br i1 %isOdd, label %left, label %right

left:
  store i32 %value, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %l = load i32, ptr addrspace(3) %theirs
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch

right:
  %half = icmp ult i32 %t, 20
  br i1 %half, label %write, label %writeToo

write:
  store i32 %value, ptr addrspace(3) %mine
  br label %meet

writeToo:
  store i32 %value, ptr addrspace(3) %mine
  br label %meet

meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = load i32, ptr addrspace(3) %theirs
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch

latch:
  %read = phi i32 [ %l, %left ], [ %r, %meet ]
  %sum1 = add i32 %sum, %read
  %i1 = add i32 %i, 1
  %again = icmp ule i32 %i1, %b
  br i1 %again, label %outer, label %end

end:
  store i32 %sum1, ptr %at
  ret void
}

; Barriers that count and vote: 25 threads are odd, some are, not all.
; COUNT: 125 125
define ptx_kernel void @count(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %odds = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %odd)
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %odd)
  %allMore = select i1 %all, i32 1000, i32 0
  %anyMore = select i1 %any, i32 100, i32 0
  %more = add i32 %allMore, %anyMore
  %sum = add i32 %odds, %more
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %at
  ret void
}

; Two halves of the block, each with a barrier of its own.
; NAMED: 31 30
define ptx_kernel void @named(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr addrspace(3) @buffer, i32 %t
  store i32 %t, ptr addrspace(3) %mine
  %high = icmp ugt i32 %t, 31
  br i1 %high, label %upper, label %lower

upper:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 32)
  br label %end

lower:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 32)
  br label %end

end:
  %other = xor i32 %t, 31
  %theirs = getelementptr i32, ptr addrspace(3) @buffer, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %value, ptr %at
  ret void
}
