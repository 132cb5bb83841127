//===- Number.h - numbers as a user gives them ------------------*- C++ -*-===//
//
// A double holds integers up to 2^53 only, and kernels take 64-bit ones.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_NUMBER_H
#define TOOLS_LIB_LAUNCH_NUMBER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace gpuopt {

/// An integer of up to 64 bits, exactly: an `int64_t`, or a `uint64_t` from
/// 2^63 on. All else is a `double`.
using Number = std::variant<int64_t, uint64_t, double>;

/// Numbers by name.
using NumberMap = std::map<std::string, Number>;

/// Reads `4096`, `-1`, `0xff`, `1e-3`; nothing where `text` is no number.
std::optional<Number> parseNumber(llvm::StringRef text);

/// The number in full.
std::string toString(const Number &number);

double toDouble(const Number &number);

/// `number` as an integer, in two's complement from 2^63 on: what a kernel gets
/// for a 64-bit parameter of either sign. Nothing where it is none, or needs
/// more bits.
std::optional<int64_t> toInteger(const Number &number);

/// Those of `numbers` that are integers.
llvm::StringMap<int64_t> integersOf(const NumberMap &numbers);

/// Whether `number` is a value of an integer type.
bool fitsInteger(const Number &number, bool isSigned, unsigned bits);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_NUMBER_H
