// A loop that is marked to stay one stays one: LLVM unrolls others.
//
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-lower-rolled-loops))' --mlir-print-local-scope | FileCheck %s
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s --check-prefix=LLVM

gpu.module @kernels {
  // What the loop carries and its bounds are lowered as in any other loop.
  // CHECK-LABEL: gpu.func @rolled(
  // CHECK-SAME:    %[[A:.*]]: memref<?xf32>, %[[N:.*]]: index)
  // CHECK-NOT:   affine.
  // CHECK:       %[[END:.*]] = arith.minsi
  // CHECK:       %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
  // CHECK:         %[[V:.*]] = memref.load %[[A]][%[[I]]]
  // CHECK-NEXT:    %[[T:.*]] = arith.addf %[[S]], %[[V]]
  // CHECK-NEXT:    scf.yield %[[T]]
  // CHECK-NEXT:  } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  // CHECK:       memref.store %[[SUM]]
  // CHECK:       gpu.return

  // LLVM-LABEL: define ptx_kernel void @rolled(
  // LLVM: br label %{{.*}}, !llvm.loop ![[$LOOP:[0-9]+]]
  gpu.func @rolled(%a: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %sum = affine.for %i = 0 to min affine_map<()[n] -> (8, n)>()[%n] iter_args(%s = %zero) -> (f32) {
      %v = affine.load %a[%i] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      affine.yield %t : f32
    } {gpuopt.rolled}
    affine.store %sum, %a[0] : memref<?xf32>
    gpu.return
  }

  // Loops around and in a marked one are not, and neither are others.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-NOT:   affine.
  // CHECK:       scf.for
  // CHECK:         scf.for
  // CHECK:           scf.for
  // CHECK:             vector.load
  // CHECK:           }
  // CHECK-NEXT:    } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
  // CHECK-NEXT:  }
  // CHECK-NEXT:  gpu.return

  // LLVM-LABEL: define ptx_kernel void @others(
  // LLVM-COUNT-1: !llvm.loop
  // LLVM-NOT: !llvm.loop
  // LLVM: ![[$LOOP]] = distinct !{![[$LOOP]], ![[DISABLE:[0-9]+]]}
  // LLVM: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
  gpu.func @others(%a: memref<?xf32>, %n: index) kernel {
    affine.for %i = 0 to %n {
      affine.for %j = 0 to 2 {
        affine.for %k = 0 to %n {
          %v = affine.vector_load %a[%i * 4 + %j + %k] : memref<?xf32>, vector<4xf32>
          affine.vector_store %v, %a[%k] : memref<?xf32>, vector<4xf32>
        }
      } {gpuopt.rolled}
    }
    gpu.return
  }

  // Affine maps promise nothing: an address may be meant modulo 2^64. What
  // arithmetic promised before stays.
  // CHECK-LABEL: gpu.func @modulo(
  // CHECK:       arith.muli %{{.*}}, %{{.*}} overflow<nsw> : index
  // CHECK:       arith.muli %{{.*}}, %{{.*}} : index
  // CHECK-NOT:   nsw
  gpu.func @modulo(%a: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = arith.muli %n, %x overflow<nsw> : index
    affine.store %zero, %a[symbol(%y) + symbol(%x) * 4] : memref<?xf32>
    gpu.return
  }
}
