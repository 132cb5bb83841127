// Names that no C++ has: words of the language, one name twice, other text.
gpu.module @names {
  gpu.func @main(%threadIdx: memref<4096xf32>, %float: memref<4096xf32>) kernel {
    %i = gpu.global_id x
    %x = memref.load %threadIdx[%i] : memref<4096xf32>
    memref.store %x, %float[%i] : memref<4096xf32>
    gpu.return
  }

  gpu.func @twice(%a: memref<4096xf32> {gpuopt.name = "x y"}, %b: memref<4096xf32> {gpuopt.name = "x y"}) kernel {
    %i = gpu.global_id x
    %x = memref.load %a[%i] : memref<4096xf32>
    memref.store %x, %b[%i] : memref<4096xf32>
    gpu.return
  }
}
