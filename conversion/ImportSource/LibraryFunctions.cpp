//===- LibraryFunctions.cpp - functions without a body --------------------===//

#include "conversion/ImportSource/LibraryFunctions.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace gpuopt;

/// Names for double; the name for float has an `f` behind it.
static constexpr StringLiteral mathNames[] = {"acos",
                                              "acosh",
                                              "asin",
                                              "asinh",
                                              "atan",
                                              "atan2",
                                              "atanh",
                                              "cbrt",
                                              "cos",
                                              "cosh",
                                              "cospi",
                                              "erf",
                                              "erfc",
                                              "erfcinv",
                                              "erfcx",
                                              "erfinv",
                                              "exp",
                                              "exp10",
                                              "exp2",
                                              "expm1",
                                              "fdim",
                                              "fmod",
                                              "hypot",
                                              "ilogb",
                                              "j0",
                                              "j1",
                                              "jn",
                                              "ldexp",
                                              "lgamma",
                                              "log",
                                              "log10",
                                              "log1p",
                                              "log2",
                                              "logb",
                                              "nextafter",
                                              "normcdf",
                                              "normcdfinv",
                                              "pow",
                                              "rcbrt",
                                              "remainder",
                                              "remquo",
                                              "rhypot",
                                              "rsqrt",
                                              "scalbln",
                                              "scalbn",
                                              "sin",
                                              "sinh",
                                              "sinpi",
                                              "sqrt",
                                              "tan",
                                              "tanh",
                                              "tanpi",
                                              "tgamma",
                                              "y0",
                                              "y1",
                                              "yn",
                                              "cyl_bessel_i0",
                                              "cyl_bessel_i1",
                                              "frexp",
                                              "modf",
                                              "sincos",
                                              "copysign",
                                              "floor",
                                              "ceil",
                                              "round",
                                              "llround",
                                              "lround",
                                              "lrint",
                                              "llrint"};

/// Other functions that the device's library has.
static constexpr StringLiteral otherNames[] = {
    "malloc", "free", "vprintf", "memcpy", "memset", "memmove", "__assertfail"};

bool gpuopt::isLibraryFunction(StringRef symbol) {
  if (symbol.starts_with("__gpuopt_") || symbol.starts_with("__nv_"))
    return true;
  static const StringSet<> known = [] {
    StringSet<> names;
    for (StringRef name : mathNames) {
      names.insert(name);
      names.insert((name + "f").str());
    }
    names.insert(std::begin(otherNames), std::end(otherNames));
    return names;
  }();
  return known.contains(symbol);
}
