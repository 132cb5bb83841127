// What this header declares is in the prelude already, by CUDA's names.
#pragma once
#ifndef GPUOPT_PRELUDE_H
#include "gpuopt/host_only.h"
#endif
#include "gpuopt/hip_names.h"
