//===- ShareDirectives.h - '#pragma acc share' ------------------*- C++ -*-===//
//
// Clang knows no directive `share`, and its handler of `#pragma acc` is the
// only one: the text that it gets has `#pragma gpu share` in its place, which
// is as long, for a handler of our own. A directive belongs to the compute
// construct that follows it in its function, or, within one, to the part of it
// around or behind the directive.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_SHAREDIRECTIVES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_SHAREDIRECTIVES_H

#include "conversion/ImportSource/OpenACC/Constructs.h"
#include "dialects/GPUOpt/ShareHint.h"

#include "clang/Lex/Preprocessor.h"

#include <string>
#include <vector>

namespace gpuopt {

/// One array of a directive, and where it is named.
struct PlacedHint {
  ShareHint hint;
  clang::SourceLocation location;
};

struct ShareDirective {
  clang::SourceLocation location;
  std::vector<PlacedHint> hints;
};

/// The program `text` with `gpu` for `acc` in these directives.
std::string renameShareDirectives(llvm::StringRef text);

/// Collects them in `directives`. What is wrong with one is reported at its
/// token.
void addShareHandler(clang::Preprocessor &preprocessor,
                     std::vector<ShareDirective> &directives);

/// Those of `parts`, by number, that `directive` is for.
std::vector<size_t> partsOf(const ShareDirective &directive,
                            llvm::ArrayRef<KernelPart> parts,
                            const clang::SourceManager &sources);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_SHAREDIRECTIVES_H
