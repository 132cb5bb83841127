//===- FlatIdGain.cpp - what ids along a flat id's digits gain ------------===//

#include "passes/Launches/FlatIdGain.h"

#include "passes/Analysis/AccessResolver.h"
#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

/// Rows this far apart are none: a[t + 2] is in the same sectors as a[t].
static constexpr int64_t kLeastDistance = 32;
/// Of a block that is not tuned yet.
static constexpr int64_t kBlockThreads = 256;
/// So many rows of a block load together what each of them shares.
static constexpr int64_t kRowsThatShare = 8;

namespace {
/// An access, as elements in its array.
struct ArrayAccess {
  Value array;
  Polynomial position;
  /// How far it moves with a step of each digit.
  SmallVector<Polynomial> strides;
};

class GainFinder {
public:
  GainFinder(gpu::GPUFuncOp kernel, IntegerValues &values,
             const FlatIdDigits &digits, ArrayRef<Polynomial> places,
             TargetAttr target)
      : kernel(kernel), values(values), digits(digits), places(places),
        target(target) {}

  std::variant<FlatIdGain, Refusal> find();

private:
  template <typename Predicate>
  int64_t count(Predicate predicate) const {
    return llvm::count_if(accesses, [&](const ArrayAccess &access) {
      return (this->*predicate)(access);
    });
  }
  std::optional<ArrayAccess> read(Operation *op);
  bool isAlongFlatId(const ArrayAccess &access) const;
  bool isKnown(const Polynomial &position) const;
  bool isUniform(const ArrayAccess &access) const;
  bool isInLoop(const ArrayAccess &access) const {
    return variesInLoop(access.position);
  }
  bool hasOtherRows(const ArrayAccess &access) const {
    return countRowsNearby(access) > 0;
  }
  bool hasNeighbours(const ArrayAccess &access) const;
  bool variesInLoop(const Polynomial &position) const;
  bool isSharedInLoop(const ArrayAccess &access) const;
  bool isFarApart(const ArrayAccess &access) const;
  int64_t countRowsNearby(const ArrayAccess &access) const;
  bool isShared(const ArrayAccess &access) const;
  bool gainsTiles() const;

  gpu::GPUFuncOp kernel;
  IntegerValues &values;
  const FlatIdDigits &digits;
  ArrayRef<Polynomial> places;
  TargetAttr target;
  std::vector<ArrayAccess> accesses;
};
} // namespace

static Type elementTypeOf(const ArrayAccess &access) {
  return cast<MemRefType>(access.array.getType()).getElementType();
}

std::optional<ArrayAccess> GainFinder::read(Operation *op) {
  Value memref = getAccessedMemRef(op);
  if (!memref)
    return std::nullopt;
  SmallVector<Polynomial> subscripts = getSubscripts(op, values);
  ArrayAccess access{memref, Polynomial::unknown(), {}};
  auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
  if (view)
    access.array = view.getSource();
  if (!subscripts.empty() && (view || subscripts.size() == 1))
    access.position = subscripts.back();
  for (unsigned dim = 0; dim + 1 < subscripts.size() && view; ++dim) {
    OpFoldResult stride = view.getMixedStrides()[dim];
    std::optional<int64_t> known = getConstantIntValue(stride);
    access.position +=
        subscripts[dim] *
        (known ? Polynomial(*known) : values.get(cast<Value>(stride)).value);
  }
  for (const Polynomial &low : places)
    access.strides.push_back(digits.strideOf(access.position, low));
  return access;
}

/// Whether it is as many elements further as the flat id is, or a multiple:
/// neighbours lie as they are.
bool GainFinder::isAlongFlatId(const ArrayAccess &access) const {
  return !access.position.isUnknown() && !access.strides[0].isZero() &&
         llvm::all_of(llvm::zip_equal(access.strides, places), [&](auto pair) {
           return std::get<0>(pair) == access.strides[0] * std::get<1>(pair);
         });
}

/// Whether `position` is of digits, parameters and iterators, rather than of
/// what is loaded, or may wrap.
bool GainFinder::isKnown(const Polynomial &position) const {
  return !position.isUnknown() && !position.containsAny([&](unsigned variable) {
    const Atom &atom = values.getAtom(variable);
    auto argument = dyn_cast_or_null<BlockArgument>(atom.value);
    bool isIterator = argument && isa<LoopLikeOpInterface>(
                                      argument.getOwner()->getParentOp());
    return !atom.isParameter && !isIterator &&
           !digits.read(Polynomial::variable(variable));
  });
}

bool GainFinder::isUniform(const ArrayAccess &access) const {
  return isKnown(access.position) &&
         llvm::all_of(access.strides,
                      [](const Polynomial &stride) { return stride.isZero(); });
}

/// Whether neighbours along the first or the second digit are side by side.
bool GainFinder::hasNeighbours(const ArrayAccess &access) const {
  return llvm::is_contained(ArrayRef(access.strides).take_front(2),
                            Polynomial(1));
}

/// Whether iterations of a loop are at other elements.
bool GainFinder::variesInLoop(const Polynomial &position) const {
  return position.containsAny([&](unsigned variable) {
    const Atom &atom = values.getAtom(variable);
    if (atom.kind == Atom::Kind::FloorDiv)
      return variesInLoop(atom.numerator);
    Value value = atom.value;
    Operation *around =
        value ? value.getParentRegion()->getParentOp() : nullptr;
    return around && (isa<LoopLikeOpInterface>(around) ||
                      around->getParentOfType<LoopLikeOpInterface>());
  });
}

