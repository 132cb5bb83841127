// What this header declares is in the prelude already, by CUDA's names.
#pragma once
#include "hip/hip_runtime_api.h"
