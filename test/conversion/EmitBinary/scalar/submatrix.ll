; A 3 x 3 submatrix at a[b][c], unrolled: the running example of gpucc's
; straight-line scalar optimisations.
;
; RUN: gpuopt-translate --llvmir-to-assembly --target=sm_90 %s | FileCheck %s

; Straight-line strength reduction: one multiplication for three rows.
; N-ary (global) reassociation: the rows' addresses follow from one another.
; Reassociation of pointer arithmetic: columns are immediate offsets.
; CHECK-LABEL: .visible .entry submatrix(
; CHECK:       mul.{{(lo|wide)}}
; CHECK-NOT:   mul.
; CHECK-NOT:   mad.
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW0:rd[0-9]+]]];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW0]]+4];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW0]]+8];
; CHECK:       add.s64 %[[ROW1:rd[0-9]+]], %[[ROW0]], %[[STRIDE:rd[0-9]+]];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW1]]];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW1]]+4];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW1]]+8];
; CHECK:       add.s64 %[[ROW2:rd[0-9]+]], %[[ROW1]], %[[STRIDE]];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW2]]];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW2]]+4];
; CHECK:       ld.volatile.global.b32 %{{.*}}, [%[[ROW2]]+8];
define ptx_kernel void @submatrix(ptr %a, ptr %out, i64 %b, i64 %c, i64 %n) {
  %r00 = add nsw i64 %b, 0
  %m00 = mul nsw i64 %r00, %n
  %c00 = add nsw i64 %c, 0
  %i00 = add nsw i64 %c00, %m00
  %p00 = getelementptr inbounds float, ptr %a, i64 %i00
  %v00 = load volatile float, ptr %p00
  %s1 = fadd float 0.0, %v00
  %r01 = add nsw i64 %b, 0
  %m01 = mul nsw i64 %r01, %n
  %c01 = add nsw i64 %c, 1
  %i01 = add nsw i64 %c01, %m01
  %p01 = getelementptr inbounds float, ptr %a, i64 %i01
  %v01 = load volatile float, ptr %p01
  %s2 = fadd float %s1, %v01
  %r02 = add nsw i64 %b, 0
  %m02 = mul nsw i64 %r02, %n
  %c02 = add nsw i64 %c, 2
  %i02 = add nsw i64 %c02, %m02
  %p02 = getelementptr inbounds float, ptr %a, i64 %i02
  %v02 = load volatile float, ptr %p02
  %s3 = fadd float %s2, %v02
  %r10 = add nsw i64 %b, 1
  %m10 = mul nsw i64 %r10, %n
  %c10 = add nsw i64 %c, 0
  %i10 = add nsw i64 %c10, %m10
  %p10 = getelementptr inbounds float, ptr %a, i64 %i10
  %v10 = load volatile float, ptr %p10
  %s4 = fadd float %s3, %v10
  %r11 = add nsw i64 %b, 1
  %m11 = mul nsw i64 %r11, %n
  %c11 = add nsw i64 %c, 1
  %i11 = add nsw i64 %c11, %m11
  %p11 = getelementptr inbounds float, ptr %a, i64 %i11
  %v11 = load volatile float, ptr %p11
  %s5 = fadd float %s4, %v11
  %r12 = add nsw i64 %b, 1
  %m12 = mul nsw i64 %r12, %n
  %c12 = add nsw i64 %c, 2
  %i12 = add nsw i64 %c12, %m12
  %p12 = getelementptr inbounds float, ptr %a, i64 %i12
  %v12 = load volatile float, ptr %p12
  %s6 = fadd float %s5, %v12
  %r20 = add nsw i64 %b, 2
  %m20 = mul nsw i64 %r20, %n
  %c20 = add nsw i64 %c, 0
  %i20 = add nsw i64 %c20, %m20
  %p20 = getelementptr inbounds float, ptr %a, i64 %i20
  %v20 = load volatile float, ptr %p20
  %s7 = fadd float %s6, %v20
  %r21 = add nsw i64 %b, 2
  %m21 = mul nsw i64 %r21, %n
  %c21 = add nsw i64 %c, 1
  %i21 = add nsw i64 %c21, %m21
  %p21 = getelementptr inbounds float, ptr %a, i64 %i21
  %v21 = load volatile float, ptr %p21
  %s8 = fadd float %s7, %v21
  %r22 = add nsw i64 %b, 2
  %m22 = mul nsw i64 %r22, %n
  %c22 = add nsw i64 %c, 2
  %i22 = add nsw i64 %c22, %m22
  %p22 = getelementptr inbounds float, ptr %a, i64 %i22
  %v22 = load volatile float, ptr %p22
  %s9 = fadd float %s8, %v22
  store float %s9, ptr %out
  ret void
}
