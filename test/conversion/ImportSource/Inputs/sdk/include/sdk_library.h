// A stand-in for a library's header with a notice of NVIDIA Corporation.
#include "cuda_runtime_api.h"
typedef struct sdkContext *sdkHandle_t;
