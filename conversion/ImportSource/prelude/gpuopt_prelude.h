//===- gpuopt_prelude.h - stands in for the SDK in CUDA and HIP sources ---===//
//
// Included before every CUDA and HIP file, as nvcc and hipcc include their
// runtime's header. Holds what every source may use without an #include; the
// other headers of this directory hold the rest. Self-contained: nothing of
// the host is included, so that it can be precompiled anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_PRELUDE_H
#define GPUOPT_PRELUDE_H

#include "gpuopt/attributes.h"
#include "gpuopt/vector_types.h"
#include "gpuopt/builtin_variables.h"
#include "gpuopt/math.h"
#include "gpuopt/integer_math.h"
#include "gpuopt/simd_intrinsics.h"
#include "gpuopt/dpx.h"
#include "gpuopt/memory.h"
#include "gpuopt/atomics.h"
#include "gpuopt/subgroup.h"
#include "gpuopt/runtime_types.h"
#include "gpuopt/runtime_api.h"
#include "gpuopt/textures.h"

#endif // GPUOPT_PRELUDE_H
