// A race of its own: all threads store one number in tile[0]. The barrier before that keeps the stores from the loads.
gpu.module @kernels {
  gpu.func @announce(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.source_name = "announce"} {
    %zero = arith.constant 0 : index
    %id = gpu.global_id x
    %t = gpu.thread_id x
    %x = memref.load %a[%id] : memref<?xf32>
    memref.store %x, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %first = memref.load %tile[%zero] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %first, %tile[%zero] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %first, %y : f32
    memref.store %sum, %b[%id] : memref<?xf32>
    gpu.return
  }

  // All threads store one number in b[0].
  gpu.func @mark(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      kernel attributes {gpuopt.source_name = "mark"} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %b[%zero] : memref<?xf32>
    gpu.return
  }
}
