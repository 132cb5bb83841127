//===- Search.cpp - the best design of a kernel ---------------------------===//

#include "tools/search/Search.h"

#include "conversion/ImportSource/Pragma.h"
#include "passes/Analysis/Coalescing.h"
#include "tools/lib/launch/Scalars.h"
#include "tools/search/DesignSpace.h"
#include "tools/search/SearchKey.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <tuple>

using namespace gpuopt;

/// How many designs are made beside the paper's.
static constexpr size_t kPredicted = 10;
/// Of how many of the best all refinements are tried.
static constexpr size_t kRefined = 2;
/// How many variants are assembled before the next bound is drawn. It is a
/// constant, and not the number of cores, so that the answer does not depend
/// on the machine.
static constexpr size_t kBatch = 4;
/// How much longer than the first of a batch the others may take by what is
/// known before. Of designs further apart the first one's real registers may
/// rule out the others, which are not assembled for nothing then.
static constexpr double kSameBatch = 1.05;
/// How much longer the passes' own design may take by the model to be chosen.
static constexpr double kWorthChanging = 1.02;
/// How many variants are timed, at most.
static constexpr size_t kMeasured = 16;

const Variant *SearchResult::chosen() const {
  auto found = llvm::find_if(variants, [](const Variant &variant) {
    return variant.verdict == VariantVerdict::Chosen;
  });
  return found == variants.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// The work items of the launch: what the pragma or the guards say for the
/// sizes. What is not known is `kAssumedSize`.
static Dim3 launchItems(const Compilation &compilation,
                        const KernelInfo &kernel, SearchResult &result) {
  SizeMap sizes = compilation.options().sizes;
  for (const KernelParameter &parameter : kernel.parameters)
    if (!parameter.isPointer && isInteger(parameter.element) &&
        sizes.try_emplace(parameter.name, kAssumedSize).second)
      result.assumptions.push_back(parameter.name + " = " +
                                   std::to_string(kAssumedSize));
  Dim3 items = {1, 1, 1};
  std::optional<LaunchGeometry> geometry = compilation.geometry(kernel, sizes);
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!geometry)
      break;
    bool hasBlocks = geometry->block[dim] > 1 || geometry->extents[dim];
    items[dim] = geometry->extents[dim].value_or(hasBlocks ? kAssumedSize : 1);
  }
  if (!kernel.pragma)
    return items;
  for (auto [dim, text] : llvm::enumerate(kernel.pragma->domain)) {
    std::optional<int64_t> extent;
    if (llvm::Expected<int64_t> value = evaluateExtent(text, sizes))
      extent = *value;
    else
      llvm::consumeError(value.takeError());
    if (dim < 3 && extent)
      items[dim] = std::max<int64_t>(1, *extent);
  }
  return items;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {
class Searcher {
public:
  Searcher(VariantMaker variantMaker, TargetAttr machine,
           const SearchOptions &searchOptions, SearchResult &searchResult)
      : maker(std::move(variantMaker)), target(machine), options(searchOptions),
        result(searchResult),
        pool(llvm::hardware_concurrency(searchOptions.threads)) {}

  void run();

private:
  void makeAll(llvm::ArrayRef<Design> designs);
  bool makeBases(std::vector<Variant> &bases);
  void assembleBest(size_t first);
  void measure();
  void choose();
  void rank();
  std::vector<size_t> legalBySeconds() const;
  bool isOutOfTime();
  template <typename Work>
  void inParallel(size_t count, Work work);

  VariantMaker maker;
  TargetAttr target;
  const SearchOptions &options;
  SearchResult &result;
  llvm::DefaultThreadPool pool;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
  llvm::StringSet<> codes;
  bool canAssemble = true;
  std::mutex mutex;
  int64_t done = 0, total = 0;
};
} // namespace

bool Searcher::isOutOfTime() {
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  if (options.budgetSeconds > 0 && elapsed.count() > options.budgetSeconds)
    result.isPartial = true;
  return result.isPartial;
}

/// Runs `work(0)` to `work(count - 1)`.
template <typename Work>
void Searcher::inParallel(size_t count, Work work) {
  total += count;
  for (size_t index = 0; index < count; ++index)
    pool.async([this, work, index] {
      work(index);
      std::lock_guard<std::mutex> lock(mutex);
      ++done;
      if (options.progress)
        options.progress(done, total);
    });
  pool.wait();
}

