//===- Headers.h - what a file of source must include -----------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_HEADERS_H
#define CONVERSION_EMITSOURCE_HEADERS_H

#include "conversion/EmitSource/EmitSource.h"

#include <set>
#include <string>

namespace gpuopt::source {

/// What is needed by what has been spelled in one file.
class Headers {
public:
  enum Need {
    BFloat16,
    Half,
    Pipeline, ///< asynchronous copies to workgroup memory
    CooperativeGroups,
    Double,
    Algorithm, ///< the C++ library's, on the host
    Subgroups,
    Shuffles,
    Math,    ///< C's
    Size,    ///< `size_t`
    Minimum, ///< which C has no function for
    Maximum
  };

  void add(Need need) { needs.insert(need); }

  /// The lines at the top of the file: `#include`s, and in OpenCL C the
  /// extensions of types.
  std::string text(OutputLanguage language) const;

private:
  std::set<Need> needs;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_HEADERS_H
