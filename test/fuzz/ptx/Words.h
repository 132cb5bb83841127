//===- Words.h - words of PTX by chance -------------------------*- C++ -*-===//
//
// What the importer knows (Instructions.def), so that a good part of what is
// made of it gets beyond the parser.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_FUZZ_PTX_WORDS_H
#define TEST_FUZZ_PTX_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <random>
#include <string>

namespace gpuopt::fuzz {

/// Numbers that depend on nothing but a seed.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  /// One of 0 to `count - 1`.
  size_t below(size_t count) { return engine() % count; }
  /// True once in `count` times.
  bool oneIn(size_t count) { return below(count) == 0; }
  template <typename List>
  auto pick(const List &list) {
    return list[below(std::size(list))];
  }

private:
  std::minstd_rand engine;
};

/// `-1`, `0x7fffffff`: those at which something changes.
std::string randomNumber(Random &random);
/// `0f7FC00000`
std::string randomFloat(Random &random);
/// `.s32`, `.global`, `.ftz`, `.entry`: types, modifiers and directives.
std::string randomWord(Random &random);
/// `%tid.x`, `WARP_SZ`
std::string randomSpecialRegister(Random &random);
/// `add.sat.s32`, in a form that the table has.
std::string randomOpcode(Random &random);
/// An instruction of the table. Its operands are of `names`; without those they
/// are registers of its types, which it declares.
std::string randomInstruction(llvm::ArrayRef<llvm::StringRef> names,
                              Random &random);

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_PTX_WORDS_H
