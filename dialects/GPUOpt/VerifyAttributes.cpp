//===- VerifyAttributes.cpp - what attributes hold, and where -------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/LargestBlock.h"
#include "dialects/GPUOpt/ShareHint.h"

#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool isFunction(Operation *op) { return isa<FunctionOpInterface>(op); }

static bool isFunctionOrModule(Operation *op) {
  return isFunction(op) || op->hasTrait<OpTrait::SymbolTable>();
}

/// True for operations that may access memory: those with a buffer or pointer.
static bool hasMemoryOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<BaseMemRefType>(type) ||
           type.getAbstractType().getName() == "llvm.ptr";
  });
}

static bool isParallelLoop(Operation *op) {
  return op->getName().getStringRef() == "affine.parallel" &&
         op->getNumResults() == 0;
}

static bool isLoop(Operation *op) {
  return op->getName().getStringRef() == "affine.for";
}

static bool isBranch(Operation *op) {
  return op->getName().getStringRef() == "scf.if";
}

static bool isComparison(Operation *op) {
  return op->getName().getStringRef() == "arith.cmpi";
}

static bool isVariable(Operation *op) {
  return op->getName().getStringRef() == "llvm.mlir.global";
}

static bool isCall(Operation *op) { return isa<LLVM::CallOp>(op); }
static bool isAtomicUpdate(Operation *op) {
  return llvm::StringSwitch<bool>(op->getName().getStringRef())
      .Cases({"llvm.atomicrmw", "llvm.cmpxchg"}, true)
      .Default(false);
}

static bool hasValue(Operation *op) { return op->getNumResults() == 1; }

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

template <typename... Kinds>
static bool holds(Attribute attribute) {
  return isa<Kinds...>(attribute);
}

template <typename Kind>
static bool holdsArrayOf(Attribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute);
  return array && llvm::all_of(array, holds<Kind>);
}

static bool holdsSharing(Attribute attribute) {
  return isa<SharingAttr>(attribute) || holdsArrayOf<SharingAttr>(attribute);
}

static bool holdsShareHints(Attribute attribute) {
  return holdsArrayOf<StringAttr>(attribute) &&
         llvm::all_of(cast<ArrayAttr>(attribute).getAsValueRange<StringAttr>(),
                      [](StringRef text) {
                        size_t end = 0;
                        ShareHint hint;
                        return !parseShareHint(text, end, hint) &&
                               end == text.size();
                      });
}

static bool holdsBlock(Attribute attribute) {
  auto block = dyn_cast<DenseI32ArrayAttr>(attribute);
  return block && block.size() == 3 &&
         llvm::all_of(block.asArrayRef(),
                      [](int32_t size) { return size > 0; });
}

/// Whether `dictionary` has an entry `name` that is a `Kind`.
template <typename Kind>
static bool has(DictionaryAttr dictionary, StringRef name) {
  return dictionary.getAs<Kind>(name) != nullptr;
}

/// Whether `attribute` is a shape with up to as many threads, or items of one,
/// as a block has.
static bool holdsSmallShape(Attribute attribute) {
  if (!attribute || !holdsBlock(attribute))
    return false;
  int64_t product = 1;
  for (int32_t size : cast<DenseI32ArrayAttr>(attribute).asArrayRef())
    product = std::min(product * size, kMostThreadsOfBlock + 1);
  return product <= kMostThreadsOfBlock;
}

static bool holdsPartition(Attribute attribute) {
  auto partition = dyn_cast<DictionaryAttr>(attribute);
  if (!partition || !holdsSmallShape(partition.get("block")) ||
      !holdsSmallShape(partition.get("items")))
    return false;
  Attribute arrays = partition.get("arrays");
  if (Attribute neighbours = partition.get("contiguous");
      neighbours && !holdsSmallShape(neighbours))
    return false;
  Attribute iterations = partition.get("iterations");
  auto number = dyn_cast_or_null<IntegerAttr>(iterations);
  bool isNumber = number && number.getType().isSignlessInteger(64) &&
                  number.getInt() > 0 && number.getInt() <= kMostThreadsOfBlock;
  return arrays && holdsArrayOf<StringAttr>(arrays) &&
         (!iterations || isNumber);
}

