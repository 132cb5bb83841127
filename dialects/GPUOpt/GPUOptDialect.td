//===- GPUOptDialect.td - the gpuopt dialect ---------------*- tablegen -*-===//

#ifndef GPUOPT_DIALECT_TD
#define GPUOPT_DIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def GPUOpt_Dialect : Dialect {
  let name = "gpuopt";
  let cppNamespace = "::gpuopt";
  let summary = "facts about GPU kernels and the machines that they run on";
  let description = [{
    The dialect *records*. Kernels stay in upstream dialects (`gpu`, `affine`,
    `scf`, `memref`, `arith`, `math`; a barrier of the whole launch, which they
    do not have, is the only operation here), and what
    gpuopt knows about them is attached as attributes: the machine description,
    the launch geometry, and for each access its access function, the coalesced
    segments it touches and the data that it shares with its neighbours.

    `AttributeNames.h` says of each attribute what it holds and means, and the
    verifier knows no others. Those of accesses (`gpuopt.access`,
    `gpuopt.segment`, `gpuopt.sharing`) are output: no pass reads them, a
    transform asks the analysis. Those of kernels and their parameters are what
    the source says and how the kernel may be launched: launchers and lowering
    rely on them, and each pass keeps them true. Those of other operations
    (`gpuopt.collective`, `gpuopt.in_block`, `gpuopt.unguarded`,
    `gpuopt.index_range_version`, `gpuopt.rolled`, `gpuopt.block_id`) are what
    one pass leaves to another, and promise what their descriptions say.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // GPUOPT_DIALECT_TD
