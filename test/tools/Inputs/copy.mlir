gpu.module @k { gpu.func @f(%a: memref<?xf32>, %n: i32) kernel { %i = gpu.global_id x
 %ni = arith.index_cast %n : i32 to index
 %c = arith.cmpi slt, %i, %ni : index
 scf.if %c { %v = memref.load %a[%i] : memref<?xf32>
 memref.store %v, %a[%i] : memref<?xf32> }
 gpu.return } }
