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

    `gpuopt.collective` marks an `affine.parallel` whose iterations the threads
    of a block share out, as they fill a tile of workgroup memory together. All
    threads get to the loop, no thread id occurs in it, each iteration writes its
    own elements, and a barrier separates it from their readers. It has the same
    effect when every thread runs it as a whole.

    `gpuopt.unguarded` marks an `scf.if` whose first branch is the second one
    without guards: the second is right wherever the first one is, and passes may
    narrow the condition. `gpuopt.rolled` marks an `affine.for` that the back end
    is not to unroll.

    Other attributes are output. A transform never trusts one that it did not compute
    itself: it asks the analysis.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

#endif // GPUOPT_DIALECT_TD
