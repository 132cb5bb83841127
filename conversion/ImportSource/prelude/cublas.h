// See gpuopt/cublas.h. The SDK's header includes the types of 16 bits, too.
#pragma once
#ifdef GPUOPT_PRELUDE_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#else
#include "gpuopt/host_only.h"
#endif
#include "cuComplex.h"
#include "gpuopt/cublas.h"
