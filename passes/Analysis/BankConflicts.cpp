//===- BankConflicts.cpp - workgroup memory banks of a request ------------===//

#include "passes/Analysis/BankConflicts.h"

#include "passes/Analysis/Requests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

namespace {
/// How a target serves a request.
struct BankRule {
  BankRule(TargetAttr target, int64_t accessBytes, AccessKind kind);

  /// The group that serves `lane` of a subgroup.
  int64_t groupOf(int64_t lane) const;
  /// Wavefronts for the accesses of one group at `addresses`.
  int64_t wavefrontsOf(llvm::ArrayRef<int64_t> addresses) const;
  int64_t wavefrontsWithOneBroadcast(llvm::ArrayRef<int64_t> addresses) const;
  int64_t bankOf(int64_t word) const {
    return ((word % banks) + banks) % banks;
  }

  int64_t banks;
  int64_t bankBytes;
  /// Bytes that a lane asks for at a time; a wider access takes several turns.
  int64_t bytesPerTurn;
  int64_t turns = 1;
  /// Lanes in a row that are served together.
  int64_t groupSize;
  /// 16-byte loads of gfx9: fours of lanes that are not neighbours.
  bool pairsDistantLanes = false;
  /// Compute capability 1.x.
  bool broadcastsOneWord = false;
};
} // namespace

BankRule::BankRule(TargetAttr target, int64_t accessBytes, AccessKind kind)
    : banks(target.getWorkgroupMemoryBanks()),
      bankBytes(target.getWorkgroupMemoryBankBytes()),
      bytesPerTurn(accessBytes) {
  broadcastsOneWord = target.getVendor() == Vendor::NVIDIA && banks == 16;
  if (broadcastsOneWord && accessBytes > bankBytes) {
    turns = llvm::divideCeil(accessBytes, bankBytes);
    bytesPerTurn = bankBytes;
  }
  groupSize = std::max<int64_t>(1, banks * bankBytes /
                                       std::max(bytesPerTurn, bankBytes));
  pairsDistantLanes = target.getVendor() == Vendor::AMD &&
                      target.getArch().starts_with("gfx9") &&
                      accessBytes == 16 && kind == AccessKind::Load;
}

int64_t BankRule::groupOf(int64_t lane) const {
  if (!pairsDistantLanes)
    return lane / groupSize;
  // Fours of lanes within 32: 0 with 5, 1 with 4, 2 with 7, 3 with 6.
  int64_t four = lane % 32 / 4;
  return lane / 32 * 4 + (four < 4 ? four : (four - 4) ^ 1);
}

int64_t BankRule::wavefrontsOf(llvm::ArrayRef<int64_t> addresses) const {
  if (broadcastsOneWord)
    return wavefrontsWithOneBroadcast(addresses);
  // Few words share a bank, so that looking through them is quick.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 32> wordsOfBank(banks);
  size_t most = 0;
  for (int64_t address : addresses) {
    int64_t last =
        llvm::divideFloorSigned(address + bytesPerTurn - 1, bankBytes);
    for (int64_t word = llvm::divideFloorSigned(address, bankBytes);
         word <= last; ++word) {
      llvm::SmallVector<int64_t, 4> &words = wordsOfBank[bankOf(word)];
      if (!llvm::is_contained(words, word))
        words.push_back(word);
      most = std::max(most, words.size());
    }
  }
  return most;
}

/// In each wavefront one word goes to all lanes that want it, and each other
/// bank serves one lane.
int64_t
BankRule::wavefrontsWithOneBroadcast(llvm::ArrayRef<int64_t> addresses) const {
  std::map<int64_t, int64_t> lanesOfWord;
  for (int64_t address : addresses)
    ++lanesOfWord[llvm::divideFloorSigned(address, bankBytes)];
  int64_t wavefronts = 0;
  while (!lanesOfWord.empty()) {
    ++wavefronts;
    // The chip's choice is not specified; this is the best one.
    auto broadcast =
        llvm::max_element(lanesOfWord, [](const auto &left, const auto &right) {
          return left.second < right.second;
        });
    llvm::SmallVector<bool, 32> isBusy(banks, false);
    isBusy[bankOf(broadcast->first)] = true;
    lanesOfWord.erase(broadcast);
    for (auto entry = lanesOfWord.begin(); entry != lanesOfWord.end();) {
      bool isServed = !isBusy[bankOf(entry->first)];
      isBusy[bankOf(entry->first)] = true;
      if (isServed && --entry->second == 0)
        entry = lanesOfWord.erase(entry);
      else
        ++entry;
    }
  }
  return wavefronts;
}

