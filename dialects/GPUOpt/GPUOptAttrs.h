//===- GPUOptAttrs.h - attributes of the gpuopt dialect ---------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_GPUOPTATTRS_H
#define DIALECTS_GPUOPT_GPUOPTATTRS_H

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

#include "dialects/GPUOpt/GPUOptEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/GPUOpt/GPUOptAttrs.h.inc"

namespace gpuopt {

/// Bytes to which lowering aligns every array in workgroup memory: the widest
/// access of one thread.
inline constexpr int64_t kWorkgroupArrayAlignment = 16;

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_GPUOPTATTRS_H
