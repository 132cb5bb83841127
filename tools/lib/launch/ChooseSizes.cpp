//===- ChooseSizes.cpp - sizes for a kernel that nobody gave --------------===//

#include "tools/lib/launch/ChooseSizes.h"

#include "tools/lib/launch/ArrayFile.h"
#include "tools/lib/launch/HostVariables.h"
#include "tools/lib/launch/LaunchLimits.h"
#include "tools/lib/launch/LaunchTrial.h"
#include "tools/lib/launch/Scalars.h"
#include "tools/lib/launch/SizeCandidates.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <ctime>

using namespace gpuopt;
using llvm::Expected;

namespace {

/// An integer that nobody gave, a parameter or a member of a structure.
struct OpenNumber {
  std::string name;
  ElementType type;
};

/// A way to number them.
struct Candidate {
  SizePattern pattern = SizePattern::Distinct;
  int64_t base = 0;
  int64_t other = 1;
  Dim3 block = {1, 1, 1};
  bool areSteps = false;
  /// One block along each dimension where nothing tells how many, which may do
  /// more than its threads' share.
  bool isOneBlock = false;
  /// The bound, by its place among the numbers, that is a small one: what looks
  /// like a size may be a level, or the number of a step.
  std::optional<size_t> tiny = {};
};

struct Found {
  Candidate candidate;
  Trial trial;
};

/// Arrays larger than that take long to compare, and races are not looked for
/// in them: sizes do not grow so far.
constexpr uint64_t kMostBytes = 64 << 20;

/// Searches for one kernel.
class SizeChooser {
public:
  SizeChooser(const Compilation &compilation, const KernelInfo &kernel,
              const RunOptions &given, const SizeUses &uses, Probe &probe);

  Expected<std::vector<ChosenRun>> choose(SizeWish wish);

private:
  Found attempt(const Candidate &candidate);
  Found search();
  void searchBlocks(Found &best);
  void searchPatterns(const Dim3 &block, Found &best);
  void searchOthers(Found &best);
  void searchSmallest(Found &best);
  Found grow(Found found, uint64_t mostAccesses, int64_t mostBase);
  Found growRound(const Found &found, SizeWish wish);
  std::vector<Found> several(const Found &found);
  std::vector<std::string> madeUpIntegers() const;
  bool isIdleAsGiven(const Found &found) const;
  llvm::Error fail(const Found &found) const;
  std::string optionsOf(const RunOptions &run) const;
  unsigned numBounds() const { return llvm::count(roles, SizeRole::Bound); }
  int64_t firstBase() const;
  bool hasTime() const {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begin;
    double computed = double(std::clock() - beginOfWork) / CLOCKS_PER_SEC;
    return std::min(spent.count(), computed) < kMostSeconds;
  }

  /// Of the search for one kernel. What else a machine is busy with must not
  /// change what is found.
  static constexpr double kMostSeconds = 10;

  const Compilation &compilation;
  const KernelInfo &kernel;
  const RunOptions &given;
  const SizeUses &uses;
  LaunchTrials trials;
  std::vector<OpenNumber> numbers;
  /// Of `numbers`.
  std::vector<SizeRole> roles;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
  /// The processor time so far.
  std::clock_t beginOfWork = std::clock();
};

} // namespace

/// Whether an array of `kernel` has `name` for an extent. Such a number must be
/// large enough, even where the code does not use it.
static bool isExtent(const KernelInfo &kernel, llvm::StringRef name) {
  return kernel.pragma &&
         llvm::any_of(kernel.pragma->arrays, [&](const auto &array) {
           return llvm::is_contained(array.second, name);
         });
}

SizeChooser::SizeChooser(const Compilation &compilation,
                         const KernelInfo &kernel, const RunOptions &given,
                         const SizeUses &uses, Probe &probe)
    : compilation(compilation), kernel(kernel), given(given), uses(uses),
      trials(compilation, kernel, given, uses, probe) {
  auto add = [&](const std::string &name, const ElementType &type,
                 SizeRole role) {
    if (!isInteger(type) || type.lanes != 1 || given.sizes.count(name))
      return;
    numbers.push_back({name, type});
    if (role == SizeRole::Other && isExtent(kernel, name))
      role = SizeRole::Stride;
    // A byte is a flag rather than a size.
    roles.push_back(type.bytes > 1 ? role : SizeRole::Other);
  };
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    if (!parameter.isPointer)
      add(parameter.name, parameter.element,
          index < uses.roles.size() ? uses.roles[index] : SizeRole::Other);
    // They are read from memory: nothing is known of their use.
    for (const StructureMember &member : parameter.members)
      if (isNumber(member))
        add(memberName(parameter, member), member.element, SizeRole::Bound);
  }
}

