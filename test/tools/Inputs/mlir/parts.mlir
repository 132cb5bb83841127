// Two loops of one function, one of them over a part of an array.
func.func @parts(%a: memref<40x60xf32>, %b: memref<20x30xf32>, %c: memref<20x30xf32>) {
  %inner = memref.subview %a[3, 5] [20, 30] [1, 1] : memref<40x60xf32> to memref<20x30xf32, strided<[60, 1], offset: 185>>
  affine.parallel (%i, %j) = (0, 0) to (20, 30) {
    %x = affine.load %inner[%i, %j] : memref<20x30xf32, strided<[60, 1], offset: 185>>
    affine.store %x, %b[%i, %j] : memref<20x30xf32>
  }
  // Nested loops are blocks and threads: of 30, and no others.
  affine.parallel (%i) = (0) to (20) {
    affine.parallel (%j) = (0) to (30) {
      %x = affine.load %b[%i, %j] : memref<20x30xf32>
      affine.store %x, %c[%i, 29 - %j] : memref<20x30xf32>
    }
  }
  return
}

// The index loses all but 8 bits: 300 rows of 256 elements.
func.func @bytes(%a: memref<300xf32>, %b: memref<300xf32>) {
  affine.parallel (%i) = (0) to (300) {
    %low = arith.index_cast %i : index to i8
    %byte = arith.index_castui %low : i8 to index
    %x = memref.load %a[%byte] : memref<300xf32>
    memref.store %x, %b[%i] : memref<300xf32>
  }
  return
}
