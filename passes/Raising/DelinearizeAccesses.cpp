//===- DelinearizeAccesses.cpp - flat accesses to rows and columns --------===//
//
// Reads the flat subscript of every access to a one-dimensional array as a
// polynomial, plans one layout per array (Delinearization.h), makes the view
// at the top of the kernel and rewrites the accesses, affine where they are.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/Entailment.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Variables.h"
#include "passes/Raising/Delinearization.h"
#include "passes/Raising/IndexBuilder.h"
#include "passes/Raising/Passes.h"

namespace gpuopt {
#define GEN_PASS_DEF_DELINEARIZEACCESSES
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// Terms that a subscript has at most which is split.
constexpr size_t maxTerms = 128;

/// One load, store or atomic.
struct FlatAccess {
  Operation *op;
  Polynomial flat;
  /// What holds where it runs.
  SmallVector<Polynomial> facts;
};

/// How the accesses to one array are rewritten.
struct ArrayPlan {
  Value array;
  SmallVector<FlatAccess, 0> accesses;
  ArrayLayout layout;
  /// Per access, one subscript per dimension; empty for one that stays flat.
  SmallVector<SmallVector<Polynomial>> subscripts;
  /// Extent of the outermost dimension; `unknown` for the largest.
  Polynomial outerExtent = Polynomial::unknown();
};

/// How well a layout suits: accesses that fit, then subscripts that are proven
/// to be inside.
struct Score {
  unsigned fitting = 0;
  unsigned proven = 0;
  unsigned unproven = 0;
};

class Delinearizer {
public:
  explicit Delinearizer(gpu::GPUFuncOp kernel)
      : kernel(kernel), values(kernel), indices(kernel, values),
        isParameter([this](const Monomial &monomial) {
          return values.isParameter(monomial);
        }),
        rankOf([this](unsigned variable) { return getRank(variable); }) {}

  /// Returns the numbers of views and of affine accesses.
  std::pair<unsigned, unsigned> run();

private:
  std::vector<ArrayPlan> collectArrays();
  bool isWholeArray(Value array);
  bool takeDeclaredLayout(ArrayPlan &plan);
  void planLayout(ArrayPlan &plan);
  Score tryLayout(const ArrayLayout &layout, ArrayPlan &plan);
  void normalize(MutableArrayRef<Polynomial> subscripts,
                 const ArrayLayout &layout, const FlatAccess &access);
  Polynomial findOuterExtent(const ArrayPlan &plan);
  Value buildView(const ArrayPlan &plan);
  bool rewrite(const FlatAccess &access, Value memref,
               ArrayRef<Polynomial> subscripts);
  void rewriteHigherRanks();
  void emitRemark(const FlatAccess &access, Value array,
                  ArrayRef<Polynomial> subscripts, StringRef reason);

  VariableTraits traits() { return {isParameter, rankOf}; }
  bool proves(const FlatAccess &access, const Polynomial &goal) {
    return values.getRange(goal).low >= 0 ||
           provesNonNegative(access.facts, goal, [&](const Monomial &product) {
             return values.getRange(product);
           });
  }
  unsigned getRank(unsigned variable) const;

