; Inference of memory spaces: a generic pointer that walks a workgroup array is
; found to be one, through the phi of the loop, and kernel arguments are global.
;
; RUN: gpuopt-translate --llvmir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
; RUN: sed -e 's/ptx_kernel/amdgpu_kernel/' %s | gpuopt-translate --llvmir-to-assembly --target=gfx942 | FileCheck %s --check-prefix=GCN

; PTX-LABEL: .visible .entry sum(
; PTX-NOT:   ld.b32
; PTX:       ld.shared.b32
; PTX-NOT:   ld.b32
; PTX:       st.global.b32

; GCN-LABEL: sum:
; GCN-NOT:   flat_
; GCN:       ds_read
; GCN-NOT:   flat_
; GCN:       global_store_dword
@array = external addrspace(3) global [64 x float], align 16

define ptx_kernel void @sum(ptr %out, i32 %n) {
entry:
  %first = addrspacecast ptr addrspace(3) @array to ptr
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr [ %first, %entry ], [ %q, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %x = load float, ptr %p
  %t = fadd float %s, %x
  %q = getelementptr inbounds float, ptr %p, i64 1
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  store float %t, ptr %out
  ret void
}
