//===- GPUOptAttrs.cpp - attributes of the gpuopt dialect -----------------===//

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "dialects/GPUOpt/LargestBlock.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

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

namespace {
/// Numbers by the names of their parameters.
using Counts = ArrayRef<std::pair<StringRef, int64_t>>;
using EmitError = function_ref<InFlightDiagnostic()>;
} // namespace

static int64_t valueOf(Counts counts, StringRef name) {
  return llvm::find_if(counts, [&](auto &count) { return count.first == name; })
      ->second;
}

/// Emits an error that `name` must be positive, or succeeds.
static LogicalResult checkPositive(EmitError emitError, StringRef name,
                                   int64_t value) {
  if (value > 0)
    return success();
  return emitError() << "expected '" << name << "' to be positive, found "
                     << value;
}

static LogicalResult checkAllPositive(EmitError emitError, Counts counts) {
  for (auto [name, value] : counts)
    if (failed(checkPositive(emitError, name, value)))
      return failure();
  return success();
}

/// What analyses enumerate is bounded; addresses are taken apart by bits.
static LogicalResult checkPowersOfTwo(EmitError emitError, Counts counts) {
  for (StringRef name :
       {"subgroup_size", "sector_bytes", "line_bytes", "workgroup_memory_banks",
        "workgroup_memory_bank_bytes"})
    if (int64_t value = valueOf(counts, name);
        !llvm::isPowerOf2_64(value) || value > 4096)
      return emitError() << "expected '" << name
                         << "' to be a power of two up to 4096, found "
                         << value;
  return success();
}

/// Kernels are compiled for blocks of any shape that a launch may have.
static LogicalResult checkLargestBlock(EmitError emitError, Counts counts) {
  int64_t threads = valueOf(counts, "threads_per_workgroup");
  if (threads <= kMostThreadsOfBlock)
    return success();
  return emitError() << "expected 'threads_per_workgroup' to be at most "
                     << kMostThreadsOfBlock << ", found " << threads;
}

static LogicalResult checkReserved(EmitError emitError, int64_t bytes) {
  if (bytes >= 0)
    return success();
  return emitError() << "expected 'workgroup_memory_reserved_bytes' not to "
                        "be negative, found "
                     << bytes;
}

static LogicalResult checkMultiples(EmitError emitError, Counts counts) {
  const std::pair<StringRef, StringRef> multiples[] = {
      {"line_bytes", "sector_bytes"},
      {"subgroup_size", "coalesced_threads"},
      {"threads_per_workgroup", "subgroup_size"},
      {"threads_per_multiprocessor", "subgroup_size"}};
  for (auto [name, unitName] : multiples) {
    int64_t value = valueOf(counts, name), unit = valueOf(counts, unitName);
    if (value % unit != 0)
      return emitError() << "expected '" << name << "' (" << value
                         << ") to be a multiple of '" << unitName << "' ("
                         << unit << ")";
  }
  return success();
}

static LogicalResult checkWorkgroupMemory(EmitError emitError, Counts counts) {
  int64_t most = valueOf(counts, "workgroup_memory_per_workgroup_bytes");
  int64_t all = valueOf(counts, "workgroup_memory_per_multiprocessor_bytes");
  if (most <= all)
    return success();
  return emitError() << "expected 'workgroup_memory_per_workgroup_bytes' ("
                     << most
                     << ") to be at most "
                        "'workgroup_memory_per_multiprocessor_bytes' ("
                     << all << ")";
}

static LogicalResult checkMatrixUnits(EmitError emitError, ArrayAttr units) {
  for (Attribute unit : units ? units.getValue() : ArrayRef<Attribute>())
    if (!isa<MatrixUnitAttr>(unit))
      return emitError() << "expected 'matrix_units' to hold matrix units, "
                            "found "
                         << unit;
  return success();
}

