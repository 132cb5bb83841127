// RUN: gpuopt-opt %s --gpuopt-split-slices | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-split-slices --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The loop of figure 6.9 is the host's, and so is its guard each thread's own:
// one function for its body, another one for what is behind it.
// CHECK-LABEL: func.func @tmv(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?x64xf32>, %[[C:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: i32,
// CHECK-SAME:    {gpuopt.name = "grid_x"}
// CHECK:         %[[END:.*]] = arith.index_cast %[[N]]
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to %[[END]] {
// CHECK-NEXT:      gpu.launch_func @kernels::@tmv__part1 {{.*}} args(%[[A]] : memref<?x64xf32>, %[[N]] : i32, %[[I]] : index)
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.launch_func @kernels::@tmv__part2 {{.*}} args(%[[C]] : memref<?xf32>, %[[N]] : i32)
// CHECK-NEXT:    return
// CHECK:       gpu.func @tmv__part1(%[[A1:.*]]: memref<?x64xf32>, %{{.*}}: i32, %[[I1:[a-z0-9]+]]: index {gpuopt.name = "i"})
// CHECK:         scf.if
// CHECK-NEXT:      affine.prefetch %[[A1]][symbol(%[[I1]]), symbol(%{{.*}})], read
// CHECK-NOT:     affine.for
// CHECK:       gpu.func @tmv__part2(
// CHECK:         scf.if
// CHECK-NEXT:      affine.prefetch
// REMARK: [Passed] SliceSplit | Category:gpuopt:SplitSlices | Function=tmv |
// REMARK-SAME: "2 function(s) of a thread, in 1 loop(s) that all threads share"
gpu.module @kernels {
  gpu.func @tmv(%a: memref<?x64xf32>, %c: memref<?xf32>, %n: i32) kernel {
    %x = gpu.global_id x
    %end = arith.index_cast %n : i32 to index
    %inside = arith.cmpi slt, %x, %end : index
    scf.if %inside {
      affine.for %i = 0 to %end {
        affine.prefetch %a[%i, symbol(%x)], read, locality<3>, data : memref<?x64xf32>
      }
      affine.prefetch %c[symbol(%x)], read, locality<3>, data : memref<?xf32>
    }
    gpu.return
  }
}

// Nested loops stay nested; the bound of the inner one is computed again.
// CHECK-LABEL: func.func @triangle(
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           %[[END:.*]] = arith.addi %[[I]],
// CHECK:           scf.for %[[J:[a-z0-9]+]] = %{{.*}} to %[[END]]
// CHECK-NEXT:        gpu.launch_func @nested::@triangle__part1 {{.*}} args(%{{.*}} : memref<?xf32>, %[[I]] : index, %[[J]] : index)
// REMARK: "1 function(s) of a thread, in 2 loop(s) that all threads share"
gpu.module @nested {
  gpu.func @triangle(%a: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.for %i = %zero to %n step %one {
      %end = arith.addi %i, %one : index
      scf.for %j = %zero to %end step %one {
        %at = arith.muli %i, %j : index
        memref.prefetch %a[%at], read, locality<3>, data : memref<?xf32>
      }
    }
    gpu.return
  }
}

// Loops whose ends differ between threads, that carry a value, or whose bounds
// come from memory or from a division that a branch guards, stay the threads'.
// So does one that would not end if a branch did not say that its step is not zero.
// CHECK-LABEL: func.func @own_loops(
// CHECK-NOT:     for
// CHECK:         gpu.launch_func @threads::@own_loops__part1
// CHECK-NEXT:    return
// CHECK:       gpu.func @own_loops__part1(
// CHECK:         affine.for
// CHECK:         scf.for {{.*}} iter_args
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         scf.for
// REMARK: "1 function(s) of a thread, in 0 loop(s) that all threads share"
gpu.module @threads {
  gpu.func @own_loops(%a: memref<?xf32>, %ends: memref<?xindex>, %n: index) kernel {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = gpu.global_id x
    affine.for %i = 0 to %x {
      affine.prefetch %a[%i], read, locality<3>, data : memref<?xf32>
    }
    %last = scf.for %i = %zero to %n step %one iter_args(%at = %x) -> (index) {
      memref.prefetch %a[%at], read, locality<3>, data : memref<?xf32>
      %next = arith.muli %at, %n : index
      scf.yield %next : index
    }
    %end = memref.load %ends[%zero] : memref<?xindex>
    scf.for %i = %zero to %end step %one {
      memref.prefetch %a[%i], read, locality<3>, data : memref<?xf32>
    }
    %some = arith.cmpi ne, %n, %zero : index
    scf.if %some {
      %part = arith.divui %one, %n : index
      scf.for %i = %zero to %part step %one {
        memref.prefetch %a[%i], read, locality<3>, data : memref<?xf32>
      }
      scf.for %i = %zero to %one step %n {
        memref.prefetch %a[%i], read, locality<3>, data : memref<?xf32>
      }
    }
    gpu.return
  }
}

// A variable of the module is an argument, as its address is all that the host
// knows of it.
// CHECK-LABEL: func.func @table(
// CHECK-SAME:    memref<9xf32, 4> {gpuopt.name = "weights"}
// CHECK:         gpu.launch_func @variables::@table__part1 {{.*}} args(%{{.*}} : memref<9xf32, 4>)
gpu.module @variables {
  llvm.mlir.global external @weights() {addr_space = 4 : i32} : !llvm.array<9 x f32>
  gpu.func @table() kernel {
    %t = gpu.thread_id x
    %weights = gpuopt.get_variable @weights : memref<9xf32, 4>
    affine.prefetch %weights[symbol(%t)], read, locality<3>, data : memref<9xf32, 4>
    gpu.return
  }
}
