//===- GPUOptOps.cpp - operations of the gpuopt dialect -------------------===//

#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace gpuopt;

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
