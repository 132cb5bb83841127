; Alias analysis of memory spaces: a store to workgroup memory cannot change
; global memory, so the second load of it goes away.
;
; RUN: gpuopt-translate --llvmir-to-optimized-llvmir --target=sm_90 %s | FileCheck %s
; RUN: sed -e 's/ptx_kernel/amdgpu_kernel/' %s | gpuopt-translate --llvmir-to-optimized-llvmir --target=gfx942 | FileCheck %s

; CHECK-LABEL: @twice(
; CHECK:       %[[X:.*]] = load float, ptr addrspace(1) %a
; CHECK:       store float %x, ptr addrspace(3) %w
; CHECK-NOT:   load
; CHECK:       fadd float %x, %x
define ptx_kernel void @twice(ptr addrspace(1) %a, ptr addrspace(3) %w) {
  %x = load float, ptr addrspace(1) %a
  store float %x, ptr addrspace(3) %w
  %y = load float, ptr addrspace(1) %a
  %z = fadd float %x, %y
  store float %z, ptr addrspace(1) %a
  ret void
}
