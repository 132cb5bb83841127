// RUN: gpuopt-opt %s --gpuopt-pad-tiles=target=sm_90 --verify-diagnostics --remarks-filter=gpuopt --remark-format=emitRemark | FileCheck %s

// Tiles that cannot be filled up with zeros.

// CHECK-NOT: scf.yield
// CHECK-NOT: affine.for %{{.*}} = 0 to 16

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
#end = affine_map<()[k] -> (16, k)>
gpu.module @kernels {
  memref.global @array : memref<16xi32, #gpu.address_space<workgroup>>
  // The last element that the loop gets to is not filled: it is what it was before.
  gpu.func @other_end(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %next = affine.apply affine_map<(j) -> (j + 1)>(%j)
      %exists = arith.cmpi slt, %next, %k : index
      // expected-remark@below {{the fill's guard does not end where the loop does}}
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Where k is below zero this guard is always true, and the loop runs never.
  gpu.func @unsigned_guard(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi ult, %j, %k : index
      // expected-remark@below {{the fill's guard does not end where the loop does}}
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // One of two conditions does.
  gpu.func @either(%a: memref<?xi32>, %c: memref<?xi32>, %k: index, %always: i1)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %in = arith.cmpi slt, %j, %k : index
      %exists = arith.ori %in, %always : i1
      // expected-remark@below {{the fill's guard does not end where the loop does}}
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Later iterations leave the tile as the first one has filled it, and read it again.
  gpu.func @kept(%a: memref<?xi32>, %c: memref<?xi32>, %k: index, %n: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : index
    %sum = affine.for %i = 0 to %n iter_args(%before = %zero) -> (i32) {
      affine.parallel (%j) = (0) to (16) {
        %in = arith.cmpi slt, %j, %k : index
        %first = arith.cmpi slt, %i, %one : index
        %exists = arith.andi %in, %first : i1
        // expected-remark@below {{iterations fill different parts of the tile}}
        scf.if %exists {
          %v = affine.load %a[%j] : memref<?xi32>
          affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      %next = affine.for %j = 0 to min #end()[%k] iter_args(%s = %before) -> (i32) {
        %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
        %p = arith.muli %x, %x : i32
        %q = arith.muli %p, %x : i32
        %t = arith.addi %s, %p : i32
        affine.yield %t : i32
      }
      gpu.barrier
      affine.yield %next : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // The second store is one behind the end as well.
  gpu.func @filled_twice(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        // expected-remark@below {{the tile is filled in several places}}
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    affine.parallel (%j) = (0) to (1) {
      affine.store %zero, %tile[%j + 15] : memref<16xi32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Half of the tile is never filled.
  gpu.func @half(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    // expected-remark@below {{the fill leaves out a part of the tile}}
    affine.parallel (%j) = (0) to (8) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Every second element is not, though there is an iteration for each.
  gpu.func @every_other(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    // expected-remark@below {{the fill leaves out a part of the tile}}
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[(%j * 2) mod 16] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Every element is loaded: there is nothing to decide.
  gpu.func @unguarded(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %v = affine.load %a[%j] : memref<?xi32>
      affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{the tile is not filled under one guard}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // The loop gets what another kernel left there.
  gpu.func @after(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    // expected-remark@below {{the tile is not filled under one guard}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    gpu.barrier
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // No loop of the whole block.
  gpu.func @per_thread(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    }
    gpu.barrier
    // expected-remark@below {{the tile is not filled under one guard}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Two tiles under guards of their own, in one fill.
  gpu.func @two_guards(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>, %other: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
      scf.if %exists {
        affine.store %zero, %other[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{the tile is not filled under one guard}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // The last element is read whether the loop gets to it or not.
  gpu.func @read_later(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    // expected-remark@below {{the tile is read outside of the loop}}
    %last = affine.load %tile[15] : memref<16xi32, #gpu.address_space<workgroup>>
    affine.store %last, %c[1] : memref<?xi32>
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Another operation may get the same array.
  gpu.func @global(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    %tile = memref.get_global @array : memref<16xi32, #gpu.address_space<workgroup>>
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{the tile is no array of the kernel}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }
}
