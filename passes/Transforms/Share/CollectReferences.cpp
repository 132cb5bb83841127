//===- CollectReferences.cpp - what a kernel accesses, for partitions -----===//

#include "passes/Transforms/Share/CollectReferences.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/Coalescing.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpuopt;

namespace {
class ReferenceCollector {
public:
  ReferenceCollector(gpu::GPUFuncOp kernel, const SizeMap &sizes)
      : kernel(kernel), sizes(sizes), functions(kernel) {}

  PartitionProblem collect();

private:
  void addWorkItems();
  unsigned addLoop(unsigned variable);
  void addReference(const AccessFunction &access);
  bool readSubscript(Polynomial subscript, AffineSubscript &read);
  std::optional<Polynomial> overSizes(const Polynomial &polynomial);
  void addDependences();
  void readHints();
  void dropIdleDimensions();

  gpu::GPUFuncOp kernel;
  const SizeMap &sizes;
  AccessFunctions functions;
  PartitionProblem problem;
  /// The dimensions of ids along x, y, z, and of loops by their variables.
  std::array<std::optional<unsigned>, 3> workItems;
  llvm::MapVector<unsigned, unsigned> loops;
  llvm::MapVector<Value, unsigned> arrays;
};
} // namespace

void ReferenceCollector::addWorkItems() {
  constexpr StringLiteral names[] = {"x", "y", "z"};
  std::array<bool, 3> isUsed = {};
  kernel.walk([&](gpu::GlobalIdOp id) {
    isUsed[static_cast<unsigned>(id.getDimension())] = true;
  });
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (!isUsed[dimension])
      continue;
    workItems[dimension] = problem.dimensions.size();
    problem.dimensions.push_back({names[dimension].str(), dimension, {}});
  }
}

/// The same over the plan's parameters; nothing where it depends on more than
/// the kernel's parameters.
std::optional<Polynomial>
ReferenceCollector::overSizes(const Polynomial &polynomial) {
  const VariableTable &table = functions.variables();
  if (polynomial.isUnknown() || polynomial.containsAny([&](unsigned variable) {
        return table[variable].kind != Variable::Kind::Parameter;
      }))
    return std::nullopt;
  Polynomial result;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    Polynomial product(coefficient);
    for (unsigned variable : monomial) {
      const std::string &name = table[variable].name;
      auto known = sizes.find(name);
      product = product * problem.parameters.addSize(name, known == sizes.end()
                                                               ? kAssumedSize
                                                               : known->second);
    }
    result += product;
  }
  return result;
}

unsigned ReferenceCollector::addLoop(unsigned variable) {
  auto [place, isNew] = loops.insert({variable, problem.dimensions.size()});
  if (!isNew)
    return place->second;
  const Variable &loop = functions.variables()[variable];
  std::optional<Polynomial> length;
  // Of several bounds one decides, and nobody knows which.
  if (loop.lowerBounds.size() == 1 && loop.upperBounds.size() == 1)
    length = overSizes(loop.upperBounds.front() - loop.lowerBounds.front());
  std::optional<int64_t> step = loop.step.getConstant();
  if (length && step && *step > 0)
    length =
        *step == 1 ? *length : problem.parameters.addQuotient(*length, *step);
  else
    length =
        problem.parameters.addSize("iterations of " + loop.name, kAssumedSize);
  problem.dimensions.push_back({loop.name, std::nullopt, *length});
  return place->second;
}

/// Takes the ids and loops out of `subscript`.
bool ReferenceCollector::readSubscript(Polynomial subscript,
                                       AffineSubscript &read) {
  read.factors.assign(problem.dimensions.size(), 0);
  auto take = [&](const Polynomial &value, unsigned variable,
                  unsigned dimension) {
    std::optional<int64_t> factor =
        subscript.getCofactor(variable).getConstant();
    if (!factor)
      return false;
    read.factors[dimension] = *factor;
    subscript -= Polynomial(*factor) * value;
    return true;
  };
  for (unsigned id = 0; id < 3; ++id)
    if (workItems[id] &&
        !take(Polynomial::variable(VariableTable::threadId(id)) +
                  Polynomial::variable(VariableTable::blockId(id)) *
                      Polynomial::variable(VariableTable::blockDim(id)),
              VariableTable::threadId(id), *workItems[id]))
      return false;
  for (auto [variable, dimension] : loops)
    if (!take(Polynomial::variable(variable), variable, dimension))
      return false;
  std::optional<Polynomial> offset = overSizes(subscript);
  if (offset)
    read.offset = *offset;
  return offset.has_value();
}

