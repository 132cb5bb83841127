//===- StaticProfile.cpp - a profile without a run ------------------------===//

#include "tools/lib/profile/StaticProfile.h"

#include "tools/lib/profile/TextTable.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using llvm::Expected;
using llvm::raw_ostream;
namespace json = llvm::json;

static bool isWorkgroup(const AccessReport &fact) {
  return fact.space == MemorySpace::Workgroup;
}

/// Constant memory has a cache of its own: what is read there moves no sector.
static bool isConstant(const AccessReport &fact) {
  return fact.space == MemorySpace::Constant;
}

bool PredictedAccess::isPredicted() const {
  return isWorkgroup(fact) ? fact.bankConflictDegree != 0
                           : fact.coalescing.verdict != Verdict::Unresolved;
}

double PredictedAccess::sectorsPerBlock() const {
  if (isWorkgroup(fact) || isConstant(fact) || !isPredicted())
    return 0;
  return fact.coalescing.sectorsPerRequest() *
         fact.coalescing.requestsPerBlock * fact.executions * copies;
}

//===----------------------------------------------------------------------===//
// Prediction
//===----------------------------------------------------------------------===//

/// A gpu.func, or an llvm.func where the kernel was not raised.
static mlir::Operation *findKernel(const Compilation &compilation,
                                   const KernelInfo &kernel, bool tuned) {
  if (mlir::gpu::GPUFuncOp function = tuned ? compilation.tunedKernel(kernel)
                                            : compilation.raisedKernel(kernel))
    return function;
  mlir::Operation *found = nullptr;
  compilation.raised()->walk([&](mlir::SymbolOpInterface symbol) {
    if (symbol.getName() == kernel.symbol &&
        symbol->getParentOfType<mlir::gpu::GPUModuleOp>())
      found = symbol;
  });
  return found;
}

/// The block that the kernel runs in.
static Dim3 blockOf(const Compilation &compilation, const KernelInfo &kernel,
                    mlir::Operation *function, bool tuned,
                    const std::optional<Dim3> &original) {
  Dim3 block = original.value_or(compilation.defaultBlock(kernel));
  return tuned ? blockShapeOf(function, block) : block;
}

/// Whether the same is predicted of both, which are copies of one access.
static bool isSame(const AccessReport &left, const AccessReport &right) {
  auto figures = [](const AccessReport &fact) {
    const CoalescingFact &coalescing = fact.coalescing;
    return std::tuple(
        fact.location, fact.array, fact.kind, fact.space, fact.bytes,
        coalescing.verdict, coalescing.strideBytes, coalescing.sectors,
        coalescing.requests, coalescing.requestsPerBlock, coalescing.reason,
        fact.bankConflictDegree, fact.executions, fact.executionsExact);
  };
  return !left.location.empty() && figures(left) == figures(right);
}

Expected<StaticProfile>
gpuopt::predictProfile(const Compilation &compilation, const KernelInfo &kernel,
                       bool tuned, const std::optional<Dim3> &block) {
  if (tuned && compilation.isSplit(kernel))
    return llvm::createStringError(
        "the optimized kernel is a sequence of launches, since it synchronises "
        "the grid; only the kernel as written can be profiled");
  StaticProfile profile;
  profile.kernel = kernel;
  profile.isTuned = tuned;
  mlir::Operation *function = findKernel(compilation, kernel, tuned);
  if (!function)
    return llvm::createStringError("there is no code of kernel '" +
                                   kernel.displayName + "' to analyse");
  profile.block = blockOf(compilation, kernel, function, tuned, block);
  double sectors = 0;
  for (AccessReport &fact :
       collectAccesses(function, compilation.target(), profile.block,
                       compilation.options().sizes)) {
    for (const std::string &assumption : fact.coalescing.assumptions)
      if (!llvm::is_contained(profile.assumptions, assumption))
        profile.assumptions.push_back(assumption);
    auto same = llvm::find_if(profile.accesses, [&](const auto &access) {
      return isSame(access.fact, fact);
    });
    if (same != profile.accesses.end())
      ++same->copies;
    else
      profile.accesses.push_back({std::move(fact)});
  }
  for (const PredictedAccess &access : profile.accesses)
    sectors += access.sectorsPerBlock();
  for (PredictedAccess &access : profile.accesses)
    if (sectors > 0)
      access.trafficShare = access.sectorsPerBlock() / sectors;
  return profile;
}

//===----------------------------------------------------------------------===//
// For a person
//===----------------------------------------------------------------------===//

static std::string accessText(const PredictedAccess &access) {
  const AccessReport &fact = access.fact;
  std::string text = stringifyAccessKind(fact.kind).str() + " " +
                     (fact.array.empty() ? "?" : fact.array) + ", " +
                     std::to_string(fact.bytes) + " B";
  if (access.copies > 1)
    text += " (" + std::to_string(access.copies) + " copies)";
  return text;
}

static std::string executionsText(const AccessReport &fact) {
  return (fact.executionsExact ? "" : "about ") + numberText(fact.executions);
}

static std::string whyNotPredicted(const AccessReport &fact) {
  const std::string &reason = fact.coalescing.reason;
  return "not predicted" + (reason.empty() ? "" : ": " + reason);
}

