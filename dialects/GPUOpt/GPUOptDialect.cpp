//===- GPUOptDialect.cpp - the gpuopt dialect -----------------------------===//

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/ResidentBlocks.h"

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "dialects/GPUOpt/GPUOptDialect.cpp.inc"

using namespace mlir;
using namespace gpuopt;

#define GET_OP_CLASSES
#include "dialects/GPUOpt/GPUOptOps.cpp.inc"

void GPUOptDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/GPUOpt/GPUOptOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes on operations of other dialects
//===----------------------------------------------------------------------===//

/// Checks that `attribute` holds one of `Attributes`.
template <typename... Attributes>
static LogicalResult checkKind(Operation *op, NamedAttribute attribute,
                               StringRef expected) {
  if (isa<Attributes...>(attribute.getValue()))
    return success();
  return op->emitOpError() << "expected '" << attribute.getName().getValue()
                           << "' to be " << expected << ", found "
                           << attribute.getValue();
}

static LogicalResult checkPlace(bool isRight, Operation *op,
                                NamedAttribute attribute, StringRef expected) {
  if (isRight)
    return success();
  return op->emitOpError() << "expected '" << attribute.getName().getValue()
                           << "' only on " << expected;
}

/// True for operations that may access memory: those with a buffer or pointer.
static bool hasMemoryOperand(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<BaseMemRefType>(type) ||
           type.getAbstractType().getName() == "llvm.ptr";
  });
}

/// Expects a `SharingAttr` or an array of them.
static LogicalResult checkSharing(Operation *op, NamedAttribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!array)
    return checkKind<SharingAttr>(op, attribute, "a #gpuopt.sharing");
  for (Attribute element : array)
    if (failed(checkKind<SharingAttr>(
            op, NamedAttribute(attribute.getName(), element),
            "an array of #gpuopt.sharing")))
      return failure();
  return success();
}

LogicalResult
GPUOptDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  StringRef name = attribute.getName();
  bool isFunction = isa<FunctionOpInterface>(op);
  auto verify = [&](LogicalResult kind, bool isRightPlace,
                    StringRef place) -> LogicalResult {
    return failed(kind) ? failure()
                        : checkPlace(isRightPlace, op, attribute, place);
  };
  if (name == kGeometryAttrName)
    return verify(checkKind<GeometryAttr>(op, attribute, "a #gpuopt.geometry"),
                  isFunction, "functions");
  if (name == kFallbackAttrName)
    return verify(checkKind<FlatSymbolRefAttr, StringAttr>(
                      op, attribute, "the symbol of a kernel"),
                  isFunction, "functions");
  if (name == kOwnExtentsAttrName)
    return verify(checkKind<ArrayAttr>(op, attribute, "an array of extents"),
                  isFunction, "functions");
  if (name == kSpecializedAttrName)
    return verify(
        checkKind<DictionaryAttr>(op, attribute, "a dictionary of sizes"),
        isFunction, "functions");
  if (name == kPhaseOfAttrName)
    return verify(
        checkKind<SymbolRefAttr>(op, attribute, "the symbol of a function"),
        isFunction, "functions");
  if (name == kOutputsAttrName)
    return verify(
        checkKind<DictionaryAttr>(op, attribute, "a dictionary of extents"),
        isFunction, "functions");
  if (name == kRequiresAttrName)
    return verify(checkKind<IntegerSetAttr>(op, attribute, "an integer set"),
                  isFunction, "functions");
  if (name == kWorkItemsAttrName)
    return verify(checkKind<AffineMapAttr>(op, attribute, "an affine map"),
                  isFunction, "functions");
  if (name == kSourceNameAttrName)
    return verify(checkKind<StringAttr>(op, attribute, "a string"), isFunction,
                  "functions");
  if (name == kResidentBlocksAttrName)
    return verify(checkKind<IntegerAttr>(op, attribute, "an integer"),
                  isFunction, "functions");
  if (name == kTargetAttrName)
    return verify(checkKind<TargetAttr>(op, attribute, "a #gpuopt.target"),
                  isFunction || op->hasTrait<OpTrait::SymbolTable>(),
                  "functions and modules");
  if (name == kAccessAttrName)
    return verify(checkKind<AccessAttr>(op, attribute, "a #gpuopt.access"),
                  hasMemoryOperand(op), "accesses to memory");
  if (name == kSegmentAttrName)
    return verify(checkKind<SegmentAttr>(op, attribute, "a #gpuopt.segment"),
                  hasMemoryOperand(op), "accesses to memory");
  if (name == kSharingAttrName)
    return verify(checkSharing(op, attribute), hasMemoryOperand(op),
                  "accesses to memory");
  if (name == kCollectiveAttrName)
    return verify(checkKind<UnitAttr>(op, attribute, "a unit attribute"),
                  op->getName().getStringRef() == "affine.parallel" &&
                      op->getNumResults() == 0,
                  "'affine.parallel' without results");
  return success();
}

LogicalResult
GPUOptDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                        NamedAttribute attribute) {
  if (attribute.getName() != kNameAttrName)
    return success();
  return checkKind<StringAttr>(op, attribute, "a string");
}
