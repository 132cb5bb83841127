//===- GPUOptBase.td - what all attributes share -----------*- tablegen -*-===//

#ifndef GPUOPT_BASE_TD
#define GPUOPT_BASE_TD

include "dialects/GPUOpt/GPUOptDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

class GPUOpt_Attr<string name, string attrMnemonic>
    : AttrDef<GPUOpt_Dialect, name> {
  let mnemonic = attrMnemonic;
}

/// A number with a meaning and a unit.
class GPUOpt_Count<string desc> : AttrParameter<"int64_t", desc>;

/// Yes or no.
class GPUOpt_Flag<string desc> : AttrParameter<"bool", desc>;

#endif // GPUOPT_BASE_TD
