//===- Sharing.cpp - data that neighbouring blocks both read --------------===//

#include "passes/Analysis/Sharing.h"

#include "passes/Analysis/Footprint.h"
#include "passes/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

#include <numeric>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

/// Whether a loop around the access runs differently often for neighbours.
static bool loopsDependOnSubject(const FootprintQuery &query) {
  auto depends = [&](const Polynomial &bound) {
    return query.dependsOnSubject(bound);
  };
  return llvm::any_of(query.access.loops, [&](int loop) {
    return loop >= 0 &&
           (llvm::any_of(query.variables[loop].lowerBounds, depends) ||
            llvm::any_of(query.variables[loop].upperBounds, depends));
  });
}

/// Looks for neighbours that share something, where `common` tells how much two
/// of them do: the least distance, the overlap there, and the reuse.
static bool compare(const FootprintQuery &query, int64_t instances,
                    llvm::function_ref<int64_t(int64_t, int64_t)> common,
                    SharingFact &fact) {
  // The first half has fewer neighbours before it than blocks in mid-grid.
  int64_t begin = query.between == Neighbours::Blocks ? instances / 2 : 0;
  int64_t elements = 0, fresh = 0, least = instances;
  for (int64_t instance = begin; instance < instances; ++instance) {
    int64_t size = common(instance, instance), most = 0;
    for (int64_t before = instance; before-- > 0 && most < size;) {
      int64_t both = common(before, instance);
      if (both > 0)
        least = std::min(least, instance - before);
      most = std::max(most, both);
    }
    elements += size;
    fresh += size - most;
  }
  if (least == instances)
    return false;
  int64_t pairs = 0, shared = 0;
  for (int64_t instance = std::max(begin, least); instance < instances;
       ++instance) {
    pairs += common(instance, instance);
    shared += common(instance - least, instance);
  }
  fact.distance = least;
  fact.overlap = static_cast<double>(shared) / pairs;
  // Nothing new in mid-grid: all neighbours (`distance` apart) share.
  if (int64_t divisor = std::gcd(elements, fresh); fresh > 0) {
    fact.reads = elements / divisor;
    fact.elements = fresh / divisor;
  }
  return true;
}

SharingFact gpuopt::computeSharing(const AccessFunction &access,
                                   const VariableTable &variables,
                                   Neighbours between, unsigned dimension,
                                   const BlockShape &block,
                                   int64_t segmentBytes, const SizeMap &sizes) {
  SharingFact fact;
  if (!access.isResolved()) {
    fact.reason = access.unresolved;
    return fact;
  }
  FootprintQuery query{access, variables, block, sizes, between, dimension};
  bool loopsDiffer = loopsDependOnSubject(query);
  if (!query.dependsOnSubject(access.address) && !loopsDiffer) {
    fact.kind = SharingKind::Full;
    fact.overlap = 1;
    if (between == Neighbours::Threads) {
      fact.reads = block[dimension];
      fact.elements = 1;
    }
    return fact;
  }
  std::optional<Footprints> footprints = Footprints::compute(query);
  if (!footprints) {
    fact.reason = "the address cannot be computed (division by zero or more "
                  "than 64 bits)";
    return fact;
  }
  fact.kind = SharingKind::None;
  auto elements = [&](int64_t left, int64_t right) {
    return footprints->common(left, right);
  };
  auto segments = [&](int64_t left, int64_t right) {
    return footprints->commonSegments(left, right, segmentBytes,
                                      access.accessBytes);
  };
  if (compare(query, footprints->instances(), elements, fact)) {
    bool isFull = fact.overlap == 1 && !loopsDiffer;
    fact.kind = isFull ? SharingKind::Full : SharingKind::Partial;
  } else if (between == Neighbours::Blocks && segments(0, 1) + segments(1, 2) &&
             compare(query, std::min<int64_t>(8, footprints->instances()),
                     segments, fact)) {
    fact.kind = SharingKind::Segments;
  }
  return fact;
}

void SharingFact::print(llvm::raw_ostream &os) const {
  os << stringifySharingKind(kind);
  if (kind == SharingKind::Unknown)
    os << ": " << reason;
  if (!isShared())
    return;
  if (distance > 1)
    os << " at distance " << distance;
  if (overlap < 1)
    os << ", " << llvm::format("%.0f", 100 * overlap) << " % in common";
  if (std::optional<double> factor = reuse())
    os << ", read " << llvm::format("%.4g", *factor) << " times";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Staging gpuopt::stagingOf(Operation *load) {
  auto storesToWorkgroup = [](Operation *user) {
    return TypeSwitch<Operation *, bool>(user)
        .Case<memref::StoreOp, affine::AffineStoreOp,
              affine::AffineVectorStoreOp>([](auto store) {
          return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
              store.getMemRefType());
        })
        .Case([](vector::StoreOp store) {
          return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
              store.getMemRefType());
        })
        .Default([](Operation *) { return false; });
  };
  return !load->use_empty() && llvm::all_of(load->getUsers(), storesToWorkgroup)
             ? Staging::Workgroup
             : Staging::Registers;
}

