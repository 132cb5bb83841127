// What the SDK's cuda_runtime.h includes of the host's headers, on which many
// files rely. Not part of the prelude, since a kernel alone needs none of it:
// read where a name is missing.

#pragma once

#if __has_include(<cstdlib>)
#include <cassert>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>
// As C's headers, which also put the overloads of C++ into the global
// namespace: `abs` of a real number and `isfinite`.
#include <math.h>
#include <stdlib.h>
#endif
