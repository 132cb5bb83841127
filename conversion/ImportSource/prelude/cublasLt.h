// See gpuopt/libraries.h. The SDK's header includes the types of 16 bits, too.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "gpuopt/libraries.h"
