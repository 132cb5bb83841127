//===- ArrayExtents.cpp - how far a kernel reaches into its arrays --------===//

#include "passes/Analysis/ArrayExtents.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/ArgumentExpressions.h"
#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Finds the extent of one array.
class ExtentFinder {
public:
  ExtentFinder(gpu::GPUFuncOp kernel, IntegerValues &values)
      : kernel(kernel), values(values),
        usesLaunch(!kernel->hasAttr(kWorkItemsAttrName) &&
                   !kernel->hasAttr(kPhaseOfAttrName)) {}

  ArrayExtent find(BlockArgument array);

  /// See `findSignedDistances`; of the arrays that have been looked at.
  const llvm::SmallSetVector<unsigned, 4> &signedDistances() const {
    return distances;
  }

private:
  /// The place of a view's element 0 and the distance of its neighbours along
  /// each dimension, in elements of the array.
  struct View {
    Polynomial offset;
    SmallVector<Polynomial> strides;
  };

  AffineExpr declaredElements(BlockArgument array);
  bool visitUsers(Value memref, const std::optional<View> &view);
  bool visitAccess(Operation *op, const std::optional<View> &view);
  std::optional<View> viewOf(memref::ReinterpretCastOp cast);
  Polynomial polynomialOf(OpFoldResult value);
  std::optional<Polynomial> boundAbove(Polynomial value, Operation *op);
  std::optional<Polynomial> boundOf(unsigned variable, bool isUpper,
                                    ArrayRef<Polynomial> facts, Operation *op);
  std::optional<Polynomial> beforeWrapping(unsigned variable, Operation *op);
  std::optional<Polynomial> lastId(unsigned variable);
  void noteSignedDistances(const Polynomial &element, Operation *op);
  void noteIfSigned(unsigned variable, Operation *op);
  bool fail(Operation *op, const Twine &what);

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  /// Whether the kernel's launch has the size of the original one.
  bool usesLaunch;
  llvm::SmallSetVector<AffineExpr, 4> bounds;
  llvm::SmallSetVector<unsigned, 4> distances;
  std::string reason;
};
} // namespace

bool ExtentFinder::fail(Operation *op, const Twine &what) {
  reason = what.str();
  if (auto location = op->getLoc()->findInstanceOf<FileLineColLoc>())
    reason += " at " + std::to_string(location.getLine()) + ":" +
              std::to_string(location.getColumn());
  return false;
}

Polynomial ExtentFinder::polynomialOf(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  // Addresses are equal modulo 2^64. That an element lies within the extent, as
  // integers, makes them equal.
  return values.get(cast<Value>(value)).value;
}

std::optional<ExtentFinder::View>
ExtentFinder::viewOf(memref::ReinterpretCastOp cast) {
  View view;
  view.offset = polynomialOf(cast.getMixedOffsets().front());
  for (OpFoldResult stride : cast.getMixedStrides())
    view.strides.push_back(polynomialOf(stride));
  return view;
}

/// What an unsigned sum or product was before it wrapped: no less than what it
/// is now, for what is not negative.
std::optional<Polynomial> ExtentFinder::beforeWrapping(unsigned variable,
                                                       Operation *op) {
  const Atom &atom = values.getAtom(variable);
  Value value = atom.value;
  if (atom.kind != Atom::Kind::Unsigned || !value ||
      !isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          value.getDefiningOp()))
    return std::nullopt;
  Polynomial whole = values.get(value).value;
  if (whole.isUnknown() || whole.contains(variable) ||
      !provesNonNegative(op, whole, values))
    return std::nullopt;
  return whole;
}

/// The last id that a launch has, of work items or blocks.
std::optional<Polynomial> ExtentFinder::lastId(unsigned variable) {
  const Atom &atom = values.getAtom(variable);
  if (!usesLaunch)
    return std::nullopt;
  if (atom.kind == Atom::Kind::GlobalId)
    return values.getId(Atom::Kind::GlobalSize, atom.dimension) - 1;
  if (atom.kind == Atom::Kind::BlockId)
    return values.getId(Atom::Kind::GridDim, atom.dimension) - 1;
  return std::nullopt;
}

