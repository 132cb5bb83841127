//===- HostLaunches.h - the blocks that host code launches ------*- C++ -*-===//
//
// Reads the shapes of blocks from the launches in host code:
//
//   kernel<<<n / 256, 256>>>(…)                      256 x 1 x 1
//   dim3 block(16, TILE); kernel<<<grid, block>>>    16 x TILE x 1
//   block.y = 4;                                     in place of TILE
//   void run(int threads) { …<<<grid, threads>>> }   what run is called with
//
// Values are Clang's constants, or what a variable was last set to before, in
// the order of the text. That is a guess where control flow decides. It only
// says what a kernel is best made for: launchers look at the real block.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_HOSTLAUNCHES_H
#define CONVERSION_IMPORTSOURCE_HOSTLAUNCHES_H

#include "clang/AST/ASTContext.h"

#include <array>
#include <vector>

namespace gpuopt {

/// A launch in host code.
struct HostLaunch {
  const clang::FunctionDecl *kernel = nullptr;
  std::array<int64_t, 3> block = {1, 1, 1};
};

/// The launches of `context`'s host code, outside of system headers, whose
/// blocks are known.
std::vector<HostLaunch> findHostLaunches(clang::ASTContext &context);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_HOSTLAUNCHES_H
