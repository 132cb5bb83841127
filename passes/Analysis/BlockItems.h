//===- BlockItems.h - blocks that stand for work items ----------*- C++ -*-===//
//
// Kernels often take the block's id alone for what has no neighbours, such as
// the number in a batch:
//
//   int x = blockIdx.x * blockDim.x + threadIdx.x;
//   int z = blockIdx.z;
//
// Where nothing along z tells the threads of a block apart, and nothing reads
// how many there are, one thread per block along z is what the kernel is meant
// for. In such a launch the block's id is the work item's id. In any other one
// each block does its work several times, and the block's id is not the id of
// any work item: what relies on it must see to the launch (see `GeometryAttr`).
//
//   what the kernel reads along z                a block is a work item
//   block_id                                     yes
//   block_id, grid_dim                           yes
//   block_id, thread_id (or block_dim)           no
//   block_id, global_id                          no
//   block_id, known_block_size has not 1 in z    no
//   global_id                                    no: a thread is
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_BLOCKITEMS_H
#define PASSES_ANALYSIS_BLOCKITEMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>

namespace gpuopt {

/// For x, y, z: whether a block is a work item of `kernel` where its launch has
/// one thread per block along the dimension. Operations of `gpu` count; what
/// calls and assembly read is not known here.
std::array<bool, 3> findBlockItems(mlir::gpu::GPUFuncOp kernel);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_BLOCKITEMS_H
