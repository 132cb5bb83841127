; Naive mm with m = n = k = 512 and every access checked, in less than ten seconds.
; RUN: gpuopt-run-ll %s --kernel mm --grid 32,32 --block 16,16 --arg f32[262144]=1 --arg f32[262144]=2 --arg f32[262144]=zero --arg i32=512 --arg i32=512 --arg i32=512 --seconds 10 --print 2:0:1 --print 2:262143 | FileCheck %s
; A device library that is linked in gives way to the host's.
; RUN: gpuopt-run-ll %s --kernel linked --arg f32[1]=4 --print 0 | FileCheck %s --check-prefix=LINKED

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()

; CHECK: 1024
; CHECK: 1024
; CHECK-NOT: fault
define ptx_kernel void @mm(ptr noalias readonly %a, ptr noalias readonly %b, ptr noalias %c, i32 %m, i32 %n, i32 %k) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %x0 = mul i32 %bx, %nx
  %idx = add i32 %x0, %tx
  %y0 = mul i32 %by, %ny
  %idy = add i32 %y0, %ty
  %outX = icmp sge i32 %idx, %n
  %outY = icmp sge i32 %idy, %m
  %out = or i1 %outX, %outY
  br i1 %out, label %exit, label %begin

begin:
  %row = mul nsw i32 %idy, %k
  %some = icmp sgt i32 %k, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i32 [ 0, %begin ], [ %i1, %loop ]
  %sum = phi float [ 0.0, %begin ], [ %sum1, %loop ]
  %aIndex = add nsw i32 %row, %i
  %aWide = sext i32 %aIndex to i64
  %aAt = getelementptr inbounds float, ptr %a, i64 %aWide
  %x = load float, ptr %aAt, align 4
  %bRow = mul nsw i32 %i, %n
  %bIndex = add nsw i32 %bRow, %idx
  %bWide = sext i32 %bIndex to i64
  %bAt = getelementptr inbounds float, ptr %b, i64 %bWide
  %y = load float, ptr %bAt, align 4
  %product = fmul contract float %x, %y
  %sum1 = fadd contract float %sum, %product
  %i1 = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i1, %k
  br i1 %again, label %loop, label %end

end:
  %total = phi float [ 0.0, %begin ], [ %sum1, %loop ]
  %cRow = mul nsw i32 %idy, %n
  %cIndex = add nsw i32 %cRow, %idx
  %cWide = sext i32 %cIndex to i64
  %cAt = getelementptr inbounds float, ptr %c, i64 %cWide
  store float %total, ptr %cAt, align 4
  br label %exit

exit:
  ret void
}

; LINKED: 2
define internal float @__nv_sqrtf(float %x) {
  ret float 0.0
}
define ptx_kernel void @linked(ptr %a) {
  %x = load float, ptr %a
  %root = call float @__nv_sqrtf(float %x)
  store float %root, ptr %a
  ret void
}