/// Makes variants of `designs` that are not there yet, batch by batch.
void Searcher::makeAll(llvm::ArrayRef<Design> designs) {
  std::vector<Design> fresh;
  for (const Design &design : designs)
    if (!llvm::is_contained(fresh, design) &&
        llvm::none_of(result.variants, [&](const Variant &variant) {
          return variant.design == design;
        }))
      fresh.push_back(design);
  for (size_t at = 0; at < fresh.size() && !isOutOfTime(); at += kBatch) {
    size_t count = std::min(kBatch, fresh.size() - at);
    std::vector<Variant> made(count);
    inParallel(count, [&](size_t index) {
      made[index] = maker.make(fresh[at + index]);
    });
    for (Variant &variant : made) {
      if (!variant.isDropped() && !codes.insert(variant.code).second)
        variant.drop("the same code as another design's");
      variant.code.clear();
      result.variants.push_back(std::move(variant));
    }
  }
}

/// Indices of the variants that are not dropped, the best first.
std::vector<size_t> Searcher::legalBySeconds() const {
  std::vector<std::pair<double, size_t>> sorted;
  for (auto [index, variant] : llvm::enumerate(result.variants))
    if (!variant.isDropped())
      sorted.push_back({variant.seconds(), index});
  llvm::sort(sorted);
  std::vector<size_t> order;
  for (auto [seconds, index] : sorted)
    order.push_back(index);
  return order;
}

/// Assembles the variants from number `first` on, the best prediction first,
/// until the next one's is no better than what a legal one has with its real
/// registers. Predictions are for the fewest registers, so the others cannot be
/// better than theirs.
void Searcher::assembleBest(size_t first) {
  if (!canAssemble)
    return;
  std::vector<size_t> order;
  double best = std::numeric_limits<double>::infinity();
  for (size_t index : legalBySeconds()) {
    if (index >= first)
      order.push_back(index);
    else if (result.variants[index].verdict == VariantVerdict::Legal)
      best = std::min(best, result.variants[index].seconds());
  }
  size_t at = 0, count = 0;
  for (; at < order.size() && !isOutOfTime(); at += count) {
    double fastest = result.variants[order[at]].seconds();
    if (fastest >= best && !(options.measure && at < kMeasured))
      break;
    for (count = 1; count < kBatch && at + count < order.size(); ++count)
      if (result.variants[order[at + count]].seconds() > fastest * kSameBatch)
        break;
    inParallel(count, [&](size_t index) {
      maker.assemble(result.variants[order[at + index]]);
    });
    for (size_t index : llvm::ArrayRef(order).slice(at, count))
      if (!result.variants[index].isDropped())
        best = std::min(best, result.variants[index].seconds());
  }
  for (size_t index :
       llvm::ArrayRef(order).drop_front(std::min(at, order.size()))) {
    result.variants[index].verdict = VariantVerdict::Slower;
    result.variants[index].reason =
        result.isPartial ? "not assembled: the time was up"
                         : "not assembled: at most as fast as the best";
  }
}

/// Makes the kernel before merging, for each shape of its block.
bool Searcher::makeBases(std::vector<Variant> &bases) {
  Design design;
  design.blocks = design.threads = {1, 1, 1};
  bases.push_back(maker.make(design));
  if (bases.front().profile.accesses.empty()) {
    result.reason = bases.front().reason;
    return false;
  }
  for (std::vector<int64_t> &shape : blockShapes(bases.front(), target)) {
    design.block = std::move(shape);
    Variant base = maker.make(design);
    if (!base.isDropped())
      bases.push_back(std::move(base));
  }
  return true;
}

