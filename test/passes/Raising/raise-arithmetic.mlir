// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-raise-functions))' | FileCheck %s

// Arithmetic of the LLVM dialect means the same in `arith`, with the flags that
// say what cannot happen: later passes compute indices by them.

gpu.module @kernels {
  // A division that leaves no rest says so, a shift that drops no bit as well.
  // CHECK-LABEL: gpu.func @integers(
  // CHECK:         arith.subi %{{.*}}, %{{.*}} overflow<nuw> : i32
  // CHECK:         arith.muli %{{.*}}, %{{.*}} overflow<nsw, nuw> : i32
  // CHECK:         arith.shli %{{.*}}, %{{.*}} overflow<nsw> : i32
  // CHECK:         arith.divsi %{{.*}}, %{{.*}} : i32
  // CHECK:         arith.divui %{{.*}}, %{{.*}} : i32
  // CHECK:         arith.remsi
  // CHECK:         arith.remui
  // CHECK:         arith.shrsi %{{.*}}, %{{.*}} exact : i32
  // CHECK:         arith.andi
  // CHECK:         arith.xori
  // CHECK:         arith.trunci %{{.*}} : i32 to i8
  llvm.func @integers(%a: !llvm.ptr, %i: i32, %j: i32) attributes {gpu.kernel} {
    %0 = llvm.sub %i, %j overflow<nuw> : i32
    %1 = llvm.mul %0, %j overflow<nsw, nuw> : i32
    %2 = llvm.shl %1, %j overflow<nsw> : i32
    %3 = llvm.sdiv %2, %j : i32
    %4 = llvm.udiv %3, %j : i32
    %5 = llvm.srem %4, %j : i32
    %6 = llvm.urem %5, %j : i32
    %7 = llvm.ashr exact %6, %j : i32
    %8 = llvm.and %7, %j : i32
    %9 = llvm.xor %8, %i : i32
    %10 = llvm.trunc %9 : i32 to i8
    llvm.store %10, %a : i8, !llvm.ptr
    llvm.return
  }

  // `or` of truth values is no sum, though they share no bit.
  // CHECK-LABEL: gpu.func @truth(
  // CHECK:         arith.ori %{{.*}}, %{{.*}} : i1
  llvm.func @truth(%a: !llvm.ptr, %p: i1, %q: i1) attributes {gpu.kernel} {
    %0 = llvm.or disjoint %p, %q : i1
    llvm.store %0, %a : i1, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: gpu.func @reals(
  // CHECK:         arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : f32
  // CHECK:         arith.subf %{{.*}}, %{{.*}} : f32
  // CHECK:         arith.divf %{{.*}}, %{{.*}} fastmath<arcp> : f32
  // CHECK:         arith.remf
  // CHECK:         arith.negf %{{.*}} fastmath<nsz> : f32
  // CHECK:         arith.extf %{{.*}} : f32 to f64
  // CHECK:         arith.truncf %{{.*}} : f64 to f16
  // CHECK:         arith.fptosi %{{.*}} : f32 to i32
  // CHECK:         arith.fptoui %{{.*}} : f32 to i32
  // CHECK:         arith.sitofp
  // CHECK:         arith.uitofp
  llvm.func @reals(%a: !llvm.ptr, %x: f32, %y: f32) attributes {gpu.kernel} {
    %0 = llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<reassoc>} : f32
    %1 = llvm.fsub %0, %y : f32
    %2 = llvm.fdiv %1, %y {fastmathFlags = #llvm.fastmath<arcp>} : f32
    %3 = llvm.frem %2, %y : f32
    %4 = llvm.fneg %3 {fastmathFlags = #llvm.fastmath<nsz>} : f32
    %5 = llvm.fpext %4 : f32 to f64
    %6 = llvm.fptrunc %5 : f64 to f16
    llvm.store %6, %a : f16, !llvm.ptr
    %7 = llvm.fptosi %4 : f32 to i32
    %8 = llvm.fptoui %4 : f32 to i32
    %9 = llvm.sitofp %7 : i32 to f32
    %10 = llvm.uitofp %8 : i32 to f32
    %11 = llvm.fadd %9, %10 : f32
    llvm.store %11, %a : f32, !llvm.ptr
    llvm.return
  }

  // Every comparison keeps what it says of NaN.
  // CHECK-LABEL: gpu.func @comparisons(
  // CHECK:         arith.cmpf ult, %{{.*}}, %{{.*}} : f32
  // CHECK:         arith.cmpf one, %{{.*}}, %{{.*}} fastmath<nnan> : f32
  // CHECK:         arith.cmpi sge
  llvm.func @comparisons(%a: !llvm.ptr, %x: f32, %y: f32, %i: i32) attributes {gpu.kernel} {
    %0 = llvm.fcmp "ult" %x, %y : f32
    %1 = llvm.fcmp "one" %x, %y {fastmathFlags = #llvm.fastmath<nnan>} : f32
    %2 = llvm.icmp "sge" %i, %i : i32
    %3 = llvm.select %0, %1, %2 : i1, i1
    llvm.store %3, %a : i1, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: gpu.func @constants(
  // CHECK-DAG:     arith.constant 7 : i32
  // CHECK-DAG:     arith.constant dense<[1.000000e+00, 2.000000e+00]> : vector<2xf32>
  // CHECK-DAG:     arith.constant 0.000000e+00 : f32
  // CHECK-DAG:     ub.poison : f32
  // CHECK-DAG:     arith.bitcast %{{.*}} : i32 to f32
  // Bits of another number of elements are no operation of `arith`.
  // CHECK:         llvm.bitcast %{{.*}} : vector<2xf32> to i64
  llvm.func @constants(%a: !llvm.ptr, %is: i1) attributes {gpu.kernel} {
    %0 = llvm.mlir.constant(7 : i32) : i32
    %1 = llvm.bitcast %0 : i32 to f32
    %2 = llvm.mlir.zero : f32
    %3 = llvm.mlir.poison : f32
    %4 = llvm.select %is, %1, %2 : i1, f32
    %5 = llvm.select %is, %4, %3 : i1, f32
    llvm.store %5, %a : f32, !llvm.ptr
    %6 = llvm.mlir.constant(dense<[1.0, 2.0]> : vector<2xf32>) : vector<2xf32>
    %7 = llvm.bitcast %6 : vector<2xf32> to i64
    llvm.store %7, %a : i64, !llvm.ptr
    llvm.return
  }

  // Pointers and structures have no arithmetic: what chooses or compares them stays.
  // CHECK-LABEL: gpu.func @pointers(
  // CHECK:         llvm.select
  // CHECK:         llvm.icmp "eq"
  llvm.func @pointers(%a: !llvm.ptr, %b: !llvm.ptr, %is: i1) attributes {gpu.kernel} {
    %0 = llvm.select %is, %a, %b : i1, !llvm.ptr
    %1 = llvm.icmp "eq" %0, %a : !llvm.ptr
    llvm.store %1, %a : i1, !llvm.ptr
    llvm.return
  }

  // Branches become those of `cf`, with what is asked of a loop.
  // CHECK-LABEL: gpu.func @branches(
  // CHECK:         cf.switch %{{.*}} : i32, [
  // CHECK:           default: ^[[DEFAULT:.*]],
  // CHECK:           5: ^[[FIVE:.*]](%{{.*}} : i32)
  // CHECK:         cf.cond_br %{{.*}}, ^{{.*}}, ^{{.*}}
  // CHECK:         cf.br ^{{.*}} {loop_annotation = #{{.*}}}
  llvm.func @branches(%a: !llvm.ptr, %n: i32, %is: i1) attributes {gpu.kernel} {
    llvm.switch %n : i32, ^default [5: ^five(%n : i32)]
  ^five(%m: i32):
    llvm.store %m, %a : i32, !llvm.ptr
    llvm.br ^default
  ^default:
    llvm.cond_br %is, ^again, ^end
  ^again:
    llvm.br ^default {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  ^end:
    llvm.return
  }
}
