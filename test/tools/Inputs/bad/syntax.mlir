gpu.module @k { gpu.func @f( }
