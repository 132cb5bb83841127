// Types of elements, which the SDK's libraries share.
#pragma once
#ifndef GPUOPT_PRELUDE_H
#include "gpuopt/host_only.h"
#endif
#include "gpuopt/cublas.h"
