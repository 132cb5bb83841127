//===- LaunchQueries.h - block and grid shape on AMD ------------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_LAUNCHQUERIES_H
#define CONVERSION_EMITBINARY_LAUNCHQUERIES_H

#include "llvm/IR/Module.h"

namespace gpuopt {

/// Replaces calls to `__ockl_get_local_size` and `__ockl_get_num_groups` by
/// loads of the hidden kernel arguments that hold them (code object version
/// 5), so that no device library is needed for them.
void lowerLaunchQueries(llvm::Module &module);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_LAUNCHQUERIES_H
