// What vectorisers leave in kernels; 1003 is no multiple of 4.
gpu.module @vectors {
  gpu.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %j = arith.muli %i, %c4 : index
    %n = memref.dim %a, %c0 : memref<?xf32>
    %is_inside = arith.cmpi slt, %j, %n : index
    scf.if %is_inside {
      %x = vector.transfer_read %a[%j], %zero : memref<?xf32>, vector<4xf32>
      %y = arith.addf %x, %x : vector<4xf32>
      vector.transfer_write %y, %b[%j] : vector<4xf32>, memref<?xf32>
    }
    gpu.return
  }

  // b[i] is the sum of the first i + 1 of four elements.
  gpu.func @sums(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %none = arith.constant dense<0.0> : vector<4xf32>
    %is_inside = arith.cmpi slt, %i, %c4 : index
    scf.if %is_inside {
      %length = arith.addi %i, %c1 : index
      %mask = vector.create_mask %length : vector<4xi1>
      %x = vector.maskedload %a[%c0], %mask, %none : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      %sum = vector.reduction <add>, %x : vector<4xf32> into f32
      memref.store %sum, %b[%i] : memref<4xf32>
    }
    gpu.return
  }

  // A transposed tile of two by four, read by rows.
  gpu.func @tile(%a: memref<8x16xf32>, %b: memref<16x8xf32>) kernel {
    %i = gpu.block_id x
    %j = gpu.block_id y
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %row = arith.muli %i, %c2 : index
    %column = arith.muli %j, %c4 : index
    %x = vector.transfer_read %a[%row, %column], %zero {in_bounds = [true, true]} : memref<8x16xf32>, vector<2x4xf32>
    %y = vector.transpose %x, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    vector.transfer_write %y, %b[%column, %row] {in_bounds = [true, true]} : vector<4x2xf32>, memref<16x8xf32>
    gpu.return
  }
  // The vectors of a block in reverse, by way of workgroup memory.
  gpu.func @reversed(%a: memref<1024xvector<4xf32>>)
      workgroup(%tile: memref<64xvector<4xf32>, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %last = arith.constant 63 : index
    %other = arith.subi %last, %t : index
    %x = memref.load %a[%i] : memref<1024xvector<4xf32>>
    memref.store %x, %tile[%other] : memref<64xvector<4xf32>, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %tile[%t] : memref<64xvector<4xf32>, #gpu.address_space<workgroup>>
    memref.store %y, %a[%i] : memref<1024xvector<4xf32>>
    gpu.return
  }
}
