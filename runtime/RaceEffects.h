//===- RaceEffects.h - what races may change --------------------*- C++ -*-===//
//
// Threads that race may agree all the same: each of them writes 1 to a flag. A
// byte is *unsettled* where they do not, so that what is there, or what a
// thread has read there, depends on which of them is first:
//
//   two writes race, and one changes what the other has left;
//   a read races with a write, before it or behind it, that changes the byte.
//
// What else a kernel computes from unsettled bytes is found by running it again
// and changing them before each read: what comes out in another way depends on
// them.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_RACEEFFECTS_H
#define RUNTIME_RACEEFFECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpuopt {

/// One flag for each byte of a piece of memory.
using ByteFlags = std::vector<uint8_t>;

/// Of one kernel, from one launch to the next; blocks must run one after the
/// other.
class RaceEffects {
public:
  /// The next launch finds unsettled bytes, in place of those known.
  void find() {
    pattern = 0;
    buffers.clear();
    workgroups.clear();
  }
  /// The launches that follow read others there: with the bits of `mask`
  /// flipped.
  void disturb(uint8_t mask) { pattern = mask; }
  bool isDisturbing() const { return pattern != 0; }
  bool isAny() const;

  /// The unsettled bytes of an argument, or of a variable of the module; empty
  /// where nothing is known.
  llvm::ArrayRef<uint8_t> ofArgument(llvm::StringRef name) const;
  llvm::ArrayRef<uint8_t> ofVariable(llvm::StringRef symbol) const;

  // For the executor. Buffers count from the first variable of the module, the
  // arguments follow them.
  void addBuffer(llvm::StringRef name, bool isVariable, ByteFlags unsettled) {
    buffers.push_back({name.str(), isVariable, std::move(unsettled)});
  }
  void addWorkgroup(uint32_t block, ByteFlags unsettled) {
    workgroups[block] = std::move(unsettled);
  }
  /// Changes what is unsettled of `bytes`, which begin at `offset`.
  void disturbBuffer(size_t number, uint64_t offset,
                     llvm::MutableArrayRef<uint8_t> bytes) const;
  void disturbWorkgroup(uint32_t block, uint64_t offset,
                        llvm::MutableArrayRef<uint8_t> bytes) const;

private:
  struct Buffer {
    std::string name;
    bool isVariable = false;
    ByteFlags unsettled;
  };
  llvm::ArrayRef<uint8_t> find(llvm::StringRef name, bool isVariable) const;

  uint8_t pattern = 0;
  std::vector<Buffer> buffers;
  /// By block; those without any are left out.
  std::map<uint32_t, ByteFlags> workgroups;
};

} // namespace gpuopt

#endif // RUNTIME_RACEEFFECTS_H
