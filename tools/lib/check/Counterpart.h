//===- Counterpart.h - kernels that others are compared with ----*- C++ -*-===//
//
// `gpuopt check` compares a kernel as it is written with the tuned one. In the
// place of the latter may stand what the back end has made of it: the PTX that
// is written, read again; or a kernel of another file.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_CHECK_COUNTERPART_H
#define TOOLS_LIB_CHECK_COUNTERPART_H

#include "tools/lib/check/Check.h"

namespace gpuopt {

class Counterpart {
public:
  /// The kernels `symbols` of `tuned` as the PTX has them that is made of them,
  /// where `mayFuse` is false, as it would have them if the back end did not
  /// fuse products and sums; or as the file `path` has them, if it is given.
  static llvm::Expected<std::unique_ptr<Counterpart>>
  ofEmittedPTX(const Compilation &tuned, llvm::ArrayRef<std::string> symbols,
               bool mayFuse, llvm::StringRef path = "");
  /// The kernels of `path` as they are written, compiled as `options` say, or
  /// only `kernel`. Null after a diagnostic.
  static std::unique_ptr<Counterpart> ofFile(llvm::StringRef path,
                                             CompileOptions options,
                                             llvm::StringRef kernel = "");

  /// These kernels with the parameters that those of `original` have.
  std::unique_ptr<llvm::Module> moduleFor(const Compilation &original) const;
  /// Executors that run these kernels in the place of the tuned ones of
  /// `original`. All must outlive them.
  std::shared_ptr<CheckExecutors> executors(const Compilation &original,
                                            const CheckOptions &options) const;

  /// Of another file's kernels the one to compare with `kernel`: that of its
  /// name, or the only one. Behind the first one's parameters it may have
  /// others that it does not use, which get zeros. The error is for one that
  /// takes other arguments.
  llvm::Expected<ComparedKernel> compared(const KernelInfo &kernel) const;

private:
  void expectRoundings(const Compilation &original, CheckExecutors &made) const;
  llvm::Expected<const KernelInfo &> find(const KernelInfo &kernel) const;

  Counterpart(std::unique_ptr<Compilation> kernels, bool ofOtherFile)
      : kernels(std::move(kernels)), ofOtherFile(ofOtherFile) {}

  std::unique_ptr<Compilation> kernels;
  bool ofOtherFile;
};

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_COUNTERPART_H
