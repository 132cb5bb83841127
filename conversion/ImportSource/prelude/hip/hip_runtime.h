// What this header declares is in the prelude already, by CUDA's names.
#pragma once
#include "gpuopt/hip_names.h"