/// The more bounds, the more loops one in the other.
int64_t SizeChooser::firstBase() const {
  static constexpr int64_t bases[] = {64, 64, 64, 32, 16, 8, 8};
  return numBounds() < std::size(bases) ? bases[numBounds()] : 4;
}

Found SizeChooser::attempt(const Candidate &candidate) {
  RunOptions run = given;
  run.block = given.block.value_or(candidate.block);
  std::vector<int64_t> values =
      sizesOf(candidate.pattern, roles, candidate.base, candidate.other,
              candidate.areSteps);
  if (candidate.tiny)
    values[*candidate.tiny] = 3;
  for (auto [number, value] : llvm::zip(numbers, values))
    run.sizes[number.name] =
        number.type.kind == ElementKind::Bool ? int64_t(value != 0) : value;
  return {candidate, trials.attempt(std::move(run), candidate.isOneBlock)};
}

/// Tries patterns with `block` until a clean launch executes everything.
void SizeChooser::searchPatterns(const Dim3 &block, Found &best) {
  constexpr int64_t leastRow = 8;
  int64_t base = firstBase(), row = std::max(block[0], leastRow);
  std::vector<Candidate> candidates = {
      {SizePattern::Distinct, base, 1, block},
      {SizePattern::Round, base, 1, block},
      {SizePattern::Falling, base, 1, block},
      {SizePattern::Rising, base, 1, block},
      {SizePattern::SameOdd, base, 1, block},
      {SizePattern::Round, row, 1, block},
      {SizePattern::Round, 128, 1, block, false, /*isOneBlock=*/true},
      {SizePattern::Distinct, base, 2, block, /*areSteps=*/true},
      {SizePattern::Distinct, std::max<int64_t>(base / 8, 2), 1, block}};
  for (auto [index, role] : llvm::enumerate(roles))
    if (role == SizeRole::Bound && numBounds() > 1)
      candidates.push_back(
          {SizePattern::Distinct, base, 1, block, false, false, index});
  for (const Candidate &candidate : candidates) {
    if (best.trial.verdict == TrialVerdict::Clean && best.trial.isFull())
      return;
    if (!hasTime())
      return;
    // Without numbers all patterns are the same.
    if (numbers.empty() && &candidate != &candidates.front() &&
        !candidate.isOneBlock)
      continue;
    Found found = attempt(candidate);
    // One that cannot run says at least why.
    bool isFirst = !best.trial.isUsable() && best.trial.problem.empty();
    if (isFirst || found.trial.isBetterThan(best.trial))
      best = std::move(found);
  }
}

/// Whether an array of `kernel` has a constant extent.
static bool hasConstantExtent(const KernelInfo &kernel) {
  return kernel.pragma &&
         llvm::any_of(kernel.pragma->arrays, [](const auto &array) {
           return llvm::any_of(array.second, [](llvm::StringRef extent) {
             return llvm::all_of(extent, llvm::isDigit);
           });
         });
}

/// Arrays of a constant extent, as benchmarks declare them, may have few
/// elements.
void SizeChooser::searchSmallest(Found &best) {
  if (!hasConstantExtent(kernel))
    return;
  for (SizePattern pattern : {SizePattern::Round, SizePattern::Smallest}) {
    if (best.trial.isUsable() || !hasTime())
      return;
    Found found =
        attempt({pattern, /*base=*/4, /*other=*/1, best.candidate.block});
    if (found.trial.isUsable())
      best = std::move(found);
  }
}

void SizeChooser::searchBlocks(Found &best) {
  Dim3 usual = compilation.defaultBlock(kernel);
  std::vector<Dim3> blocks =
      given.block ? std::vector<Dim3>{*given.block} : blocksToTry(uses, usual);
  // What the kernel was written for comes before what its arrays are like.
  if (!given.block && compilation.hostBlock(kernel))
    blocks.insert(blocks.begin(), usual);
  for (const Dim3 &block : blocks) {
    searchPatterns(block, best);
    if (best.trial.verdict == TrialVerdict::Clean)
      return;
  }
}

