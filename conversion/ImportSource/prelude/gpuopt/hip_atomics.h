// HIP has minima and maxima of real numbers, too. Templates: what a program
// declares itself goes before them.

#pragma once

namespace __gpuopt {
template <class T> struct bits_of;
template <> struct bits_of<float> { typedef unsigned int type; };
template <> struct bits_of<double> { typedef unsigned long long type; };
} // namespace __gpuopt

#define __GPUOPT_REAL__(NAME, COMPARES)                                        \
  template <class T, class Bits = typename __gpuopt::bits_of<T>::type>         \
  __GPUOPT_DEVICE__ T NAME(T *p, typename __gpuopt::itself<T>::type v) {       \
    Bits old = __scoped_atomic_load_n((Bits *)p, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); \
    while (v COMPARES __builtin_bit_cast(T, old) &&                            \
           !__scoped_atomic_compare_exchange_n((Bits *)p, &old, __builtin_bit_cast(Bits, v), false, \
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) { \
    }                                                                          \
    return __builtin_bit_cast(T, old);                                         \
  }
__GPUOPT_REAL__(atomicMin, <)
__GPUOPT_REAL__(atomicMax, >)
#undef __GPUOPT_REAL__
