//===- ProfilePage.h - a profile to look at ---------------------*- C++ -*-===//
//
// What `gpuopt profile --html` and `gpuopt run --profile` write: one file that
// needs no network. It shows the source beside each line's share of the
// traffic, for each access the lanes of a request and the sectors or banks that
// they touch, before and after, the roofline, and what the passes did and why
// not more. The page itself is tools/lib/page; here is what fills it.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_PROFILEPAGE_H
#define TOOLS_LIB_PROFILE_PROFILEPAGE_H

#include "tools/lib/compile/Compiler.h"
#include "tools/lib/profile/ProgramProfile.h"

#include "llvm/Support/JSON.h"

namespace gpuopt {

/// The page for `profiles`, objects as `makeReport(KernelMeasurement)` makes
/// them, of kernels of `compilation`.
std::string makeProfilePage(const Compilation &compilation,
                            const llvm::json::Array &profiles);

/// The page for a program: its kernels by their share of the traffic, then each
/// as above, with the file that its accesses are in.
std::string makeProgramPage(llvm::StringRef program,
                            llvm::ArrayRef<const ProgramKernel *> kernels);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_PROFILEPAGE_H