/// Times the best variants.
void Searcher::measure() {
  if (!options.measure)
    return;
  std::vector<size_t> order = legalBySeconds();
  const KernelInfo &kernel = maker.kernel().kernel;
  OutputKind kind = target.getVendor() == Vendor::NVIDIA ? OutputKind::PTX
                                                         : OutputKind::HSACO;
  for (auto [number, index] : llvm::enumerate(order)) {
    Variant &variant = result.variants[index];
    if (number >= kMeasured || isOutOfTime()) {
      variant.verdict = VariantVerdict::Slower;
      variant.reason = "not measured";
      continue;
    }
    std::unique_ptr<Compilation> compilation = maker.compile(variant.design);
    llvm::Expected<std::string> code = compilation->emit(kind);
    if (!code) {
      variant.drop(llvm::toString(code.takeError()));
      continue;
    }
    LaunchConfig launch{{1, 1, 1}, variant.block};
    for (unsigned dim = 0; dim < 3; ++dim)
      launch.grid[dim] = std::max<int64_t>(
          1, llvm::divideCeil(maker.items()[dim], variant.itemsPerBlock[dim]));
    variant.measuredSeconds = options.measure(
        {variant, std::move(*code), kind, kernel.symbol, launch});
    if (!variant.measuredSeconds)
      variant.drop("it could not be measured");
  }
}

/// Names the best. The passes' own design stays where the model sees little to
/// gain: it is not that exact, and what is usual is tested most.
void Searcher::choose() {
  Variant *best = nullptr, *own = nullptr;
  for (Variant &variant : result.variants) {
    if (variant.verdict != VariantVerdict::Legal)
      continue;
    if (!best || variant.seconds() < best->seconds())
      best = &variant;
    if (variant.design == Design())
      own = &variant;
  }
  if (own && !options.measure &&
      own->seconds() <= best->seconds() * kWorthChanging)
    best = own;
  if (best)
    best->verdict = VariantVerdict::Chosen;
}

/// Sorts the variants: by verdict, then the fastest first.
void Searcher::rank() {
  choose();
  std::vector<std::tuple<VariantVerdict, double, size_t>> order;
  for (auto [index, variant] : llvm::enumerate(result.variants))
    order.push_back(
        {variant.verdict, variant.isDropped() ? 0 : variant.seconds(), index});
  llvm::sort(order);
  std::vector<Variant> sorted;
  for (const auto &[verdict, seconds, index] : order)
    sorted.push_back(std::move(result.variants[index]));
  result.variants = std::move(sorted);
}

void Searcher::run() {
  std::vector<Variant> bases;
  if (!makeBases(bases))
    return;
  Variant probe = bases.front();
  maker.assemble(probe);
  canAssemble = probe.measuredBy == "ptxas" || probe.measuredBy == "llvm";

  DesignSpace space(std::move(bases), target, maker.items());
  result.spaceSize = space.size();
  std::vector<Design> designs = {Design()};
  llvm::append_range(designs, space.paperDesigns());
  llvm::append_range(designs, space.bestPredicted(kPredicted));
  makeAll(designs);
  if (!result.variants.empty())
    makeAll(warpgroupDesigns(result.variants.front()));
  assembleBest(0);

  std::vector<Design> refined;
  size_t known = result.variants.size();
  std::vector<size_t> legal = legalBySeconds();
  legal.resize(std::min(legal.size(), kRefined));
  for (size_t index : legal)
    if (result.variants[index].verdict == VariantVerdict::Legal)
      llvm::append_range(refined,
                         refinements(result.variants[index], maker, target));
  makeAll(refined);
  assembleBest(known);
  measure();
  rank();
}

SearchResult gpuopt::searchDesigns(const Compilation &compilation,
                                   const KernelInfo &kernel,
                                   const SearchOptions &options) {
  SearchResult result;
  if (kernel.usesGlobalSync) {
    result.reason = kNoDesignsOfSequences;
    return result;
  }
  if (!compilation.tunedKernel(kernel)) {
    result.reason = "the kernel was not raised";
    return result;
  }
  result.items = launchItems(compilation, kernel, result);
  RaisedKernel raised = compilation.raisedAlone(kernel);
  DesignCache *cache = options.measure ? nullptr : options.cache;
  std::string key = searchKey(compilation, raised, result.items);
  if (std::optional<std::string> text =
          cache ? cache->lookUp(key) : std::nullopt)
    if (std::optional<SearchResult> known = deserialize(*text))
      return std::move(*known);
  VariantMaker maker(std::move(raised), result.items);
  Searcher(std::move(maker), compilation.target(), options, result).run();
  if (cache && !result.isPartial)
    cache->store(key, serialize(result));
  return result;
}
