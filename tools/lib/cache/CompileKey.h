//===- CompileKey.h - what the result of a compilation depends on -*- C++ -*-=//

#ifndef TOOLS_LIB_CACHE_COMPILEKEY_H
#define TOOLS_LIB_CACHE_COMPILEKEY_H

#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// A key that is equal for two compilations only where the same is made of
/// them. In it are what the front end has made of the input (so that of all
/// files that it includes counts what it has used, however it came by them),
/// the input's path, every option, the machine description, this build, and the
/// assembler and device libraries that are found.
///
/// `compilation` has been read, and no more. Nothing where the module cannot be
/// written down, so that nobody can tell.
std::optional<std::string> compileKey(const Compilation &compilation);

} // namespace gpuopt

#endif // TOOLS_LIB_CACHE_COMPILEKEY_H
