// Fetches from texture references in programs, whose runtime keeps what they
// are bound to in the device's variables. In a kernel alone there is nothing to
// bind them.

#pragma once

// Nothing lies beyond the array.
template <class T>
inline __attribute__((device, always_inline)) T tex1Dfetch(const texture<T, 1, cudaReadModeElementType> &t, int i) {
  return i >= 0 && (size_t)i < t.__elements ? ((const T *)t.__data)[i] : T();
}
