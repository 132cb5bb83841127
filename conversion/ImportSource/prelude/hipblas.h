// See gpuopt/hipblas_names.h.
#pragma once
#include "gpuopt/hipblas_names.h"
