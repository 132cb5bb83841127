// What kernels have only in programs, since it needs their runtime.

#pragma once

// Kernels run one after the other, whatever their launches allow.
__GPUOPT_DEVICE__ void cudaGridDependencySynchronize() {}
__GPUOPT_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() {}

// What a texture reference is bound to is in the device's variable. Nothing
// lies beyond the array.
template <class T>
inline __attribute__((device, always_inline)) T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i) {
  return i >= 0 && (size_t)i < t.__elements ? ((const T *)t.__data)[i] : T();
}
