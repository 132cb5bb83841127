//===- TileFills.cpp - what the loads of a hand-made tile read ------------===//
//
// the store that reaches a load → its address as a sum of strides → the load's
// address in these strides.
//
//===----------------------------------------------------------------------===//

#include "passes/Launches/TileFills.h"

#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpuopt;

TileFills::TileFills(gpu::GPUFuncOp kernel, IntegerValues &values,
                     const UniformityAnalysis &uniformity)
    : kernel(kernel), values(values), uniformity(uniformity), facts(values),
      dominance(kernel), block(*kernel.getKnownBlockSize()) {}

//===----------------------------------------------------------------------===//
// The store that reaches a load
//===----------------------------------------------------------------------===//

/// The nearest operation before `op` in its block that is one of the stores or
/// holds one.
static Operation *findWriteBefore(Operation *op, ArrayRef<Operation *> stores) {
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (llvm::any_of(stores, [&](Operation *store) {
          return before->isAncestor(store);
        }))
      return before;
  return nullptr;
}

/// Whether `fill` is nothing but loops around one of the stores.
static Operation *storeOfLoops(Operation *fill, ArrayRef<Operation *> stores) {
  Operation *found = nullptr;
  for (Operation *store : stores) {
    if (!fill->isAncestor(store))
      continue;
    if (found)
      return nullptr;
    found = store;
  }
  for (Operation *at = found; at != fill; at = at->getParentOp())
    if (!isa<affine::AffineForOp>(at->getParentOp()))
      return nullptr;
  return found;
}

