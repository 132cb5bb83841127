// A shuffle up on AMD reads a lane of its own segment or keeps its value, and
// is valid for lanes with a source only. Whole subgroups of the other modes are
// upstream's.
//
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-expand-shuffles{vendor=amd subgroup-size=64}))' | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-expand-shuffles{vendor=nvidia subgroup-size=32}))' | FileCheck %s --check-prefixes=CHECK,NVIDIA

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @up(
  // CHECK-SAME:    %[[X:.*]]: f32, %[[OFFSET:.*]]: i32)
  // AMD:         %[[WIDTH:.*]] = arith.constant 32 : i32
  // AMD:         %[[ID:.*]] = gpu.lane_id
  // AMD:         %[[LANE:.*]] = arith.index_cast %[[ID]] : index to i32
  // AMD:         %[[MASK:.*]] = arith.constant -32 : i32
  // AMD:         %[[FIRST:.*]] = arith.andi %[[LANE]], %[[MASK]]
  // AMD:         %[[SOURCE:.*]] = arith.subi %[[LANE]], %[[OFFSET]]
  // AMD:         %[[PLACE:.*]] = arith.subi %[[SOURCE]], %[[FIRST]]
  // AMD:         %[[INSIDE:.*]] = arith.cmpi ult, %[[PLACE]], %[[WIDTH]]
  // AMD:         %[[READ:.*]] = arith.select %[[INSIDE]], %[[SOURCE]], %[[LANE]]
  // AMD:         %[[WHOLE:.*]] = arith.constant 64 : i32
  // AMD:         %[[Y:.*]], %[[ANSWERED:.*]] = gpu.shuffle idx %[[X]], %[[READ]], %[[WHOLE]]
  // AMD:         arith.andi %[[INSIDE]], %[[ANSWERED]]
  // NVIDIA:      gpu.shuffle up
  gpu.func @up(%x: f32, %offset: i32) {
    %width = arith.constant 32 : i32
    %y, %valid = gpu.shuffle up %x, %offset, %width : f32
    %z = arith.select %valid, %y, %x : f32
    gpu.return
  }

  // NVIDIA's conversion looks for the sources of a part of the subgroup among
  // its last lanes.
  // CHECK-LABEL: gpu.func @part(
  // CHECK:       arith.constant -8 : i32
  // AMD:         gpu.shuffle idx %{{.*}}, %{{.*}}, %{{.*}}
  // NVIDIA:      gpu.shuffle idx %{{.*}}, %{{.*}}, %{{.*}}
  gpu.func @part(%x: f32, %offset: i32) {
    %width = arith.constant 8 : i32
    %y, %valid = gpu.shuffle up %x, %offset, %width : f32
    gpu.return
  }

  // A width that is no power of two has room for the next one.
  // CHECK-LABEL: gpu.func @unknown(
  // AMD:         math.ctlz
  // AMD:         arith.shrui
  // AMD:         arith.shli
  // AMD:         gpu.shuffle idx
  // NVIDIA-NOT:  math.ctlz
  // NVIDIA:      gpu.shuffle xor
  gpu.func @unknown(%x: f32, %offset: i32, %width: i32) {
    %y, %valid = gpu.shuffle xor %x, %offset, %width : f32
    gpu.return
  }

  // NVIDIA has shuffles of 32 bits only.
  // CHECK-LABEL: gpu.func @half(
  // NVIDIA:      arith.bitcast %{{.*}} : f16 to i16
  // NVIDIA-NEXT: arith.extui %{{.*}} : i16 to i32
  // NVIDIA-NEXT: gpu.shuffle xor %{{.*}} : i32
  // NVIDIA-NEXT: arith.trunci %{{.*}} : i32 to i16
  // NVIDIA-NEXT: arith.bitcast %{{.*}} : i16 to f16
  // AMD:         gpu.shuffle xor %{{.*}} : f16
  gpu.func @half(%x: f16) {
    %offset = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %y, %valid = gpu.shuffle xor %x, %offset, %width : f16
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rotate(
  // CHECK-NOT:   gpu.rotate
  // CHECK:       gpu.shuffle idx
  // CHECK:       arith.cmpi ult
  gpu.func @rotate(%x: f32) {
    %y, %valid = gpu.rotate %x, 3, 16 : f32
    gpu.return
  }
}
