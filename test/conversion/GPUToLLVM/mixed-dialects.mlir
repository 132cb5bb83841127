// One kernel that uses an operation or two of everything that a raised kernel may
// hold goes through both back ends.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: gpuopt-translate --mlir-to-resources --target=gfx942 %s | FileCheck %s --check-prefix=RESOURCES

// CHECK: define {{ptx|amdgpu}}_kernel void @mixed(
// PTX: .visible .entry mixed(
// RESOURCES: mixed: {{[0-9]+}} registers

gpu.module @kernels {
  gpu.func @mixed(%a: memref<?xf32>, %b: memref<?xi32>, %d: memref<?xf64>, %n: i32, %p: !llvm.ptr, %h: memref<?xf16>, %bf: memref<?xbf16>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %i = gpu.global_id x
    %lane = gpu.lane_id
    %gd = gpu.grid_dim x
    %bd = gpu.block_dim x
    %sg = gpu.subgroup_id : index
    %ss = gpu.subgroup_size : index
    %ni = arith.index_cast %n : i32 to index
    %v = vector.load %a[%i] : memref<?xf32>, vector<4xf32>
    %w = arith.mulf %v, %v : vector<4xf32>
    %r = vector.reduction <add>, %w : vector<4xf32> into f32
    %q = arith.addi %i, %gd : index
    %t0 = arith.addi %q, %bd : index
    %t1 = arith.addi %t0, %lane : index
    %t2 = arith.addi %t1, %sg : index
    %t3 = arith.addi %t2, %ss : index
    vector.store %w, %a[%t3] : memref<?xf32>, vector<4xf32>
    %res = scf.while (%x = %n) : (i32) -> i32 {
      %c = arith.cmpi sgt, %x, %n : i32
      scf.condition(%c) %x : i32
    } do {
    ^bb0(%y: i32):
      %two = arith.constant 2 : i32
      %z = arith.divsi %y, %two : i32
      scf.yield %z : i32
    }
    %ip = arith.index_cast %res : i32 to index
    %poison = ub.poison : f32
    %true = arith.constant true
    %sel = scf.if %true -> f32 { scf.yield %r : f32 } else { scf.yield %poison : f32 }
    %width = arith.constant 32 : i32
    %off = arith.constant 1 : i32
    %sh, %valid = gpu.shuffle xor %sel, %off, %width : f32
    memref.store %sh, %a[%ip] : memref<?xf32>
    %m = affine.max affine_map<(d0)[s0] -> (d0 floordiv 3, s0 mod 5)>(%i)[%ni]
    affine.for %k = 0 to %ni step 2 {
      affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%k)[%m] {
        %e = affine.load %d[%k + symbol(%m) * 3] : memref<?xf64>
        %f = math.fma %e, %e, %e : f64
        affine.store %f, %d[%k] : memref<?xf64>
      }
    }
    %idx = index.constant 3
    %idx2 = index.mul %idx, %i
    %g = memref.load %h[%idx2] : memref<?xf16>
    %g2 = arith.addf %g, %g : f16
    memref.store %g2, %h[%idx2] : memref<?xf16>
    %g3 = memref.load %bf[%idx2] : memref<?xbf16>
    %g4 = arith.mulf %g3, %g3 : bf16
    memref.store %g4, %bf[%idx2] : memref<?xbf16>
    %loc = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
    scf.for %l = %c0 to %c4 step %c1 {
      memref.store %r, %loc[%l] : memref<8xf32, #gpu.address_space<private>>
    }
    %lv = memref.load %loc[%lane] : memref<8xf32, #gpu.address_space<private>>
    %plain = memref.alloca() : memref<8xf32>
    memref.store %lv, %plain[%lane] : memref<8xf32>
    %lv2 = memref.load %plain[%c0] : memref<8xf32>
    llvm.store %lv2, %p : f32, !llvm.ptr
    %cast = memref.cast %plain : memref<8xf32> to memref<?xf32>
    %red = gpu.all_reduce add %lv uniform {} : (f32) -> f32
    memref.store %red, %a[%c0] : memref<?xf32>
    %sub = memref.subview %a[%i] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.store %red, %sub[%c1] : memref<4xf32, strided<[1], offset: ?>>
    gpu.return
  }
}
