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

def GPUOpt_MatrixUnitAttr : GPUOpt_Attr<"MatrixUnit", "matrix_unit"> {
  let summary = "a unit that multiplies small matrices";
  let description = [{
    One instruction of a subgroup, `sums += rows * columns`, of
    `rows` x `columns` sums with `depth` products each: what `mma.sync` does on
    NVIDIA's tensor cores.

    ```mlir
    #gpuopt.matrix_unit<rows = 16, columns = 8, depth = 16, operands = f16,
                        sums = f32, gflops = 312000>
    ```
  }];
  let parameters = (ins
    GPUOpt_Count<"rows of the sums">:$rows,
    GPUOpt_Count<"columns of the sums">:$columns,
    GPUOpt_Count<"products of a sum">:$depth,
    TypeParameter<"::mlir::Type", "type of the factors">:$operands,
    TypeParameter<"::mlir::Type", "type of the sums">:$sums,
    GPUOpt_Count<"peak rate of the device in 10^9 operations per second">:$gflops
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def GPUOpt_TargetAttr : GPUOpt_Attr<"Target", "target"> {
  let summary = "machine description of one GPU";
  let description = [{
    What a kernel is optimised for: Table I of the unified compiler (Yang et
    al. 2012) and what newer chips add. Named descriptions are text files in
    this syntax (`dialects/GPUOpt/targets/`); `gpuopt compile --target FILE`
    reads a user's own.

    `vendor` decides between NVVM and ROCDL; `coalescing` is the rule by which a
    request of a subgroup becomes transactions: `half_warp` (compute capability
    1.2 and 1.3) or `sectors`. docs/targets.md explains each figure and how to
    add a description.

    *Multiprocessor* is a streaming multiprocessor (NVIDIA) or a compute unit
    (AMD); *subgroup* is a warp or a wavefront; *workgroup* a thread block.
  }];
  let parameters = (ins
    StringRefParameter<"name that users select the description by">:$target_name,
    EnumParameter<GPUOpt_Vendor>:$vendor,
    StringRefParameter<"LLVM's name of the processor that code is generated for">:$arch,
    EnumParameter<GPUOpt_CoalescingRule>:$coalescing,
    GPUOpt_Count<"threads whose accesses are coalesced together (Table I: CoalescedThread)">:$coalesced_threads,
    GPUOpt_Count<"threads of a warp or wavefront (Table I: ThreadInWarp)">:$subgroup_size,
    GPUOpt_Count<"most resident subgroups (Table I: WarpInMP)">:$subgroups_per_multiprocessor,
    GPUOpt_Count<"most resident threads (Table I: ThreadInMP)">:$threads_per_multiprocessor,
    GPUOpt_Count<"most resident blocks (Table I: ThreadBlockInMP)">:$workgroups_per_multiprocessor,
    GPUOpt_Count<"most threads of a block (Table I: ThreadInBlock)">:$threads_per_workgroup,
    GPUOpt_Count<"32-bit registers (Table I: RegisterInMP)">:$registers_per_multiprocessor,
    GPUOpt_Count<"most 32-bit registers of a thread before it spills">:$registers_per_thread,
    GPUOpt_Count<"32-bit registers; a subgroup gets a multiple">:$register_allocation_unit,
    GPUOpt_Count<"equal parts of the registers; a subgroup's lie in one">:$register_files,
    GPUOpt_Count<"bytes for all resident blocks (Table I: ShareMemoryInMP)">:$workgroup_memory_per_multiprocessor_bytes,
    GPUOpt_Count<"most bytes of one block">:$workgroup_memory_per_workgroup_bytes,
    GPUOpt_Count<"bytes; a block gets a multiple">:$workgroup_memory_allocation_bytes,
    GPUOpt_Count<"bytes of each block that the system takes; may be 0">:$workgroup_memory_reserved_bytes,
    GPUOpt_Count<"banks of workgroup memory that a request of a subgroup meets">:$workgroup_memory_banks,
    GPUOpt_Count<"bytes that a bank delivers per cycle">:$workgroup_memory_bank_bytes,
    GPUOpt_Count<"smallest transaction with global memory, in bytes">:$sector_bytes,
    GPUOpt_Count<"line of the cache in front of global memory, in bytes">:$line_bytes,
    GPUOpt_Count<"bytes of last-level cache that a multiprocessor reaches at full speed">:$l2_bytes,
    GPUOpt_Count<"channels that addresses go through in turn; 1 where they are hashed">:$memory_partitions,
    GPUOpt_Count<"consecutive bytes in one channel before it is the next one's turn">:$memory_partition_bytes,
    GPUOpt_Count<"32-bit words of the preferred vector access (Table I: Vectorization)">:$vector_elements,
    GPUOpt_Count<"line of the texture cache, in bytes (Table I: CacheLineSize)">:$texture_line_bytes,
    GPUOpt_Flag<"whether 16-byte copies from global to workgroup memory bypass the registers">:$async_copy,
    GPUOpt_Count<"multiprocessors of the device">:$multiprocessors,
    GPUOpt_Count<"peak bandwidth of global memory in 10^9 bytes per second">:$bandwidth_gbps,
    GPUOpt_Count<"peak rate of the vector units in 10^9 f16 operations per second (1: none)">:$f16_gflops,
    GPUOpt_Count<"the same for f32">:$f32_gflops,
    GPUOpt_Count<"the same for f64">:$f64_gflops,
    OptionalParameter<"::mlir::ArrayAttr", "its units that multiply matrices">:$matrix_units
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // GPUOPT_TARGET_TD
