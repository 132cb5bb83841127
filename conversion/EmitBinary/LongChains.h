//===- LongChains.h - integers that come from one another -------*- C++ -*-===//
//
// Passes that ask scalar evolution write a value as an expression of what it is
// computed from, back to loads and arguments, and some do so for each value, or
// for each pair of them. Of a thousand integers, each computed from the one
// before, in a row or in one loop behind the other, that takes minutes. Nothing
// is found there that is of use: the expressions are cut at `freeze`, which is
// no instruction of any target.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITBINARY_LONGCHAINS_H
#define CONVERSION_EMITBINARY_LONGCHAINS_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuopt {

/// Cuts the chains of `function` into pieces, where it has one that is longer
/// than those of unrolled loops. True where it has.
bool cutLongChains(llvm::Function &function);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_LONGCHAINS_H