/// Flags may keep code from running, and offsets work items from work.
void SizeChooser::searchOthers(Found &best) {
  if (!llvm::is_contained(roles, SizeRole::Other))
    return;
  bool areFlags =
      llvm::all_of(llvm::zip(numbers, roles), [](const auto &numberAndRole) {
        const auto &[number, role] = numberAndRole;
        return role != SizeRole::Other || number.type.kind == ElementKind::Bool;
      });
  for (int64_t other : {0, 2, 3}) {
    if (areFlags && other > 1)
      return;
    if (best.trial.verdict == TrialVerdict::Clean && best.trial.isFull())
      return;
    Candidate candidate = best.candidate;
    candidate.other = other;
    if (!hasTime())
      return;
    if (Found found = attempt(candidate); found.trial.isBetterThan(best.trial))
      best = std::move(found);
  }
}

Found SizeChooser::search() {
  Found best;
  searchBlocks(best);
  searchOthers(best);
  searchSmallest(best);
  return best;
}

/// Doubles the sizes as long as the kernel runs as well with them.
Found SizeChooser::grow(Found found, uint64_t mostAccesses, int64_t mostBase) {
  // Of many bounds the work items would be so many that only the first run.
  constexpr unsigned mostBounds = 3;
  unsigned power = numBounds() > mostBounds ? 0 : numBounds();
  while (power > 0 && hasTime() && found.candidate.base * 2 <= mostBase &&
         found.trial.accesses << power <= mostAccesses) {
    Candidate next = found.candidate;
    next.base *= 2;
    Found larger = attempt(next);
    if (found.trial.isBetterThan(larger.trial) ||
        larger.trial.bytes > kMostBytes)
      break;
    found = std::move(larger);
  }
  return found;
}

/// Sizes that blocks and tiles divide; unusable where the kernel cannot take
/// them.
Found SizeChooser::growRound(const Found &found, SizeWish wish) {
  Found round = found;
  if (found.candidate.pattern != SizePattern::Round) {
    Candidate candidate = found.candidate;
    candidate.pattern = SizePattern::Round;
    round = attempt(candidate);
    bool isWorse = round.trial.verdict < found.trial.verdict ||
                   (round.trial.isCut && !found.trial.isCut) ||
                   round.trial.bytes > std::max(kMostBytes, found.trial.bytes);
    if (isWorse)
      return Found();
  }
  bool isLarge = wish == SizeWish::Large;
  int64_t mostBase = numBounds() > 1 ? 1024 : isLarge ? 1 << 18 : 4096;
  return grow(round, isLarge ? 8'000'000 : 4'500'000, mostBase);
}

