//===- MapLoops.h - iterations of loops as work items -----------*- C++ -*-===//
//
//   for (i = lower; i < bound; i += 2) BODY
//
// becomes, with the work item's id along a dimension,
//
//   { i = lower + 2 * id; if (i < bound) BODY }
//
// The innermost loop runs along x.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_MAPLOOPS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_MAPLOOPS_H

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/Sema/Sema.h"

namespace gpuopt {

/// What work items do in the place of `loops`, which are nested perfectly, the
/// outermost first; null after an error.
clang::Stmt *mapLoops(llvm::ArrayRef<CountedLoop> loops, clang::Sema &sema);

/// `statement` for the first work item alone.
clang::Stmt *onlyFirstItem(clang::Stmt *statement, clang::Sema &sema);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_MAPLOOPS_H