static void printGlobal(const StaticProfile &profile, raw_ostream &os) {
  TextTable table;
  table.row({"at", "global memory", "verdict", "stride", "per thread",
             "sectors", "ideal", "lines", "traffic"});
  for (const PredictedAccess &access : profile.accesses) {
    const AccessReport &fact = access.fact;
    if (isWorkgroup(fact) || isConstant(fact) || !access.isReached())
      continue;
    std::string place = placeText(fact.location, profile.kernel);
    if (!access.isPredicted()) {
      table.row({place, accessText(access), "unresolved"});
      table.notes(whyNotPredicted(fact));
      continue;
    }
    const CoalescingFact &coalescing = fact.coalescing;
    table.row({place, accessText(access),
               stringifyVerdict(coalescing.verdict).str(),
               std::to_string(coalescing.strideBytes), executionsText(fact),
               numberText(coalescing.sectorsPerRequest()),
               numberText(coalescing.neededSectorsPerRequest),
               numberText(coalescing.linesPerRequest),
               numberText(100 * access.trafficShare) + "%"});
  }
  if (!table.isEmpty())
    table.print(os, 3);
}

static void printConstant(const StaticProfile &profile, raw_ostream &os) {
  TextTable table;
  table.row({"at", "constant memory", "verdict", "stride", "per thread"});
  for (const PredictedAccess &access : profile.accesses) {
    const AccessReport &fact = access.fact;
    if (!isConstant(fact) || !access.isReached())
      continue;
    table.row({placeText(fact.location, profile.kernel), accessText(access),
               stringifyVerdict(fact.coalescing.verdict).str(),
               std::to_string(fact.coalescing.strideBytes),
               executionsText(fact)});
    if (!access.isPredicted())
      table.notes(whyNotPredicted(fact));
  }
  if (!table.isEmpty())
    table.print(os, 3);
}

static void printWorkgroup(const StaticProfile &profile, raw_ostream &os) {
  TextTable table;
  table.row({"at", "workgroup memory", "per thread", "wavefronts", "ideal",
             "worst conflict"});
  for (const PredictedAccess &access : profile.accesses) {
    const AccessReport &fact = access.fact;
    if (!isWorkgroup(fact) || !access.isReached())
      continue;
    std::string place = placeText(fact.location, profile.kernel);
    if (!access.isPredicted()) {
      table.row({place, accessText(access)});
      table.notes(whyNotPredicted(fact));
      continue;
    }
    table.row({place, accessText(access), executionsText(fact),
               numberText(fact.wavefrontsPerRequest),
               numberText(fact.neededWavefrontsPerRequest),
               llvm::formatv("{0}-way", fact.bankConflictDegree).str()});
  }
  if (!table.isEmpty())
    table.print(os, 2);
}

void gpuopt::printProfile(const StaticProfile &profile, TargetAttr target,
                          raw_ostream &os) {
  llvm::WithColor(os, raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << profile.kernel.displayName
      << (profile.isTuned ? ", optimized" : ", as written");
  os << ": blocks of " << shapeText(profile.block) << " on "
     << target.getTargetName().str() << "; predicted without a run\n";
  printGlobal(profile, os);
  printConstant(profile, os);
  printWorkgroup(profile, os);
  size_t unknown = llvm::count_if(profile.accesses, [](const auto &access) {
    return !access.isPredicted();
  });
  os << "  predicted: " << profile.accesses.size() - unknown << " of "
     << profile.accesses.size() << " accesses";
  if (size_t idle = llvm::count_if(profile.accesses, [](const auto &access) {
        return !access.isReached();
      }))
    os << ", of which the first block does not reach " << idle;
  if (!profile.assumptions.empty())
    os << "; assumed: " << llvm::join(profile.assumptions, ", ");
  os << '\n';
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

static void addGlobal(const PredictedAccess &access, json::Object &object) {
  const CoalescingFact &coalescing = access.fact.coalescing;
  object["verdict"] = stringifyVerdict(coalescing.verdict);
  object["lane_stride_bytes"] = coalescing.strideBytes;
  if (isConstant(access.fact))
    return;
  object["sectors_per_request"] = coalescing.sectorsPerRequest();
  object["ideal_sectors_per_request"] = coalescing.neededSectorsPerRequest;
  object["lines_per_request"] = coalescing.linesPerRequest;
  object["traffic_share"] = access.trafficShare;
}

static void addWorkgroup(const AccessReport &fact, json::Object &object) {
  object["conflict_degree"] = fact.bankConflictDegree;
  object["wavefronts_per_request"] = fact.wavefrontsPerRequest;
  object["ideal_wavefronts_per_request"] = fact.neededWavefrontsPerRequest;
}

static json::Object toObject(const PredictedAccess &access) {
  const AccessReport &fact = access.fact;
  json::Object object{{"location", fact.location},
                      {"array", fact.array},
                      {"kind", stringifyAccessKind(fact.kind)},
                      {"space", stringifyMemorySpace(fact.space)},
                      {"bytes", fact.bytes},
                      {"copies", access.copies},
                      {"function", fact.function},
                      {"predicted", access.isPredicted()},
                      {"executions_per_thread", fact.executions},
                      {"executions_exact", fact.executionsExact}};
  if (!access.isPredicted())
    object["reason"] = fact.coalescing.reason;
  else if (isWorkgroup(fact))
    addWorkgroup(fact, object);
  else
    addGlobal(access, object);
  return object;
}

json::Object gpuopt::makeReport(const StaticProfile &profile,
                                TargetAttr target) {
  json::Array accesses, assumptions, block;
  for (const PredictedAccess &access : profile.accesses)
    accesses.push_back(toObject(access));
  for (const std::string &assumption : profile.assumptions)
    assumptions.push_back(assumption);
  for (int64_t extent : profile.block)
    block.push_back(extent);
  return json::Object{{"kernel", profile.kernel.displayName},
                      {"version", profile.isTuned ? "optimized" : "as_written"},
                      {"target", target.getTargetName()},
                      {"static", true},
                      {"block", std::move(block)},
                      {"assumptions", std::move(assumptions)},
                      {"accesses", std::move(accesses)}};
}
