// Atomic functions: relaxed, at device scope unless the name says otherwise.

#pragma once

#define __GPUOPT_FETCH__(NAME, SUFFIX, SCOPE, OPERATION, TYPE)                 \
  __GPUOPT_DEVICE__ TYPE atomic##NAME##SUFFIX(TYPE *p, TYPE v) {               \
    return __scoped_atomic_##OPERATION(p, v, __ATOMIC_RELAXED, SCOPE);         \
  }
#define __GPUOPT_CAS__(SUFFIX, SCOPE, TYPE)                                    \
  __GPUOPT_DEVICE__ TYPE atomicCAS##SUFFIX(TYPE *p, TYPE expected, TYPE v) {   \
    __scoped_atomic_compare_exchange_n(p, &expected, v, false,                 \
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED,     \
                                       SCOPE);                                 \
    return expected;                                                           \
  }
// Wrapping increment and decrement.
#define __GPUOPT_WRAP__(SUFFIX, SCOPE)                                         \
  __GPUOPT_DEVICE__ unsigned int atomicInc##SUFFIX(unsigned int *p,            \
                                                   unsigned int limit) {       \
    unsigned int old = __scoped_atomic_load_n(p, __ATOMIC_RELAXED, SCOPE);     \
    while (!__scoped_atomic_compare_exchange_n(                                \
        p, &old, old >= limit ? 0u : old + 1u, false, __ATOMIC_RELAXED,        \
        __ATOMIC_RELAXED, SCOPE)) {                                            \
    }                                                                          \
    return old;                                                                \
  }                                                                            \
  __GPUOPT_DEVICE__ unsigned int atomicDec##SUFFIX(unsigned int *p,            \
                                                   unsigned int limit) {       \
    unsigned int old = __scoped_atomic_load_n(p, __ATOMIC_RELAXED, SCOPE);     \
    while (!__scoped_atomic_compare_exchange_n(                                \
        p, &old, old == 0u || old > limit ? limit : old - 1u, false,           \
        __ATOMIC_RELAXED, __ATOMIC_RELAXED, SCOPE)) {                          \
    }                                                                          \
    return old;                                                                \
  }
#define __GPUOPT_ATOMICS__(SUFFIX, SCOPE)                                      \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, int) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, unsigned int) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, unsigned long long) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, long) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, unsigned long) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, long long) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, float) \
  __GPUOPT_FETCH__(Add, SUFFIX, SCOPE, fetch_add, double) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, int) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, unsigned int) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, unsigned long long) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, long) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, unsigned long) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, long long) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, float) \
  __GPUOPT_FETCH__(Sub, SUFFIX, SCOPE, fetch_sub, double) \
  __GPUOPT_FETCH__(Exch, SUFFIX, SCOPE, exchange_n, int) \
  __GPUOPT_FETCH__(Exch, SUFFIX, SCOPE, exchange_n, unsigned int) \
  __GPUOPT_FETCH__(Exch, SUFFIX, SCOPE, exchange_n, unsigned long long) \
  __GPUOPT_FETCH__(Exch, SUFFIX, SCOPE, exchange_n, long) \
  __GPUOPT_FETCH__(Exch, SUFFIX, SCOPE, exchange_n, unsigned long) \
  __GPUOPT_FETCH__(Exch, SUFFIX, SCOPE, exchange_n, long long) \
  __GPUOPT_EXCHANGE_REAL__(SUFFIX, SCOPE, float, unsigned int) \
  __GPUOPT_EXCHANGE_REAL__(SUFFIX, SCOPE, double, unsigned long long) \
  __GPUOPT_FETCH__(Min, SUFFIX, SCOPE, fetch_min, int) \
  __GPUOPT_FETCH__(Min, SUFFIX, SCOPE, fetch_min, unsigned int) \
  __GPUOPT_FETCH__(Min, SUFFIX, SCOPE, fetch_min, unsigned long long) \
  __GPUOPT_FETCH__(Min, SUFFIX, SCOPE, fetch_min, long) \
  __GPUOPT_FETCH__(Min, SUFFIX, SCOPE, fetch_min, unsigned long) \
  __GPUOPT_FETCH__(Min, SUFFIX, SCOPE, fetch_min, long long) \
  __GPUOPT_FETCH__(Max, SUFFIX, SCOPE, fetch_max, int) \
  __GPUOPT_FETCH__(Max, SUFFIX, SCOPE, fetch_max, unsigned int) \
  __GPUOPT_FETCH__(Max, SUFFIX, SCOPE, fetch_max, unsigned long long) \
  __GPUOPT_FETCH__(Max, SUFFIX, SCOPE, fetch_max, long) \
  __GPUOPT_FETCH__(Max, SUFFIX, SCOPE, fetch_max, unsigned long) \
  __GPUOPT_FETCH__(Max, SUFFIX, SCOPE, fetch_max, long long) \
  __GPUOPT_FETCH__(And, SUFFIX, SCOPE, fetch_and, int) \
  __GPUOPT_FETCH__(And, SUFFIX, SCOPE, fetch_and, unsigned int) \
  __GPUOPT_FETCH__(And, SUFFIX, SCOPE, fetch_and, unsigned long long) \
  __GPUOPT_FETCH__(And, SUFFIX, SCOPE, fetch_and, long) \
  __GPUOPT_FETCH__(And, SUFFIX, SCOPE, fetch_and, unsigned long) \
  __GPUOPT_FETCH__(And, SUFFIX, SCOPE, fetch_and, long long) \
  __GPUOPT_FETCH__(Or, SUFFIX, SCOPE, fetch_or, int) \
  __GPUOPT_FETCH__(Or, SUFFIX, SCOPE, fetch_or, unsigned int) \
  __GPUOPT_FETCH__(Or, SUFFIX, SCOPE, fetch_or, unsigned long long) \
  __GPUOPT_FETCH__(Or, SUFFIX, SCOPE, fetch_or, long) \
  __GPUOPT_FETCH__(Or, SUFFIX, SCOPE, fetch_or, unsigned long) \
  __GPUOPT_FETCH__(Or, SUFFIX, SCOPE, fetch_or, long long) \
  __GPUOPT_FETCH__(Xor, SUFFIX, SCOPE, fetch_xor, int) \
  __GPUOPT_FETCH__(Xor, SUFFIX, SCOPE, fetch_xor, unsigned int) \
  __GPUOPT_FETCH__(Xor, SUFFIX, SCOPE, fetch_xor, unsigned long long) \
  __GPUOPT_FETCH__(Xor, SUFFIX, SCOPE, fetch_xor, long) \
  __GPUOPT_FETCH__(Xor, SUFFIX, SCOPE, fetch_xor, unsigned long) \
  __GPUOPT_FETCH__(Xor, SUFFIX, SCOPE, fetch_xor, long long) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, int) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, unsigned int) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, unsigned long long) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, long) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, unsigned long) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, long long) \
  __GPUOPT_CAS__(SUFFIX, SCOPE, unsigned short) \
  __GPUOPT_WRAP__(SUFFIX, SCOPE)

