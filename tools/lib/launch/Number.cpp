//===- Number.cpp - numbers as a user gives them --------------------------===//

#include "tools/lib/launch/Number.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace gpuopt;

std::optional<Number> gpuopt::parseNumber(llvm::StringRef text) {
  int64_t integer;
  if (!text.getAsInteger(0, integer))
    return integer;
  uint64_t large;
  if (!text.getAsInteger(0, large))
    return large;
  double real;
  if (!text.getAsDouble(real))
    return real;
  return std::nullopt;
}

std::string gpuopt::toString(const Number &number) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (const double *real = std::get_if<double>(&number))
    stream << llvm::format("%.17g", *real);
  else
    std::visit([&](auto value) { stream << value; }, number);
  return text;
}

double gpuopt::toDouble(const Number &number) {
  return std::visit([](auto value) { return static_cast<double>(value); },
                    number);
}

std::optional<int64_t> gpuopt::toInteger(const Number &number) {
  if (const auto *integer = std::get_if<int64_t>(&number))
    return *integer;
  if (const auto *large = std::get_if<uint64_t>(&number))
    return static_cast<int64_t>(*large);
  double real = std::get<double>(number);
  if (real != std::floor(real))
    return std::nullopt;
  if (real >= -0x1p63 && real < 0x1p63)
    return static_cast<int64_t>(real);
  if (real >= 0x1p63 && real < 0x1p64)
    return static_cast<int64_t>(static_cast<uint64_t>(real));
  return std::nullopt;
}

bool gpuopt::fitsInteger(const Number &number, bool isSigned, unsigned bits) {
  std::optional<int64_t> integer = toInteger(number);
  if (!integer)
    return false;
  bool isNegative = toDouble(number) < 0;
  // From 2^63 on the sign is one of two's complement.
  if (!isNegative && *integer < 0)
    return !isSigned && bits == 64;
  if (isSigned)
    return llvm::isIntN(bits, *integer);
  return !isNegative && llvm::isUIntN(bits, *integer);
}

llvm::StringMap<int64_t> gpuopt::integersOf(const NumberMap &numbers) {
  llvm::StringMap<int64_t> integers;
  for (const auto &[name, number] : numbers)
    if (std::optional<int64_t> integer = toInteger(number))
      integers[name] = *integer;
  return integers;
}
