//===- Bounds.cpp - the least and the greatest of subscripts --------------===//

#include "conversion/Offload/Bounds.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;
using namespace gpuopt::offload;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static bool isNotNegative(const Polynomial &polynomial) {
  std::optional<int64_t> constant = polynomial.constant();
  return constant && *constant >= 0;
}

bool Conditions::implies(const Polynomial &polynomial) const {
  if (isNotNegative(polynomial))
    return true;
  // What is known has symbols in it, and so do products of it.
  bool hasProducts = llvm::any_of(polynomial.terms(), [](const auto &term) {
    return term.first.size() > 1;
  });
  // It is the sum of one or two known ones, or their product, and more.
  for (const Polynomial &first : known) {
    Polynomial rest = polynomial - first;
    if (isNotNegative(rest))
      return true;
    for (const Polynomial &second : known)
      if (isNotNegative(rest - second) ||
          (hasProducts &&
           (isNotNegative(polynomial - (first + 1) * (second + 1)) ||
            isNotNegative(rest - first * second))))
        return true;
  }
  return false;
}

bool Conditions::require(const Polynomial &polynomial) {
  if (implies(polynomial))
    return true;
  if (polynomial.constant() || !polynomial.isValid())
    return false;
  known.push_back(polynomial);
  added.push_back(polynomial);
  return true;
}

