; Half precision, vectors, mathematical functions, structs by value, copies.
; RUN: gpuopt-run-ll %s --kernel half --block 4 --arg f16[4]=iota --arg bf16[4]=iota --print 0 --print 1 | FileCheck %s --check-prefix=HALF
; RUN: gpuopt-run-ll %s --kernel vectors --block 2 --arg f32[8]=iota --arg f32[8]=zero --print 1 | FileCheck %s --check-prefix=VECTOR
; RUN: gpuopt-run-ll %s --kernel math --arg f32[8]=0.5 --arg f64[4]=0.5 --print 0 --print 1 | FileCheck %s --check-prefix=MATH
; RUN: gpuopt-run-ll %s --kernel struct --block 2 --arg pack:i32=3:f32=1.5 --arg f32[2]=zero --print 1 | FileCheck %s --check-prefix=STRUCT
; RUN: gpuopt-run-ll %s --kernel async --block 2 --arg f32[8]=iota --arg f32[8]=zero --print 1 | FileCheck %s --check-prefix=ASYNC
; RUN: gpuopt-run-ll %s --kernel grid --grid 3 --block 8 --arg i32[24]=iota --print 0:0:2 | FileCheck %s --check-prefix=GRID
; RUN: gpuopt-run-ll %s --kernel pick --arg i32[4]=iota --arg i32[4]=9 --arg i32=1 --arg i32[2]=zero --print 3 | FileCheck %s --check-prefix=PICK
; RUN: gpuopt-run-ll %s --kernel counter --grid 4 --block 8 --arg i32[1]=zero --print 0 | FileCheck %s --check-prefix=COUNTER
; RUN: gpuopt-run-ll %s --kernel strict --arg f32[3]=zero --arg f32[6]=zero --arg i32=10 --print 0 --print 1 | FileCheck %s --check-prefix=STRICT
; RUN: gpuopt-run-ll %s --kernel saturated --arg f32[3]=0.75 --print 0 | FileCheck %s --check-prefix=SATURATED
; RUN: not gpuopt-run-ll %s --kernel unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not gpuopt-run-ll %s --kernel recursive 2>&1 | FileCheck %s --check-prefix=RECURSIVE
; RUN: not gpuopt-run-ll %s --kernel half 2>&1 | FileCheck %s --check-prefix=COUNT
; RUN: not gpuopt-run-ll %s --kernel nothing 2>&1 | FileCheck %s --check-prefix=NOTHING

target triple = "nvptx64-nvidia-cuda"

declare i32 @__gpuopt_thread_id_x()
declare i32 @__gpuopt_block_id_x()
declare void @__gpuopt_global_sync()

; HALF: 1 2.5 5 8.5
; HALF: 1.57031 2.57812 3.57812 4.5625
define ptx_kernel void @half(ptr %h, ptr %b) {
  %t = call i32 @__gpuopt_thread_id_x()
  %hAt = getelementptr half, ptr %h, i32 %t
  %x = load half, ptr %hAt
  %square = fmul half %x, %x
  %half = fmul half %square, 0xH3800
  %sum = fadd half %half, %x
  %more = fadd half %sum, 0xH3C00
  store half %more, ptr %hAt
  %bAt = getelementptr bfloat, ptr %b, i32 %t
  %y = load bfloat, ptr %bAt
  %wide = fpext bfloat %y to float
  %next = fadd float %wide, 0x3FF921FB60000000
  %s = fptrunc float %next to bfloat
  store bfloat %s, ptr %bAt
  ret void
}

; Sums that end at 0 and 1, however they are rounded.
declare float @llvm.nvvm.add.rn.sat.f(float, float)
declare float @llvm.nvvm.add.rz.sat.f(float, float)
declare float @llvm.nvvm.add.rz.f(float, float)
; SATURATED: 1 0 1.5
define ptx_kernel void @saturated(ptr %a) {
  %x = load float, ptr %a
  %large = call float @llvm.nvvm.add.rz.sat.f(float %x, float %x)
  store float %large, ptr %a
  %negative = fneg float %x
  %small = call float @llvm.nvvm.add.rn.sat.f(float %negative, float %negative)
  %aB = getelementptr float, ptr %a, i64 1
  store float %small, ptr %aB
  %sum = call float @llvm.nvvm.add.rz.f(float %x, float %x)
  %aC = getelementptr float, ptr %a, i64 2
  store float %sum, ptr %aC
  ret void
}

; VECTOR: 0 2 4 6 8 10 12 14
define ptx_kernel void @vectors(ptr %a, ptr %b) {
  %t = call i32 @__gpuopt_thread_id_x()
  %from = getelementptr <4 x float>, ptr %a, i32 %t
  %v = load <4 x float>, ptr %from, align 16
  %d = fadd <4 x float> %v, %v
  %to = getelementptr <4 x float>, ptr %b, i32 %t
  store <4 x float> %d, ptr %to, align 16
  ret void
}

