// hipRAND in kernels is cuRAND on HIP's platform for NVIDIA's GPUs.
#pragma once
#include "hip/hip_runtime.h"
#include <curand_kernel.h>

#define hiprand curand
#define hiprand_init curand_init
#define hiprand_uniform curand_uniform
#define hiprand_uniform_double curand_uniform_double
#define hiprand_normal curand_normal
#define hiprand_normal_double curand_normal_double
#define hiprand_uniform2 curand_uniform2
#define hiprand_uniform4 curand_uniform4
#define hiprand_normal2 curand_normal2
#define hiprand_normal4 curand_normal4
#define hiprand_uniform2_double curand_uniform2_double
#define hiprand_normal2_double curand_normal2_double
#define hiprand_poisson curand_poisson
#define hiprand_log_normal curand_log_normal
#define hiprandState curandState
#define hiprandState_t curandState_t
#define hiprandStateXORWOW curandStateXORWOW
#define hiprandStateXORWOW_t curandStateXORWOW_t
#define hiprandStatePhilox4_32_10 curandStatePhilox4_32_10
#define hiprandStatePhilox4_32_10_t curandStatePhilox4_32_10_t
#define hiprandStateMRG32k3a curandStateMRG32k3a
#define hiprandStateMRG32k3a_t curandStateMRG32k3a_t