/// Goes from the load upward. Where the last store before it, in the order of
/// the program, is in a loop that the load is in too, no iteration of another
/// loop comes between; a store that only comes later in such a loop would reach
/// the load from the iteration before.
std::variant<Operation *, Refusal>
TileFills::findStore(Operation *load, ArrayRef<Operation *> stores) const {
  for (Operation *at = load; at != kernel; at = at->getParentOp()) {
    Operation *before = findWriteBefore(at, stores);
    if (!before) {
      Operation *parent = at->getParentOp();
      bool isCarried = isa<LoopLikeOpInterface>(parent) &&
                       llvm::any_of(stores, [&](Operation *store) {
                         return parent->isAncestor(store);
                       });
      if (isCarried)
        return Refusal{load->getLoc(), "what is loaded may be stored in the "
                                       "iteration before"};
      continue;
    }
    Operation *store = storeOfLoops(before, stores);
    if (!store)
      return Refusal{before->getLoc(),
                     "what fills the tile is no single store in loops"};
    bool isSeparated = false;
    for (Operation *between = before; between != at;
         between = between->getNextNode())
      isSeparated |= isa<gpu::BarrierOp>(between);
    if (!isSeparated)
      return Refusal{load->getLoc(),
                     "no barrier between the store to the tile and the load"};
    if (!uniformity.isUnderUniformControl(before))
      return Refusal{before->getLoc(),
                     "not every thread of the block stores to the tile"};
    return store;
  }
  return Refusal{load->getLoc(), "nothing is stored before"};
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// In elements of the array behind the view that is accessed.
std::optional<Polynomial> TileFills::addressOf(Operation *access) {
  Value memref = getAccessedMemRef(access);
  SmallVector<Polynomial> subscripts = getSubscripts(access, values);
  SmallVector<int64_t> strides;
  int64_t offset;
  // A view of a view has an offset of its own in the other one.
  auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
  bool isKnown = isa<BlockArgument>(memref) ||
                 (view && isa<BlockArgument>(view.getSource()));
  auto type = cast<MemRefType>(memref.getType());
  if (!isKnown || failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return std::nullopt;
  Polynomial address(offset);
  for (auto [subscript, stride] : llvm::zip(subscripts, strides)) {
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    address += subscript * stride;
  }
  // There is one thread with id 0 along these.
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (block[dimension] == 1)
      address = address.substitute(
          *values.getId(Atom::Kind::ThreadId, dimension).getVariable(), 0);
  return address.isUnknown() ? std::nullopt : std::optional(address);
}

bool TileFills::isCommon(Value value, Operation *load) const {
  return uniformity.isBlockUniform(value) &&
         dominance.properlyDominates(value, load);
}

bool TileFills::isCommon(const Polynomial &polynomial, Operation *load) const {
  return !polynomial.containsAny([&](unsigned variable) {
    const Atom &atom = values.getAtom(variable);
    switch (atom.kind) {
    case Atom::Kind::BlockId:
    case Atom::Kind::BlockDim:
    case Atom::Kind::GridDim:
    case Atom::Kind::GlobalSize:
      return false;
    case Atom::Kind::Signed:
    case Atom::Kind::Unsigned:
      return !isCommon(atom.value, load);
    case Atom::Kind::FloorDiv:
      return !isCommon(atom.numerator, load);
    case Atom::Kind::GlobalId:
    case Atom::Kind::ThreadId:
    case Atom::Kind::Derived:
      return true;
    }
    llvm_unreachable("all kinds are listed");
  });
}

/// Whether the threads of the block, `step` of them, start at one number each
/// from 0 on. Marks the dimensions whose ids `start` takes.
bool TileFills::coversBlock(const Polynomial &start, int64_t step,
                            std::array<bool, 3> &taken) {
  SmallVector<std::pair<int64_t, unsigned>> ids;
  std::array<bool, 3> covered = taken;
  Polynomial rest = start;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    Polynomial id = values.getId(Atom::Kind::ThreadId, dimension);
    int64_t stride = start.getCoefficient({*id.getVariable()});
    rest -= id * stride;
    if (block[dimension] == 1)
      continue;
    if (stride <= 0 || covered[dimension])
      return false;
    covered[dimension] = true;
    ids.emplace_back(stride, dimension);
  }
  llvm::sort(ids);
  int64_t threads = 1;
  for (auto [stride, dimension] : ids) {
    if (stride != threads)
      return false;
    threads *= block[dimension];
  }
  if (!rest.isZero() || threads != step)
    return false;
  taken = covered;
  return true;
}

/// A loop with the same bounds in all threads, or one that the threads of the
/// block go through together: `for (i = tid; i < n; i += threads)`.
std::optional<FillVariable> TileFills::readLoop(affine::AffineForOp loop,
                                                Operation *load,
                                                std::array<bool, 3> &taken) {
  FillVariable variable;
  variable.iterator = loop.getInductionVar();
  if (loop.getLowerBoundMap().getNumResults() != 1 ||
      loop.getUpperBoundMap().getNumResults() != 1)
    return std::nullopt;
  Polynomial first =
      values.get(loop.getLowerBoundMap(), loop.getLowerBoundOperands()).front();
  Polynomial end =
      values.get(loop.getUpperBoundMap(), loop.getUpperBoundOperands()).front();
  int64_t step = loop.getStepAsInt();
  if (isCommon(end, load) && coversBlock(first, step, taken)) {
    variable.extent = end;
    return variable;
  }
  if (!first.getConstant() || !end.getConstant())
    return std::nullopt;
  variable.first = *first.getConstant();
  variable.step = step;
  int64_t length = *end.getConstant() - *first.getConstant();
  variable.extent = Polynomial(llvm::divideCeilSigned(length, step));
  return variable;
}

/// Moves what `variable` adds to `address` to the strides of variables: it, or
/// the quotient and the remainder where the address has a quotient of it, as
/// `tile[t / 16][t % 16]` does.
bool TileFills::takeOut(FillVariable &variable, Polynomial &address,
                        std::vector<FillVariable> &variables) {
  Polynomial value =
      variable.iterator
          ? values.getExact(variable.iterator, false).value
          : values.getId(Atom::Kind::ThreadId, variable.dimension);
  std::optional<unsigned> number = value.getVariable();
  if (!number)
    return false;
  int64_t coefficient = address.getCoefficient({*number});
  address -= value * coefficient;
  address += Polynomial(variable.first * coefficient);
  variable.stride = coefficient * variable.step;
  std::optional<unsigned> quotient;
  for (unsigned other : address.getVariables()) {
    const Atom &atom = values.getAtom(other);
    if (atom.kind == Atom::Kind::FloorDiv && atom.numerator == value)
      quotient = quotient ? std::nullopt : std::optional(other);
  }
  if (!quotient) {
    variables.push_back(variable);
    return true;
  }
  int64_t divisor = values.getAtom(*quotient).divisor;
  std::optional<int64_t> extent = variable.extent.getConstant();
  if (!extent || *extent % divisor != 0 || variable.first != 0 ||
      variable.step != 1)
    return false;
  int64_t ofQuotient = address.getCoefficient({*quotient});
  address -= Polynomial::variable(*quotient) * ofQuotient;
  FillVariable row = variable;
  row.stride = ofQuotient + coefficient * divisor;
  row.step = divisor;
  row.extent = Polynomial(*extent / divisor);
  variable.extent = Polynomial(divisor);
  variables.push_back(row);
  variables.push_back(variable);
  // Of several stores to one place nobody says which one was last.
  return row.stride != 0 && variable.stride != 0;
}

std::optional<TileFills::Fill> TileFills::readStore(Operation *store,
                                                    Operation *load) {
  std::optional<Polynomial> address = addressOf(store);
  if (!address)
    return std::nullopt;
  Fill fill;
  std::array<bool, 3> taken = {};
  for (auto loop = store->getParentOfType<affine::AffineForOp>();
       loop && !loop->isAncestor(load);
       loop = loop->getParentOfType<affine::AffineForOp>()) {
    std::optional<FillVariable> variable = readLoop(loop, load, taken);
    if (!variable)
      return std::nullopt;
    fill.variables.push_back(*variable);
  }
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (block[dimension] == 1 || taken[dimension])
      continue;
    FillVariable &id = fill.variables.emplace_back();
    id.dimension = dimension;
    id.extent = Polynomial(block[dimension]);
  }
  std::vector<FillVariable> all = std::move(fill.variables);
  for (FillVariable &variable : all)
    if (!takeOut(variable, *address, fill.variables))
      return std::nullopt;
  // Whoever else stores to the same place has to store the same; a store whose
  // value differs between them would be a race. Somebody must.
  for (const FillVariable &variable : fill.variables)
    if (variable.stride == 0 &&
        !facts.proveNonNegative(load, variable.extent - 1))
      return std::nullopt;
  llvm::erase_if(fill.variables, [](const FillVariable &variable) {
    return variable.stride == 0;
  });
  llvm::sort(fill.variables, [](const auto &left, const auto &right) {
    return left.stride > right.stride;
  });
  fill.rest = *address;
  if (!isCommon(fill.rest, load) || !isOneToOne(fill.variables, load))
    return std::nullopt;
  return fill;
}