/// A bound of the variable that the facts give, over parameters if there is
/// such a one, else by its range, unless that is too large to be of use, or by
/// the launch.
std::optional<Polynomial> ExtentFinder::boundOf(unsigned variable, bool isUpper,
                                                ArrayRef<Polynomial> facts,
                                                Operation *op) {
  std::optional<Polynomial> found;
  for (const Polynomial &fact : facts) {
    if (fact.isUnknown())
      continue;
    // variable <= rest, or variable >= -rest.
    Polynomial factor = fact.getCofactor(variable);
    Polynomial rest = fact.without(variable);
    if (factor != Polynomial(isUpper ? -1 : 1) ||
        fact != factor * Polynomial::variable(variable) + rest)
      continue;
    Polynomial bound = isUpper ? rest : -rest;
    bool isBest = values.isParameter(bound);
    if (isBest || !found)
      found = bound;
    if (isBest)
      break;
  }
  if (!found && isUpper)
    found = beforeWrapping(variable, op);
  if (found)
    return found;
  constexpr int64_t largest = 1 << 16;
  Interval range = values.getRange(Polynomial::variable(variable));
  int64_t end = isUpper ? range.high : range.low;
  if (end >= -largest && end <= largest)
    return Polynomial(end);
  return isUpper ? lastId(variable) : std::nullopt;
}

/// How many products of `value` are not the same in a whole launch.
static int64_t countVarying(const Polynomial &value,
                            const IntegerValues &values) {
  return llvm::count_if(value.getTerms(), [&](const Polynomial::Term &term) {
    return !values.isParameter(term.first);
  });
}

/// `value` plus the multiple of `fact`, which is not negative, that takes
/// `variable` away: for b * 512 + t and the guard n - 1 - b * 512 - t, n - 1.
static std::optional<Polynomial> addFact(const Polynomial &value,
                                         const Polynomial &fact,
                                         unsigned variable, Operation *op,
                                         IntegerValues &values) {
  int64_t ofFact = fact.getCoefficient({variable});
  Polynomial factor = value.getCofactor(variable);
  bool areLinear = fact.getCofactor(variable) == Polynomial(ofFact) &&
                   value == factor * Polynomial::variable(variable) +
                                value.without(variable);
  // The negative of the least number would not fit.
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  if (ofFact == 0 || ofFact == least || !areLinear || factor.isZero() ||
      llvm::any_of(factor.getTerms(), [&](const Polynomial::Term &term) {
        return term.second == least || term.second % ofFact != 0;
      }))
    return std::nullopt;
  Polynomial multiple;
  for (const auto &[monomial, coefficient] : factor.getTerms())
    multiple += Polynomial::term(monomial, -(coefficient / ofFact));
  Polynomial bound = value + multiple * fact;
  std::optional<int64_t> number = multiple.getConstant();
  bool isRight =
      number ? *number >= 0 : provesNonNegative(op, multiple, values);
  if (bound.isUnknown() || !isRight)
    return std::nullopt;
  return bound;
}

/// A bound that one fact alone gives, however many variables it has, over
/// parameters or at least over fewer products: i * 16 + t is less than n where
/// a guard says so.
static std::optional<Polynomial> boundByFact(const Polynomial &value,
                                             ArrayRef<Polynomial> facts,
                                             Operation *op,
                                             IntegerValues &values) {
  std::optional<Polynomial> best;
  // A bound of a single variable tells no more than its range and loop do.
  int64_t fewest = countVarying(value, values) - 1;
  for (const Polynomial &fact : facts) {
    if (fact.isUnknown())
      continue;
    for (unsigned variable : value.getVariables()) {
      if (values.getAtom(variable).isParameter)
        continue;
      std::optional<Polynomial> bound =
          addFact(value, fact, variable, op, values);
      if (!bound)
        continue;
      if (values.isParameter(*bound))
        return bound;
      if (int64_t varying = countVarying(*bound, values); varying < fewest) {
        fewest = varying;
        best = bound;
      }
    }
  }
  return best;
}

