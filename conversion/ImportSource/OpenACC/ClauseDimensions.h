//===- ClauseDimensions.h - clauses for one dimension -----------*- C++ -*-===//
//
// OpenUH, and with it PolyBench/ACC, says for which dimension of the grid and
// the block a clause is:
//
//   #pragma acc parallel num_gangs[0](n/8) num_gangs[1](m/8) num_workers[0](8)
//   #pragma acc loop gang[1] worker[1]
//
// Clang knows no such clause, and which loop becomes which dimension follows
// from their order here.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_CLAUSEDIMENSIONS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_CLAUSEDIMENSIONS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace gpuopt {

/// `text` with blanks in the place of such clauses.
std::string blankClauseDimensions(llvm::StringRef text);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_CLAUSEDIMENSIONS_H
