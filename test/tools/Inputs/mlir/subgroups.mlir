// Each kernel asserts what its lanes must see of each other.
gpu.module @subgroups {
  gpu.func @up(%a: memref<1024xf32>, %b: memref<1024xf32>) kernel {
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %offset = arith.constant 3 : i32
    %width = arith.constant 32 : i32
    %x = memref.load %a[%i] : memref<1024xf32>
    %y, %valid = gpu.shuffle up %x, %offset, %width : f32
    %lane = arith.remui %t, %c32 : index
    %has_source = arith.cmpi uge, %lane, %c3 : index
    %back = arith.subi %i, %c3 : index
    %from = arith.select %has_source, %back, %i : index
    %expected = memref.load %a[%from] : memref<1024xf32>
    %value = arith.select %valid, %y, %x : f32
    %is_right = arith.cmpf oeq, %value, %expected : f32
    cf.assert %is_right, "value"
    %is_known = arith.cmpi eq, %valid, %has_source : i1
    cf.assert %is_known, "valid"
    memref.store %value, %b[%i] : memref<1024xf32>
    gpu.return
  }

  // The lanes of a width take part that are the first of their subgroup.
  gpu.func @part(%b: memref<1024xi32>) kernel {
    %i = gpu.global_id x
    %lane = gpu.lane_id
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    %takes_part = arith.cmpi ult, %lane, %c5 : index
    scf.if %takes_part {
      %one = arith.constant 1 : i32
      %width = arith.constant 5 : i32
      %x = arith.index_cast %lane : index to i32
      %below, %has_below = gpu.shuffle up %x, %one, %width : i32
      %above, %has_above = gpu.shuffle down %x, %one, %width : i32
      %down = arith.subi %x, %one : i32
      %up = arith.addi %x, %one : i32
      %is_below = arith.cmpi eq, %below, %down : i32
      %is_above = arith.cmpi eq, %above, %up : i32
      %is_first = arith.cmpi ult, %lane, %c1 : index
      %good_below = arith.select %has_below, %is_below, %is_first : i1
      cf.assert %good_below, "below"
      %is_last = arith.cmpi eq, %up, %width : i32
      %good_above = arith.select %has_above, %is_above, %is_last : i1
      cf.assert %good_above, "above"
    }
    %c = arith.index_cast %i : index to i32
    memref.store %c, %b[%i] : memref<1024xi32>
    gpu.return
  }

  gpu.func @rotate(%b: memref<1024xi32>) kernel {
    %i = gpu.global_id x
    %lane = gpu.lane_id
    %c16 = arith.constant 16 : index
    %c3 = arith.constant 3 : index
    %takes_part = arith.cmpi ult, %lane, %c16 : index
    scf.if %takes_part {
      %x = arith.index_cast %lane : index to i32
      %y, %valid = gpu.rotate %x, 3, 16 : i32
      cf.assert %valid, "valid"
      %next = arith.addi %lane, %c3 : index
      %from = arith.remui %next, %c16 : index
      %expected = arith.index_cast %from : index to i32
      %is_right = arith.cmpi eq, %y, %expected : i32
      cf.assert %is_right, "value"
      memref.store %y, %b[%i] : memref<1024xi32>
    }
    gpu.return
  }

  gpu.func @block_sums(%b: memref<1024xi32>) kernel {
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %n = gpu.block_dim x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %x = arith.index_cast %t : index to i32
    %sum = gpu.all_reduce add %x {} : (i32) -> i32
    %last = arith.subi %n, %c1 : index
    %twice = arith.muli %n, %last : index
    %whole = arith.divui %twice, %c2 : index
    %expected = arith.index_cast %whole : index to i32
    %is_right = arith.cmpi eq, %sum, %expected : i32
    cf.assert %is_right, "sum"
    %most = gpu.all_reduce maxui %x {} : (i32) -> i32
    %highest = arith.index_cast %last : index to i32
    %is_highest = arith.cmpi eq, %most, %highest : i32
    cf.assert %is_highest, "maximum"
    memref.store %sum, %b[%i] : memref<1024xi32>
    gpu.return
  }

  gpu.func @subgroup_sums(%b: memref<1024xi32>) kernel {
    %i = gpu.global_id x
    %one = arith.constant 1 : i32
    %sum = gpu.subgroup_reduce add %one : (i32) -> i32
    %size = gpu.subgroup_size : index
    %expected = arith.index_cast %size : index to i32
    %is_right = arith.cmpi eq, %sum, %expected : i32
    cf.assert %is_right, "sum"
    memref.store %sum, %b[%i] : memref<1024xi32>
    gpu.return
  }
}
