//===- GPUOptAttrs.td - attributes of the gpuopt dialect ---*- tablegen -*-===//

#ifndef GPUOPT_ATTRS_TD
#define GPUOPT_ATTRS_TD

include "dialects/GPUOpt/GPUOptAccess.td"
include "dialects/GPUOpt/GPUOptGeometry.td"
include "dialects/GPUOpt/GPUOptTarget.td"

#endif // GPUOPT_ATTRS_TD
