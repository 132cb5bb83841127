//===- LaunchBrackets.h - launches that are written apart -------*- C++ -*-===//
//
// Formatters that do not know CUDA write `kernel<< <grid, block> >>(…)` or
// `kernel << < grid, block >> > (…)`, which nvcc takes for a launch. Clang
// wants
// `<<<` and `>>>` in one piece. A CUDA file is read with the blanks behind them
// instead of between: each line stays as long as it is.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_LAUNCHBRACKETS_H
#define CONVERSION_IMPORTSOURCE_LAUNCHBRACKETS_H

#include "llvm/Support/VirtualFileSystem.h"

#include <optional>
#include <string>

namespace gpuopt {

/// `text` with the brackets of its launches in one piece; nothing where they
/// are.
std::optional<std::string> joinLaunchBrackets(llvm::StringRef text);

/// Reads CUDA files, by the ends of their names, that way.
class LaunchBracketsFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_LAUNCHBRACKETS_H
