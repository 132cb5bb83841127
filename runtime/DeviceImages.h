//===- DeviceImages.h - device code inside an object file -------*- C++ -*-===//
//
// An object file of a program carries its kernels in one section, `.nv_fatbin`,
// where Clang's host code points to them: a sequence of LLVM's offload
// binaries, each with its architecture and what it is for, and eight zero bytes
// behind the last.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_DEVICEIMAGES_H
#define RUNTIME_DEVICEIMAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace gpuopt {

/// The section for device code, ours and that of other compilers for CUDA.
inline constexpr llvm::StringLiteral kDeviceSection = ".nv_fatbin";

/// What an image is for.
enum class ImageRole {
  /// LLVM bitcode of the tuned kernels, beside the ones they fall back to.
  Tuned,
  /// LLVM bitcode that no pass of ours has touched.
  Original,
  /// The tuned kernels as PTX.
  Assembly,
  /// The same, assembled: a cubin.
  Binary,
  /// An array of launch rules, see LaunchRules.h, as JSON.
  Rules
};

struct DeviceImage {
  ImageRole role = ImageRole::Tuned;
  /// `sm_90`.
  std::string arch;
  std::string bytes;
};

/// An image in memory that outlives it.
struct DeviceImageRef {
  ImageRole role = ImageRole::Tuned;
  llvm::StringRef arch;
  llvm::StringRef bytes;
};

llvm::StringRef roleName(ImageRole role);

/// What the section holds.
std::string writeImages(llvm::ArrayRef<DeviceImage> images);

/// Reads what `writeImages` has written, from an address that is a multiple of
/// eight: up to `end`, where a linker may have put several after each other, or
/// without it up to the zeros, as in a program, which knows where the code of
/// an object begins, and no more.
llvm::Expected<std::vector<DeviceImageRef>> readImages(const char *begin,
                                                       const char *end);

/// The images of a file, and the memory that they are in.
struct DeviceImages {
  std::vector<DeviceImageRef> images;
  std::vector<std::vector<uint64_t>> sections;
};

/// Reads the sections of `file`; other compilers' fat binaries in them are left
/// out.
llvm::Expected<DeviceImages> readImages(const llvm::object::ObjectFile &file);

} // namespace gpuopt

#endif // RUNTIME_DEVICEIMAGES_H
