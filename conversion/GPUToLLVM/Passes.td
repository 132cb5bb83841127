//===- Passes.td - from gpu.module to NVVM and ROCDL ------*- tablegen -*-===//

#ifndef GPUOPT_CONVERSION_GPUTOLLVM_PASSES_TD
#define GPUOPT_CONVERSION_GPUTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def CallDeviceFunctions : Pass<"gpuopt-call-device-functions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "write operations of the gpuopt dialect as calls of device functions";
  let description = [{
    *Why.* Upstream's conversions to NVVM and ROCDL do not know the dialect. The functions are those that the prelude
    calls, so that one place expands them (`expandGridBarriers`) and the CPU executor knows them.

    *Rewrite.*
    ```mlir
    gpuopt.grid_barrier
    // becomes
    llvm.call @__gpuopt_global_sync() : () -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CallMathIntrinsics : Pass<"gpuopt-call-math-intrinsics", "::mlir::gpu::GPUModuleOp"> {
  let summary = "write LLVM's mathematical operations as calls to intrinsics";
  let description = [{
    *Why.* Upstream's conversion to NVVM and ROCDL rejects operations like `llvm.intr.sin`, because it makes library
    calls of `math.sin`. Un-raised functions hold such operations; the library calls are made of LLVM IR later, with
    the table that also serves C's names. Of the absolute value of an integer it makes a library call as well, for
    which no library is needed: `math.absi` becomes LLVM's intrinsic. Of `math.fma` of 16 bits it makes one of floats,
    which rounds twice. `math.absf` and `math.copysign` change one bit, of a NaN as well, and become LLVM's intrinsics.

    *Rewrite.*
    ```mlir
    %y = llvm.intr.sin(%x) : (f32) -> f32
    %z = llvm.frem %x, %y : f32
    %h = math.fma %a, %b, %c : f16
    // becomes
    %y = llvm.call_intrinsic "llvm.sin"(%x) : (f32) -> f32
    %z = arith.remf %x, %y : f32
    %h = llvm.call_intrinsic "llvm.fma"(%a, %b, %c) : (f16, f16, f16) -> f16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def ConvertKernels : Pass<"gpuopt-convert-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "convert kernels to NVVM or ROCDL by upstream's patterns";
  let description = [{
    *Why.* Upstream's passes begin with greedy rewriting of the whole module, which folds and simplifies all regions for
    three patterns that have nothing to do in most kernels. That takes a quarter of the lowering; blocks that differ in
    their operands only are merged, which in a kernel of some hundred guarded loads does not end. LLVM does both better.

    *Rewrite.* Rewrites shuffles (64 bits as twice 32; AMD's own instructions), then converts `gpu`, `arith`, `cf`,
    `memref`, `vector` and `math` at once, as `convert-gpu-to-nvvm` or `convert-gpu-to-rocdl` does.
    ```mlir
    %x = gpu.thread_id x
    // becomes
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %x = llvm.sext %t : i32 to i64
    ```
  }];
  let options = [
    Option<"arch", "arch", "std::string", "\"sm_90\"", "architecture: sm_… or gfx…">
  ];
  let dependentDialects = ["::mlir::amdgpu::AMDGPUDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

def ExpandGlobalIds : Pass<"gpuopt-expand-global-ids", "::mlir::gpu::GPUModuleOp"> {
  let summary = "compute work item ids from block and thread ids in 32 bits";
  let description = [{
    *Why.* Upstream expands `gpu.global_id` in index arithmetic, which is 64 bits wide here: a multiplication of that
    width takes several instructions. Fewer than 2^31 work items per dimension is what the launcher guarantees, so 32
    bits cannot wrap. Subgroup ids and sizes are expanded too: the target's subgroup size is a constant.

    *Rewrite.*
    ```mlir
    %id = gpu.global_id x
    // becomes
    %b = arith.index_cast (gpu.block_id x) : index to i32
    %s = arith.muli %b, (gpu.block_dim x) overflow<nsw, nuw> : i32
    %i = arith.addi %s, (gpu.thread_id x) overflow<nsw, nuw> : i32
    %id = arith.index_castui %i : i32 to index
    ```
  }];
  let options = [
    Option<"subgroupSize", "subgroup-size", "int64_t", "32", "threads per subgroup">
  ];
  let statistics = [
    Statistic<"expandedIds", "expanded-ids", "Number of work item ids expanded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect"];
}

def ExpandReductions : Pass<"gpuopt-expand-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "compute reductions over subgroups and blocks by shuffles";
  let description = [{
    *Why.* The conversions take no reductions over a subgroup but those that some chips have an instruction for.
    Upstream's reduction over a block is a race where the number of subgroups is no power of two.

    *Checks.* A `gpu.all_reduce` has barriers in it: it must be `uniform` or stand at the top of its kernel.

    *Rewrite.* Reductions over a subgroup by upstream's patterns. Over a block:
    ```mlir
    %sum = gpu.all_reduce add %x uniform {} : (f32) -> f32
    // becomes
    %group = (values of up to 32 lanes, by shuffles down)
    scf.if %is_first_lane { memref.store %group, %partial[%thread / 32] }
    gpu.barrier
    %sum = scf.for %i = 1 to %groups iter_args(%s = %partial[0]) { scf.yield (%s + %partial[%i]) }
    gpu.barrier
    ```
  }];
  let options = [
    Option<"subgroupSize", "subgroup-size", "int64_t", "32", "threads per subgroup">
  ];
  let statistics = [
    Statistic<"expandedReductions", "expanded-reductions", "Number of reductions expanded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandShuffles : Pass<"gpuopt-expand-shuffles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "find the lanes that shuffles read, where the conversions get them wrong";
  let description = [{
    *Why.* Upstream's conversion for AMD lets lanes below the offset read up from lanes that there are not, and calls
    them valid; it takes every width for a power of two. The one for NVIDIA finds no valid lane for a shuffle up of less
    than 32 lanes. Neither takes a `gpu.rotate`.

    *Rewrite.* On AMD, with subgroups of 64:
    ```mlir
    %y, %valid = gpu.shuffle up %x, %offset, %c32 : f32
    // becomes
    %first = arith.andi %lane, %c-32
    %source = arith.subi %lane, %offset
    %valid = arith.cmpi ult, (%source - %first), %c32
    %read = arith.select %valid, %source, %lane
    %y, %_ = gpu.shuffle idx %x, %read, %c64 : f32
    ```
  }];
  let options = [
    Option<"subgroupSize", "subgroup-size", "int64_t", "32", "threads per subgroup">,
    Option<"vendor", "vendor", "std::string", "\"nvidia\"", "nvidia or amd">
  ];
  let statistics = [
    Statistic<"expandedShuffles", "expanded-shuffles", "Number of shuffles expanded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ExpandViews : Pass<"gpuopt-expand-views", "::mlir::gpu::GPUModuleOp"> {
  let summary = "expand what the conversions to LLVM do not take, where there is any";
  let description = [{
    *Why.* The conversions to NVVM and ROCDL take neither views of views nor transfers of vectors. Upstream's passes
    for them rewrite greedily and simplify all regions, which takes a quarter of the lowering; in a kernel from CUDA
    there is nothing for them to do.

    *Rewrite.* What upstream's `affine-expand-index-ops`, `convert-vector-to-scf` and `expand-strided-metadata` do,
    where the module has an operation that one of them expands; the first and the last rewrite only these.
    ```mlir
    %row = memref.subview %a[%i, 0] [1, 64] [1, 1] : memref<64x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    // becomes
    %offset = affine.apply affine_map<()[s0] -> (s0 * 64)>()[%i]
    %row = memref.reinterpret_cast %base to offset: [%offset], sizes: [64], strides: [1] : …
    ```
  }];
}

def LowerMatrixProducts : Pass<"gpuopt-lower-matrix-products", "::mlir::gpu::GPUModuleOp"> {
  let summary = "write products of matrices as NVVM's instructions";
  let description = [{
    *Why.* Upstream's conversion knows no bfloat16, and lets sums of bytes saturate where the source's wrap around.

    *Rewrite.*
    ```mlir
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]}
        : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    // becomes
    %r = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%c0, %c1, %c2, %c3]
        {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::vector::VectorDialect"];
}

def LowerWarpgroupProducts : Pass<"gpuopt-lower-warpgroup-products", "::mlir::gpu::GPUModuleOp"> {
  let summary = "write products of warpgroups as inline PTX";
  let description = [{
    *Why.* LLVM has no intrinsic for `wgmma.mma_async`, so its statements are inline PTX. Between a fence and a wait
    nothing may be done with sums, which are in registers that products still write: fences and waits take all of them
    and give them back.

    *Checks.* Tiles have the layout of warpgroups; anything else is an error.

    *Rewrite.* A kernel with
    ```mlir
    %d = gpuopt.matrix_descriptor %tile[%row, %k] {panel_bytes = 0 : i64} : memref<128x64xbf16, …>
    gpu.barrier
    %new:128 = gpuopt.warpgroup_product %d, %e, %old#0, … {shape = array<i64: 64, 256, 16>, steps = 4 : i64, …} : f32
    ```
    has `fence.proxy.async` in front of its barriers, and
    ```
    wgmma.fence
    four times    wgmma.mma_async {sums}, %d, %e, …     with descriptors 32 bytes further on
    wgmma.commit_group
    wgmma.wait_group
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def PlaceWorkgroupArrays : Pass<"gpuopt-place-workgroup-arrays", "::mlir::gpu::GPUModuleOp"> {
  let summary = "let the launch give the workgroup memory that arrays of fixed sizes cannot have";
  let description = [{
    *Why.* NVIDIA's assembler takes 48 KiB in arrays of fixed sizes; a block of sm_90 may have 227 KiB. Also, the
    swizzle of matrices for warpgroups follows addresses, so their tiles have to begin at a multiple of 1024 bytes.

    *Rewrite.* Where a kernel has arrays of more than `most-bytes`:
    ```mlir
    gpu.func @k() workgroup(%a : memref<4x128x64xbf16, …>, %b : memref<4x256x64xbf16, …>) kernel { … }
    // becomes
    gpu.func @k() kernel {
      %memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %a = memref.view %memory[%c0][] : … to memref<4x128x64xbf16, …>
      %b = memref.view %memory[%c65536][] : … to memref<4x256x64xbf16, …>
    ```
  }];
  let options = [
    Option<"mostBytes", "most-bytes", "int64_t", /*default=*/"0", "bytes that may be declared; 0: any number">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def LowerKernelABI : Pass<"gpuopt-lower-kernel-abi", "::mlir::gpu::GPUModuleOp"> {
  let summary = "pass each memref argument of a kernel as a bare pointer";
  let description = [{
    *Why.* A kernel is launched by programs that know its source: an array is one pointer. Upstream passes a memref of
    unknown extent as a descriptor of five or more arguments.

    *Checks.* The layout must be known without the caller: rank 1 with identity layout, or static shape and layout.
    Anything else is an error, and so is `memref.dim` of an extent that the pointer does not carry.

    *Rewrite.* The argument becomes `!llvm.ptr` and keeps its attributes; the descriptor is built inside and folds away.
    Also copies the block shape of `gpuopt.geometry` to `known_block_size`, from which ranges of ids follow.
    ```mlir
    gpu.func @k(%a: memref<?xf32> {llvm.noalias}) kernel { … }
    // becomes
    gpu.func @k(%p: !llvm.ptr {llvm.noalias}) kernel {
      %d = llvm.insertvalue %p, … : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %a = builtin.unrealized_conversion_cast %d : … to memref<?xf32>
      …
    }
    ```
  }];
  let statistics = [
    Statistic<"loweredArguments", "lowered-arguments", "Number of arguments that became pointers">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LowerRolledLoops : Pass<"gpuopt-lower-rolled-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower the affine dialect, promise nothing of it, and keep loops loops that are marked";
  let description = [{
    *Why.* LLVM unrolls short loops, and moves what the copies have in common out of the loops around, into registers.
    That does not pay for code that few blocks run. Upstream's `lower-affine` drops what is said about a loop.

    That pass also promises (`nsw`) that no product in an affine map wraps. Addresses are affine modulo 2^64, though:
    rows may be as long as an unsigned size that stands for a negative one.

    *Rewrite.* As `lower-affine`, without such promises, but for
    ```mlir
    affine.for %i = 0 to 8 { … } {gpuopt.rolled}
    // becomes
    scf.for %i = %c0 to %c8 step %c1 { … } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def MarkKernels : Pass<"gpuopt-mark-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "give kernels the target's calling convention and required block size";
  let description = [{
    *Why.* Assemblers allocate registers for the largest block that is possible unless they know the block's size.

    Marks each `llvm.func` with `gpu.kernel` as the target's kernel; turns the block shape of `gpuopt.geometry` or
    `known_block_size` into the *required* one (`nvvm.reqntid`, `rocdl.reqd_work_group_size`), and
    `gpuopt.launch_bounds` (the largest number of threads, then optionally the fewest blocks per multiprocessor) into
    an upper bound. A kernel with a geometry, or with a known block and no such bound, asks for one block per
    multiprocessor (`nvvm.minctasm`), as `ptxas` left to itself spills registers to fit more, or for as many as
    `gpuopt.resident_blocks` says (for AMD `rocdl.waves_per_eu`). Runs after conversion to the LLVM dialect.
  }];
  let options = [
    Option<"vendor", "vendor", "std::string", "\"nvidia\"", "nvidia or amd">
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect", "::mlir::ROCDL::ROCDLDialect"];
}

def NumberSwitchCases : Pass<"gpuopt-number-switch-cases", "::mlir::gpu::GPUModuleOp"> {
  let summary = "number the cases of switches over 64 bits";
  let description = [{
    *Why.* Upstream lowers `scf.index_switch` to a switch over 32 bits: 2^32 takes case 0.

    *Rewrite.* Of what is no number of 32 bits, compares the cases.
    ```mlir
    scf.index_switch %x case 16 { … } case 8589934608 { … } default { … }
    // becomes
    %first = arith.select (%x == 16), 0, 2
    %number = arith.select (%x == 8589934608), 1, %first
    scf.index_switch %number case 0 { … } case 1 { … } default { … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RelaxConvertedAccesses : Pass<"gpuopt-relax-converted-accesses", "::mlir::gpu::GPUModuleOp"> {
  let summary = "keep only the promises about memory accesses that the source made";
  let description = [{
    *Why.* Upstream's conversion of memory accesses promises more than a GPU source does. It marks address arithmetic
    `nuw`, while a kernel may index from a pointer into the middle of an array with negative subscripts; the sums and
    products that make an index of several subscripts `nsw` and `nuw`, while views promise equal addresses modulo 2^64
    only; and it makes `memref.atomic_rmw` an acquire and release of the whole system, while a GPU's are relaxed.

    *Rewrite.* Drops `nuw` from address computations that carry `inbounds|nuw`, and both from the index arithmetic
    that feeds them; makes atomics `monotonic` at device scope unless they were in the LLVM dialect from the start,
    which the attribute `gpuopt.source_order` says (removed here).
  }];
  let options = [
    Option<"vendor", "vendor", "std::string", "\"nvidia\"", "nvidia or amd">
  ];
  let statistics = [
    Statistic<"relaxedAddresses", "relaxed-addresses", "Number of address computations relaxed">,
    Statistic<"relaxedAtomics", "relaxed-atomics", "Number of atomics relaxed">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // GPUOPT_CONVERSION_GPUTOLLVM_PASSES_TD
