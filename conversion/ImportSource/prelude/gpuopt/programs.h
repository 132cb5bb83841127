// What kernels have only in programs, since it needs their runtime.

#pragma once

// Kernels run one after the other, whatever their launches allow.
__GPUOPT_DEVICE__ void cudaGridDependencySynchronize() {}
__GPUOPT_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() {}

// What a texture reference is bound to is in the device's variable. Elements of
// linear memory are read as such; nothing lies beyond the array.
template <class T> __GPUOPT_INLINE__ T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i) {
  return i >= 0 && (size_t)i < t.__elements ? ((const T *)t.__data)[i] : T();
}
#define __GPUOPT_REFERENCE__(NAME, DIMENSIONS, PARAMETERS, ARGUMENTS)                                                              \
  template <class T, enum cudaTextureReadMode Mode>                                                                                \
  __GPUOPT_INLINE__ __gpuopt_fetched_t<T, Mode> NAME(const texture<T, DIMENSIONS, Mode> &t, __GPUOPT_UNPACK__ PARAMETERS) {        \
    return NAME<__gpuopt_fetched_t<T, Mode>>(t.__object, __GPUOPT_UNPACK__ ARGUMENTS);                                             \
  }
__GPUOPT_REFERENCE__(tex1Dfetch, 1, (int i), (i))
__GPUOPT_REFERENCE__(tex1D, 1, (float x), (x))
__GPUOPT_REFERENCE__(tex2D, 2, (float x, float y), (x, y))
__GPUOPT_REFERENCE__(tex3D, 3, (float x, float y, float z), (x, y, z))
__GPUOPT_REFERENCE__(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
__GPUOPT_REFERENCE__(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
#undef __GPUOPT_REFERENCE__
template <class T, class S> __GPUOPT_INLINE__ void surf2Dwrite(T value, const surface<S, 2> &s, int x, int y, cudaSurfaceBoundaryMode mode) { surf2Dwrite(value, s.__object, x, y, mode); }
template <class T, class S> __GPUOPT_INLINE__ T surf2Dread(const surface<S, 2> &s, int x, int y, cudaSurfaceBoundaryMode mode) { return surf2Dread<T>(s.__object, x, y, mode); }
template <class T, class S> __GPUOPT_INLINE__ void surf2Dread(T *to, const surface<S, 2> &s, int x, int y, cudaSurfaceBoundaryMode mode) { *to = surf2Dread<T>(s.__object, x, y, mode); }
