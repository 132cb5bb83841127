//===- Atomics.h - '#pragma acc atomic' in kernels --------------*- C++ -*-===//
//
// What a construct of OpenACC 3.3, section 2.12 does to a variable x becomes an
// atomic operation where there is one that does the same, and a loop around a
// compare-and-exchange else:
//
//   #pragma acc atomic            { T *place = &x, old, value;
//   x = e / x;               →      atomic_load(place, &old);
//                                   do { value = old;
//                                        value = e / value;
//                                   } while (!atomic_compare_exchange(
//                                                place, &old, &value)); }
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_ATOMICS_H
#define CONVERSION_IMPORTSOURCE_OPENACC_ATOMICS_H

#include "clang/AST/StmtOpenACC.h"
#include "clang/Sema/Sema.h"

namespace gpuopt {

/// Whether both are the same expression, of the same variables.
bool isSameExpression(const clang::Stmt &left, const clang::Stmt &right,
                      const clang::ASTContext &context);

/// Whether a device has such operations on the variable's type, and nothing
/// else is changed on the way.
bool isSupportedAtomic(const clang::OpenACCAtomicConstruct &construct,
                       const clang::ASTContext &context);

/// Makes the constructs in `statement`, which all are supported, atomic. What
/// is declared for them belongs to `function`.
void replaceAtomics(clang::Stmt *statement, clang::FunctionDecl *function,
                    clang::Sema &sema);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_ATOMICS_H
