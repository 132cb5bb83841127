// RUN: gpuopt-opt %s --gpuopt-pad-tiles=target=sm_90 --verify-diagnostics --remarks-filter=gpuopt --remark-format=emitRemark | FileCheck %s

// Loops over the rest of a tile to which no zeros are known to add nothing.

// CHECK-NOT: scf.yield
// CHECK-NOT: affine.for %{{.*}} = 0 to 16

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
#end = affine_map<()[k] -> (16, k)>
gpu.module @kernels {
  // One product for one element: most of the time goes into the fill.
  gpu.func @loads_as_much(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
    // expected-remark@below {{the loop over the tile loads as much as it computes}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Behind the end of the row %a may have no more elements.
  gpu.func @other_array(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      // expected-remark@below {{the loop over the tile loads more than tiles}}
      %y = affine.load %a[%j] : memref<?xi32>
      %p = arith.muli %x, %y : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Every iteration stores its sum.
  gpu.func @stores(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      %t = arith.addi %s, %p : i32
      // expected-remark@below {{the loop over the tile does more than sum up}}
      affine.store %t, %c[%j] : memref<?xi32>
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Along both sides at once.
  gpu.func @diagonal(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16x16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%r, %j) = (0, 0) to (16, 16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%r, %j] : memref<16x16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      // expected-remark@below {{the loop does not run along one side of the tile}}
      %x = affine.load %tile[%j, %j] : memref<16x16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // From another element on.
  gpu.func @shifted(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      // expected-remark@below {{the loop does not run along one side of the tile}}
      %x = affine.load %tile[%j + 1] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Along none.
  gpu.func @one_element(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      // expected-remark@below {{the loop does not run along one side of the tile}}
      %x = affine.load %tile[0] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // A full tile's loop is longer than the tile.
  gpu.func @short_tile(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<8xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%j) = (0) to (8) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%j] : memref<8xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      // expected-remark@below {{the loop does not run along one side of the tile}}
      %x = affine.load %tile[%j] : memref<8xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Rows and columns: what is behind the end of one is in the middle of the other.
  gpu.func @both_sides(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16x16xi32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0 : i32
    affine.parallel (%r, %j) = (0, 0) to (16, 16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xi32>
        affine.store %v, %tile[%r, %j] : memref<16x16xi32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j, 0] : memref<16x16xi32, #gpu.address_space<workgroup>>
      // expected-remark@below {{the loop runs along several sides of the tile}}
      %y = affine.load %tile[0, %j] : memref<16x16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %y : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // The largest element is not found by adding.
  gpu.func @largest(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.maxsi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // The sum so far is added to itself.
  gpu.func @doubled(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.addi %s, %s : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Zeros are no zeros any more.
  gpu.func @changed(%a: memref<?xi32>, %c: memref<?xi32>, %k: index, %k32: i32)
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
      %y = arith.addi %x, %k32 : i32
      %r = arith.muli %y, %y : i32
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.addi %s, %r : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // A term that is no element.
  gpu.func @counted(%a: memref<?xi32>, %c: memref<?xi32>, %k: index, %k32: i32)
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
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.addi %s, %k32 : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // The sum so far is subtracted.
  gpu.func @taken_from(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.subi %p, %s : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // Each sum goes on as the other one.
  gpu.func @exchanged(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
    %sum:2 = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero, %o = %zero) -> (i32, i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.addi %o, %p : i32
      %u = arith.addi %s, %p : i32
      affine.yield %t, %u : i32, i32
    }
    affine.store %sum#0, %c[0] : memref<?xi32>
    gpu.return
  }

  // -0.0 is the square of no number.
  gpu.func @squared(%a: memref<?xf32>, %c: memref<?xf32>, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0.0 : f32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xf32>
        affine.store %v, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{no zeros add nothing to all of the sums}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (f32) {
      %x = affine.load %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      %p = arith.mulf %x, %x : f32
      %q = arith.mulf %p, %x : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[0] : memref<?xf32>
    gpu.return
  }

  // x + 0.0 is not x, and x - -0.0 is not.
  gpu.func @both_signs(%a: memref<?xf32>, %c: memref<?xf32>, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant 0.0 : f32
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xf32>
        affine.store %v, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    // expected-remark@below {{no zeros add nothing to all of the sums}}
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (f32) {
      %x = affine.load %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      %p = arith.mulf %x, %x : f32
      %q = arith.mulf %p, %x : f32
      %u = arith.addf %s, %x : f32
      %t = arith.subf %u, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[0] : memref<?xf32>
    gpu.return
  }

  // A vector has a zero for each element.
  gpu.func @vectors(%a: memref<?xvector<2xf32>>, %c: memref<?xvector<2xf32>>, %k: index)
      workgroup(%tile: memref<16xvector<2xf32>, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %zero = arith.constant dense<0.0> : vector<2xf32>
    affine.parallel (%j) = (0) to (16) {
      %exists = arith.cmpi slt, %j, %k : index
      scf.if %exists {
        %v = affine.load %a[%j] : memref<?xvector<2xf32>>
        affine.store %v, %tile[%j] : memref<16xvector<2xf32>, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    %sum = affine.for %j = 0 to min #end()[%k] iter_args(%s = %zero) -> (vector<2xf32>) {
      %x = affine.load %tile[%j] : memref<16xvector<2xf32>, #gpu.address_space<workgroup>>
      %p = arith.mulf %x, %x : vector<2xf32>
      %q = arith.mulf %p, %x : vector<2xf32>
      // expected-remark@below {{no elements of the tiles are known that add nothing}}
      %t = arith.addf %s, %p : vector<2xf32>
      affine.yield %t : vector<2xf32>
    }
    affine.store %sum, %c[0] : memref<?xvector<2xf32>>
    gpu.return
  }

  // Loops that end elsewhere, or begin so, are no loops over the rest of a tile.
  gpu.func @from_one(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
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
    %sum = affine.for %j = 1 to min #end()[%k] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  gpu.func @three_ends(%a: memref<?xi32>, %c: memref<?xi32>, %k: index, %n: index)
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
    %sum = affine.for %j = 0 to min affine_map<()[k, n] -> (16, k, n)>()[%k, %n] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  gpu.func @no_constant(%a: memref<?xi32>, %c: memref<?xi32>, %k: index, %n: index)
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
    %sum = affine.for %j = 0 to min affine_map<()[k, n] -> (n, k)>()[%k, %n] iter_args(%s = %zero) -> (i32) {
      %x = affine.load %tile[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %p = arith.muli %x, %x : i32
      %q = arith.muli %p, %x : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }

  // A block of unknown shape may fill the tile in any way.
  gpu.func @no_geometry(%a: memref<?xi32>, %c: memref<?xi32>, %k: index)
      workgroup(%tile: memref<16xi32, #gpu.address_space<workgroup>>)
      kernel {
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
    affine.store %sum, %c[0] : memref<?xi32>
    gpu.return
  }
}
