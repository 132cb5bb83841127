; Speculative execution: the addresses in both arms are computed ahead of the
; branches, where the second follows from the first by one addition.
;
; RUN: gpuopt-translate --llvmir-to-assembly --target=sm_90 %s | FileCheck %s

; CHECK-LABEL: .visible .entry arms(
; CHECK:       shl.b64 %[[I:rd[0-9]+]], %{{.*}}, 2;
; CHECK:       add.s64 %[[P:rd[0-9]+]], %{{.*}}, %[[I]];
; CHECK:       bra
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[P]]];
; CHECK-NOT:   shl.b64 {{.*}}%[[I]]
; CHECK:       ld.volatile.global.b32
define ptx_kernel void @arms(ptr %a, i64 %i, i64 %j, i32 %b, i32 %c) {
entry:
  %isB = icmp ne i32 %b, 0
  br i1 %isB, label %first, label %middle

first:
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %u = load volatile float, ptr %p
  br label %middle

middle:
  %isC = icmp ne i32 %c, 0
  br i1 %isC, label %second, label %exit

second:
  %k = add nsw i64 %i, %j
  %q = getelementptr inbounds float, ptr %a, i64 %k
  %v = load volatile float, ptr %q
  br label %exit

exit:
  ret void
}