/// A polynomial over parameters that `value` does not exceed where `op` runs.
std::optional<Polynomial> ExtentFinder::boundAbove(Polynomial value,
                                                   Operation *op) {
  // Bounds refer to loops further out, or to ids: few steps do.
  constexpr unsigned mostSteps = 16;
  SmallVector<Polynomial> facts = collectFacts(op, values);
  addQuotients(value, values, facts);
  for (unsigned step = 0; step < mostSteps; ++step) {
    if (value.isUnknown() || values.isParameter(value))
      break;
    if (std::optional<Polynomial> bound =
            boundByFact(value, facts, op, values)) {
      value = *bound;
      continue;
    }
    std::optional<Polynomial> next;
    for (unsigned variable : value.getVariables()) {
      if (values.getAtom(variable).isParameter)
        continue;
      Polynomial factor = value.getCofactor(variable);
      if (value !=
          factor * Polynomial::variable(variable) + value.without(variable))
        continue;
      bool grows = provesNonNegative(op, factor, values);
      if (!grows && !provesNonNegative(op, -factor, values))
        continue;
      std::optional<Polynomial> bound = boundOf(variable, grows, facts, op);
      if (!bound || bound->contains(variable))
        continue;
      next = factor * *bound + value.without(variable);
      break;
    }
    if (!next)
      return std::nullopt;
    value = *next;
  }
  if (value.isUnknown() || !values.isParameter(value))
    return std::nullopt;
  return value;
}

void ExtentFinder::noteIfSigned(unsigned variable, Operation *op) {
  const Atom &atom = values.getAtom(variable);
  auto argument = dyn_cast_or_null<BlockArgument>(atom.value);
  if (atom.kind == Atom::Kind::Signed && atom.isParameter && argument &&
      !provesNonNegative(op, Polynomial::variable(variable), values))
    distances.insert(argument.getArgNumber());
  // A quotient is that of exact arithmetic where nothing is negative.
  auto quotient = atom.value ? atom.value.getDefiningOp<arith::DivSIOp>()
                             : arith::DivSIOp();
  if (!quotient)
    return;
  for (unsigned part : values.get(quotient.getLhs()).value.getVariables())
    noteIfSigned(part, op);
}

/// Notes the arguments that are added in a place, or by which ids and loops are
/// multiplied.
void ExtentFinder::noteSignedDistances(const Polynomial &element,
                                       Operation *op) {
  if (element.isUnknown())
    return;
  for (unsigned variable : element.getVariables()) {
    if (values.getAtom(variable).isParameter) {
      if (element.getCoefficient({variable}) > 0)
        noteIfSigned(variable, op);
      continue;
    }
    Polynomial factor = element.getCofactor(variable);
    if (factor.isUnknown())
      continue;
    for (unsigned stride : factor.getVariables())
      noteIfSigned(stride, op);
  }
}

bool ExtentFinder::visitAccess(Operation *op, const std::optional<View> &view) {
  SmallVector<Polynomial> subscripts = getSubscripts(op, values);
  // As strides are, so are subscripts that are no affine expressions.
  OperandRange indices = op->getOperands().take_front(0);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    indices = load.getIndices();
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    indices = store.getIndices();
  for (auto [subscript, index] : llvm::zip(subscripts, indices))
    subscript = values.get(index).value;
  if (!view || view->strides.size() != subscripts.size())
    return fail(op, "its layout is not known");
  Polynomial element = view->offset;
  for (auto [subscript, stride] : llvm::zip(subscripts, view->strides))
    element += subscript * stride;
  noteSignedDistances(element, op);
  std::optional<Polynomial> least = boundAbove(-element, op);
  if (!least || !provesNonNegative(op, -*least, values))
    return fail(op, "the kernel may access what lies before it");
  std::optional<Polynomial> last = boundAbove(element, op);
  AffineExpr extent =
      last ? expressionOverArguments(kernel, values, *last + 1, usesLaunch)
           : AffineExpr();
  if (!extent)
    return fail(op, "no guard or loop bounds the access");
  bounds.insert(extent);
  return true;
}

/// Whether `op` takes an array's address only to compare it, with null say.
static bool onlyComparesAddress(Operation *op) {
  return isa<memref::ExtractAlignedPointerAsIndexOp>(op) &&
         llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<arith::CmpIOp>(user); });
}