LogicalResult TargetAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, StringRef targetName,
    Vendor vendor, StringRef arch, CoalescingRule coalescing,
    int64_t coalescedThreads, int64_t subgroupSize,
    int64_t subgroupsPerMultiprocessor, int64_t threadsPerMultiprocessor,
    int64_t workgroupsPerMultiprocessor, int64_t threadsPerWorkgroup,
    int64_t registersPerMultiprocessor, int64_t registersPerThread,
    int64_t registerAllocationUnit, int64_t registerFiles,
    int64_t workgroupMemoryPerMultiprocessorBytes,
    int64_t workgroupMemoryPerWorkgroupBytes,
    int64_t workgroupMemoryAllocationBytes,
    int64_t workgroupMemoryReservedBytes, int64_t workgroupMemoryBanks,
    int64_t workgroupMemoryBankBytes, int64_t sectorBytes, int64_t lineBytes,
    int64_t l2Bytes, int64_t memoryPartitions, int64_t memoryPartitionBytes,
    int64_t vectorElements, int64_t textureLineBytes, bool asyncCopy,
    int64_t multiprocessors, int64_t bandwidthGbps, int64_t f16Gflops,
    int64_t f32Gflops, int64_t f64Gflops, ArrayAttr matrixUnits) {
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
      {"register_files", registerFiles},
      {"workgroup_memory_per_multiprocessor_bytes",
       workgroupMemoryPerMultiprocessorBytes},
      {"workgroup_memory_per_workgroup_bytes",
       workgroupMemoryPerWorkgroupBytes},
      {"workgroup_memory_allocation_bytes", workgroupMemoryAllocationBytes},
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
  if (failed(checkAllPositive(emitError, counts)) ||
      failed(checkPowersOfTwo(emitError, counts)) ||
      failed(checkReserved(emitError, workgroupMemoryReservedBytes)) ||
      failed(checkMultiples(emitError, counts)) ||
      failed(checkLargestBlock(emitError, counts)) ||
      failed(checkWorkgroupMemory(emitError, counts)))
    return failure();
  return checkMatrixUnits(emitError, matrixUnits);
}

LogicalResult
MatrixUnitAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t rows, int64_t columns, int64_t depth,
                       Type operands, Type sums, int64_t gflops) {
  const std::pair<StringRef, int64_t> counts[] = {{"rows", rows},
                                                  {"columns", columns},
                                                  {"depth", depth},
                                                  {"gflops", gflops}};
  if (failed(checkAllPositive(emitError, counts)))
    return failure();
  for (Type type : {operands, sums})
    if (!type.isIntOrFloat())
      return emitError() << "expected numbers, found " << type;
  return success();
}

LogicalResult GeometryAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> block,
                                   ArrayRef<int64_t> itemsPerThread,
                                   ArrayRef<int64_t> itemsPerBlock,
                                   ArrayAttr extents,
                                   ArrayRef<int64_t> originalBlock) {
  if (!originalBlock.empty() && originalBlock.size() != 3)
    return emitError() << "expected three dimensions (x, y, z) in "
                          "'original_block', found "
                       << originalBlock.size();
  for (int64_t size : originalBlock)
    if (size < 0)
      return emitError() << "expected 'original_block' to hold sizes, or 0 for "
                            "any, found "
                         << size;
  const std::pair<StringRef, ArrayRef<int64_t>> shapes[] = {
      {"block", block},
      {"items_per_thread", itemsPerThread},
      {"items_per_block", itemsPerBlock}};
  int64_t items[] = {1, 1, 1};
  for (auto [position, shape] : llvm::enumerate(shapes)) {
    auto [what, values] = shape;
    if (values.size() != 3)
      return emitError() << "expected three dimensions (x, y, z) in '" << what
                         << "', found " << values.size();
    for (int64_t value : values) {
      if (failed(checkPositive(emitError, what, value)))
        return failure();
      if (llvm::MulOverflow(items[position], value, items[position]))
        return emitError() << "expected fewer than 2^63 elements in '" << what
                           << "'";
    }
  }
  // Threads may be rearranged within a block, so only the products must agree.
  // A block may also cover fewer items than threads times items: where several
  // threads work on one item.
  int64_t most;
  if (!llvm::MulOverflow(items[0], items[1], most) && items[2] > most)
    return emitError() << "expected 'items_per_block' (" << items[2]
                       << " in all) to be at most 'block' times "
                          "'items_per_thread' ("
                       << most << ")";
  if (!extents)
    return success();
  if (extents.size() > 3)
    return emitError() << "expected at most three extents, found "
                       << extents.size();
  for (Attribute extent : extents) {
    if (isa<UnitAttr>(extent))
      continue;
    auto map = dyn_cast<AffineMapAttr>(extent);
    if (!map || map.getValue().getNumDims() != 0 ||
        map.getValue().getNumResults() != 1)
      return emitError() << "expected an extent to be 'unit' or a map from "
                            "symbols (the kernel's arguments) to one value, "
                            "found "
                         << extent;
  }
  return success();
}