declare float @llvm.sin.f32(float)
declare float @llvm.exp2.f32(float)
declare float @llvm.nvvm.rsqrt.approx.ftz.f(float)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @erff(float)
declare float @sinpif(float)
declare float @__nv_powf(float, float)
declare float @__nv_fast_logf(float)
declare double @llvm.pow.f64(double, double)
declare double @__nv_erfinv(double)
declare double @normcdf(double)

; MATH: 0.479426 1.41421 1.41421 0.75 0.5205 1 0.707107 -0.693147
; MATH: 0.707106781186548 0.47693627620447 0.691462461274013 0.5
define ptx_kernel void @math(ptr %f, ptr %d) {
  %x = load float, ptr %f
  %sin = call float @llvm.sin.f32(float %x)
  store float %sin, ptr %f
  %f1 = getelementptr float, ptr %f, i32 1
  %exp2 = call float @llvm.exp2.f32(float %x)
  store float %exp2, ptr %f1
  %f2 = getelementptr float, ptr %f, i32 2
  %rsqrt = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %x)
  store float %rsqrt, ptr %f2
  %f3 = getelementptr float, ptr %f, i32 3
  %fma = call float @llvm.nvvm.fma.rn.f(float %x, float %x, float %x)
  store float %fma, ptr %f3
  %f4 = getelementptr float, ptr %f, i32 4
  %erf = call float @erff(float %x)
  store float %erf, ptr %f4
  %f5 = getelementptr float, ptr %f, i32 5
  %sinpi = call float @sinpif(float %x)
  store float %sinpi, ptr %f5
  %f6 = getelementptr float, ptr %f, i32 6
  %pow = call float @__nv_powf(float %x, float %x)
  store float %pow, ptr %f6
  %f7 = getelementptr float, ptr %f, i32 7
  %log = call float @__nv_fast_logf(float %x)
  store float %log, ptr %f7
  %y = load double, ptr %d
  %powd = call double @llvm.pow.f64(double %y, double %y)
  store double %powd, ptr %d
  %d1 = getelementptr double, ptr %d, i32 1
  %inv = call double @__nv_erfinv(double %y)
  store double %inv, ptr %d1
  %d2 = getelementptr double, ptr %d, i32 2
  %ncdf = call double @normcdf(double %y)
  store double %ncdf, ptr %d2
  ret void
}

; Each thread has its own copy, which it may change.
; STRUCT: 4.5 4.5
%pair = type { i32, float }
define ptx_kernel void @struct(ptr byval(%pair) align 4 %s, ptr %out) {
  %t = call i32 @__gpuopt_thread_id_x()
  %n = load i32, ptr %s
  %more = add i32 %n, 1
  store i32 %more, ptr %s
  %fAt = getelementptr %pair, ptr %s, i32 0, i32 1
  %f = load float, ptr %fAt
  %nf = sitofp i32 %n to float
  %sum = fadd float %nf, %f
  %at = getelementptr float, ptr %out, i32 %t
  store float %sum, ptr %at
  ret void
}

declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
@staged = internal addrspace(3) global [2 x [4 x float]] poison, align 16

; ASYNC: 3 0 0 0 7
define ptx_kernel void @async(ptr %a, ptr %b) {
  %t = call i32 @__gpuopt_thread_id_x()
  %start = mul i32 %t, 4
  %from = getelementptr float, ptr %a, i32 %start
  %fromGlobal = addrspacecast ptr %from to ptr addrspace(1)
  %to = getelementptr [2 x [4 x float]], ptr addrspace(3) @staged, i32 0, i32 %t
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %to, ptr addrspace(1) %fromGlobal)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %lastAt = getelementptr float, ptr addrspace(3) %to, i32 3
  %last = load float, ptr addrspace(3) %lastAt
  %at = getelementptr float, ptr %b, i32 %start
  store float %last, ptr %at
  ret void
}

; All blocks meet: each item becomes its mirror image in the grid.
; GRID: 23 22
define ptx_kernel void @grid(ptr %a) {
  %t = call i32 @__gpuopt_thread_id_x()
  %b = call i32 @__gpuopt_block_id_x()
  %start = mul i32 %b, 8
  %id = add i32 %start, %t
  %mirror = sub i32 23, %id
  %from = getelementptr i32, ptr %a, i32 %mirror
  %value = load i32, ptr %from
  call void @__gpuopt_global_sync()
  %to = getelementptr i32, ptr %a, i32 %id
  store i32 %value, ptr %to
  ret void
}