std::vector<Found> SizeChooser::several(const Found &found) {
  std::vector<Found> sets;
  bool hasSizes = llvm::any_of(
      roles, [](SizeRole role) { return role != SizeRole::Other; });
  if (!hasSizes || found.candidate.pattern == SizePattern::Smallest)
    return {found};
  if (found.candidate.pattern != SizePattern::Round)
    sets.push_back(
        grow(found, /*mostAccesses=*/600'000, numBounds() > 1 ? 512 : 2048));
  if (Found round = growRound(found, SizeWish::Several); round.trial.isUsable())
    sets.push_back(std::move(round));
  Candidate smallest = found.candidate;
  smallest.pattern = SizePattern::Smallest;
  if (Found small = attempt(smallest);
      small.trial.verdict >= found.trial.verdict)
    sets.push_back(std::move(small));
  return sets;
}

std::string SizeChooser::optionsOf(const RunOptions &run) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto printShape = [&](llvm::StringRef option, const Dim3 &shape) {
    stream << (text.empty() ? "" : " ") << option << ' ' << shape[0];
    if (shape[1] > 1 || shape[2] > 1)
      stream << ',' << shape[1];
    if (shape[2] > 1)
      stream << ',' << shape[2];
  };
  llvm::ListSeparator comma(",");
  if (!run.sizes.empty())
    stream << "--size ";
  // In the order of the parameters.
  auto print = [&](const std::string &name) {
    if (auto size = run.sizes.find(name); size != run.sizes.end())
      stream << comma << name << '=' << toString(size->second);
  };
  for (const KernelParameter &parameter : kernel.parameters) {
    print(parameter.name);
    for (const StructureMember &member : parameter.members)
      print(memberName(parameter, member));
  }
  if (run.grid)
    printShape("--grid", *run.grid);
  if (run.block && *run.block != compilation.defaultBlock(kernel))
    printShape("--block", *run.block);
  if (run.dynamicSharedBytes)
    stream << (text.empty() ? "" : " ") << "--shared-bytes "
           << run.dynamicSharedBytes;
  return text;
}

/// Whether the kernel writes nothing because of what was given, a size of 0 or
/// all of them, and not of what was chosen: then that is what to run.
bool SizeChooser::isIdleAsGiven(const Found &found) const {
  auto isNone = [](const auto &size) { return toInteger(size.second) <= 0; };
  return found.trial.verdict == TrialVerdict::Idle &&
         (numbers.empty() || llvm::any_of(given.sizes, isNone));
}

/// Arrays that the kernel reads, perhaps as subscripts or divisors.
std::vector<std::string> SizeChooser::madeUpIntegers() const {
  std::vector<std::string> names;
  for (const KernelParameter &parameter : kernel.parameters)
    if (parameter.isPointer && isInteger(parameter.element) &&
        parameter.pointeeIsConst && !given.inputs.count(parameter.name))
      names.push_back(parameter.name);
  return names;
}

llvm::Error SizeChooser::fail(const Found &found) const {
  MissingOptions missing = findMissing(compilation, kernel, given);
  std::string tried = optionsOf(found.trial.run);
  std::string advice = missing.isEmpty() ? "" : "; give " + missing.asOptions();
  std::vector<std::string> integers = madeUpIntegers();
  if (found.trial.verdict == TrialVerdict::Wrong && !integers.empty())
    advice += "; " + blameInputs(integers);
  return llvm::createStringError(
      "no sizes are found at which kernel '" + kernel.displayName +
      "' can be run: " + (tried.empty() ? "" : "with " + tried + ", ") +
      found.trial.problem + advice);
}

Expected<std::vector<ChosenRun>> SizeChooser::choose(SizeWish wish) {
  Found found = search();
  bool isIdle = isIdleAsGiven(found);
  if (!found.trial.isUsable() && !isIdle)
    return fail(found);
  std::vector<Found> sets = {found};
  if (wish == SizeWish::Several && !isIdle)
    sets = several(found);
  if (wish == SizeWish::Large && !isIdle) {
    Found round = growRound(found, wish);
    sets = {round.trial.isUsable()
                ? round
                : grow(found, 8'000'000, numBounds() > 1 ? 1024 : 1 << 18)};
  }
  std::vector<ChosenRun> runs;
  for (Found &set : sets)
    runs.push_back({set.trial.run, optionsOf(set.trial.run), set.trial.sites,
                    set.trial.executedSites});
  return runs;
}

void gpuopt::printChoice(const KernelInfo &kernel, const ChosenRun &choice,
                         llvm::raw_ostream &os) {
  if (choice.options.empty())
    return;
  os << kernel.displayName << ": at " << choice.options << '\n';
  if (unsigned left = choice.accesses - choice.executedAccesses)
    os << "  " << left << " of the " << choice.accesses
       << " accesses in its code are not executed with these\n";
}

/// What is wrong with what was given, whatever the sizes are.
static llvm::Error checkGiven(const Compilation &compilation,
                              const KernelInfo &kernel,
                              const RunOptions &given) {
  if (llvm::Error error = checkInputs(compilation, kernel, given))
    return error;
  if (llvm::Error error =
          checkDynamicMemory(given.dynamicSharedBytes, compilation.target()))
    return error;
  for (const KernelParameter &parameter : kernel.parameters) {
    auto file = given.inputs.find(parameter.name);
    if (file == given.inputs.end() || !parameter.isPointer)
      continue;
    ArrayFileUse use = {"array '" + parameter.name + "'", parameter.element};
    if (auto contents = readArrayFile(file->second, use); !contents)
      return contents.takeError();
  }
  if (given.inputs.empty())
    return llvm::Error::success();
  for (const HostVariable &variable : findHostVariables(compilation)) {
    auto file = given.inputs.find(variable.name);
    if (file == given.inputs.end())
      continue;
    if (auto contents = readVariable(variable, file->second); !contents)
      return contents.takeError();
  }
  return llvm::Error::success();
}

Expected<std::vector<ChosenRun>>
gpuopt::chooseSizes(const Compilation &compilation, const KernelInfo &kernel,
                    const RunOptions &given, SizeWish wish) {
  if (findMissing(compilation, kernel, given).isEmpty())
    return std::vector<ChosenRun>{{given, ""}};
  if (llvm::Error error = checkGiven(compilation, kernel, given))
    return error;
  Expected<Probe> probe = Probe::create(compilation, kernel, kSecondsPerTrial);
  if (!probe)
    return probe.takeError();
  llvm::LLVMContext context;
  auto module = compilation.untouched(context);
  if (!module)
    return module.takeError();
  SizeUses uses = findSizeUses(**module, kernel.symbol);
  return SizeChooser(compilation, kernel, given, uses, *probe).choose(wish);
}
