; What LLVM leaves open has the result of the target's instruction: numbers that an integer cannot hold, and shifts by too much.
; RUN: sed 's/TRIPLE/nvptx64-nvidia-cuda/; s/CALLING/ptx_kernel/' %s > %t.nvidia.ll
; RUN: sed 's/TRIPLE/amdgcn-amd-amdhsa/; s/CALLING/amdgpu_kernel/' %s > %t.amd.ll
; RUN: gpuopt-run-ll %t.nvidia.ll --kernel shifts --arg i64[10]=zero --arg i32=33 --arg i64=4294967297 --print 0:0:10 | FileCheck %s --check-prefix=NVIDIA-SHIFTS
; RUN: gpuopt-run-ll %t.amd.ll --kernel shifts --arg i64[10]=zero --arg i32=33 --arg i64=4294967297 --print 0:0:10 | FileCheck %s --check-prefix=AMD-SHIFTS
; RUN: gpuopt-run-ll %t.nvidia.ll --kernel shifts --arg i64[10]=zero --arg i32=3 --arg i64=3 --print 0:0:10 | FileCheck %s --check-prefix=SMALL
; RUN: gpuopt-run-ll %t.amd.ll --kernel shifts --arg i64[10]=zero --arg i32=3 --arg i64=3 --print 0:0:10 | FileCheck %s --check-prefix=SMALL
; RUN: gpuopt-run-ll %t.nvidia.ll --kernel conversions --arg i64[8]=zero --arg f32=0 --print 0:0:8 | FileCheck %s --check-prefix=NVIDIA-NONE
; RUN: gpuopt-run-ll %t.amd.ll --kernel conversions --arg i64[8]=zero --arg f32=0 --print 0:0:8 | FileCheck %s --check-prefix=AMD-NONE
; RUN: gpuopt-run-ll %t.nvidia.ll --kernel large --arg i64[8]=zero --arg f32=300 --print 0:0:8 | FileCheck %s --check-prefix=NVIDIA-LARGE

target triple = "TRIPLE"

; Of 32 bits, then of 64: left, right, right with the sign; then two of 8 bits.
; NVIDIA takes 32 bits of an amount, and what is too much for all; AMD takes as many as count.
; NVIDIA-SHIFTS: 0 0 -1 -200 9223372036854775758 -50 0 -1
; AMD-SHIFTS: -200 2147483598 -50 -200 9223372036854775758 -50 -8 -2
; SMALL: -800 536870899 -13 -800 2305843009213693939 -13 -32 -1
define CALLING void @shifts(ptr %o, i32 %n, i64 %w) {
  %a = shl i32 -100, %n
  %b = lshr i32 -100, %n
  %c = ashr i32 -100, %n
  %d = shl i64 -100, %w
  %e = lshr i64 -100, %w
  %f = ashr i64 -100, %w
  %bytes = trunc i32 %n to i8
  %g = shl i8 -4, %bytes
  %h = ashr i8 -4, %bytes
  %aw = sext i32 %a to i64
  %bw = zext i32 %b to i64
  %cw = sext i32 %c to i64
  %gw = sext i8 %g to i64
  %hw = sext i8 %h to i64
  store i64 %aw, ptr %o
  %o1 = getelementptr i64, ptr %o, i64 1
  store i64 %bw, ptr %o1
  %o2 = getelementptr i64, ptr %o, i64 2
  store i64 %cw, ptr %o2
  %o3 = getelementptr i64, ptr %o, i64 3
  store i64 %d, ptr %o3
  %o4 = getelementptr i64, ptr %o, i64 4
  store i64 %e, ptr %o4
  %o5 = getelementptr i64, ptr %o, i64 5
  store i64 %f, ptr %o5
  %o6 = getelementptr i64, ptr %o, i64 6
  store i64 %gw, ptr %o6
  %o7 = getelementptr i64, ptr %o, i64 7
  store i64 %hw, ptr %o7
  ret void
}

; 0 / 0 to 32 bits, to 64 with and without a sign, and from double to 32.
; NVIDIA-NONE: 0 -9223372036854775808 -9223372036854775808 -2147483648
; AMD-NONE: 0 0 0 0
define CALLING void @conversions(ptr %o, float %x) {
  %none = fdiv float %x, %x
  %wide = fpext float %none to double
  %a = fptosi float %none to i32
  %b = fptosi float %none to i64
  %c = fptoui float %none to i64
  %d = fptosi double %wide to i32
  %aw = sext i32 %a to i64
  %dw = sext i32 %d to i64
  store i64 %aw, ptr %o
  %o1 = getelementptr i64, ptr %o, i64 1
  store i64 %b, ptr %o1
  %o2 = getelementptr i64, ptr %o, i64 2
  store i64 %c, ptr %o2
  %o3 = getelementptr i64, ptr %o, i64 3
  store i64 %dw, ptr %o3
  ret void
}

; 300, 300000 and -300000 to 8 bits, where there are 16 at first, and a product to 32 and 64.
; NVIDIA-LARGE: 44 -1 0 2147483647 9223372036854775807 0
define CALLING void @large(ptr %o, float %x) {
  %more = fmul float %x, 1000.0
  %less = fneg float %more
  %most = fmul float %more, 0x42D0000000000000
  %a = fptoui float %x to i8
  %b = fptosi float %more to i8
  %c = fptosi float %less to i8
  %d = fptosi float %most to i32
  %e = fptosi float %most to i64
  %minus = fneg float %most
  %f = fptoui float %minus to i64
  %aw = zext i8 %a to i64
  %bw = sext i8 %b to i64
  %cw = sext i8 %c to i64
  %dw = sext i32 %d to i64
  store i64 %aw, ptr %o
  %o1 = getelementptr i64, ptr %o, i64 1
  store i64 %bw, ptr %o1
  %o2 = getelementptr i64, ptr %o, i64 2
  store i64 %cw, ptr %o2
  %o3 = getelementptr i64, ptr %o, i64 3
  store i64 %dw, ptr %o3
  %o4 = getelementptr i64, ptr %o, i64 4
  store i64 %e, ptr %o4
  %o5 = getelementptr i64, ptr %o, i64 5
  store i64 %f, ptr %o5
  ret void
}