/// `address` without what is a whole number of words and the same for all
/// lanes: that renames the banks.
static Polynomial withoutUniformWords(const AccessFunction &access,
                                      const VariableTable &variables,
                                      int64_t bankBytes) {
  const Polynomial &address = access.address;
  if (address.isUnknown())
    return address;
  return address
      .partition([&](const Monomial &monomial) {
        return address.getCoefficient(monomial) % bankBytes != 0 ||
               access.variesOverLanes(Polynomial::term(monomial, 1), variables);
      })
      .first;
}

namespace {
/// What requests take by a rule. Requests that are a whole number of words
/// apart take the same, as that renames the banks: most of a kernel's are, and
/// each kind is computed once.
class RequestCosts {
public:
  explicit RequestCosts(const BankRule &bankRule) : rule(bankRule) {}

  /// Adds a request, shifted by `shift` bytes; `weight` is its share of all
  /// executions.
  void add(BankConflictFact &fact, llvm::ArrayRef<int64_t> lanes,
           llvm::ArrayRef<int64_t> addresses, int64_t shift, double weight);

private:
  struct Cost {
    int64_t degree = 0;
    int64_t wavefronts = 0;
    int64_t needed = 0;
  };
  Cost compute(llvm::ArrayRef<int64_t> lanes,
               llvm::ArrayRef<int64_t> addresses) const;

  const BankRule &rule;
  /// By the bytes of lanes and addresses.
  llvm::StringMap<Cost> known;
};
} // namespace

RequestCosts::Cost
RequestCosts::compute(llvm::ArrayRef<int64_t> lanes,
                      llvm::ArrayRef<int64_t> byteAddresses) const {
  std::map<int64_t, llvm::SmallVector<int64_t, 64>> groups;
  for (auto [lane, address] : llvm::zip_equal(lanes, byteAddresses))
    groups[rule.groupOf(lane)].push_back(address);
  Cost cost;
  for (auto &[group, addresses] : groups)
    for (int64_t turn = 0; turn < rule.turns; ++turn) {
      int64_t wavefronts = rule.wavefrontsOf(addresses);
      cost.degree = std::max(cost.degree, wavefronts);
      cost.wavefronts += wavefronts;
      ++cost.needed;
      for (int64_t &address : addresses)
        address += rule.bytesPerTurn;
    }
  return cost;
}

void RequestCosts::add(BankConflictFact &fact, llvm::ArrayRef<int64_t> lanes,
                       llvm::ArrayRef<int64_t> addresses, int64_t shift,
                       double weight) {
  if (lanes.empty())
    return;
  int64_t first =
      llvm::divideFloorSigned(addresses.front() + shift, rule.bankBytes);
  llvm::SmallVector<int64_t, 128> request(addresses);
  for (int64_t &address : request)
    address += shift - first * rule.bankBytes;
  llvm::append_range(request, lanes);
  llvm::StringRef key(reinterpret_cast<const char *>(request.data()),
                      request.size() * sizeof(int64_t));
  auto [entry, isNew] = known.try_emplace(key);
  Cost &cost = entry->second;
  if (isNew)
    cost = compute(lanes,
                   llvm::ArrayRef<int64_t>(request).take_front(lanes.size()));
  fact.degree = std::max(fact.degree, cost.degree);
  fact.wavefronts += weight * cost.wavefronts;
  fact.neededWavefronts += weight * cost.needed;
}

BankConflictFact gpuopt::computeBankConflicts(llvm::ArrayRef<int64_t> lanes,
                                              llvm::ArrayRef<int64_t> addresses,
                                              int64_t accessBytes,
                                              AccessKind kind,
                                              TargetAttr target) {
  BankConflictFact fact;
  BankRule rule(target, accessBytes, kind);
  RequestCosts(rule).add(fact, lanes, addresses, /*shift=*/0, /*weight=*/1);
  return fact;
}

BankConflictFact gpuopt::computeBankConflicts(const AccessFunction &access,
                                              const VariableTable &variables,
                                              TargetAttr target,
                                              const BlockShape &block,
                                              const SizeMap &sizes) {
  BankRule rule(target, access.accessBytes, access.kind);
  AccessFunction shifted = access;
  shifted.address = withoutUniformWords(access, variables, rule.bankBytes);
  BlockRequests requests =
      enumerateRequests(shifted, variables, block, target.getSubgroupSize(),
                        rule.bankBytes, sizes);
  BankConflictFact fact;
  fact.isUnreachable = requests.isUnreachable;
  fact.assumptions = requests.assumptions;
  fact.reason = requests.reason;
  int64_t combinations = 0;
  for (auto [shift, count] : requests.shifts)
    combinations += count * requests.combinations;
  RequestCosts costs(rule);
  for (auto [shift, count] : requests.shifts)
    for (const Request &request : requests.requests)
      costs.add(fact, request.lanes, request.addresses, shift,
                static_cast<double>(count) / combinations);
  return fact;
}