  gpu::GPUFuncOp kernel;
  IntegerValues values;
  IndexBuilder indices;
  std::function<bool(const Monomial &)> isParameter;
  std::function<unsigned(unsigned)> rankOf;
  unsigned affineAccesses = 0;
  /// Accesses that have been replaced.
  SmallVector<Operation *> dead;
};

class DelinearizeAccessesPass
    : public gpuopt::impl::DelinearizeAccessesBase<DelinearizeAccessesPass> {
public:
  using Base::Base;
  void runOnOperation() override {
    auto [views, accesses] = Delinearizer(getOperation()).run();
    numViews += views;
    numAffineAccesses += accesses;
    eraseDeadOperations(getOperation());
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// Ids along z are further out than those along y.
unsigned Delinearizer::getRank(unsigned variable) const {
  const Atom &atom = values.getAtom(variable);
  bool isId = !atom.value && atom.kind != Atom::Kind::FloorDiv;
  return isId ? 2 - atom.dimension : 3;
}

/// Loads and stores whose subscripts we know how to rewrite.
static bool isRewritable(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return !load.getNontemporal();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return !store.getNontemporal();
  return isa<affine::AffineLoadOp, affine::AffineStoreOp, memref::AtomicRMWOp>(
      op);
}

/// The subscripts modulo 2^64: enough for an address.
static SmallVector<Polynomial> getAddressSubscripts(Operation *op,
                                                    IntegerValues &values) {
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    indices = load.getIndices();
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    indices = store.getIndices();
  else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    indices = atomic.getIndices();
  else
    return getSubscripts(op, values);
  SmallVector<Polynomial> subscripts;
  for (Value index : indices)
    subscripts.push_back(values.get(index).value);
  return subscripts;
}

/// Whether `array` is a parameter, an attribution or a variable.
bool Delinearizer::isWholeArray(Value array) {
  if (array.getDefiningOp<GetVariableOp>())
    return true;
  auto argument = dyn_cast<BlockArgument>(array);
  return argument && argument.getOwner() == &kernel.getBody().front();
}

std::vector<ArrayPlan> Delinearizer::collectArrays() {
  llvm::MapVector<Value, ArrayPlan> arrays;
  kernel.walk([&](Operation *op) {
    if (!isRewritable(op))
      return;
    Value array = getAccessedMemRef(op);
    auto type = cast<MemRefType>(array.getType());
    if (type.getRank() != 1 || !type.getLayout().isIdentity() ||
        !isWholeArray(array))
      return;
    ArrayPlan &plan = arrays[array];
    plan.array = array;
    Polynomial flat = getAddressSubscripts(op, values).front();
    // Every layout divides every subscript; nobody writes rows like that.
    if (flat.getTerms().size() > maxTerms)
      flat = Polynomial::unknown();
    plan.accesses.push_back({op, std::move(flat), collectFacts(op, values)});
  });
  std::vector<ArrayPlan> plans;
  for (auto &[array, plan] : arrays)
    plans.push_back(std::move(plan));
  return plans;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Division leaves some choice: `w - 1 - idx` of the row before, or `-1 - idx`
/// of this one. Takes the one that is proven to be inside.
void Delinearizer::normalize(MutableArrayRef<Polynomial> subscripts,
                             const ArrayLayout &layout,
                             const FlatAccess &access) {
  for (unsigned dimension = subscripts.size() - 1; dimension > 0; --dimension) {
    std::optional<Polynomial> extent = layout.getExtent(dimension);
    if (!extent)
      continue;
    Polynomial &inner = subscripts[dimension];
    Polynomial &outer = subscripts[dimension - 1];
    if (proves(access, Polynomial(-1) - inner)) {
      inner += *extent;
      outer -= 1;
    } else if (proves(access, inner - *extent)) {
      inner -= *extent;
      outer += 1;
    }
  }
}

/// Splits all accesses; the subscripts go to `plan`.
Score Delinearizer::tryLayout(const ArrayLayout &layout, ArrayPlan &plan) {
  Score score;
  plan.layout = layout;
  plan.subscripts.clear();
  for (const FlatAccess &access : plan.accesses) {
    SmallVector<Polynomial> subscripts = splitSubscript(access.flat, layout);
    if (!fitsLayout(subscripts, traits())) {
      plan.subscripts.emplace_back();
      continue;
    }
    normalize(subscripts, layout, access);
    // An element of the first row, or an offset that no row length divides.
    bool isFirstRow = llvm::all_of(
        ArrayRef(subscripts).drop_back(),
        [](const Polynomial &subscript) { return subscript.isZero(); });
    if (subscripts.size() > 1 && isFirstRow &&
        !proves(access, layout.strides.back() - subscripts.back() - 1)) {
      plan.subscripts.emplace_back();
      continue;
    }
    ++score.fitting;
    for (unsigned dimension = 1; dimension < subscripts.size(); ++dimension) {
      std::optional<Polynomial> extent = layout.getExtent(dimension);
      const Polynomial &subscript = subscripts[dimension];
      bool isInside = extent && proves(access, subscript) &&
                      proves(access, *extent - subscript - 1);
      ++(isInside ? score.proven : score.unproven);
    }
    plan.subscripts.push_back(std::move(subscripts));
  }
  return score;
}

/// The row lengths that a variable of this type is declared with; none where
/// its elements are not `element`.
static ArrayLayout findDeclaredLayout(Type type, Type element) {
  ArrayLayout layout;
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    for (Polynomial &stride : layout.strides)
      stride = stride * Polynomial(array.getNumElements());
    layout.strides.push_back(Polynomial(1));
    type = array.getElementType();
  }
  if (type != element || layout.strides.empty())
    return {};
  layout.strides.pop_back();
  return layout;
}

/// Gives a variable the shape that it is declared with if all accesses fit:
/// subscripts of the source need no proof that they are inside.
bool Delinearizer::takeDeclaredLayout(ArrayPlan &plan) {
  LLVM::GlobalOp variable = getVariable(plan.array);
  if (!variable)
    return false;
  ArrayLayout declared = findDeclaredLayout(
      variable.getGlobalType(),
      cast<MemRefType>(plan.array.getType()).getElementType());
  return !declared.strides.empty() &&
         tryLayout(declared, plan).fitting == plan.accesses.size();
}

void Delinearizer::planLayout(ArrayPlan &plan) {
  if (takeDeclaredLayout(plan))
    return;
  SmallVector<Polynomial> flats;
  for (const FlatAccess &access : plan.accesses)
    flats.push_back(access.flat);
  ArrayPlan best;
  std::optional<Score> bestScore;
  for (const ArrayLayout &layout : proposeLayouts(flats, traits())) {
    Score score = tryLayout(layout, plan);
    // Rows of constant length only pay where they are certain: without them
    // the accesses are affine too.
    bool isConstant =
        llvm::all_of(layout.strides, [](const Polynomial &stride) {
          return stride.isConstant();
        });
    if (isConstant && score.unproven != 0)
      continue;
    auto isBetter = [&] {
      if (!bestScore || score.fitting != bestScore->fitting)
        return !bestScore || score.fitting > bestScore->fitting;
      if (bestScore->unproven != score.unproven)
        return score.unproven < bestScore->unproven;
      return score.proven > bestScore->proven;
    };
    if (isBetter()) {
      bestScore = score;
      best.layout = plan.layout;
      best.subscripts = plan.subscripts;
    }
  }
  plan.layout = best.layout;
  plan.subscripts = best.subscripts;
}

/// An extent that each access's outermost subscript stays below: a guard's or
/// a loop's bound, or the sum of two for a sum of two variables.
Polynomial Delinearizer::findOuterExtent(const ArrayPlan &plan) {
  SmallVector<Polynomial> candidates, sums;
  for (auto [access, subscripts] : llvm::zip(plan.accesses, plan.subscripts)) {
    if (subscripts.empty())
      continue;
    auto addCandidate = [&](const Polynomial &slack,
                            SmallVectorImpl<Polynomial> &extents) {
      Polynomial extent = slack + subscripts.front() + 1;
      if (values.isParameter(extent) && !extent.isConstant() &&
          !llvm::is_contained(extents, extent))
        extents.push_back(extent);
    };
    for (const Polynomial &fact : access.facts) {
      addCandidate(fact, candidates);
      for (const Polynomial &other : access.facts)
        addCandidate(fact + other, sums);
    }
  }
  // One bound says more than two that happen to add up.
  candidates.append(sums);
  for (const Polynomial &extent : candidates)
    if (llvm::all_of(llvm::zip(plan.accesses, plan.subscripts),
                     [&, &bound = extent](const auto &pair) {
                       const auto &[access, subscripts] = pair;
                       return subscripts.empty() ||
                              proves(access, bound - subscripts.front() - 1);
                     }))
      return extent;
  // The array's own size, where its type has it.
  auto type = cast<MemRefType>(plan.array.getType());
  std::optional<int64_t> row = plan.layout.strides.front().getConstant();
  if (!type.isDynamicDim(0) && row)
    return type.getDimSize(0) / *row;
  return Polynomial::unknown();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value Delinearizer::buildView(const ArrayPlan &plan) {
  MLIRContext *context = kernel.getContext();
  Builder builder(context);
  auto build = [&](const Polynomial &value) -> OpFoldResult {
    if (value.isUnknown())
      return builder.getIndexAttr(Interval::plusInfinity);
    // Beyond 2^63: more than there are.
    auto isLargeConstant = [&](unsigned variable) {
      const Atom &atom = values.getAtom(variable);
      return atom.kind == Atom::Kind::Unsigned &&
             matchPattern(atom.value, m_Constant());
    };
    if (llvm::any_of(value.getVariables(), isLargeConstant))
      return builder.getIndexAttr(Interval::plusInfinity);
    // Where a guard can never hold, an extent may be less than none.
    if (std::optional<int64_t> constant = value.getConstant())
      return builder.getIndexAttr(std::max<int64_t>(*constant, 0));
    return indices.buildParameter(value);
  };
  SmallVector<OpFoldResult> sizes{build(plan.outerExtent)}, strides;
  for (auto [number, stride] : llvm::enumerate(plan.layout.strides)) {
    strides.push_back(build(stride));
    if (std::optional<Polynomial> extent = plan.layout.getExtent(number + 1))
      sizes.push_back(build(*extent));
    else
      sizes.push_back(indices.buildQuotient(plan.layout.strides[number],
                                            plan.layout.strides[number + 1]));
  }
  strides.push_back(builder.getIndexAttr(1));
  auto type = cast<MemRefType>(plan.array.getType());
  SmallVector<int64_t> staticSizes, staticStrides;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, staticSizes);
  dispatchIndexOpFoldResults(strides, dynamic, staticStrides);
  auto viewType = MemRefType::get(
      staticSizes, type.getElementType(),
      StridedLayoutAttr::get(context, 0, staticStrides), type.getMemorySpace());
  // What is computed at the top comes before the first operation of before.
  OpBuilder &top = indices.getTop();
  OpBuilder::InsertionGuard guard(top);
  if (Operation *variable = plan.array.getDefiningOp())
    top.setInsertionPointAfter(variable);
  return memref::ReinterpretCastOp::create(
      top, kernel.getLoc(), viewType, plan.array,
      OpFoldResult(builder.getIndexAttr(0)), sizes, strides);
}

/// Returns false where the subscripts are not affine; the access then has the
/// form of `memref`, with the same subscripts.
bool Delinearizer::rewrite(const FlatAccess &access, Value memref,
                           ArrayRef<Polynomial> subscripts) {
  Operation *op = access.op;
  Location loc = op->getLoc();
  OpBuilder builder(op);
  AffineForms forms;
  bool isAffine = !isa<memref::AtomicRMWOp>(op);
  for (const Polynomial &subscript : subscripts)
    isAffine = isAffine && indices.appendAffine(subscript, forms);
  Value stored;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    stored = store.getValueToStore();
  else if (auto affineStore = dyn_cast<affine::AffineStoreOp>(op))
    stored = affineStore.getValueToStore();

  Operation *raised;
  if (isAffine) {
    auto [map, operands] = indices.getMap(forms);
    raised = stored ? affine::AffineStoreOp::create(builder, loc, stored,
                                                    memref, map, operands)
                          .getOperation()
                    : affine::AffineLoadOp::create(builder, loc, memref, map,
                                                   operands);
  } else {
    SmallVector<Value> operands;
    for (const Polynomial &subscript : subscripts)
      operands.push_back(
          indices.build(builder, loc, subscript, /*isExact=*/false));
    if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
      raised = memref::AtomicRMWOp::create(builder, loc, atomic.getKind(),
                                           atomic.getValue(), memref, operands);
    else if (stored)
      raised = memref::StoreOp::create(builder, loc, stored, memref, operands);
    else
      raised = memref::LoadOp::create(builder, loc, memref, operands);
  }
  emitRemark(access, memref, subscripts, isAffine ? "" : forms.reason);
  raised->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(op->getResults(), raised->getResults()))
    indices.replace(from, to);
  op->replaceAllUsesWith(raised->getResults());
  // Polynomials still name its result.
  dead.push_back(op);
  affineAccesses += isAffine;
  return isAffine;
}

void Delinearizer::emitRemark(const FlatAccess &access, Value array,
                              ArrayRef<Polynomial> subscripts,
                              StringRef reason) {
  std::string name = "array";
  if (auto view = array.getDefiningOp<memref::ReinterpretCastOp>())
    array = view.getSource();
  if (auto variable = array.getDefiningOp<GetVariableOp>())
    name = variable.getVariable().str();
  if (auto argument = dyn_cast<BlockArgument>(array))
    if (argument.getArgNumber() < kernel.getNumArguments())
      if (auto attribute = kernel.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), kNameAttrName))
        name = attribute.str();
  Location loc = access.op->getLoc();
  std::string raised = name;
  for (const Polynomial &subscript : subscripts)
    raised += "[" + values.str(subscript) + "]";
  std::string flat = name + "[" + values.str(access.flat) + "]";
  if (!reason.empty())
    sayMissed(RemarkCode::AccessNotAffine, kernel, loc,
              {{"access", raised}, {"reason", reason}});
  else if (subscripts.size() == 1 || access.flat.isUnknown())
    sayPassed(RemarkCode::AccessAffine, kernel, loc, {{"access", raised}});
  else
    sayPassed(RemarkCode::AccessDelinearized, kernel, loc,
              {{"flat", flat}, {"access", raised}});
}

