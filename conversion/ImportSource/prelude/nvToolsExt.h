// See gpuopt/libraries.h.
#pragma once
#include "gpuopt/libraries.h"
