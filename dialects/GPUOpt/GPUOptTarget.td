//===- GPUOptTarget.td - the machine description -----------*- tablegen -*-===//

#ifndef GPUOPT_TARGET_TD
#define GPUOPT_TARGET_TD

include "dialects/GPUOpt/GPUOptBase.td"

def GPUOpt_Vendor : I32EnumAttr<"Vendor", "maker of a GPU", [
    I32EnumAttrCase<"NVIDIA", 0, "nvidia">,
    I32EnumAttrCase<"AMD", 1, "amd">]> {
  let cppNamespace = "::gpuopt";
}

def GPUOpt_CoalescingRule : I32EnumAttr<"CoalescingRule",
    "how a memory request of a subgroup becomes memory transactions", [
    I32EnumAttrCase<"HalfWarp", 0, "half_warp">,
    I32EnumAttrCase<"Sectors", 1, "sectors">]> {
  let cppNamespace = "::gpuopt";
}

def GPUOpt_TargetAttr : GPUOpt_Attr<"Target", "target"> {
  let summary = "machine description of one GPU";
  let description = [{
    What a kernel is optimised for: Table I of the unified compiler (Yang et
    al. 2012) and what newer chips add. Named descriptions are text files in
    this syntax (`dialects/GPUOpt/targets/`); `gpuopt compile --target FILE`
    reads a user's own.

    *Multiprocessor* is a streaming multiprocessor (NVIDIA) or a compute unit
    (AMD); *subgroup* is a warp or a wavefront; *workgroup* a thread block.
  }];
  let parameters = (ins
    StringRefParameter<"name users select the description by">:$target_name,
    EnumParameter<GPUOpt_Vendor>:$vendor,
    StringRefParameter<"LLVM's name of the processor that code is generated for">:$arch,
    EnumParameter<GPUOpt_CoalescingRule>:$coalescing,
    "int64_t":$coalesced_threads,
    "int64_t":$subgroup_size,
    "int64_t":$subgroups_per_multiprocessor,
    "int64_t":$threads_per_multiprocessor,
    "int64_t":$workgroups_per_multiprocessor,
    "int64_t":$threads_per_workgroup,
    "int64_t":$registers_per_multiprocessor,
    "int64_t":$registers_per_thread,
    "int64_t":$register_allocation_unit,
    "int64_t":$workgroup_memory_per_multiprocessor_bytes,
    "int64_t":$workgroup_memory_per_workgroup_bytes,
    "int64_t":$workgroup_memory_banks,
    "int64_t":$workgroup_memory_bank_bytes,
    "int64_t":$sector_bytes,
    "int64_t":$line_bytes,
    "int64_t":$l2_bytes,
    "int64_t":$memory_partitions,
    "int64_t":$memory_partition_bytes,
    "int64_t":$vector_elements,
    "int64_t":$texture_line_bytes,
    "bool":$async_copy,
    "int64_t":$multiprocessors,
    "int64_t":$bandwidth_gbps,
    "int64_t":$f16_gflops,
    "int64_t":$f32_gflops,
    "int64_t":$f64_gflops
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // GPUOPT_TARGET_TD