; A pointer to one of several objects is looked up when it is used.
@constants = internal addrspace(4) constant [2 x i32] [i32 5, i32 6]
@pointers = internal addrspace(4) constant [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @constants to ptr), ptr null]
; PICK: 9 6
define ptx_kernel void @pick(ptr %a, ptr %b, i32 %second, ptr %out) {
  %isSecond = icmp ne i32 %second, 0
  %p = select i1 %isSecond, ptr %b, ptr %a
  %value = load i32, ptr %p
  store i32 %value, ptr %out
  %table = load ptr, ptr addrspace(4) @pointers
  %from = getelementptr i32, ptr %table, i32 1
  %six = load i32, ptr %from
  %o1 = getelementptr i32, ptr %out, i32 1
  store i32 %six, ptr %o1
  ret void
}

; A variable of the module.
@count = internal addrspace(1) global i32 100
; COUNTER: 132
define ptx_kernel void @counter(ptr %out) {
  %old = atomicrmw add ptr addrspace(1) @count, i32 1 monotonic
  %new = add i32 %old, 1
  %before = atomicrmw max ptr %out, i32 %new monotonic
  ret void
}

declare void @mystery()
; UNKNOWN: kernel 'unknown' calls 'mystery', which the CPU executor does not know
define ptx_kernel void @unknown() {
  call void @mystery()
  ret void
}

; RECURSIVE: kernel 'recursive' calls 'deep' recursively
define void @deep(i32 %n) {
  %more = icmp ne i32 %n, 0
  br i1 %more, label %again, label %end
again:
  %less = sub i32 %n, 1
  call void @deep(i32 %less)
  br label %end
end:
  ret void
}
define ptx_kernel void @recursive() {
  call void @deep(i32 3)
  ret void
}

; COUNT: kernel 'half' takes 2 arguments, not 0
; NOTHING: no kernel 'nothing' in the module

; Functions that write through pointers, C's functions on memory.
; RUN: not gpuopt-run-ll %s --kernel results --arg f32[4]=2.5 --arg i32[2]=zero --arg i64=17 --print 0 --print 1 | FileCheck %s --check-prefix=RESULTS
declare void @sincosf(float, ptr, ptr)
declare float @frexpf(float, ptr)
declare float @modff(float, ptr)
declare ptr @memset(ptr, i32, i64)
; RESULTS: 0.598472 -0.801144 0.625 2
; RESULTS: 2 0
; RESULTS: writes 17 bytes at byte 0 of #0, which has 16 bytes
define ptx_kernel void @results(ptr %0, ptr %1, i64 %bytes) {
  %x = load float, ptr %0
  %cosAt = getelementptr float, ptr %0, i32 1
  call void @sincosf(float %x, ptr %0, ptr %cosAt)
  %fraction = call float @frexpf(float %x, ptr %1)
  %fractionAt = getelementptr float, ptr %0, i32 2
  store float %fraction, ptr %fractionAt
  %wholeAt = getelementptr float, ptr %0, i32 3
  %rest = call float @modff(float %x, ptr %wholeAt)
  %same = call ptr @memset(ptr %0, i32 0, i64 %bytes)
  ret void
}

; Products and sums are fused where the source says so, and only there: a square less the
; rounded square leaves what was rounded away. Zeros have an order.
; STRICT: 0 0 1.42109e-14
; STRICT: 0 0 -0 inf 10 10
define ptx_kernel void @strict(ptr %out, ptr %zeros, i32 %ten) {
  %x = load float, ptr addrspace(1) @strictNumber
  %square = fmul float %x, %x
  %minus = fneg float %square
  %product = fmul contract float %x, %x
  %sum = fadd contract float %product, %minus
  store float %sum, ptr %out
  %either = call contract float @llvm.fmuladd.f32(float %x, float %x, float %minus)
  %second = getelementptr float, ptr %out, i32 1
  store float %either, ptr %second
  %fused = call float @llvm.fma.f32(float %x, float %x, float %minus)
  %third = getelementptr float, ptr %out, i32 2
  store float %fused, ptr %third
  %zero = fsub float %x, %x
  %negative = fneg float %zero
  %a = call float @llvm.maxnum.f32(float %negative, float %zero)
  store float %a, ptr %zeros
  %b = call nsz float @llvm.maxnum.f32(float %zero, float %negative)
  %bAt = getelementptr float, ptr %zeros, i32 1
  store float %b, ptr %bAt
  %c = call float @llvm.minnum.f32(float %zero, float %negative)
  %cAt = getelementptr float, ptr %zeros, i32 2
  store float %c, ptr %cAt
  %inf = fdiv ninf float %x, %zero
  %dAt = getelementptr float, ptr %zeros, i32 3
  store float %inf, ptr %dAt
  %nan = fmul float %inf, %zero
  %number = uitofp i32 %ten to float
  %e = call float @llvm.minnum.f32(float %nan, float %number)
  %eAt = getelementptr float, ptr %zeros, i32 4
  store float %e, ptr %eAt
  %f = call float @llvm.maxnum.f32(float %number, float %nan)
  %fAt = getelementptr float, ptr %zeros, i32 5
  store float %f, ptr %fAt
  ret void
}
@strictNumber = addrspace(1) global float 0x3FF0000020000000
declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
