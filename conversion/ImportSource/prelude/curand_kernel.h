// Random numbers in a kernel: the states are known, the functions need an SDK.
#pragma once

#include "gpuopt/libraries.h"

// As the SDK has them: where one is installed, its functions work on what the
// host has allocated by these.
#define __GPUOPT_BOX_MULLER__                                                  \
  int boxmuller_flag, boxmuller_flag_double;                                   \
  float boxmuller_extra;                                                       \
  double boxmuller_extra_double;
struct curandStateXORWOW {
  unsigned int d, v[5];
  __GPUOPT_BOX_MULLER__
};
typedef curandStateXORWOW curandState;
typedef curandState curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  __GPUOPT_BOX_MULLER__
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  __GPUOPT_BOX_MULLER__
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStateSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
typedef curandStateSobol32 curandStateSobol32_t;
typedef unsigned int curandDirectionVectors32_t[32];
#undef __GPUOPT_BOX_MULLER__
#ifdef GPUOPT_PRELUDE_H
template <class State> __GPUOPT_OF_SDK__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, State *state);
template <class State> __GPUOPT_OF_SDK__ unsigned int curand(State *state);
template <class State> __GPUOPT_OF_SDK__ float curand_uniform(State *state);
template <class State> __GPUOPT_OF_SDK__ double curand_uniform_double(State *state);
template <class State> __GPUOPT_OF_SDK__ float curand_normal(State *state);
template <class State> __GPUOPT_OF_SDK__ double curand_normal_double(State *state);
#endif
