// Parameters of the type 'index', and a loop whose iterator is another one.
gpu.module @kernels {
  gpu.func @columns(%a: memref<?xf32>, %out: memref<?xf32>, %n: index, %step: index, %rows: index) kernel {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %first = arith.muli %block, %size : index
    %i = arith.addi %first, %thread : index
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %none = arith.constant 0.0 : f32
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %sum = scf.for %row = %zero to %rows step %one iter_args(%so_far = %none) -> f32 {
        %begin = arith.muli %row, %step : index
        %at = arith.addi %begin, %i : index
        %element = memref.load %a[%at] : memref<?xf32>
        %next = arith.addf %so_far, %element : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%i] : memref<?xf32>
    }
    gpu.return
  }
}