std::vector<Polynomial> Conditions::required() const {
  std::vector<Polynomial> result;
  for (const Polynomial &condition : added)
    if (llvm::none_of(known, [&](const Polynomial &other) {
          return !(other == condition) && isNotNegative(condition - other);
        }))
      result.push_back(condition);
  return result;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// `polynomial` with `value` for `symbol`; nothing where it is not linear in
/// it.
static std::optional<Polynomial> substitute(const Polynomial &polynomial,
                                            SymbolID symbol,
                                            const Polynomial &value) {
  auto split = polynomial.split(symbol);
  if (!split)
    return std::nullopt;
  return split->factor * value + split->rest;
}

/// Whether `factor` is positive or 0 in all iterations, or negative in all;
/// wants it not to be negative where nothing is known.
std::optional<bool> Bounds::isPositive(const Polynomial &factor,
                                       llvm::ArrayRef<LoopRange> loops) {
  if (std::optional<int64_t> constant = factor.constant())
    return *constant >= 0;
  auto least = end(factor, loops, /*isMost=*/false, /*isReached=*/false);
  if (least && conditions.implies(*least))
    return true;
  auto most = end(factor, loops, /*isMost=*/true, /*isReached=*/false);
  if (most && conditions.implies(Polynomial() - *most))
    return false;
  if (!least || !conditions.require(*least))
    return std::nullopt;
  return true;
}

namespace {
/// A polynomial at ends of the variables of loops, and what must not be
/// negative there.
struct Corner {
  Polynomial polynomial;
  std::vector<Polynomial> needed;

  bool substitute(SymbolID symbol, const Polynomial &value) {
    auto apply = [&](Polynomial &of) {
      auto next = ::substitute(of, symbol, value);
      if (next)
        of = *next;
      return next.has_value();
    };
    return apply(polynomial) && llvm::all_of(needed, apply);
  }
};
} // namespace

/// The polynomial of `corner` by which the end of the variable `symbol` is
/// chosen; null where each will do. Where the value leaves it open, loops in it
/// are to have iterations.
static const Polynomial *decidingFor(SymbolID symbol, const Corner &corner) {
  if (corner.polynomial.mentions(symbol))
    return &corner.polynomial;
  auto found = llvm::find_if(corner.needed, [&](const Polynomial &other) {
    return other.mentions(symbol);
  });
  return found == corner.needed.end() ? nullptr : &*found;
}

/// The least or the greatest of `polynomial`, at ends of the variables of
/// `ranges`, the innermost first.
std::optional<Polynomial> Bounds::end(Polynomial polynomial,
                                      llvm::ArrayRef<LoopRange> ranges,
                                      bool isMost, bool isReached) {
  Corner corner{std::move(polynomial), {}};
  for (; !ranges.empty(); ranges = ranges.drop_back()) {
    const LoopRange &range = ranges.back();
    if (isReached && !range.isExact)
      return std::nullopt;
    if (isReached) {
      corner.needed.push_back(range.distance);
      llvm::append_range(corner.needed, range.needed);
    }
    const Polynomial *deciding = decidingFor(range.symbol, corner);
    if (!deciding)
      continue;
    bool wantsMost = isMost || deciding != &corner.polynomial;
    auto split = deciding->split(range.symbol);
    auto isUp =
        split ? isPositive(split->factor, ranges.drop_back()) : std::nullopt;
    if (!isUp ||
        !corner.substitute(range.symbol,
                           *isUp == wantsMost ? range.most : range.least))
      return std::nullopt;
  }
  bool isKnown =
      llvm::none_of(corner.polynomial.symbols(), [&](SymbolID symbol) {
        return effects.symbols.isLoop(symbol);
      });
  bool areMet = llvm::all_of(corner.needed, [&](const Polynomial &other) {
    return conditions.require(other);
  });
  return isKnown && areMet && corner.polynomial.isValid()
             ? std::optional(corner.polynomial)
             : std::nullopt;
}

/// The loops at `places`, each with the last condition on its variable, and
/// `polynomial` over their symbols.
std::optional<std::vector<LoopRange>>
Bounds::withConditions(llvm::ArrayRef<size_t> places, Polynomial &polynomial) {
  std::vector<size_t> order;
  std::map<size_t, size_t> last;
  for (size_t place : places) {
    size_t loop = effects.loops[place].of.value_or(place);
    if (loop == place)
      order.push_back(loop);
    last[loop] = place;
  }
  std::vector<LoopRange> ranges;
  for (size_t loop : order)
    ranges.push_back(effects.loops[last[loop]]);
  for (size_t place : places) {
    size_t loop = effects.loops[place].of.value_or(place);
    SymbolID from = effects.loops[place].symbol;
    Polynomial to = Polynomial::ofSymbol(effects.loops[last[loop]].symbol);
    Corner all{polynomial, {}};
    for (LoopRange &range : ranges) {
      all.needed.push_back(range.least);
      all.needed.push_back(range.most);
      all.needed.push_back(range.distance);
      llvm::append_range(all.needed, range.needed);
    }
    if (!all.substitute(from, to))
      return std::nullopt;
    polynomial = all.polynomial;
    auto next = all.needed.begin();
    for (LoopRange &range : ranges) {
      range.least = *next++;
      range.most = *next++;
      range.distance = *next++;
      for (Polynomial &needed : range.needed)
        needed = *next++;
    }
  }
  return ranges;
}

std::optional<Range> Bounds::rangeOf(Polynomial polynomial,
                                     llvm::ArrayRef<size_t> loops,
                                     bool areReached) {
  auto ranges = withConditions(loops, polynomial);
  if (!ranges)
    return std::nullopt;
  Conditions before = conditions;
  auto least = end(polynomial, *ranges, /*isMost=*/false, areReached);
  auto most = end(polynomial, *ranges, /*isMost=*/true, areReached);
  if (!least || !most) {
    conditions = std::move(before);
    return std::nullopt;
  }
  return Range{*least, *most};
}

Tiling offload::tile(const Polynomial &subscript,
                     llvm::ArrayRef<LoopRange> ranges,
                     llvm::DenseSet<SymbolID> &used) {
  Tiling tiling{subscript, 1};
  while (true) {
    auto next = llvm::find_if(ranges, [&](const LoopRange &range) {
      auto split = tiling.first.split(range.symbol);
      return !used.contains(range.symbol) && split && range.isDense() &&
             range.isExact &&
             (split->factor == tiling.count ||
              split->factor == Polynomial() - tiling.count);
    });
    if (next == ranges.end())
      return tiling;
    auto split = tiling.first.split(next->symbol);
    bool isUp = split->factor == tiling.count;
    tiling.first =
        split->factor * (isUp ? next->least : next->most) + split->rest;
    tiling.count = tiling.count * (next->distance + 1);
    used.insert(next->symbol);
  }
}
