// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-promote-memory)))' \
// RUN:   --remarks-filter-missed=gpuopt --remark-format=emitRemark -verify-diagnostics -o - | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @overlap
  // CHECK:       scf.for
  // CHECK:         memref.store
  gpu.func @overlap(%a: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %a[%i] : memref<?xf32>
      // expected-remark @below {{another array in the loop may overlap; declare the pointers __restrict__}}
      %s = memref.load %c[%id] : memref<?xf32>
      %t = arith.addf %s, %x : f32
      memref.store %t, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @synchronised
  // CHECK:       scf.for
  // CHECK:         memref.store
  gpu.func @synchronised(%c: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      // expected-remark @below {{the loop synchronises, calls a function or accesses memory through pointers}}
      %s = memref.load %c[%id] : memref<?xf32>
      %t = arith.addf %s, %s : f32
      memref.store %t, %c[%id] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @other_elements
  // CHECK:       scf.for
  // CHECK:         memref.store
  gpu.func @other_elements(%c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %c[%i] : memref<?xf32>
      // expected-remark @below {{the loop also accesses other elements of the array}}
      memref.store %x, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // A store under a condition does not happen in every iteration: not even a
  // candidate.
  // CHECK-LABEL: gpu.func @conditional
  // CHECK:       scf.if
  // CHECK:         memref.store
  gpu.func @conditional(%c: memref<?xf32> {llvm.noalias}, %n: index, %x: f32, %p: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      scf.if %p {
        memref.store %x, %c[%i] : memref<?xf32>
      }
    }
    gpu.return
  }
}