/// True for accesses that no plan has looked at.
static bool isUnplanned(Operation *op) {
  Value array = getAccessedMemRef(op);
  return cast<MemRefType>(array.getType()).getRank() != 1 &&
         !array.getDefiningOp<memref::ReinterpretCastOp>();
}

/// Accesses that have several subscripts already become affine ones.
void Delinearizer::rewriteHigherRanks() {
  SmallVector<Operation *> accesses;
  kernel.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op) && isRewritable(op) &&
        !llvm::is_contained(dead, op) && isUnplanned(op))
      accesses.push_back(op);
  });
  for (Operation *op : accesses) {
    FlatAccess access{op, Polynomial::unknown(), {}};
    SmallVector<Polynomial> subscripts = getAddressSubscripts(op, values);
    AffineForms forms;
    if (llvm::all_of(subscripts, [&](const Polynomial &subscript) {
          return indices.appendAffine(subscript, forms);
        }))
      rewrite(access, getAccessedMemRef(op), subscripts);
  }
}

std::pair<unsigned, unsigned> Delinearizer::run() {
  std::vector<ArrayPlan> plans = collectArrays();
  unsigned views = 0;
  for (ArrayPlan &plan : plans) {
    planLayout(plan);
    Value view = plan.array;
    if (!plan.layout.strides.empty()) {
      plan.outerExtent = findOuterExtent(plan);
      view = buildView(plan);
      ++views;
    }
    for (auto [access, subscripts] :
         llvm::zip(plan.accesses, plan.subscripts)) {
      if (!subscripts.empty())
        rewrite(access, view, subscripts);
      else if (!isa<affine::AffineLoadOp, affine::AffineStoreOp>(access.op))
        rewrite(access, plan.array, access.flat);
    }
  }
  rewriteHigherRanks();
  for (Operation *op : dead)
    op->erase();
  return {views, affineAccesses};
}
