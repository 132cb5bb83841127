// RUN: gpuopt-opt %s --gpuopt-trim-padding --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

gpu.module @kernels {
  // for (t = 0; t < n; t += 16) for (e = 0; e < 16; ++e) sum += (t + e < n ? a[t + e] : 0) * (t + e < n ? b[t + e] : 0)
  // CHECK: #[[$WHOLE:.*]] = affine_map<()[s0] -> ((s0 ceildiv 16) * 16)>
  // CHECK-LABEL: gpu.func @steps(
  // CHECK: %[[N:.*]] = arith.index_cast
  // CHECK: %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to %[[N]] iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
  // CHECK-NOT: affine.for
  // CHECK: affine.load %{{.*}}[%[[I]]]
  // CHECK: affine.yield
  // CHECK: %[[COVERED:.*]] = affine.apply #[[$WHOLE]]()[%[[N]]]
  // CHECK: %[[USED:.*]] = arith.maxsi %[[N]]
  // CHECK: %[[PADDED:.*]] = arith.cmpi sgt, %[[COVERED]], %[[USED]]
  // CHECK: %[[PLUS:.*]] = arith.addf %[[SUM]], %{{.*}} : f32
  // CHECK: arith.select %[[PADDED]], %[[PLUS]], %[[SUM]]
  gpu.func @steps(%a: memref<?xf32>, %b: memref<?xf32>, %out: memref<1xf32>, %m: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %n = arith.index_cast %m : i32 to index
    // expected-remark@below {{the loop over tiles of 16 elements ends where the data ends: what follows are zeros that are added}}
    %sum = affine.for %t = 0 to %n step 16 iter_args(%s0 = %zero) -> (f32) {
      %part = affine.for %e = 0 to 16 iter_args(%s1 = %s0) -> (f32) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%t, %e)
        %exists = arith.cmpi slt, %i, %n : index
        %x = scf.if %exists -> (f32) {
          // expected-remark@below {{is affine}}
          %v = affine.load %a[%t + %e] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %y = scf.if %exists -> (f32) {
          // expected-remark@below {{is affine}}
          %v = affine.load %b[%t + %e] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %xy = arith.mulf %x, %y : f32
        %s2 = arith.addf %s1, %xy : f32
        affine.yield %s2 : f32
      }
      affine.yield %part : f32
    }
    // expected-remark@below {{is affine}}
    affine.store %sum, %out[0] : memref<1xf32>
    gpu.return
  }

  // for (t = 0; t < (n + 7) / 8; ++t) …, integers, under a guard whose condition stands in the loop, too: nothing is left of either.
  // CHECK-LABEL: gpu.func @numbers(
  // CHECK: %[[N:.*]] = arith.index_cast
  // CHECK: scf.if %{{.*}} {
  // CHECK: affine.for %{{.*}} = 0 to %[[N]] iter_args
  // CHECK-NEXT: affine.load
  // CHECK-NEXT: arith.subi
  // CHECK-NEXT: affine.yield
  // CHECK-NOT: arith.select
  // CHECK: affine.store
  gpu.func @numbers(%a: memref<?xi32>, %out: memref<?xi32>, %m: i32, %row: index) kernel {
    %zero = arith.constant 0 : i32
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %n = arith.index_cast %m : i32 to index
    %more = arith.addi %n, %c7 : index
    %tiles = arith.divsi %more, %c8 : index
    %isRow = arith.cmpi slt, %row, %n : index
    scf.if %isRow {
      // expected-remark@below {{the loop over tiles of 8 elements ends where the data ends}}
      %sum = affine.for %t = 0 to %tiles iter_args(%s0 = %zero) -> (i32) {
        %part = affine.for %e = 0 to 8 iter_args(%s1 = %s0) -> (i32) {
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%t, %e)
          %exists = arith.cmpi slt, %i, %n : index
          %both = arith.andi %isRow, %exists : i1
          %x = scf.if %both -> (i32) {
          // expected-remark@below {{is affine}}
            %v = affine.load %a[%t * 8 + %e] : memref<?xi32>
            scf.yield %v : i32
          } else {
            scf.yield %zero : i32
          }
          %s2 = arith.subi %s1, %x : i32
          affine.yield %s2 : i32
        }
        affine.yield %part : i32
      }
      // expected-remark@below {{is affine}}
      affine.store %sum, %out[symbol(%row)] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // What is added behind the end is no zero; one factor may be anything; there may be fewer tiles than data; the element
  // matters, and not only the position.
  // CHECK-LABEL: gpu.func @kept(
  // CHECK-COUNT-10: affine.for
  gpu.func @kept(%a: memref<?xf32>, %out: memref<5xf32>, %m: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %c8 = arith.constant 8 : index
    %n = arith.index_cast %m : i32 to index
    %whole = arith.divsi %n, %c8 : index
    %ones = affine.for %t = 0 to %n step 8 iter_args(%s0 = %zero) -> (f32) {
      %part = affine.for %e = 0 to 8 iter_args(%s1 = %s0) -> (f32) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%t, %e)
        %exists = arith.cmpi slt, %i, %n : index
        %x = scf.if %exists -> (f32) {
          %v = affine.load %a[%t + %e] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %one : f32
        }
        %s2 = arith.addf %s1, %x : f32
        affine.yield %s2 : f32
      }
      affine.yield %part : f32
    }
    affine.store %ones, %out[0] : memref<5xf32>
    %products = affine.for %t = 0 to %n step 8 iter_args(%s0 = %zero) -> (f32) {
      %part = affine.for %e = 0 to 8 iter_args(%s1 = %s0) -> (f32) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%t, %e)
        %exists = arith.cmpi slt, %i, %n : index
        %x = scf.if %exists -> (f32) {
          %v = affine.load %a[%t + %e] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %y = affine.load %a[%t + %e + 1] : memref<?xf32>
        %xy = arith.mulf %x, %y : f32
        %s2 = arith.addf %s1, %xy : f32
        affine.yield %s2 : f32
      }
      affine.yield %part : f32
    }
    affine.store %products, %out[1] : memref<5xf32>
    %fewer = affine.for %t = 0 to %whole iter_args(%s0 = %zero) -> (f32) {
      %part = affine.for %e = 0 to 8 iter_args(%s1 = %s0) -> (f32) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%t, %e)
        %exists = arith.cmpi slt, %i, %n : index
        %x = scf.if %exists -> (f32) {
          %v = affine.load %a[%t * 8 + %e] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %s2 = arith.addf %s1, %x : f32
        affine.yield %s2 : f32
      }
      affine.yield %part : f32
    }
    affine.store %fewer, %out[2] : memref<5xf32>
    %elements = affine.for %t = 0 to %n step 8 iter_args(%s0 = %zero) -> (f32) {
      %part = affine.for %e = 0 to 8 iter_args(%s1 = %s0) -> (f32) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%t, %e)
        %exists = arith.cmpi slt, %i, %n : index
        %x = scf.if %exists -> (f32) {
          %v = affine.load %a[%t + %e * 2] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %s2 = arith.addf %s1, %x : f32
        affine.yield %s2 : f32
      }
      affine.yield %part : f32
    }
    affine.store %elements, %out[3] : memref<5xf32>
    %quotients = affine.for %t = 0 to %n step 8 iter_args(%s0 = %zero) -> (f32) {
      %part = affine.for %e = 0 to 8 iter_args(%s1 = %s0) -> (f32) {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%t, %e)
        %exists = arith.cmpi slt, %i, %n : index
        %x = scf.if %exists -> (f32) {
          %v = affine.load %a[%e floordiv 4] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        %s2 = arith.addf %s1, %x : f32
        affine.yield %s2 : f32
      }
      affine.yield %part : f32
    }
    affine.store %quotients, %out[4] : memref<5xf32>
    gpu.return
  }
}