std::string LoadSharing::describe(unsigned dimension) const {
  const SharingFact &fact = sharedAlong(dimension);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "load of '" << access->array << "' is ";
  if (fact.kind == SharingKind::Unknown) {
    os << "unresolved: " << fact.reason;
    return text;
  }
  if (!fact.isShared()) {
    os << "not shared between blocks along " << "xyz"[dimension];
    return text;
  }
  if (fact.overlap < 1)
    os << llvm::format("%.0f", 100 * fact.overlap) << " % ";
  os << "shared by ";
  if (fact.distance > 1)
    os << "blocks " << fact.distance << " apart";
  else
    os << (fact.reads == 0 ? "all" : "neighbouring") << " blocks";
  os << " along " << "xyz"[dimension];
  // The choice between the two merges, section 3.5.3.
  if (fact.kind == SharingKind::Segments)
    os << " in its memory segments only";
  else if (fact.distance > 1)
    os << ", which no merge brings together";
  else if (staging == Staging::Workgroup)
    os << " (g2s): merging blocks fills one tile for them";
  else
    os << " (g2r): merging threads loads it once for them";
  return text;
}

/// The dimensions whose block ids, or work items' ids, `kernel` reads.
static std::array<bool, 3> dimensionsOfBlocks(Operation *kernel) {
  std::array<bool, 3> used = {false, false, false};
  kernel->walk([&](Operation *op) {
    TypeSwitch<Operation *>(op).Case<gpu::GlobalIdOp, gpu::BlockIdOp>(
        [&](auto id) { used[unsigned(id.getDimension())] = true; });
  });
  return used;
}

/// What does not depend on an id is the same for all its values, be the address
/// known or not: a[p[i]].
static void addUniform(const UniformityAnalysis &uniformity,
                       LoadSharing &load) {
  if (load.access->op->getNumResults() == 0)
    return;
  Dependence dependence = uniformity.dependsOn(load.access->op->getResult(0)) |
                          uniformity.controlDependsOn(load.access->op);
  if ((dependence & Dependence::Unknown) != Dependence::None)
    return;
  for (unsigned dim = 0; dim < 3; ++dim) {
    SharingFact &fact = load.blocks[dim];
    Dependence block = blockDependence(static_cast<gpu::Dimension>(dim));
    if (fact.kind == SharingKind::Unknown &&
        (dependence & block) == Dependence::None)
      fact = {SharingKind::Full, 1, 1, 0, 0};
  }
}

SharingAnalysis::SharingAnalysis(Operation *kernel,
                                 const AccessFunctions &functions,
                                 TargetAttr target, const BlockShape &block,
                                 const SizeMap &sizes) {
  auto function = dyn_cast<gpu::GPUFuncOp>(kernel);
  std::optional<UniformityAnalysis> uniformity;
  std::array<bool, 3> hasBlocks = dimensionsOfBlocks(kernel);
  for (const AccessFunction &access : functions.accesses()) {
    if (access.kind != AccessKind::Load || access.space != MemorySpace::Global)
      continue;
    LoadSharing load;
    load.access = &access;
    load.staging = stagingOf(access.op);
    auto compute = [&](Neighbours between, unsigned dim) {
      return computeSharing(access, functions.variables(), between, dim, block,
                            target.getSectorBytes(), sizes);
    };
    SharingFact none;
    none.kind = SharingKind::None;
    for (unsigned dim = 0; dim < 3; ++dim) {
      load.blocks[dim] =
          hasBlocks[dim] ? compute(Neighbours::Blocks, dim) : none;
      load.threads[dim] =
          block[dim] > 1 ? compute(Neighbours::Threads, dim) : none;
    }
    if (function && !access.isResolved()) {
      if (!uniformity)
        uniformity.emplace(function);
      addUniform(*uniformity, load);
    }
    indexByOp[access.op] = facts.size();
    facts.push_back(std::move(load));
  }
}

const LoadSharing *SharingAnalysis::lookup(Operation *op) const {
  auto it = indexByOp.find(op);
  return it == indexByOp.end() ? nullptr : &facts[it->second];
}
