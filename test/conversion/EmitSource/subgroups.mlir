// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s --check-prefix=HIP
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

gpu.module @kernels {
  // CUDA names the threads that take part. HIP's masks are of 64 threads, and
  // groups of 32 in such a wavefront need none, but have to say that they are 32.
  // CHECK-LABEL: void shuffles(
  // CHECK:         float [[X:[_a-z0-9]+]] = __shfl_xor_sync(0xffffffff, a[tx], 1);
  // CHECK-NEXT:    float [[Y:[_a-z0-9]+]] = __shfl_down_sync(0xffffffff, [[X]], 1, 8);
  // CHECK-NEXT:    float [[Z:[_a-z0-9]+]] = __shfl_up_sync(0xffffffff, [[Y]], 1);
  // CHECK-NEXT:    float {{.*}} = __shfl_sync(0xffffffff, [[Z]], 1, 8);
  // HIP:           float [[X:[_a-z0-9]+]] = __shfl_xor(a[tx], 1, 32);
  // HIP-NEXT:      float [[Y:[_a-z0-9]+]] = __shfl_down([[X]], 1, 8);
  // HIP-NEXT:      float [[Z:[_a-z0-9]+]] = __shfl_up([[Y]], 1, 32);
  // HIP-NEXT:      float {{.*}} = __shfl([[Z]], 1, 8);
  // OpenCL C's shuffle reads any lane; which one a thread wants it computes.
  // OPENCL:        #pragma OPENCL EXTENSION cl_khr_subgroups : enable
  // OPENCL:        uint lane_xor(uint by, uint width) {
  // OPENCL-NEXT:     uint lane = get_sub_group_local_id();
  // OPENCL-NEXT:     return (lane ^ by) / width <= lane / width ? lane ^ by : lane;
  // OPENCL:        // Takes subgroups of 32 work items.
  // OPENCL-NEXT:   __kernel void shuffles(
  // OPENCL:          float [[X:[_a-z0-9]+]] = sub_group_shuffle(a[tx], lane_xor(1, 32));
  // OPENCL-NEXT:     float [[Y:[_a-z0-9]+]] = sub_group_shuffle([[X]], lane_below(1, 8));
  // OPENCL-NEXT:     float [[Z:[_a-z0-9]+]] = sub_group_shuffle([[Y]], lane_above(1, 32));
  // OPENCL-NEXT:     float {{.*}} = sub_group_shuffle([[Z]], lane_at(1, 8));
  gpu.func @shuffles(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x
    %one = arith.constant 1 : i32
    %all = arith.constant 32 : i32
    %some = arith.constant 8 : i32
    %x = memref.load %a[%tx] : memref<?xf32>
    %0, %v0 = gpu.shuffle xor %x, %one, %all : f32
    %1, %v1 = gpu.shuffle down %0, %one, %some : f32
    %2, %v2 = gpu.shuffle up %1, %one, %all : f32
    %3, %v3 = gpu.shuffle idx %2, %one, %some : f32
    memref.store %3, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // How many lanes there are is asked for, and which one a thread is: in blocks
  // that may have several rows it is counted.
  // CHECK-LABEL: void lanes(
  // CHECK:         const int lane =
  // CHECK-NEXT:      (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) %
  // CHECK-NEXT:      warpSize;
  // CHECK-NEXT:    const int subgroup_size = warpSize;
  // CHECK:         for (long long [[I:.]] = lane; [[I]] < n; [[I]] += subgroup_size)
  // OPENCL:      __kernel void lanes(
  // OPENCL-NEXT:   const int lane = get_sub_group_local_id();
  // OPENCL-NEXT:   const int subgroup_size = get_max_sub_group_size();
  gpu.func @lanes(%a: memref<?xf32> {gpuopt.name = "a"},
                  %n: index {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %lane = gpu.lane_id
    %lanes = gpu.subgroup_size : index
    scf.for %i = %lane to %n step %lanes {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // Numbers that the source takes for their bits, as prelude functions do, move
  // as they are; the mask of all threads is one number in all forms.
  // CHECK-LABEL: void masked(
  // CHECK:         float [[V:[_a-z0-9]+]] = __shfl_down_sync(0xffffffff, a[tx], 4);
  // CHECK:         float {{.*}} = __shfl_down_sync((unsigned)mask, [[V]], 4, 16);
  // HIP:         void masked(
  // HIP:           float [[V:[_a-z0-9]+]] = __shfl_down(a[tx], 4);
  // HIP:           float {{.*}} = __shfl_down_sync((unsigned long long)mask, [[V]], 4, 16);
  // OPENCL:      void masked(
  // OPENCL:        float {{.*}} =
  // OPENCL-NEXT:     sub_group_shuffle(a[tx], lane_below(4, get_max_sub_group_size()));
  llvm.func @__gpuopt_shuffle_down(i64, i32, i32, i32) -> i32
  gpu.func @masked(%a: memref<?xf32> {gpuopt.name = "a"},
                   %mask: i64 {gpuopt.name = "mask"}) kernel {
    %tx = gpu.thread_id x
    %all = arith.constant -1 : i64
    %by = arith.constant 4 : i32
    %row = arith.constant 16 : i32
    %lanes = gpu.subgroup_size : index
    %width = arith.index_cast %lanes : index to i32
    %x = memref.load %a[%tx] : memref<?xf32>
    %bits = arith.bitcast %x : f32 to i32
    %0 = llvm.call @__gpuopt_shuffle_down(%all, %bits, %by, %width) : (i64, i32, i32, i32) -> i32
    %y = arith.bitcast %0 : i32 to f32
    %bits_y = arith.bitcast %y : f32 to i32
    %1 = llvm.call @__gpuopt_shuffle_down(%mask, %bits_y, %by, %row) : (i64, i32, i32, i32) -> i32
    %z = arith.bitcast %1 : i32 to f32
    memref.store %z, %a[%tx] : memref<?xf32>
    gpu.return
  }
}
