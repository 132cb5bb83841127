//===- ErrorShadow.cpp - how far numbers may be off -----------------------===//

#include "runtime/ErrorShadow.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gpuopt;

static constexpr double unknown = std::numeric_limits<double>::infinity();

double RoundingError::bound() const {
  // The arithmetic on magnitudes and roundings is itself rounded.
  constexpr double slack = 1 + 0x1p-20;
  if (roundings == 0)
    return 0;
  // Also NaNs.
  if (!(roundings < 0.5) || !(magnitude < unknown))
    return unknown;
  double bound = 2 * slack * magnitude * roundings / (1 - roundings);
  // In another order a zero may have the other sign.
  return std::max(bound, std::numeric_limits<double>::denorm_min());
}

template <typename Self, typename Visit>
bool ErrorShadow::visitOverlaps(Self &self, uint64_t address, uint64_t bytes,
                                Visit visit) {
  uint64_t first = address - (kMaxBytes - 1), end = address + bytes;
  for (uint64_t key = first; bytes && key < end;) {
    uint64_t partEnd = std::min((key / kPartBytes + 1) * kPartBytes, end);
    auto &part = self.partOf(key);
    std::lock_guard<std::mutex> lock(part.mutex);
    auto entry = part.entries.lower_bound(key);
    while (entry != part.entries.end() && entry->first < partEnd) {
      // `visit` may erase it.
      auto next = std::next(entry);
      if (entry->first + entry->second.bytes > address &&
          visit(part.entries, entry))
        return true;
      entry = next;
    }
    key = partEnd;
  }
  return false;
}

RoundingError ErrorShadow::find(const void *address, uint64_t bytes,
                                double value) const {
  auto key = uint64_t(address);
  RoundingError error = {std::fabs(value), 0, 0};
  visitOverlaps(*this, key, bytes, [&](const Entries &, auto entry) {
    const Entry &number = entry->second;
    if (entry->first != key || number.bytes != bytes)
      error.roundings = unknown;
    else if (std::isnan(number.value) || number.value == value)
      error = number.error;
    return false;
  });
  return error;
}

void ErrorShadow::note(const void *address, uint64_t bytes, double value,
                       const RoundingError &error) {
  forget(address, bytes);
  if (error.roundings == 0)
    return;
  auto key = uint64_t(address);
  Part &part = partOf(key);
  std::lock_guard<std::mutex> lock(part.mutex);
  part.entries[key] = {error, value, bytes};
}

void ErrorShadow::add(const void *address, uint64_t bytes, double old,
                      const RoundingError &error) {
  auto key = uint64_t(address);
  bool isOfParts =
      visitOverlaps(*this, key, bytes, [&](const Entries &, auto entry) {
        return entry->first != key || entry->second.bytes != bytes;
      });
  if (isOfParts)
    lose();
  Part &part = partOf(key);
  std::lock_guard<std::mutex> lock(part.mutex);
  Entry &entry =
      part.entries.try_emplace(key, Entry{{std::fabs(old), 0, 0}, 0, bytes})
          .first->second;
  RoundingError &sum = entry.error;
  if (!(error.roundings < unknown))
    sum.roundings = unknown;
  double ofTerms = std::max(sum.roundings - sum.additions,
                            error.roundings - error.additions);
  sum.magnitude += error.magnitude;
  sum.additions += error.additions;
  sum.roundings = ofTerms + sum.additions;
  entry.value = std::numeric_limits<double>::quiet_NaN();
}

void ErrorShadow::forget(const void *address, uint64_t bytes) {
  auto key = uint64_t(address);
  visitOverlaps(*this, key, bytes, [&](Entries &entries, auto entry) {
    bool isWhole = entry->first >= key &&
                   entry->first + entry->second.bytes <= key + bytes;
    if (!isWhole)
      lose();
    entries.erase(entry);
    return false;
  });
}

bool ErrorShadow::hasRoundings(const void *address, uint64_t bytes) const {
  return visitOverlaps(*this, uint64_t(address), bytes,
                       [](const Entries &, auto) { return true; });
}
