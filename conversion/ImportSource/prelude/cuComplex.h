// Complex numbers as vectors of two.
#pragma once
#ifndef GPUOPT_PRELUDE_H
#include "gpuopt/host_only.h"
#include <math.h>
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define __GPUOPT_COMPLEX__(TYPE, REAL, SUFFIX, FROM)                           \
  __GPUOPT_BOTH__ REAL cuCreal##SUFFIX(TYPE v) { return v.x; }                 \
  __GPUOPT_BOTH__ REAL cuCimag##SUFFIX(TYPE v) { return v.y; }                 \
  __GPUOPT_BOTH__ TYPE make_##FROM(REAL x, REAL y) { return {x, y}; }          \
  __GPUOPT_BOTH__ TYPE cuConj##SUFFIX(TYPE v) { return {v.x, -v.y}; }          \
  __GPUOPT_BOTH__ TYPE cuCadd##SUFFIX(TYPE a, TYPE b) {                        \
    return {a.x + b.x, a.y + b.y};                                             \
  }                                                                            \
  __GPUOPT_BOTH__ TYPE cuCsub##SUFFIX(TYPE a, TYPE b) {                        \
    return {a.x - b.x, a.y - b.y};                                             \
  }                                                                            \
  __GPUOPT_BOTH__ TYPE cuCmul##SUFFIX(TYPE a, TYPE b) {                        \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                     \
  }                                                                            \
  __GPUOPT_BOTH__ TYPE cuCdiv##SUFFIX(TYPE a, TYPE b) {                        \
    REAL d = b.x * b.x + b.y * b.y;                                            \
    return {(a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d};         \
  }
__GPUOPT_COMPLEX__(cuFloatComplex, float, f, cuFloatComplex)
__GPUOPT_COMPLEX__(cuDoubleComplex, double, , cuDoubleComplex)
#undef __GPUOPT_COMPLEX__
__GPUOPT_BOTH__ cuComplex make_cuComplex(float x, float y) { return {x, y}; }
__GPUOPT_BOTH__ float cuCabsf(cuFloatComplex v) { return __builtin_hypotf(v.x, v.y); }
__GPUOPT_BOTH__ double cuCabs(cuDoubleComplex v) { return __builtin_hypot(v.x, v.y); }
