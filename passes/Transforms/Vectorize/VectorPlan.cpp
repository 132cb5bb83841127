//===- VectorPlan.cpp - which accesses become one vector access -----------===//

#include "passes/Transforms/Vectorize/VectorPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <map>
#include <tuple>

using namespace gpuopt;

using Kind = MemoryEvent::Kind;

namespace {
/// Loads, or stores, of one array whose addresses differ by constants.
struct Family {
  /// The events at each distance in bytes, in program order.
  std::map<int64_t, llvm::SmallVector<unsigned>> events;
};

/// Finds events of a block that become one.
class VectorPlanner {
public:
  VectorPlanner(std::vector<MemoryEvent> events, int64_t maxBytes,
                ArraysMayAlias mayAlias)
      : events(std::move(events)), maxBytes(maxBytes), mayAlias(mayAlias) {}

  VectorPlan plan();

private:
  std::vector<Family> findFamilies() const;
  void planFamily(Family &family, int64_t lanes);
  void planMisses(const Family &family);
  bool tryGroup(Family &family, int64_t offset, unsigned first, int64_t lanes);
  std::optional<unsigned> findConflict(llvm::ArrayRef<unsigned> members,
                                       unsigned position) const;
  bool mayOverlap(const MemoryEvent &left, const MemoryEvent &right) const;
  void replace(const VectorGroup &group);

  std::vector<MemoryEvent> events;
  int64_t maxBytes;
  ArraysMayAlias mayAlias;
  VectorPlan result;
  /// For the first event of a group that a conflict prevented, what with.
  std::map<unsigned, unsigned> conflicts;
};
} // namespace

static bool isWrite(Kind kind) {
  return kind == Kind::Store || kind == Kind::Write;
}

static bool isAccess(Kind kind) {
  return kind == Kind::Load || kind == Kind::Store;
}

/// The bytes that an address with this distance from a multiple of `divisor`
/// is known to be a multiple of.
static int64_t alignmentOf(int64_t divisor, int64_t offset) {
  if (offset == 0)
    return divisor;
  return std::min(divisor, int64_t(1) << llvm::countr_zero(uint64_t(offset)));
}

/// Whether the subscripts tell that two accesses are to different elements.
static bool haveDistinctSubscripts(const MemoryEvent &left,
                                   const MemoryEvent &right) {
  if (left.view != right.view ||
      left.subscripts.size() != right.subscripts.size())
    return false;
  for (auto [dimension, from, to] :
       llvm::enumerate(left.subscripts, right.subscripts)) {
    std::optional<int64_t> distance = (to - from).getConstant();
    if (dimension < left.firstPacked) {
      if (distance != 0)
        return false;
      continue;
    }
    bool isLast = dimension + 1 == left.subscripts.size();
    int64_t leftLanes = isLast ? left.lanes : 1;
    int64_t rightLanes = isLast ? right.lanes : 1;
    if (distance && (*distance >= leftLanes || -*distance >= rightLanes))
      return true;
  }
  return false;
}

bool VectorPlanner::mayOverlap(const MemoryEvent &left,
                               const MemoryEvent &right) const {
  if (left.array != right.array)
    return mayAlias(left.array, right.array);
  if (!isAccess(left.kind) || !isAccess(right.kind))
    return true;
  if (haveDistinctSubscripts(left, right))
    return false;
  std::optional<int64_t> distance =
      (right.address - left.address).getConstant();
  return !distance || (*distance < left.bytes && -*distance < right.bytes);
}

/// An event that a member would cross on its way to `position`, and must not.
std::optional<unsigned>
VectorPlanner::findConflict(llvm::ArrayRef<unsigned> members,
                            unsigned position) const {
  for (unsigned member : members)
    for (unsigned i = std::min(member, position) + 1,
                  end = std::max(member, position);
         i < end; ++i) {
      const MemoryEvent &other = events[i];
      if (other.kind == Kind::None || llvm::is_contained(members, i))
        continue;
      bool mayMatter = other.kind == Kind::Fence ||
                       isWrite(events[member].kind) || isWrite(other.kind);
      if (mayMatter &&
          (other.kind == Kind::Fence || mayOverlap(events[member], other)))
        return i;
    }
  return std::nullopt;
}

