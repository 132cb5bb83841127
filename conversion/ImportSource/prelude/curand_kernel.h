// Random numbers in a kernel: the states are known, the functions need an SDK.
#pragma once

#include "gpuopt/libraries.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  float boxmuller_extra;
};
typedef curandStateXORWOW curandState;
typedef curandState curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
#ifdef GPUOPT_PRELUDE_H
template <class State> __GPUOPT_OF_SDK__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, State *state);
template <class State> __GPUOPT_OF_SDK__ unsigned int curand(State *state);
template <class State> __GPUOPT_OF_SDK__ float curand_uniform(State *state);
template <class State> __GPUOPT_OF_SDK__ double curand_uniform_double(State *state);
template <class State> __GPUOPT_OF_SDK__ float curand_normal(State *state);
template <class State> __GPUOPT_OF_SDK__ double curand_normal_double(State *state);
#endif