/// Whether `attribute` has what `kStructureAttrName` says of a structure.
static bool holdsStructure(Attribute attribute) {
  auto structure = dyn_cast<DictionaryAttr>(attribute);
  auto members = structure ? structure.getAs<ArrayAttr>("members") : nullptr;
  return members && has<StringAttr>(structure, "type") &&
         llvm::all_of(members, [](Attribute attribute) {
           auto member = dyn_cast<DictionaryAttr>(attribute);
           return member && has<StringAttr>(member, "name") &&
                  has<IntegerAttr>(member, "offset") &&
                  has<TypeAttr>(member, "element") &&
                  member.getAs<TypeAttr>("element").getValue().isIntOrFloat();
         });
}

static bool holdsSplitStructures(Attribute attribute) {
  auto structures = dyn_cast<ArrayAttr>(attribute);
  return structures && llvm::all_of(structures, [](Attribute attribute) {
           auto structure = dyn_cast<DictionaryAttr>(attribute);
           return holdsStructure(attribute) &&
                  has<StringAttr>(structure, "name") &&
                  has<IntegerAttr>(structure, "first") &&
                  has<IntegerAttr>(structure, "bytes") &&
                  has<IntegerAttr>(structure, "align") &&
                  llvm::isPowerOf2_64(
                      structure.getAs<IntegerAttr>("align").getInt()) &&
                  has<DenseI64ArrayAttr>(structure, "offsets");
         });
}

/// Whether all structures are of parameters that `function` has.
static bool hasSplitStructures(Operation *function) {
  auto interface = dyn_cast<FunctionOpInterface>(function);
  auto structures = function->getAttrOfType<ArrayAttr>(kStructuresAttrName);
  return interface && structures &&
         llvm::all_of(structures, [&](Attribute attribute) {
           auto structure = cast<DictionaryAttr>(attribute);
           int64_t first = structure.getAs<IntegerAttr>("first").getInt();
           int64_t count = structure.getAs<DenseI64ArrayAttr>("offsets").size();
           return first >= 0 && count > 0 &&
                  first + count <= int64_t(interface.getNumArguments());
         });
}

namespace {
/// What an attribute has to hold, and where it may stand.
struct Expected {
  StringLiteral name;
  bool (*holds)(Attribute);
  StringLiteral content;
  bool (*isPlace)(Operation *) = isFunction;
  StringLiteral place = "functions";
};
} // namespace

static constexpr StringLiteral kUnit = "a unit attribute";
static constexpr StringLiteral kAccesses = "accesses to memory";