bool ExtentFinder::visitUsers(Value memref, const std::optional<View> &view) {
  for (Operation *user : memref.getUsers()) {
    if (onlyComparesAddress(user))
      continue;
    if (auto cast = dyn_cast<memref::ReinterpretCastOp>(user)) {
      if (!isa<BlockArgument>(memref))
        return fail(user, "its layout is not known");
      if (!visitUsers(cast, viewOf(cast)))
        return false;
      continue;
    }
    // A vector access of several elements counts as another use.
    bool isElementAccess =
        getAccessedMemRef(user) == memref &&
        !isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(user);
    if (!isElementAccess)
      return fail(user, "it is used otherwise than by subscripts");
    if (!visitAccess(user, view))
      return false;
  }
  return true;
}

/// The number of elements that the array's type, or the host code that it comes
/// from, declares: accesses of a memref are within it. Null where none does.
AffineExpr ExtentFinder::declaredElements(BlockArgument array) {
  MLIRContext *context = kernel.getContext();
  if (auto type = dyn_cast<MemRefType>(array.getType());
      type && type.hasStaticShape() && type.getLayout().isIdentity())
    return getAffineConstantExpr(type.getNumElements(), context);
  auto extents = kernel.getArgAttrOfType<ArrayAttr>(array.getArgNumber(),
                                                    kExtentsAttrName);
  if (!extents)
    return {};
  AffineExpr elements = getAffineConstantExpr(1, context);
  for (auto extent : extents.getAsRange<StringAttr>()) {
    AffineExpr factor;
    int64_t constant;
    if (!extent.getValue().getAsInteger(10, constant))
      factor = getAffineConstantExpr(constant, context);
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
      if (kernel.getArgAttr(i, kNameAttrName) == extent)
        factor = getAffineSymbolExpr(i, context);
    if (!factor)
      return {};
    elements = factor * elements;
  }
  return elements;
}

ArrayExtent ExtentFinder::find(BlockArgument array) {
  ArrayExtent extent;
  extent.argument = array.getArgNumber();
  if (AffineExpr declared = declaredElements(array)) {
    extent.elements = AffineMap::get(0, kernel.getNumArguments(), declared);
    return extent;
  }
  std::optional<View> whole;
  if (auto type = dyn_cast<MemRefType>(array.getType());
      type && type.getRank() == 1 && type.getLayout().isIdentity())
    whole = View{0, {Polynomial(1)}};
  if (!visitUsers(array, whole)) {
    extent.reason = reason;
    return extent;
  }
  unsigned symbols = kernel.getNumArguments();
  bool readsLaunch = llvm::any_of(bounds, [&](AffineExpr bound) {
    return llvm::any_of(llvm::seq(kNumLaunchSymbols), [&](unsigned i) {
      return bound.isFunctionOfSymbol(symbols + i);
    });
  });
  if (readsLaunch)
    symbols += kNumLaunchSymbols;
  extent.elements =
      AffineMap::get(0, symbols, bounds.getArrayRef(), kernel.getContext());
  return extent;
}

/// The arrays that `kernel` is given and uses.
static SmallVector<BlockArgument> findArrays(gpu::GPUFuncOp kernel) {
  SmallVector<BlockArgument> arrays;
  for (BlockArgument argument : kernel.getArguments()) {
    bool isArray =
        isa<BaseMemRefType, LLVM::LLVMPointerType>(argument.getType());
    if (argument.getArgNumber() < kernel.getNumArguments() && isArray &&
        !argument.use_empty())
      arrays.push_back(argument);
  }
  return arrays;
}

SmallVector<ArrayExtent> gpuopt::computeArrayExtents(gpu::GPUFuncOp kernel) {
  IntegerValues values(kernel);
  SmallVector<ArrayExtent> extents;
  for (BlockArgument array : findArrays(kernel))
    extents.push_back(ExtentFinder(kernel, values).find(array));
  return extents;
}

SmallVector<unsigned> gpuopt::findSignedDistances(gpu::GPUFuncOp kernel) {
  IntegerValues values(kernel);
  llvm::SmallSetVector<unsigned, 4> distances;
  for (BlockArgument array : findArrays(kernel)) {
    ExtentFinder finder(kernel, values);
    finder.find(array);
    distances.insert_range(finder.signedDistances());
  }
  return distances.takeVector();
}
