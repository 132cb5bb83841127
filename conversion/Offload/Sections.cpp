//===- Sections.cpp - the part of an array that is accessed ---------------===//

#include "conversion/Offload/Sections.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

/// The type of what `depth` subscripts of `item` leave.
static QualType typeAt(size_t depth, const DataItem &item) {
  QualType type = item.variable->getType();
  for (size_t level = 0; level < depth; ++level)
    type = type->isPointerType()
               ? type->getPointeeType()
               : type->getAsArrayTypeUnsafe()->getElementType();
  return type;
}

std::optional<Polynomial> SectionFinder::extentAt(size_t depth,
                                                  const DataItem &item) const {
  const auto *array = context.getAsConstantArrayType(typeAt(depth, item));
  return array ? std::optional(Polynomial(array->getSize().getSExtValue()))
               : std::nullopt;
}

Polynomial SectionFinder::bytesAt(size_t depth, const DataItem &item) {
  QualType element = typeAt(depth + 1, item);
  if (!element->isVariablyModifiedType())
    return context.getTypeSizeInChars(element).getQuantity();
  std::string text = item.variable->getNameAsString();
  for (size_t level = 0; level <= depth; ++level)
    text += "[0]";
  return Polynomial::ofSymbol(effects.symbols.ofText("sizeof(" + text + ")",
                                                     /*isLongLong=*/false,
                                                     /*isUnsigned=*/true));
}

//===----------------------------------------------------------------------===//
// The section
//===----------------------------------------------------------------------===//

bool SectionFinder::isReached(const Access &access) const {
  return trustsConditions || (access.conditions == 0 && !effects.mayLeave);
}

/// The lesser, or the greater, of both.
Polynomial SectionFinder::merge(const Polynomial &left, const Polynomial &right,
                                bool isMost) {
  const Polynomial difference = left - right;
  if (conditions.implies(difference))
    return isMost ? left : right;
  if (conditions.implies(Polynomial() - difference))
    return isMost ? right : left;
  return Polynomial::ofSymbol(effects.symbols.ofChoice(left, right, isMost));
}

/// The subscripts that `access` has, at both ends for sure.
std::optional<Range> SectionFinder::reachedRange(size_t depth,
                                                 const Access &access) {
  if (!isReached(access) || !access.subscripts[depth])
    return std::nullopt;
  return bounds.rangeOf(*access.subscripts[depth], access.loops,
                        /*areReached=*/true);
}

/// The hull of subscripts that accesses have for sure.
std::optional<Range> SectionFinder::reachedRange(size_t depth,
                                                 const Accesses &accesses) {
  std::optional<Range> hull;
  for (const Access *access : accesses) {
    auto range = reachedRange(depth, *access);
    if (!range)
      continue;
    hull = hull ? Range{merge(hull->least, range->least, /*isMost=*/false),
                        merge(hull->most, range->most, /*isMost=*/true)}
                : *range;
  }
  return hull;
}

/// Whether the subscripts of other accesses are in `range`, where conditions
/// say so.
bool SectionFinder::holdsOthers(size_t depth, const Accesses &accesses,
                                const Range &range) {
  return llvm::all_of(accesses, [&](const Access *access) {
    if (!access->subscripts[depth])
      return false;
    if (reachedRange(depth, *access))
      return true;
    auto hull = bounds.rangeOf(*access->subscripts[depth], access->loops,
                               /*areReached=*/false);
    return hull && conditions.require(hull->least - range.least) &&
           conditions.require(range.most - hull->most);
  });
}

/// Whether no array of `extent` elements has one with that subscript.
static bool isBeyond(const Polynomial &subscript,
                     const std::optional<Polynomial> &extent) {
  std::optional<int64_t> number = subscript.constant();
  return number && extent && *number >= *extent->constant();
}

