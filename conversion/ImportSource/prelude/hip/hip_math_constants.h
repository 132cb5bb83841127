// See math_constants.h.
#pragma once
#include "math_constants.h"
