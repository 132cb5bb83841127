// Handles and values of the SDK's host libraries, as far as declarations name
// them. Their functions are only called in host bodies.

#pragma once
#ifndef GPUOPT_PRELUDE_H
#include "gpuopt/host_only.h"
#endif

typedef int cufftHandle;
typedef int cufftResult;
typedef int cufftType;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
#define CUFFT_SUCCESS 0
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define CUFFT_C2C 0x29
#define CUFFT_R2C 0x2a
#define CUFFT_C2R 0x2c
typedef struct curandGenerator_st *curandGenerator_t;
typedef int curandStatus_t;
#define CURAND_STATUS_SUCCESS 0
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef int cusparseStatus_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef int cusolverStatus_t;