std::vector<Family> VectorPlanner::findFamilies() const {
  std::map<std::tuple<Kind, unsigned, unsigned, int64_t, Polynomial>, Family>
      families;
  std::vector<std::pair<unsigned, Family *>> order;
  for (auto [number, event] : llvm::enumerate(events)) {
    if (!isAccess(event.kind) || event.address.isUnknown())
      continue;
    int64_t offset = event.address.getConstantTerm();
    Polynomial rest = event.address - Polynomial(offset);
    auto [it, isNew] = families.try_emplace(
        {event.kind, event.array, event.type, event.bytes, rest}, Family());
    it->second.events[offset].push_back(number);
    if (isNew)
      order.push_back({unsigned(number), &it->second});
  }
  // In program order, so that plans do not depend on how addresses compare.
  std::vector<Family> sorted;
  for (auto [number, family] : order)
    sorted.push_back(std::move(*family));
  return sorted;
}

/// The event in whose place the access to all `members` stands.
static unsigned positionOf(Kind kind, llvm::ArrayRef<unsigned> members) {
  return kind == Kind::Load ? *llvm::min_element(members)
                            : *llvm::max_element(members);
}

/// Puts the access of a group in the place of its members.
void VectorPlanner::replace(const VectorGroup &group) {
  MemoryEvent wide = events[group.lanes.front()];
  wide.bytes *= group.lanes.size();
  wide.lanes = group.lanes.size();
  for (unsigned member : group.lanes)
    events[member].kind = Kind::None;
  events[group.position] = wide;
}

/// Groups `lanes` events from the one numbered `first` at `offset` on; of
/// several accesses to an element, those nearest to the first one.
bool VectorPlanner::tryGroup(Family &family, int64_t offset, unsigned first,
                             int64_t lanes) {
  const MemoryEvent lowest = events[first];
  std::vector<unsigned> members = {first};
  for (int64_t lane = 1; lane < lanes; ++lane) {
    auto same = family.events.find(offset + lane * lowest.bytes);
    if (same == family.events.end() || same->second.empty())
      return false;
    auto distance = [&](unsigned event) {
      return event > first ? event - first : first - event;
    };
    members.push_back(
        *llvm::min_element(same->second, [&](unsigned left, unsigned right) {
          return distance(left) < distance(right);
        }));
  }
  unsigned position = positionOf(lowest.kind, members);
  if (std::optional<unsigned> conflict = findConflict(members, position)) {
    conflicts[first] = *conflict;
    return false;
  }
  VectorGroup group{members, position, alignmentOf(lowest.divisor, offset)};
  for (int64_t lane = 0; lane < lanes; ++lane)
    llvm::erase(family.events[offset + lane * lowest.bytes], members[lane]);
  replace(group);
  result.groups.push_back(std::move(group));
  return true;
}

void VectorPlanner::planFamily(Family &family, int64_t lanes) {
  for (auto &[offset, numbers] : family.events) {
    llvm::SmallVector<unsigned> candidates = numbers;
    for (unsigned first : candidates) {
      const MemoryEvent &event = events[first];
      int64_t bytes = lanes * event.bytes;
      if (bytes <= maxBytes && alignmentOf(event.divisor, offset) >= bytes)
        tryGroup(family, offset, first, lanes);
    }
  }
}

/// Says why accesses that are less than the widest access apart stay single:
/// the first ones of each family.
void VectorPlanner::planMisses(const Family &family) {
  const unsigned *before = nullptr;
  int64_t offsetBefore = 0;
  for (const auto &[offset, numbers] : family.events) {
    if (numbers.empty())
      continue;
    const unsigned *first = before;
    int64_t distance = offset - offsetBefore;
    before = &numbers.front();
    offsetBefore = offset;
    if (!first || events[*first].bytes >= maxBytes || distance >= maxBytes)
      continue;
    const MemoryEvent &event = events[*first];
    auto conflict = conflicts.find(*first);
    int64_t alignment =
        alignmentOf(event.divisor, event.address.getConstantTerm());
    if (conflict != conflicts.end())
      result.misses.push_back(
          {VectorMiss::Reason::Conflict, *first, conflict->second, alignment});
    else if (distance == event.bytes)
      result.misses.push_back(
          {VectorMiss::Reason::Unaligned, *first, 0, alignment});
    else
      result.misses.push_back({VectorMiss::Reason::Gap, *first, 0, alignment});
    return;
  }
}

VectorPlan VectorPlanner::plan() {
  std::vector<Family> families = findFamilies();
  // The widest first: a pair must not take half of four elements.
  for (int64_t lanes = maxBytes; lanes > 1; lanes /= 2)
    for (Family &family : families)
      planFamily(family, lanes);
  for (const Family &family : families)
    planMisses(family);
  return std::move(result);
}

VectorPlan gpuopt::planVectors(std::vector<MemoryEvent> events,
                               int64_t maxBytes, ArraysMayAlias mayAlias) {
  return VectorPlanner(std::move(events), maxBytes, mayAlias).plan();
}
