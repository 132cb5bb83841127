; Accesses that leave their object are reported with their place and do no harm.
; RUN: not gpuopt-run-ll %s --kernel shift --grid 2 --block 32 --arg f32[64]=iota --print 0:60:4 | FileCheck %s --check-prefix=SHIFT
; RUN: not gpuopt-run-ll %s --kernel null --arg i64=0 | FileCheck %s --check-prefix=NULL
; RUN: not gpuopt-run-ll %s --kernel tile --block 33 --arg f32[33]=zero | FileCheck %s --check-prefix=TILE
; RUN: not gpuopt-run-ll %s --kernel dynamic --block 9 --shared 32 | FileCheck %s --check-prefix=DYNAMIC
; RUN: not gpuopt-run-ll %s --kernel local --block 8 --arg i32=4 --arg i32[8]=zero | FileCheck %s --check-prefix=LOCAL
; RUN: not gpuopt-run-ll %s --kernel table --block 5 --arg i32[8]=zero --print 0 | FileCheck %s --check-prefix=TABLE
; RUN: not gpuopt-run-ll %s --kernel misaligned --arg f32[8]=zero | FileCheck %s --check-prefix=ALIGN
; RUN: not gpuopt-run-ll %s --kernel copy --arg i8[16]=1 --arg i64=17 --print 0 | FileCheck %s --check-prefix=COPY

target triple = "nvptx64-nvidia-cuda"

declare i32 @__gpuopt_thread_id_x()
declare i32 @__gpuopt_block_id_x()

@tiles = internal addrspace(3) global [32 x float] poison, align 4
@extra = external addrspace(3) global [0 x float], align 4
@table_of_four = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; SHIFT: 61 62 63 0
; SHIFT: fault: out of bounds: shift.cu:7:9: thread (31,0,0) of block (1,0,0) reads 4 bytes at #0[64], which has 64 elements
define ptx_kernel void @shift(ptr %0) !dbg !4 {
  %thread = call i32 @__gpuopt_thread_id_x()
  %block = call i32 @__gpuopt_block_id_x()
  %start = mul i32 %block, 32
  %id = add i32 %start, %thread
  %next = add i32 %id, 1
  %from = getelementptr float, ptr %0, i32 %next
  %value = load float, ptr %from, align 4, !dbg !7
  %to = getelementptr float, ptr %0, i32 %id
  store float %value, ptr %to, align 4
  ret void
}

; NULL: fault: out of bounds: thread (0,0,0) of block (0,0,0) writes 4 bytes at
define ptx_kernel void @null(ptr %p) {
  store i32 1, ptr %p, align 4
  ret void
}

; TILE: fault: out of bounds: thread (32,0,0) of block (0,0,0) writes 4 bytes at tiles[32], which has 32 elements
define ptx_kernel void @tile(ptr %a) {
  %thread = call i32 @__gpuopt_thread_id_x()
  %to = getelementptr float, ptr addrspace(3) @tiles, i32 %thread
  store float 1.0, ptr addrspace(3) %to, align 4
  ret void
}

; DYNAMIC: fault: out of bounds: thread (8,0,0) of block (0,0,0) writes 4 bytes at extra[8], which has 8 elements
define ptx_kernel void @dynamic() {
  %thread = call i32 @__gpuopt_thread_id_x()
  %to = getelementptr float, ptr addrspace(3) @extra, i32 %thread
  store float 1.0, ptr addrspace(3) %to, align 4
  ret void
}

; LOCAL: fault: out of bounds: thread (0,0,0) of block (0,0,0) writes 4 bytes at array[4], which has 4 elements (and 7 more times at this place)
define ptx_kernel void @local(i32 %index, ptr %out) {
  %array = alloca [4 x i32], align 4
  %to = getelementptr i32, ptr %array, i32 %index
  store i32 1, ptr %to, align 4
  %value = load i32, ptr %array
  ret void
}

; TABLE: 1 2 3 4 0 0 0 0
; TABLE: fault: out of bounds: thread (4,0,0) of block (0,0,0) reads 4 bytes at table_of_four[4], which has 4 elements
define ptx_kernel void @table(ptr %out) {
  %thread = call i32 @__gpuopt_thread_id_x()
  %from = getelementptr i32, ptr addrspace(4) @table_of_four, i32 %thread
  %value = load i32, ptr addrspace(4) %from, align 4
  %to = getelementptr i32, ptr %out, i32 %thread
  store i32 %value, ptr %to, align 4
  ret void
}

; ALIGN: reads 16 bytes at byte 4 of a, which is not a multiple of 16
define ptx_kernel void @misaligned(ptr %a) {
  %from = getelementptr float, ptr %a, i32 1
  %value = load <4 x float>, ptr %from, align 16
  store <4 x float> %value, ptr %a, align 16
  ret void
}

; COPY: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
; COPY: writes 17 bytes at byte 0 of a, which has 16 bytes
define ptx_kernel void @copy(ptr %a, i64 %bytes) {
  call void @llvm.memset.p0.i64(ptr %a, i8 7, i64 %bytes, i1 false)
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "shift.cu", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "shift", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 7, column: 9, scope: !4)
