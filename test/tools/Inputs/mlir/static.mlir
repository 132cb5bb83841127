func.func @matmul(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}
func.func @scale(%a: memref<100x200xf32>, %b: memref<100x200xf32>, %f: f32) {
  affine.parallel (%i, %j) = (0, 0) to (100, 200) {
    %x = affine.load %a[%i, %j] : memref<100x200xf32>
    %y = arith.mulf %x, %f : f32
    affine.store %y, %b[%i, %j] : memref<100x200xf32>
  }
  return
}
func.func @twice(%a: memref<1000xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %c1000 = arith.constant 1000 : index
    %o = arith.muli %bx, %sx : index
    %i = arith.addi %o, %tx : index
    %g = arith.cmpi slt, %i, %c1000 : index
    scf.if %g {
      %x = memref.load %a[%i] : memref<1000xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i] : memref<1000xf32>
    }
    gpu.terminator
  }
  return
}
