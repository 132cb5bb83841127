; Bypassing 64-bit division: where both operands fit 32 bits, which is tested
; when the kernel runs, a 32-bit division does.
;
; RUN: gpuopt-translate --llvmir-to-assembly --target=sm_90 %s | FileCheck %s

; CHECK-LABEL: .visible .entry divide(
; CHECK:       or.b64 %[[BOTH:rd[0-9]+]],
; CHECK:       and.b64 %[[HIGH:rd[0-9]+]], %[[BOTH]], -4294967296;
; CHECK:       setp.{{(eq|ne)}}.b64 %{{.*}}, %[[HIGH]], 0;
; CHECK-DAG:   div.u32
; CHECK-DAG:   div.s64
define ptx_kernel void @divide(ptr %out, i64 %a, i64 %b) {
  %q = sdiv i64 %a, %b
  store i64 %q, ptr %out
  ret void
}
