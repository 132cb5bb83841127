// Kernels that read workgroup memory which no thread of the block has written.
gpu.module @kernels {
  // b[i] = tile[63 - t], of which the last eight threads have written nothing.
  gpu.func @reverse(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.source_name = "reverse"} {
    %last = arith.constant 63 : index
    %written = arith.constant 56 : index
    %id = gpu.global_id x
    %t = gpu.thread_id x
    %first = arith.cmpi slt, %t, %written : index
    scf.if %first {
      %x = memref.load %a[%id] : memref<?xf32>
      memref.store %x, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %other = arith.subi %last, %t : index
    %y = memref.load %tile[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %y, %b[%id] : memref<?xf32>
    gpu.return
  }

  // The same, but what nobody has written is dropped.
  gpu.func @reverse_some(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.source_name = "reverse_some"} {
    %zero = arith.constant 0.0 : f32
    %last = arith.constant 63 : index
    %written = arith.constant 56 : index
    %id = gpu.global_id x
    %t = gpu.thread_id x
    %first = arith.cmpi slt, %t, %written : index
    scf.if %first {
      %x = memref.load %a[%id] : memref<?xf32>
      memref.store %x, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %other = arith.subi %last, %t : index
    %y = memref.load %tile[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep = arith.cmpi slt, %other, %written : index
    %z = arith.select %keep, %y, %zero : f32
    memref.store %z, %b[%id] : memref<?xf32>
    gpu.return
  }
}