#define __GPUOPT_EXCHANGE_REAL__(SUFFIX, SCOPE, TYPE, BITS)                    \
  __GPUOPT_DEVICE__ TYPE atomicExch##SUFFIX(TYPE *p, TYPE v) {                 \
    return __builtin_bit_cast(                                                 \
        TYPE, __scoped_atomic_exchange_n(                                      \
                  (BITS *)p, __builtin_bit_cast(BITS, v), __ATOMIC_RELAXED,    \
                  SCOPE));                                                     \
  }

__GPUOPT_ATOMICS__(, __MEMORY_SCOPE_DEVICE)
__GPUOPT_ATOMICS__(_block, __MEMORY_SCOPE_WRKGRP)
__GPUOPT_ATOMICS__(_system, __MEMORY_SCOPE_SYSTEM)

#undef __GPUOPT_FETCH__
#undef __GPUOPT_CAS__
#undef __GPUOPT_WRAP__
#undef __GPUOPT_ATOMICS__
#undef __GPUOPT_EXCHANGE_REAL__

// Those with an order and a scope (CUDA 12.8).
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM
namespace __gpuopt {
template <class T> struct itself { typedef T type; };
} // namespace __gpuopt
template <class T> __GPUOPT_DEVICE__ T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_load_n(p, order, scope);
}
template <class T> __GPUOPT_DEVICE__ void __nv_atomic_store_n(T *p, typename __gpuopt::itself<T>::type v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_store_n(p, v, order, scope);
}
template <class T> __GPUOPT_DEVICE__ bool __nv_atomic_compare_exchange_n(T *p, T *expected, typename __gpuopt::itself<T>::type v, bool isWeak, int success, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_compare_exchange_n(p, expected, v, isWeak, success, failure, scope);
}
#define __GPUOPT_FETCH__(OPERATION)                                            \
  template <class T> __GPUOPT_DEVICE__ T __nv_atomic_##OPERATION(T *p, typename __gpuopt::itself<T>::type v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    return __scoped_atomic_##OPERATION(p, v, order, scope);                    \
  }
__GPUOPT_FETCH__(exchange_n)
__GPUOPT_FETCH__(fetch_add)
__GPUOPT_FETCH__(fetch_sub)
__GPUOPT_FETCH__(fetch_and)
__GPUOPT_FETCH__(fetch_or)
__GPUOPT_FETCH__(fetch_xor)
__GPUOPT_FETCH__(fetch_min)
__GPUOPT_FETCH__(fetch_max)
#undef __GPUOPT_FETCH__

// HIP's names.
__GPUOPT_DEVICE__ float atomicAddNoRet(float *p, float v) { return atomicAdd(p, v); }
__GPUOPT_DEVICE__ float unsafeAtomicAdd(float *p, float v) { return atomicAdd(p, v); }
__GPUOPT_DEVICE__ double unsafeAtomicAdd(double *p, double v) { return atomicAdd(p, v); }
