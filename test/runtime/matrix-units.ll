; Matrix instructions, by PTX's tables: lanes find their elements of the matrices
; in memory, and put their sums where the tables say.
; RUN: gpuopt-run-ll %s --kernel halves --block 32 --arg f16[256]=iota --arg f16[128]=iota --arg f32[128]=zero --print 2:0:2 --print 2:64:1 --print 2:127:1 | FileCheck %s --check-prefix=HALVES
; RUN: gpuopt-run-ll %s --kernel doubles --block 32 --arg f64[32]=iota --arg f64[32]=iota --arg f64[64]=iota --print 2:0:2 --print 2:63:1 | FileCheck %s --check-prefix=DOUBLES
; RUN: gpuopt-run-ll %s --kernel bytes --block 32 --arg i32[32]=zero --print 0:0:3 | FileCheck %s --check-prefix=BYTES
; RUN: gpuopt-run-ll %s --kernel matrices --block 32 --arg i32[32]=zero --arg i32[32]=zero --print 0:0:6 --print 1:0:5 | FileCheck %s --check-prefix=MATRICES

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
declare { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double, double, double, double)
declare { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k16.row.col.s8(i32, i32, i32, i32, i32, i32, i32)
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3))

; a[i][k] = 16 i + k, b[k][j] = 8 k + j; sums of (16 i + k) (8 k + j).
; HALVES: 9920 10040
; HALVES: 132800
; HALVES: 268040
define ptx_kernel void @halves(ptr %a, ptr %b, ptr %d) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = lshr i32 %t, 2
  %c = and i32 %t, 3
  %c2 = shl i32 %c, 1
  %row = shl i32 %g, 4
  %at0 = add i32 %row, %c2
  %at1 = add i32 %at0, 128
  %at2 = add i32 %at0, 8
  %at3 = add i32 %at0, 136
  %pa0 = getelementptr half, ptr %a, i32 %at0
  %pa1 = getelementptr half, ptr %a, i32 %at1
  %pa2 = getelementptr half, ptr %a, i32 %at2
  %pa3 = getelementptr half, ptr %a, i32 %at3
  %a0 = load <2 x half>, ptr %pa0, align 4
  %a1 = load <2 x half>, ptr %pa1, align 4
  %a2 = load <2 x half>, ptr %pa2, align 4
  %a3 = load <2 x half>, ptr %pa3, align 4
  %k = shl i32 %c2, 3
  %atb = add i32 %k, %g
  %pb00 = getelementptr half, ptr %b, i32 %atb
  %pb01 = getelementptr half, ptr %pb00, i32 8
  %pb10 = getelementptr half, ptr %pb00, i32 64
  %pb11 = getelementptr half, ptr %pb00, i32 72
  %b00 = load half, ptr %pb00
  %b01 = load half, ptr %pb01
  %b10 = load half, ptr %pb10
  %b11 = load half, ptr %pb11
  %v0 = insertelement <2 x half> poison, half %b00, i32 0
  %b0 = insertelement <2 x half> %v0, half %b01, i32 1
  %v1 = insertelement <2 x half> poison, half %b10, i32 0
  %b1 = insertelement <2 x half> %v1, half %b11, i32 1
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a0, <2 x half> %a1, <2 x half> %a2, <2 x half> %a3, <2 x half> %b0, <2 x half> %b1, float 0.0, float 0.0, float 0.0, float 0.0)
  %d0 = extractvalue { float, float, float, float } %r, 0
  %d1 = extractvalue { float, float, float, float } %r, 1
  %d2 = extractvalue { float, float, float, float } %r, 2
  %d3 = extractvalue { float, float, float, float } %r, 3
  %drow = shl i32 %g, 3
  %atd = add i32 %drow, %c2
  %p0 = getelementptr float, ptr %d, i32 %atd
  %p1 = getelementptr float, ptr %p0, i32 1
  %p2 = getelementptr float, ptr %p0, i32 64
  %p3 = getelementptr float, ptr %p0, i32 65
  store float %d0, ptr %p0
  store float %d1, ptr %p1
  store float %d2, ptr %p2
  store float %d3, ptr %p3
  ret void
}

; a[i][k] = 4 i + k, b[k][j] = 8 k + j, c[i][j] = 8 i + j.
; DOUBLES: 112 119
; DOUBLES: 2345
define ptx_kernel void @doubles(ptr %a, ptr %b, ptr %d) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %g = lshr i32 %t, 2
  %c = and i32 %t, 3
  %pa = getelementptr double, ptr %a, i32 %t
  %va = load double, ptr %pa
  %brow = shl i32 %c, 3
  %atb = add i32 %brow, %g
  %pb = getelementptr double, ptr %b, i32 %atb
  %vb = load double, ptr %pb
  %c2 = shl i32 %c, 1
  %drow = shl i32 %g, 3
  %atd = add i32 %drow, %c2
  %p0 = getelementptr double, ptr %d, i32 %atd
  %p1 = getelementptr double, ptr %p0, i32 1
  %s0 = load double, ptr %p0
  %s1 = load double, ptr %p1
  %r = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double %va, double %vb, double %s0, double %s1)
  %d0 = extractvalue { double, double } %r, 0
  %d1 = extractvalue { double, double } %r, 1
  store double %d0, ptr %p0
  store double %d1, ptr %p1
  ret void
}

; Bytes have signs: 16 times -1 * 2.
; BYTES: -32 -32 -32
define ptx_kernel void @bytes(ptr %d) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k16.row.col.s8(i32 -1, i32 -1, i32 33686018, i32 0, i32 0, i32 0, i32 0)
  %d0 = extractvalue { i32, i32, i32, i32 } %r, 0
  %p = getelementptr i32, ptr %d, i32 %t
  store i32 %d0, ptr %p
  ret void
}

; A matrix of 8 x 8, element 8 r + c. As it lies, lane 1 has 2 and 3, lane 5 has 10
; and 11; transposed, lane 1 has 16 and 24, lane 4 has 1 and 9.
; MATRICES: 65536 196610 327684 458758 589832 720906
; MATRICES: 524288 1572880 2621472 3670064 589825
@tile = internal addrspace(3) global [64 x i16] poison, align 16

define ptx_kernel void @matrices(ptr %plain, ptr %transposed) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %t, 1
  %second = add i32 %first, 1
  %low = trunc i32 %first to i16
  %high = trunc i32 %second to i16
  %at = getelementptr i16, ptr addrspace(3) @tile, i32 %first
  %next = getelementptr i16, ptr addrspace(3) %at, i32 1
  store i16 %low, ptr addrspace(3) %at
  store i16 %high, ptr addrspace(3) %next
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %r = and i32 %t, 7
  %offset = shl i32 %r, 3
  %row = getelementptr i16, ptr addrspace(3) @tile, i32 %offset
  %x = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %row)
  %y = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3(ptr addrspace(3) %row)
  %px = getelementptr i32, ptr %plain, i32 %t
  %py = getelementptr i32, ptr %transposed, i32 %t
  store i32 %x, ptr %px
  store i32 %y, ptr %py
  ret void
}
