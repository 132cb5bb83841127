//===- ErrorShadow.cpp - how far numbers may be off -----------------------===//

#include "runtime/ErrorShadow.h"

#include <cmath>
#include <limits>

using namespace gpuopt;

double RoundingError::bound() const {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  // The arithmetic on magnitudes and roundings is itself rounded.
  constexpr double slack = 1 + 0x1p-20;
  if (roundings == 0)
    return 0;
  // Also NaNs.
  if (!(roundings < 0.5) || !(magnitude < unknown))
    return unknown;
  return 2 * slack * magnitude * roundings / (1 - roundings);
}

RoundingError ErrorShadow::find(const void *address, double value) const {
  auto key = uint64_t(address);
  const Part &part = partOf(key);
  std::lock_guard<std::mutex> lock(part.mutex);
  auto found = part.entries.find(key);
  bool isKnown =
      found != part.entries.end() &&
      (std::isnan(found->second.value) || found->second.value == value);
  return isKnown ? found->second.error : RoundingError{std::fabs(value), 0};
}

void ErrorShadow::note(const void *address, double value,
                       const RoundingError &error) {
  auto key = uint64_t(address);
  Part &part = partOf(key);
  std::lock_guard<std::mutex> lock(part.mutex);
  if (error.roundings == 0)
    part.entries.erase(key);
  else
    part.entries[key] = {error, value};
}

void ErrorShadow::add(const void *address, double old,
                      const RoundingError &error) {
  auto key = uint64_t(address);
  Part &part = partOf(key);
  std::lock_guard<std::mutex> lock(part.mutex);
  Entry &entry = part.entries.try_emplace(key, Entry{{std::fabs(old), 0}, 0})
                     .first->second;
  entry.error.magnitude += error.magnitude;
  entry.error.roundings += error.roundings;
  entry.value = std::numeric_limits<double>::quiet_NaN();
}

bool ErrorShadow::hasRoundings(const void *address, uint64_t bytes) const {
  for (auto key = uint64_t(address), end = key + bytes; key < end; ++key) {
    const Part &part = partOf(key);
    std::lock_guard<std::mutex> lock(part.mutex);
    if (part.entries.count(key))
      return true;
  }
  return false;
}
