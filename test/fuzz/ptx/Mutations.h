//===- Mutations.h - PTX that is almost right -------------------*- C++ -*-===//

#ifndef TEST_FUZZ_PTX_MUTATIONS_H
#define TEST_FUZZ_PTX_MUTATIONS_H

#include "test/fuzz/ptx/Words.h"

namespace gpuopt::fuzz {

/// Changes a few tokens, statements or lines of `text`, or makes a small kernel
/// of one instruction.
std::string mutate(std::string text, Random &random);

/// `text` with statements of `other` in it.
std::string splice(std::string text, llvm::StringRef other, Random &random);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_PTX_MUTATIONS_H