static constexpr Expected onOperations[] = {
    {kSourceNameAttrName, holds<StringAttr>, "a string"},
    {kStructuresAttrName, holdsSplitStructures, "an array of structures",
     hasSplitStructures, "functions with their parameters"},
    {kOutputsAttrName, holds<DictionaryAttr>, "a dictionary of extents"},
    {kShareAttrName, holdsShareHints,
     "an array of hints such as \"a[TBY][*]\""},
    {kPartitionAttrName, holdsPartition,
     "a dictionary of arrays, block, items and iterations"},
    {kNarrowPositionsAttrName, holds<UnitAttr>, kUnit},
    {kDomainAttrName, holdsArrayOf<StringAttr>, "an array of strings"},
    {kLaunchBoundsAttrName, holds<DenseI32ArrayAttr>, "an array of i32"},
    {kLaunchBlockAttrName, holdsBlock, "an array of three positive i32"},
    {kKeepsTilesAttrName, holds<UnitAttr>, kUnit},
    {kTargetAttrName, holds<TargetAttr>, "a #gpuopt.target", isFunctionOrModule,
     "functions and modules"},
    {kGeometryAttrName, holds<GeometryAttr>, "a #gpuopt.geometry"},
    {kFallbackAttrName, holds<FlatSymbolRefAttr, StringAttr>,
     "the symbol of a kernel"},
    {kRequiresAttrName, holds<IntegerSetAttr>, "an integer set"},
    {kWorkItemsAttrName, holds<AffineMapAttr>, "an affine map"},
    {kItemsOfEachAttrName, holds<AffineMapAttr>, "an affine map"},
    {kOwnExtentsAttrName, holds<ArrayAttr>, "an array of extents"},
    {kSpecializedAttrName, holds<DictionaryAttr>, "a dictionary of sizes"},
    {kPhaseOfAttrName, holds<SymbolRefAttr>, "the symbol of a function"},
    {kResidentBlocksAttrName, holds<IntegerAttr>, "an integer"},
    {kBlockOrderAttrName, holds<BlockOrderAttr>, "a #gpuopt.block_order"},
    {kParameterAttrsAttrName, holdsArrayOf<DictionaryAttr>,
     "an array of dictionaries"},
    {kUnsignedAttrName, holds<UnitAttr>, kUnit, isVariable,
     "'llvm.mlir.global'"},
    {kAccessAttrName, holds<AccessAttr>, "a #gpuopt.access", hasMemoryOperand,
     kAccesses},
    {kSegmentAttrName, holds<SegmentAttr>, "a #gpuopt.segment",
     hasMemoryOperand, kAccesses},
    {kSharingAttrName, holdsSharing, "a #gpuopt.sharing, or an array of them",
     hasMemoryOperand, kAccesses},
    {kCollectiveAttrName, holds<UnitAttr>, kUnit, isParallelLoop,
     "'affine.parallel' without results"},
    {kInBlockAttrName, holds<UnitAttr>, kUnit, isComparison, "'arith.cmpi'"},
    {kIndexRangeVersionAttrName, holds<UnitAttr>, kUnit, isBranch, "'scf.if'"},
    {kUnguardedAttrName, holds<UnitAttr>, kUnit, isBranch, "'scf.if'"},
    {kRolledAttrName, holds<UnitAttr>, kUnit, isLoop, "'affine.for'"},
    {kBlockIdAttrName, holds<StringAttr>, "a string", hasValue,
     "operations with one value"},
    {kSourceOrderAttrName, holds<UnitAttr>, kUnit, isAtomicUpdate, "atomics"},
    {kOfWholeBlockAttrName, holds<UnitAttr>, kUnit, isCall, "'llvm.call'"},
    {kTileLoopAttrName, holds<UnitAttr>, kUnit, isLoop, "'affine.for'"},
};

static constexpr Expected onArguments[] = {
    {kNameAttrName, holds<StringAttr>, "a string"},
    {kUnsignedAttrName, holds<UnitAttr>, kUnit},
    {kPointeeAttrName, holds<StringAttr>, "a string"},
    {kBoundsUnsignedAttrName, holds<UnitAttr>, kUnit},
    {kUnusedAttrName, holds<UnitAttr>, kUnit},
    {kStructureAttrName, holdsStructure, "a structure"},
    {kExtentsAttrName, holdsArrayOf<StringAttr>, "an array of strings"},
    {kExtentAttrName, holds<AffineMapAttr>, "an affine map"},
    {kDistinctAttrName, holds<UnitAttr>, kUnit},
    {kAlignedAttrName, holds<IntegerAttr>, "an integer"},
};

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyAttribute(ArrayRef<Expected> table, Operation *op,
                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  const Expected *expected = llvm::find_if(
      table, [&](const Expected &entry) { return entry.name == name; });
  if (expected == table.end())
    return op->emitOpError() << "has an unknown attribute '" << name << "'";
  if (!expected->holds(attribute.getValue()))
    return op->emitOpError()
           << "expected '" << name << "' to be " << expected->content
           << ", found " << attribute.getValue();
  if (!expected->isPlace(op))
    return op->emitOpError()
           << "expected '" << name << "' only on " << expected->place;
  return success();
}

LogicalResult
GPUOptDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  return verifyAttribute(onOperations, op, attribute);
}

LogicalResult
GPUOptDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                        NamedAttribute attribute) {
  return verifyAttribute(onArguments, op, attribute);
}
