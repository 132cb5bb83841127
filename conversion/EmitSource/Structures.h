//===- Structures.h - structures that are passed by value -------*- C++ -*-===//
//
// Reads `kStructureAttrName`.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_STRUCTURES_H
#define CONVERSION_EMITSOURCE_STRUCTURES_H

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

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_STRUCTURES_H