/// Whether all of a row or of a column are at the same element.
bool GainFinder::isShared(const ArrayAccess &access) const {
  return isKnown(access.position) && !isUniform(access) &&
         llvm::any_of(access.strides,
                      [](const Polynomial &stride) { return stride.isZero(); });
}

/// Whether a loop goes along elements that other rows or columns share.
bool GainFinder::isSharedInLoop(const ArrayAccess &access) const {
  return !isUniform(access) && variesInLoop(access.position) &&
         llvm::any_of(access.strides,
                      [](const Polynomial &stride) { return stride.isZero(); });
}

/// Whether neighbours along the flat id are not side by side, in either
/// direction.
bool GainFinder::isFarApart(const ArrayAccess &access) const {
  const Polynomial &stride = access.strides[0];
  return !access.position.isUnknown() && !isAlongFlatId(access) &&
         !stride.isZero() && stride != Polynomial(1) &&
         stride != Polynomial(-1);
}

/// How many accesses are to rows of the same array that are near that of
/// `access`, but others: a few rows, and columns, away.
int64_t GainFinder::countRowsNearby(const ArrayAccess &access) const {
  auto isNearby = [&](const ArrayAccess &other, bool anyRow) {
    Polynomial distance = other.position - access.position;
    if (other.array != access.array || distance.isUnknown())
      return false;
    std::optional<int64_t> near = distance.getConstant();
    if (anyRow && near)
      return std::abs(*near) < kLeastDistance;
    return llvm::any_of(places.drop_front(), [&](const Polynomial &place) {
      Polynomial::Division parts = distance.divide(place);
      std::optional<int64_t> rows = parts.quotient.getConstant();
      std::optional<int64_t> columns = parts.remainder.getConstant();
      return rows && columns && *rows != 0 &&
             std::max(std::abs(*rows), std::abs(*columns)) < kLeastDistance;
    });
  };
  bool hasOtherRow = llvm::any_of(accesses, [&](const ArrayAccess &other) {
    return isNearby(other, /*anyRow=*/false);
  });
  if (!hasOtherRow || isUniform(access))
    return 0;
  return llvm::count_if(accesses, [&](const ArrayAccess &other) {
    return isNearby(other, /*anyRow=*/true);
  });
}

/// Whether tiles save twice the sectors, as `gpuopt-coalesce-accesses` asks, or
/// more than rows cost that start within a sector.
bool GainFinder::gainsTiles() const {
  if (count(&GainFinder::isSharedInLoop) > 0 ||
      count(&GainFinder::isFarApart) > 0)
    return true;
  // A block has a subgroup's width and some rows; a tile a halo around both.
  int64_t width = target.getCoalescedThreads(), rows = kBlockThreads / width;
  bool isHalfWarp = target.getCoalescing() == CoalescingRule::HalfWarp;
  bool gainsRows = llvm::any_of(accesses, [&](const ArrayAccess &access) {
    int64_t bytes = bytesOf(elementTypeOf(access)).value_or(4);
    int64_t sectors =
        std::max<int64_t>(1, width * bytes / target.getSectorBytes());
    int64_t tile = (rows + 2) * (sectors + 2);
    // Half warps get aligned segments for what begins within one.
    int64_t loads = countRowsNearby(access) - (isHalfWarp ? 1 : 0);
    return loads * rows * sectors >= 2 * tile;
  });
  // Of 32 floats, a row that starts anywhere costs two thirds of a sector more
  // than the flat id, and what its work items share saves nearly as much where
  // the rows of a block load it together.
  return gainsRows ||
         (rows >= kRowsThatShare && count(&GainFinder::isShared) >=
                                        2 * count(&GainFinder::isAlongFlatId));
}

std::variant<FlatIdGain, Refusal> GainFinder::find() {
  kernel.getBody().walk([&](Operation *op) {
    if (std::optional<ArrayAccess> access = read(op))
      accesses.push_back(*access);
  });
  // A short first digit keeps a launch from the new kernel, and more than two
  // are hardly ever all long: heads of attention are not, rows in memory are.
  if (places.size() > 2 && count(&GainFinder::hasNeighbours) == 0)
    return Refusal{kernel.getLoc(), "neighbours along its digits have nothing "
                                    "that lies side by side"};
  if (gainsTiles())
    return FlatIdGain();
  if (count(&GainFinder::isAlongFlatId) + count(&GainFinder::isUniform) ==
          int64_t(accesses.size()) &&
      count(&GainFinder::hasOtherRows) == 0)
    return Refusal{kernel.getLoc(), "all that it accesses lies side by side "
                                    "along the flat id"};
  if (count(&GainFinder::isInLoop) > 0)
    return Refusal{kernel.getLoc(),
                   "no elements that a loop goes along are shared by digits"};
  // Rows of whole sectors, or segments, cost what the flat id does, and no
  // quotients.
  FlatIdGain gain;
  for (const ArrayAccess &access : accesses)
    gain.rowMultiple = std::max<int64_t>(
        gain.rowMultiple, target.getCoalescing() == CoalescingRule::HalfWarp
                              ? target.getCoalescedThreads()
                              : target.getSectorBytes() /
                                    bytesOf(elementTypeOf(access)).value_or(1));
  return gain;
}

std::variant<FlatIdGain, Refusal>
gpuopt::findFlatIdGain(gpu::GPUFuncOp kernel, IntegerValues &values,
                       const FlatIdDigits &digits, ArrayRef<Polynomial> places,
                       TargetAttr target) {
  return GainFinder(kernel, values, digits, places, target).find();
}
