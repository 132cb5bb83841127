//===- GPUOptAttrs.cpp - attributes of the gpuopt dialect -----------------===//

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/GPUOpt/GPUOptEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/GPUOpt/GPUOptAttrs.cpp.inc"

using namespace mlir;
using namespace gpuopt;

void GPUOptDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/GPUOpt/GPUOptAttrs.cpp.inc"
      >();
}

/// Emits an error that `name` must be positive, or succeeds.
static LogicalResult
checkPositive(function_ref<InFlightDiagnostic()> emitError, StringRef name,
              int64_t value) {
  if (value > 0)
    return success();
  return emitError() << "expected '" << name << "' to be positive, found "
                     << value;
}

LogicalResult TargetAttr::verify(
    function_ref<InFlightDiagnostic()> emitError,
    StringRef targetName,
    Vendor vendor,
    StringRef arch,
    CoalescingRule coalescing,
    int64_t coalescedThreads,
    int64_t subgroupSize,
    int64_t subgroupsPerMultiprocessor,
    int64_t threadsPerMultiprocessor,
    int64_t workgroupsPerMultiprocessor,
    int64_t threadsPerWorkgroup,
    int64_t registersPerMultiprocessor,
    int64_t registersPerThread,
    int64_t registerAllocationUnit,
    int64_t workgroupMemoryPerMultiprocessorBytes,
    int64_t workgroupMemoryPerWorkgroupBytes,
    int64_t workgroupMemoryBanks,
    int64_t workgroupMemoryBankBytes,
    int64_t sectorBytes,
    int64_t lineBytes,
    int64_t l2Bytes,
    int64_t memoryPartitions,
    int64_t memoryPartitionBytes,
    int64_t vectorElements,
    int64_t textureLineBytes,
    bool asyncCopy,
    int64_t multiprocessors,
    int64_t bandwidthGbps,
    int64_t f16Gflops,
    int64_t f32Gflops,
    int64_t f64Gflops) {
  const std::pair<StringRef, int64_t> counts[] = {
      {"coalesced_threads", coalescedThreads},
      {"subgroup_size", subgroupSize},
      {"subgroups_per_multiprocessor", subgroupsPerMultiprocessor},
      {"threads_per_multiprocessor", threadsPerMultiprocessor},
      {"workgroups_per_multiprocessor", workgroupsPerMultiprocessor},
      {"threads_per_workgroup", threadsPerWorkgroup},
      {"registers_per_multiprocessor", registersPerMultiprocessor},
      {"registers_per_thread", registersPerThread},
      {"register_allocation_unit", registerAllocationUnit},
      {"workgroup_memory_per_multiprocessor_bytes", workgroupMemoryPerMultiprocessorBytes},
      {"workgroup_memory_per_workgroup_bytes", workgroupMemoryPerWorkgroupBytes},
      {"workgroup_memory_banks", workgroupMemoryBanks},
      {"workgroup_memory_bank_bytes", workgroupMemoryBankBytes},
      {"sector_bytes", sectorBytes},
      {"line_bytes", lineBytes},
      {"l2_bytes", l2Bytes},
      {"memory_partitions", memoryPartitions},
      {"memory_partition_bytes", memoryPartitionBytes},
      {"vector_elements", vectorElements},
      {"texture_line_bytes", textureLineBytes},
      {"multiprocessors", multiprocessors},
      {"bandwidth_gbps", bandwidthGbps},
      {"f16_gflops", f16Gflops},
      {"f32_gflops", f32Gflops},
      {"f64_gflops", f64Gflops},
  };
  if (targetName.empty())
    return emitError() << "expected a target to have a name";
  for (auto [parameter, value] : counts)
    if (failed(checkPositive(emitError, parameter, value)))
      return failure();
  if (lineBytes % sectorBytes != 0)
    return emitError() << "expected 'line_bytes' (" << lineBytes
                       << ") to be a multiple of 'sector_bytes' ("
                       << sectorBytes << ")";
  if (threadsPerWorkgroup % subgroupSize != 0)
    return emitError() << "expected 'threads_per_workgroup' ("
                       << threadsPerWorkgroup
                       << ") to be a multiple of 'subgroup_size' ("
                       << subgroupSize << ")";
  return success();
}

LogicalResult GeometryAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> block,
                                   ArrayRef<int64_t> itemsPerThread,
                                   ArrayRef<int64_t> itemsPerBlock,
                                   ArrayAttr extents) {
  if (block.size() != 3 || itemsPerThread.size() != 3 ||
      itemsPerBlock.size() != 3)
    return emitError() << "expected three dimensions (x, y, z) in 'block', "
                          "'items_per_thread' and 'items_per_block'";
  for (int64_t dim = 0; dim < 3; ++dim) {
    if (failed(checkPositive(emitError, "block", block[dim])) ||
        failed(checkPositive(emitError, "items_per_thread",
                             itemsPerThread[dim])))
      return failure();
    // Blocks may be transposed in a launch, so only the products must agree.
    if (failed(checkPositive(emitError, "items_per_block", itemsPerBlock[dim])))
      return failure();
  }
  if (extents && extents.size() > 3)
    return emitError() << "expected at most three extents, found "
                       << extents.size();
  return success();
}
