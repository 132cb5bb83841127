//===- Arrays.h - CUDA arrays -----------------------------------*- C++ -*-===//

#ifndef RUNTIME_CUDA_ARRAYS_H
#define RUNTIME_CUDA_ARRAYS_H

#include "runtime/CUDA/Program.h"

/// What textures and surfaces show. On the CPU rows follow each other without a
/// gap, and so do slices, or layers.
struct cudaArray {
  cudaChannelFormatDesc format = {};
  /// In elements, as the program has asked: 0 where there is no such dimension.
  cudaExtent extent = {};
  unsigned flags = 0;
  /// On the CPU.
  uint8_t *data = nullptr;
  /// What the driver has it by, on a GPU.
  gpuopt::cuda::Handle handle = nullptr;

  uint64_t elementBytes() const;
  uint64_t rowBytes() const { return extent.width * elementBytes(); }
  uint64_t rows() const { return extent.height ? extent.height : 1; }
  uint64_t slices() const { return extent.depth ? extent.depth : 1; }
  uint64_t bytes() const { return rowBytes() * rows() * slices(); }
};

namespace gpuopt::cuda {

/// Channels of a format; nothing where devices have no such elements.
std::optional<unsigned> countChannels(const cudaChannelFormatDesc &format);

/// Null where the program has made no such array.
const cudaArray *findArray(cudaArray_const_t array);

/// Forgets all of them; their memory has gone.
void forgetArrays();

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_ARRAYS_H
