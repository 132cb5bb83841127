//===- SearchKey.h - what the result of a search depends on -----*- C++ -*-===//

#ifndef TOOLS_SEARCH_SEARCHKEY_H
#define TOOLS_SEARCH_SEARCHKEY_H

#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// A key for the cache: equal for two searches only where they would give the
/// same result. In it are the raised kernel (without positions in its source;
/// flags have left their traces in it), the sizes, the full text of the machine
/// description, this build of the compiler, and the assembler and device
/// libraries that are found.
std::string searchKey(const Compilation &compilation,
                      const RaisedKernel &kernel, const Dim3 &items);

} // namespace gpuopt

#endif // TOOLS_SEARCH_SEARCHKEY_H
