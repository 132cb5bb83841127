// Loads and stores with cache hints (the hint is dropped), and the part of C's
// library that a kernel may call.

#pragma once

template <class T> static inline __attribute__((device, always_inline)) T __ldg(const T *p) { return *p; }
template <class T> static inline __attribute__((device, always_inline)) T __ldcg(const T *p) { return *p; }
template <class T> static inline __attribute__((device, always_inline)) T __ldca(const T *p) { return *p; }
template <class T> static inline __attribute__((device, always_inline)) T __ldcs(const T *p) { return *p; }
template <class T> static inline __attribute__((device, always_inline)) T __ldlu(const T *p) { return *p; }
template <class T> static inline __attribute__((device, always_inline)) T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> static inline __attribute__((device, always_inline)) void __stwb(T *p, T v) { *p = v; }
template <class T> static inline __attribute__((device, always_inline)) void __stcg(T *p, T v) { *p = v; }
template <class T> static inline __attribute__((device, always_inline)) void __stcs(T *p, T v) { *p = v; }
template <class T> static inline __attribute__((device, always_inline)) void __stwt(T *p, T v) { *p = v; }

__GPUOPT_DEVICE__ void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
__GPUOPT_DEVICE__ void *memmove(void *to, const void *from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
__GPUOPT_DEVICE__ void *memset(void *to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

// Placement `new`, where Clang's own <new> is not read.
#ifdef __GPUOPT_DEVICE_SIDE__
__device__ inline __attribute__((always_inline)) void *operator new(size_t, void *p) noexcept { return p; }
__device__ inline __attribute__((always_inline)) void *operator new[](size_t, void *p) noexcept { return p; }
__device__ inline __attribute__((always_inline)) void operator delete(void *, void *) noexcept {}
__device__ inline __attribute__((always_inline)) void operator delete[](void *, void *) noexcept {}
#endif

// Pointers and the memory that they lead to.
#if !__HIP__
__GPUOPT_DEVICE__ size_t __cvta_generic_to_shared(const void *p) { return (size_t)(__attribute__((address_space(3))) void *)p; }
__GPUOPT_DEVICE__ size_t __cvta_generic_to_global(const void *p) { return (size_t)(__attribute__((address_space(1))) void *)p; }
__GPUOPT_DEVICE__ size_t __cvta_generic_to_constant(const void *p) { return (size_t)(__attribute__((address_space(4))) void *)p; }
__GPUOPT_DEVICE__ size_t __cvta_generic_to_local(const void *p) { return (size_t)(__attribute__((address_space(5))) void *)p; }
__GPUOPT_DEVICE__ void *__cvta_shared_to_generic(size_t p) { return (void *)(__attribute__((address_space(3))) void *)p; }
__GPUOPT_DEVICE__ void *__cvta_global_to_generic(size_t p) { return (void *)(__attribute__((address_space(1))) void *)p; }
__GPUOPT_DEVICE__ void *__cvta_constant_to_generic(size_t p) { return (void *)(__attribute__((address_space(4))) void *)p; }
__GPUOPT_DEVICE__ void *__cvta_local_to_generic(size_t p) { return (void *)(__attribute__((address_space(5))) void *)p; }
__GPUOPT_DEVICE__ unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
__GPUOPT_DEVICE__ unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
__GPUOPT_DEVICE__ unsigned int __isClusterShared(const void *p) { return __isShared(p); }
__GPUOPT_DEVICE__ unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
__GPUOPT_DEVICE__ unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
#endif

extern "C" __device__ void *malloc(size_t bytes);
extern "C" __device__ void free(void *p);
extern "C" __device__ int vprintf(const char *format, const char *arguments);

// printf: arguments promoted as C promotes them and laid out one after another.
namespace __gpuopt {
template <class T> struct promoted { typedef T type; };
template <> struct promoted<bool> { typedef int type; };
template <> struct promoted<char> { typedef int type; };
template <> struct promoted<signed char> { typedef int type; };
template <> struct promoted<unsigned char> { typedef int type; };
template <> struct promoted<short> { typedef int type; };
template <> struct promoted<unsigned short> { typedef int type; };
template <> struct promoted<float> { typedef double type; };
template <size_t Offset> static inline __attribute__((device, always_inline)) void place(char *) {}
// Each argument at the next multiple of its size.
template <size_t Offset, class T, class... Ts>
static inline __attribute__((device, always_inline)) void place(char *buffer, T t, Ts... ts) {
  typedef typename promoted<T>::type P;
  constexpr size_t at = (Offset + sizeof(P) - 1) / sizeof(P) * sizeof(P);
  *(P *)(buffer + at) = t;
  place<at + sizeof(P)>(buffer, ts...);
}
} // namespace __gpuopt
template <class... Ts>
static inline __attribute__((device, always_inline)) int printf(const char *format, Ts... arguments) {
#if __HIP__
  return 0;
#else
  if constexpr (sizeof...(Ts) == 0) {
    return vprintf(format, nullptr);
  } else {
    alignas(8) char buffer[8 * sizeof...(Ts)];
    __gpuopt::place<0>(buffer, arguments...);
    return vprintf(format, buffer);
  }
#endif
}

// <assert.h>'s macro calls __assert_fail; NVIDIA's driver has the other one,
// which prints the text.
extern "C" {
#if __HIP__
static inline __attribute__((device, noreturn, unused)) void
__assertfail(const char *, const char *, unsigned int, const char *, size_t) {
  __gpuopt_trap();
  __builtin_unreachable();
}
#else
__attribute__((device, noreturn)) void
__assertfail(const char *text, const char *file, unsigned int line, const char *function, size_t bytesPerCharacter);
#endif
static inline __attribute__((device, noreturn, unused)) void
__assert_fail(const char *text, const char *file, unsigned int line, const char *function) {
  __assertfail(text, file, line, function, 1);
}
}