LogicalResult
BlockOrderAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       BlockOrderKind kind, int64_t rows) {
  if (kind == BlockOrderKind::Grouped && rows < 2)
    return emitError() << "expected groups of 2 'rows' or more, found " << rows;
  if (kind != BlockOrderKind::Grouped && rows != 0)
    return emitError() << "expected 'rows' only in the grouped order";
  return success();
}

std::string BlockOrderAttr::describe() const {
  std::string text = stringifyBlockOrderKind(getKind()).str();
  if (getKind() == BlockOrderKind::Grouped)
    text += " by " + std::to_string(getRows());
  return text;
}

LogicalResult AccessAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef array, AccessKind kind,
                                 MemorySpace space, int64_t elementBytes,
                                 int64_t bytes, StringRef function,
                                 StringRef unresolved) {
  if (failed(checkPositive(emitError, "element_bytes", elementBytes)) ||
      failed(checkPositive(emitError, "bytes", bytes)))
    return failure();
  if (function.empty() == unresolved.empty())
    return emitError() << "expected either 'function' or 'unresolved'";
  return success();
}

LogicalResult SegmentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Verdict verdict, int64_t strideBytes,
                                  int64_t sectors, int64_t requests,
                                  std::optional<Staging> staging,
                                  StringRef assuming, StringRef reason) {
  if (failed(checkPositive(emitError, "requests", requests)))
    return failure();
  if (verdict == Verdict::Unresolved) {
    if (reason.empty())
      return emitError() << "expected 'reason' where the verdict is unresolved";
    if (sectors != 0 || strideBytes != 0)
      return emitError() << "expected no 'sectors' and no 'stride_bytes' where "
                            "the verdict is unresolved";
    return success();
  }
  if (!reason.empty())
    return emitError() << "expected 'reason' only where the verdict is "
                          "unresolved";
  if (failed(checkPositive(emitError, "sectors", sectors)))
    return failure();
  if (verdict == Verdict::Broadcast && strideBytes != 0)
    return emitError()
           << "expected a broadcast to have 'stride_bytes' 0, found "
           << strideBytes;
  if (verdict == Verdict::Strided && strideBytes == 0)
    return emitError()
           << "expected 'stride_bytes' where the verdict is strided";
  return success();
}

LogicalResult SharingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Neighbours between, Direction direction,
                                  SharingKind kind, int64_t distance,
                                  int64_t overlapPercent, int64_t reuse,
                                  int64_t elements) {
  if (kind == SharingKind::None || kind == SharingKind::Unknown)
    return emitError() << "expected neighbours that share something, found '"
                       << stringifySharingKind(kind) << "'";
  if (failed(checkPositive(emitError, "distance", distance)) ||
      failed(checkPositive(emitError, "elements", elements)))
    return failure();
  if (overlapPercent < 0 || overlapPercent > 100)
    return emitError() << "expected 'overlap_percent' from 0 to 100, found "
                       << overlapPercent;
  if (reuse != 0 && reuse <= elements)
    return emitError() << "expected 'reuse' to be more than the " << elements
                       << " elements, found " << reuse;
  return success();
}