void ReferenceCollector::addReference(const AccessFunction &access) {
  auto [array, isNew] = arrays.insert({access.base, problem.arrays.size()});
  if (isNew)
    problem.arrays.push_back({access.array, access.elementBytes});
  ArrayReference &reference = problem.references.emplace_back();
  reference.array = array->second;
  reference.isStore = access.kind != AccessKind::Load;
  if (!access.isResolved()) {
    reference.problem = access.unresolved;
    return;
  }
  for (std::optional<unsigned> dimension : workItems)
    if (dimension)
      reference.dimensions.push_back(*dimension);
  for (int loop : access.loops) {
    if (loop < 0) {
      reference.problem = "a loop around it does not count";
      return;
    }
    reference.dimensions.push_back(loops.lookup(loop));
  }
  for (const Polynomial &subscript : access.subscripts)
    if (!readSubscript(subscript, reference.subscripts.emplace_back())) {
      reference.problem = "a subscript is no affine function of ids and loops";
      return;
    }
}

/// What `store` depends on: what is loaded for its value, its address and the
/// conditions around it, in loops, too.
static SetVector<Operation *> sliceOf(Operation *store, gpu::GPUFuncOp kernel) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  (void)getBackwardSlice(store, &slice, options);
  for (Operation *op = store->getParentOp(); op != kernel;
       op = op->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      (void)getBackwardSlice(branch.getCondition(), &slice, options);
    // What a loop carries is computed in it.
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op);
        loop && !loop.getRegionIterArgs().empty())
      slice.insert(op);
  }
  return slice;
}

void ReferenceCollector::addDependences() {
  auto loadedArray = [&](Operation *op) -> std::optional<unsigned> {
    const AccessFunction *access = functions.lookup(op);
    if (!access || access->space != MemorySpace::Global ||
        access->kind != AccessKind::Load)
      return std::nullopt;
    return arrays.lookup(access->base);
  };
  SetVector<std::pair<unsigned, unsigned>> pairs;
  for (const AccessFunction &access : functions.accesses()) {
    if (access.kind == AccessKind::Load || access.space != MemorySpace::Global)
      continue;
    unsigned stored = arrays.lookup(access.base);
    for (Operation *op : sliceOf(access.op, kernel))
      op->walk([&](Operation *nested) {
        if (std::optional<unsigned> loaded = loadedArray(nested))
          pairs.insert({stored, *loaded});
      });
  }
  problem.dependences.assign(pairs.begin(), pairs.end());
}

void ReferenceCollector::readHints() {
  auto hints = kernel->getAttrOfType<ArrayAttr>(kShareAttrName);
  if (!hints)
    return;
  for (StringRef text : hints.getAsValueRange<StringAttr>()) {
    size_t offset = 0;
    ShareHint &hint = problem.hints.emplace_back();
    [[maybe_unused]] auto error = parseShareHint(text, offset, hint);
    assert(!error && "the verifier has read it");
  }
}

/// Leaves out dimensions in which nothing ever moves, such as the middle one of
/// `in[y, 0, x]`, with strides w, 4 and 1 for y * (w + 4) + x: the source has
/// none. `rank`: what a hint says that there are, if there is one.
static void dropIdleDimensionsOf(llvm::ArrayRef<ArrayReference *> references,
                                 std::optional<size_t> rank) {
  size_t most = references.front()->subscripts.size();
  if (llvm::any_of(references, [&](const ArrayReference *reference) {
        return reference->subscripts.size() != most;
      }))
    return;
  for (size_t place = most; place-- > 0 && most > rank.value_or(1);) {
    if (!llvm::all_of(references, [&](const ArrayReference *reference) {
          return reference->subscripts[place].isFixed() &&
                 reference->subscripts[place].offset.isZero();
        }))
      continue;
    for (ArrayReference *reference : references)
      reference->subscripts.erase(reference->subscripts.begin() + place);
    --most;
  }
}

void ReferenceCollector::dropIdleDimensions() {
  for (auto [array, shared] : llvm::enumerate(problem.arrays)) {
    std::vector<ArrayReference *> references;
    for (ArrayReference &reference : problem.references)
      if (reference.array == array && reference.problem.empty())
        references.push_back(&reference);
    std::optional<size_t> rank;
    for (const ShareHint &hint : problem.hints)
      if (hint.array == shared.name)
        rank = hint.lengths.size();
    if (!references.empty())
      dropIdleDimensionsOf(references, rank);
  }
}

PartitionProblem ReferenceCollector::collect() {
  addWorkItems();
  for (const AccessFunction &access : functions.accesses())
    for (int loop : access.loops)
      if (loop >= 0)
        addLoop(loop);
  for (const AccessFunction &access : functions.accesses())
    if (access.space == MemorySpace::Global)
      addReference(access);
  addDependences();
  readHints();
  dropIdleDimensions();
  if (problem.hints.empty())
    problem.hints = defaultHints(problem);
  return std::move(problem);
}

PartitionProblem gpuopt::collectReferences(gpu::GPUFuncOp kernel,
                                           const SizeMap &sizes) {
  return ReferenceCollector(kernel, sizes).collect();
}
