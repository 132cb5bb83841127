//===- GPUOpt.td - all of the gpuopt dialect ---------------*- tablegen -*-===//

#ifndef GPUOPT_TD
#define GPUOPT_TD

include "dialects/GPUOpt/GPUOptAttrs.td"
include "dialects/GPUOpt/GPUOptOps.td"

#endif // GPUOPT_TD
