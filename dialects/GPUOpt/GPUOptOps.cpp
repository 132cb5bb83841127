//===- GPUOptOps.cpp - operations of the gpuopt dialect -------------------===//

#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace gpuopt;

/// The one type that all sums have.
static ParseResult parseSumTypes(OpAsmParser &parser,
                                 ArrayRef<OpAsmParser::UnresolvedOperand> sums,
                                 SmallVectorImpl<Type> &types,
                                 SmallVectorImpl<Type> &results) {
  Type type;
  if (parser.parseType(type))
    return failure();
  types.assign(sums.size(), type);
  results.assign(sums.size(), type);
  return success();
}

static void printSumTypes(OpAsmPrinter &printer, Operation *, OperandRange,
                          TypeRange types, TypeRange) {
  if (!types.empty())
    printer << types.front();
}

// What is generated for an attribute names two variables alike.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#define GET_OP_CLASSES
#include "dialects/GPUOpt/GPUOptOps.cpp.inc"
#pragma GCC diagnostic pop

/// The number of an array's memory space; 0 for the default one.
static unsigned spaceOf(MemRefType type) {
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return number ? number.getInt() : 0;
}

LogicalResult GetVariableOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto variable =
      symbols.lookupNearestSymbolFrom<LLVM::GlobalOp>(*this, getVariableAttr());
  if (!variable)
    return emitOpError() << "expected the symbol of an 'llvm.mlir.global', "
                            "found "
                         << getVariableAttr();
  auto type = cast<MemRefType>(getArray().getType());
  unsigned expected =
      variable.getAddrSpace() == kConstantSpace ? kConstantSpace : 0;
  if (spaceOf(type) != expected)
    return emitOpError() << "expected memory space " << expected
                         << " for a variable in address space "
                         << variable.getAddrSpace() << ", found "
                         << spaceOf(type);
  DataLayout layout = DataLayout::closest(*this);
  uint64_t bytes = layout.getTypeSize(variable.getGlobalType());
  uint64_t needed =
      layout.getTypeSize(type.getElementType()) * type.getNumElements();
  if (needed > bytes)
    return emitOpError() << "views " << needed << " bytes of a variable of "
                         << bytes << " bytes";
  return success();
}

LogicalResult MatrixDescriptorOp::verify() {
  auto type = cast<MemRefType>(getTile().getType());
  if (static_cast<int64_t>(getIndices().size()) != type.getRank())
    return emitOpError() << "expected " << type.getRank()
                         << " subscripts, found " << getIndices().size();
  if (type.getRank() < 2 || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return emitOpError("expected a tile of rows of numbers");
  if (std::optional<int64_t> lines = getInterleave(); lines && *lines % 8)
    return emitOpError("expected 'interleave' to be a multiple of 8, found ")
           << *lines;
  return success();
}

LogicalResult WarpgroupProductOp::verify() {
  ArrayRef<int64_t> shape = getShape();
  if (shape.size() != 3 || shape[0] != 64 || shape[1] < 8 || shape[1] > 256 ||
      shape[1] % 8)
    return emitOpError("expected a shape of 64 rows, 8 to 256 columns and the "
                       "depth");
  if (static_cast<int64_t>(getSums().size()) * 2 != shape[1])
    return emitOpError() << "expected " << shape[1] / 2 << " sums, found "
                         << getSums().size();
  if (shape[2] * getOperands().getIntOrFloatBitWidth() != 256)
    return emitOpError("expected products of 32 bytes");
  if (getSteps() < 1 || getPending() < 0 || getPending() > 7)
    return emitOpError("expected one step or more, and 0 to 7 groups pending");
  return success();
}