/// Whether no two stores of a fill go to the same place: of several iterations
/// of one thread the last one counts.
bool TileFills::isOneToOne(ArrayRef<FillVariable> variables, Operation *load) {
  for (auto [index, variable] : llvm::enumerate(variables)) {
    if (variable.stride <= 0)
      return false;
    if (index + 1 == variables.size())
      break;
    const FillVariable &next = variables[index + 1];
    if (!facts.proveNonNegative(load, Polynomial(variable.stride) -
                                          next.extent * next.stride))
      return false;
  }
  return true;
}

/// The first `count` variables as one, where each continues the one behind it:
/// rows `8 * j + ty` of 8 threads in 4 iterations are 32 rows.
static std::optional<FillVariable> combine(ArrayRef<FillVariable> variables,
                                           size_t count) {
  FillVariable all = variables[count - 1];
  for (const FillVariable &variable :
       llvm::reverse(variables.take_front(count - 1))) {
    std::optional<int64_t> extent = all.extent.getConstant();
    if (!extent || variable.stride != all.stride * *extent)
      return std::nullopt;
    all.extent = all.extent * variable.extent;
  }
  return all;
}

/// The digits of `number` for variables that are combined, the first one's
/// first.
void TileFills::split(Polynomial number, ArrayRef<FillVariable> variables,
                      SmallVectorImpl<Polynomial> &digits) {
  SmallVector<Polynomial> reversed;
  AffineExpr dividend = getAffineDimExpr(0, kernel.getContext());
  for (const FillVariable &variable : llvm::reverse(variables.drop_front())) {
    int64_t extent = *variable.extent.getConstant();
    Polynomial quotient =
        values.get(dividend.floorDiv(extent), /*dimensions=*/1, number);
    reversed.push_back(number - quotient * extent);
    number = quotient;
  }
  reversed.push_back(number);
  llvm::append_range(digits, llvm::reverse(reversed));
}

