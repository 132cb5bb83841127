// A stand-in for a header of a library in NVIDIA's SDK.
#include "cuda_runtime_api.h"
typedef struct sdkContext *sdkHandle_t;
