// HIP's vectors can be added and the like, component by component. Templates:
// what a program declares itself for two vectors goes before them.

#pragma once

namespace __gpuopt {
template <class V> struct components;
#define __GPUOPT_COMPONENTS__(NAME, T)                                         \
  template <> struct components<NAME##1> { typedef T type; static constexpr int count = 1; }; \
  template <> struct components<NAME##2> { typedef T type; static constexpr int count = 2; }; \
  template <> struct components<NAME##3> { typedef T type; static constexpr int count = 3; }; \
  template <> struct components<NAME##4> { typedef T type; static constexpr int count = 4; };
__GPUOPT_COMPONENTS__(char, signed char)
__GPUOPT_COMPONENTS__(uchar, unsigned char)
__GPUOPT_COMPONENTS__(short, short)
__GPUOPT_COMPONENTS__(ushort, unsigned short)
__GPUOPT_COMPONENTS__(int, int)
__GPUOPT_COMPONENTS__(uint, unsigned)
__GPUOPT_COMPONENTS__(long, long)
__GPUOPT_COMPONENTS__(ulong, unsigned long)
__GPUOPT_COMPONENTS__(longlong, long long)
__GPUOPT_COMPONENTS__(ulonglong, unsigned long long)
__GPUOPT_COMPONENTS__(float, float)
__GPUOPT_COMPONENTS__(double, double)
#undef __GPUOPT_COMPONENTS__
template <class S> struct scalar;
#define __GPUOPT_SCALAR__(T) template <> struct scalar<T> { typedef T type; };
__GPUOPT_SCALAR__(char)
__GPUOPT_SCALAR__(signed char)
__GPUOPT_SCALAR__(unsigned char)
__GPUOPT_SCALAR__(short)
__GPUOPT_SCALAR__(unsigned short)
__GPUOPT_SCALAR__(int)
__GPUOPT_SCALAR__(unsigned)
__GPUOPT_SCALAR__(long)
__GPUOPT_SCALAR__(unsigned long)
__GPUOPT_SCALAR__(long long)
__GPUOPT_SCALAR__(unsigned long long)
__GPUOPT_SCALAR__(float)
__GPUOPT_SCALAR__(double)
#undef __GPUOPT_SCALAR__
} // namespace __gpuopt

#define __GPUOPT_VECTOR__ class V, class T = typename __gpuopt::components<V>::type
#define __GPUOPT_WITH_SCALAR__ __GPUOPT_VECTOR__, class S, class = typename __gpuopt::scalar<S>::type
#define __GPUOPT_COMPONENTWISE__(OP)                                           \
  template <__GPUOPT_VECTOR__> __GPUOPT_BOTH__ V &operator OP##=(V &a, V b) {  \
    a.x OP##= b.x;                                                             \
    if constexpr (__gpuopt::components<V>::count > 1)                          \
      a.y OP##= b.y;                                                           \
    if constexpr (__gpuopt::components<V>::count > 2)                          \
      a.z OP##= b.z;                                                           \
    if constexpr (__gpuopt::components<V>::count > 3)                          \
      a.w OP##= b.w;                                                           \
    return a;                                                                  \
  }                                                                            \
  template <__GPUOPT_WITH_SCALAR__> __GPUOPT_BOTH__ V &operator OP##=(V &a, S s) { \
    a.x OP##= T(s);                                                            \
    if constexpr (__gpuopt::components<V>::count > 1)                          \
      a.y OP##= T(s);                                                          \
    if constexpr (__gpuopt::components<V>::count > 2)                          \
      a.z OP##= T(s);                                                          \
    if constexpr (__gpuopt::components<V>::count > 3)                          \
      a.w OP##= T(s);                                                          \
    return a;                                                                  \
  }                                                                            \
  template <__GPUOPT_VECTOR__> __GPUOPT_BOTH__ V operator OP(V a, V b) { a OP##= b; return a; } \
  template <__GPUOPT_WITH_SCALAR__> __GPUOPT_BOTH__ V operator OP(V a, S s) { a OP##= s; return a; } \
  template <__GPUOPT_WITH_SCALAR__> __GPUOPT_BOTH__ V operator OP(S s, V b) {  \
    V a = b;                                                                   \
    a.x = T(s) OP b.x;                                                         \
    if constexpr (__gpuopt::components<V>::count > 1)                          \
      a.y = T(s) OP b.y;                                                       \
    if constexpr (__gpuopt::components<V>::count > 2)                          \
      a.z = T(s) OP b.z;                                                       \
    if constexpr (__gpuopt::components<V>::count > 3)                          \
      a.w = T(s) OP b.w;                                                       \
    return a;                                                                  \
  }
__GPUOPT_COMPONENTWISE__(+)
__GPUOPT_COMPONENTWISE__(-)
__GPUOPT_COMPONENTWISE__(*)
__GPUOPT_COMPONENTWISE__(/)
__GPUOPT_COMPONENTWISE__(%)
__GPUOPT_COMPONENTWISE__(&)
__GPUOPT_COMPONENTWISE__(|)
__GPUOPT_COMPONENTWISE__(^)
__GPUOPT_COMPONENTWISE__(<<)
__GPUOPT_COMPONENTWISE__(>>)
template <__GPUOPT_VECTOR__> __GPUOPT_BOTH__ V operator-(V a) { a *= T(-1); return a; }
template <__GPUOPT_VECTOR__> __GPUOPT_BOTH__ bool operator==(V a, V b) {
  bool isEqual = a.x == b.x;
  if constexpr (__gpuopt::components<V>::count > 1)
    isEqual = isEqual && a.y == b.y;
  if constexpr (__gpuopt::components<V>::count > 2)
    isEqual = isEqual && a.z == b.z;
  if constexpr (__gpuopt::components<V>::count > 3)
    isEqual = isEqual && a.w == b.w;
  return isEqual;
}
template <__GPUOPT_VECTOR__> __GPUOPT_BOTH__ bool operator!=(V a, V b) { return !(a == b); }
#undef __GPUOPT_COMPONENTWISE__
#undef __GPUOPT_WITH_SCALAR__
#undef __GPUOPT_VECTOR__
