// A CUDA file has what this header declares from the prelude.
#pragma once
#ifndef GPUOPT_PRELUDE_H
#include "gpuopt/host_only.h"
#endif