/// Splits `difference` into a multiple of each stride and proves that it is one
/// of the variable's. A constant may belong to this digit or the next one:
/// `16 * ty + tx - 1 + 16` is row `ty + 1` and column `tx - 1`, or row `ty` and
/// column `tx + 15`.
bool TileFills::solve(const Polynomial &difference,
                      ArrayRef<FillVariable> variables, Operation *load,
                      SmallVectorImpl<Polynomial> &digits) {
  if (variables.empty())
    return difference.isZero();
  for (size_t count = 1; count <= variables.size(); ++count) {
    std::optional<FillVariable> variable = combine(variables, count);
    if (!variable)
      continue;
    int64_t stride = variable->stride;
    auto [multiples, rest] = difference.partition([&](const Monomial &factors) {
      return !factors.empty() &&
             difference.getCoefficient(factors) % stride == 0;
    });
    Polynomial digit = multiples.divide(stride).quotient;
    int64_t whole = llvm::divideFloorSigned(rest.getConstantTerm(), stride);
    for (int64_t more : {whole, whole + 1}) {
      Polynomial candidate = digit + more;
      if (!facts.proveNonNegative(load, candidate) ||
          !facts.proveNonNegative(load, variable->extent - candidate - 1))
        continue;
      size_t known = digits.size();
      split(candidate, variables.take_front(count), digits);
      if (solve(rest - more * stride, variables.drop_front(count), load,
                digits))
        return true;
      digits.truncate(known);
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

std::variant<FilledLoad, Refusal> TileFills::fill(Operation *load,
                                                  Operation *store) {
  std::optional<Polynomial> address = addressOf(load);
  std::optional<Fill> fill = readStore(store, load);
  if (!address || !fill)
    return Refusal{address ? store->getLoc() : load->getLoc(),
                   "the place in the tile is no sum of multiples of ids and "
                   "iterators"};
  SmallVector<Polynomial> digits;
  if (!solve(*address - fill->rest, fill->variables, load, digits))
    return Refusal{load->getLoc(),
                   "which thread has stored what is loaded is not known"};
  FilledLoad filled;
  filled.load = load;
  filled.store = store;
  for (auto [variable, digit] : llvm::zip(fill->variables, digits)) {
    Polynomial value = digit * variable.step + variable.first;
    if (!variable.iterator) {
      std::optional<Polynomial> &id = filled.ids[variable.dimension];
      id = id ? *id + value : value;
      continue;
    }
    auto *known = llvm::find_if(filled.iterators, [&](const auto &iterator) {
      return iterator.first == variable.iterator;
    });
    if (known != filled.iterators.end())
      known->second += value;
    else
      filled.iterators.emplace_back(variable.iterator, value);
  }
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (block[dimension] == 1)
      filled.ids[dimension] = Polynomial();
  return filled;
}

std::variant<std::vector<FilledLoad>, Refusal>
TileFills::find(BlockArgument array) {
  SmallVector<Operation *> loads, stores;
  for (Operation *user : usersThroughViews(array)) {
    bool isScalar = isa<affine::AffineLoadOp, affine::AffineStoreOp>(user) ||
                    isa<memref::LoadOp, memref::StoreOp>(user);
    if (!isScalar)
      return Refusal{user->getLoc(),
                     "the tile is used by more than loads and stores"};
    bool isLoad = isa<affine::AffineLoadOp, memref::LoadOp>(user);
    (isLoad ? loads : stores).push_back(user);
  }
  std::vector<FilledLoad> all;
  for (Operation *load : loads) {
    auto store = findStore(load, stores);
    if (auto *refusal = std::get_if<Refusal>(&store))
      return *refusal;
    auto filled = fill(load, std::get<Operation *>(store));
    if (auto *refusal = std::get_if<Refusal>(&filled))
      return *refusal;
    all.push_back(std::get<FilledLoad>(filled));
  }
  return all;
}