std::optional<Problem>
SectionFinder::findAt(size_t depth, const Accesses &accesses, DataItem &item) {
  auto extent = extentAt(depth, item);
  // An array that is declared exists as a whole; less of it is known by what
  // accesses reach.
  Conditions before = conditions;
  std::optional<Range> range = reachedRange(depth, accesses);
  // No section begins in front of its pointer.
  if (range &&
      (isBeyond(range->least, extent) || isBeyond(range->most, extent) ||
       !conditions.require(range->least) ||
       !holdsOthers(depth, accesses, *range)))
    range.reset();
  item.isReached =
      (depth == 0 || item.isReached) && range.has_value() && !trustsConditions;
  if (!range) {
    conditions = std::move(before);
    if (!extent) {
      const Access *access = accesses.front();
      std::string name = nameOf(effects.pointers, *item.variable);
      return Problem{access->expression->getExprLoc(),
                     "cannot tell which elements of '" + name +
                         "' exist and are used",
                     /*isForAuthor=*/false};
    }
    range = {0, *extent - 1};
  }
  item.hasSection = true;
  item.first = range->least;
  item.count = range->most - range->least + 1;
  item.elementBytes = bytesAt(depth, item);
  // What must hold contradicts itself.
  if (item.count.constant().value_or(1) < 1)
    return Problem{accesses.front()->expression->getExprLoc(),
                   "accesses no element of '" +
                       nameOf(effects.pointers, *item.variable) +
                       "', whatever sizes",
                   /*isForAuthor=*/false};
  bool isOneRow = item.count == Polynomial(1) &&
                  typeAt(depth + 1, item)->isArrayType() &&
                  llvm::all_of(accesses, [&](const Access *access) {
                    return access->subscripts.size() > depth + 1;
                  });
  if (!isOneRow)
    return std::nullopt;
  item.rows += "[" + effects.symbols.sectionText(item.first) + "]";
  return findAt(depth + 1, accesses, item);
}

/// Wants `access` to stay in each row that it chooses: the next one is not in
/// its section.
std::optional<Problem> SectionFinder::checkRows(const Access &access,
                                                const DataItem &item) {
  for (size_t level = 1; level < access.subscripts.size(); ++level) {
    auto extent = extentAt(level, item);
    // What is not known is in the row by the rules of C (6.5.6, paragraph 8).
    if (!extent || !access.subscripts[level])
      continue;
    auto range = bounds.rangeOf(*access.subscripts[level], access.loops,
                                /*areReached=*/false);
    if (!range || !conditions.require(range->least) ||
        !conditions.require(*extent - 1 - range->most))
      return Problem{access.expression->getExprLoc(),
                     "may leave the row of '" +
                         nameOf(effects.pointers, *item.variable) +
                         "' that it is in",
                     /*isForAuthor=*/false};
  }
  return std::nullopt;
}

std::optional<Problem> SectionFinder::find(const Accesses &accesses,
                                           DataItem &item) {
  if (item.variable->getType()->isRecordType()) {
    item.count = 1;
    item.elementBytes =
        context.getTypeSizeInChars(item.variable->getType()).getQuantity();
    return std::nullopt;
  }
  for (const Access *access : accesses)
    if (std::optional<Problem> problem = checkRows(*access, item))
      return problem;
  return findAt(0, accesses, item);
}

//===----------------------------------------------------------------------===//
// Whether all of it is written
//===----------------------------------------------------------------------===//

bool SectionFinder::tiles(const Polynomial &subscript,
                          llvm::ArrayRef<LoopRange> ranges,
                          const Polynomial &first, const Polynomial &count,
                          llvm::DenseSet<SymbolID> &used) const {
  Tiling tiling = tile(subscript, ranges, used);
  bool isConstant = llvm::none_of(tiling.first.symbols(), [&](SymbolID symbol) {
    return effects.symbols.isLoop(symbol);
  });
  return isConstant && tiling.first == first && tiling.count == count;
}

/// Whether each of `ranges`, those of `loops`, has iterations for all values of
/// the others, as far as is known.
bool SectionFinder::haveIterations(llvm::ArrayRef<LoopRange> ranges,
                                   llvm::ArrayRef<size_t> loops) {
  Conditions before = conditions;
  auto isNeverNegative = [&](const Polynomial &polynomial) {
    auto range = bounds.rangeOf(polynomial, loops, /*areReached=*/false);
    return range && before.implies(range->least);
  };
  bool have = llvm::all_of(ranges, [&](const LoopRange &range) {
    return isNeverNegative(range.distance) &&
           llvm::all_of(range.needed, isNeverNegative);
  });
  conditions = std::move(before);
  return have;
}

bool SectionFinder::covers(const Access &write, const DataItem &item) {
  bool isCertain = write.conditions == 0 && !effects.mayLeave;
  if (!isCertain || write.isInElement || !item.hasSection)
    return false;
  size_t depth = llvm::count(item.rows, '[');
  llvm::DenseSet<SymbolID> used;
  for (size_t level = depth; level < write.subscripts.size(); ++level) {
    auto extent = level == depth ? item.count : extentAt(level, item);
    if (!extent || !write.subscripts[level])
      return false;
    Polynomial subscript = *write.subscripts[level];
    auto ranges = bounds.withConditions(write.loops, subscript);
    if (!ranges || !haveIterations(*ranges, write.loops) ||
        !tiles(subscript, *ranges, level == depth ? item.first : Polynomial(0),
               *extent, used))
      return false;
  }
  return typeAt(write.subscripts.size(), item)->isScalarType();
}
