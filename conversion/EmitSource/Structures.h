//===- Structures.h - structures that are passed by value -------*- C++ -*-===//
//
// Reads `kStructureAttrName` and `kStructuresAttrName`.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_STRUCTURES_H
#define CONVERSION_EMITSOURCE_STRUCTURES_H

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gpuopt::source {

inline llvm::StringRef typeNameOf(mlir::DictionaryAttr structure) {
  return mlir::cast<mlir::StringAttr>(structure.get("type")).getValue();
}

inline auto membersOf(mlir::DictionaryAttr structure) {
  return mlir::cast<mlir::ArrayAttr>(structure.get("members"))
      .getAsRange<mlir::DictionaryAttr>();
}

inline llvm::StringRef nameOf(mlir::DictionaryAttr member) {
  return mlir::cast<mlir::StringAttr>(member.get("name")).getValue();
}

inline int64_t offsetOf(mlir::DictionaryAttr member) {
  return mlir::cast<mlir::IntegerAttr>(member.get("offset")).getInt();
}

inline llvm::ArrayRef<int64_t> extentsOf(mlir::DictionaryAttr member) {
  auto extents = member.getAs<mlir::DenseI64ArrayAttr>("extents");
  return extents ? extents.asArrayRef() : llvm::ArrayRef<int64_t>();
}

/// The size of one element, of a pointer where it is one.
inline int64_t bytesOf(mlir::DictionaryAttr member) {
  mlir::Type element =
      mlir::cast<mlir::TypeAttr>(member.get("element")).getValue();
  return member.contains("pointer") ? 8 : element.getIntOrFloatBitWidth() / 8;
}

//===--- Structures whose members are parameters of their own -------------===//

/// The number of the first of its parameters.
inline unsigned firstOf(mlir::DictionaryAttr structure) {
  return mlir::cast<mlir::IntegerAttr>(structure.get("first")).getInt();
}

/// The number of its parameters.
inline unsigned countOf(mlir::DictionaryAttr structure) {
  return mlir::cast<mlir::DenseI64ArrayAttr>(structure.get("offsets")).size();
}

/// The structure that parameter `number` of `function` is in, if it is in one.
/// A launch that is one of several has the parameters themselves.
inline mlir::DictionaryAttr structureAround(mlir::gpu::GPUFuncOp function,
                                            unsigned number) {
  auto structures =
      function->getAttrOfType<mlir::ArrayAttr>(kStructuresAttrName);
  if (!structures || function->hasAttr(kPhaseOfAttrName))
    return {};
  for (auto structure : structures.getAsRange<mlir::DictionaryAttr>())
    if (number >= firstOf(structure) &&
        number < firstOf(structure) + countOf(structure))
      return structure;
  return {};
}

/// The structure with the member `name` in it: `s` of `s.scale`.
inline llvm::StringRef baseOf(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '.'; });
}

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_STRUCTURES_H
