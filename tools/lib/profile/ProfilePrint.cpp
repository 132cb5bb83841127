//===- ProfilePrint.cpp - a profile for a person --------------------------===//

#include "tools/lib/profile/Profile.h"
#include "tools/lib/profile/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using llvm::formatv;
using llvm::raw_ostream;
using llvm::StringRef;

static std::string percent(double share) {
  return numberText(100 * share) + "%";
}

/// "48 bytes", "1.5 MiB".
static std::string byteText(double bytes) {
  static constexpr StringRef units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  return numberText(bytes) + " " + units[unit].str();
}

static std::string accessText(const AccessMeasurement &access) {
  std::string text = stringifyAccessKind(access.kind).str() + " " +
                     (access.array.empty() ? "?" : access.array) + ", " +
                     std::to_string(access.bytes) + " B";
  if (access.copies > 1)
    text += " (" + std::to_string(access.copies) + " copies)";
  return text;
}

/// "4", or "0/170.67/4096" as least, average, most.
static std::string rangeText(const DistanceRange &range) {
  if (!range.count)
    return "-";
  if (range.min == range.max)
    return std::to_string(range.min);
  return formatv("{0}/{1}/{2}", range.min, numberText(range.average()),
                 range.max);
}

static void printGlobal(const KernelMeasurement &profile, TargetAttr target,
                        raw_ostream &os) {
  TextTable table;
  table.row({"at", "global memory", "verdict", "stride", "executions",
             "sectors", "ideal", "lines", "ideal", "used", "traffic"});
  for (const AccessMeasurement &access : profile.accesses) {
    const AccessFigures &figures = access.figures;
    if (figures.isWorkgroup)
      continue;
    auto perRequest = [&](int64_t total) {
      return numberText(access.perRequest(double(total)));
    };
    table.row(
        {placeText(access.location, profile.kernel), accessText(access),
         stringifyVerdict(access.verdict).str(), rangeText(figures.strides),
         std::to_string(figures.executions), perRequest(figures.cost.sectors),
         perRequest(figures.cost.neededSectors), perRequest(figures.cost.lines),
         perRequest(figures.cost.neededLines),
         percent(access.efficiency(target.getSectorBytes())),
         percent(access.trafficShare)});
    table.notes(access.suggestions);
  }
  if (!table.isEmpty())
    table.print(os, 3);
}

static void printWorkgroup(const KernelMeasurement &profile, raw_ostream &os) {
  TextTable table;
  table.row({"at", "workgroup memory", "stride", "executions", "wavefronts",
             "ideal", "worst conflict"});
  for (const AccessMeasurement &access : profile.accesses) {
    const AccessFigures &figures = access.figures;
    if (!figures.isWorkgroup)
      continue;
    table.row({placeText(access.location, profile.kernel), accessText(access),
               rangeText(figures.strides), std::to_string(figures.executions),
               numberText(access.perRequest(double(figures.wavefronts))),
               numberText(access.perRequest(double(figures.neededWavefronts))),
               formatv("{0}-way", figures.conflictDegree).str()});
    table.notes(access.suggestions);
  }
  if (!table.isEmpty())
    table.print(os, 2);
}

static void printDRAM(const KernelMeasurement &profile, raw_ostream &os) {
  if (!profile.dram) {
    os << "  DRAM: not modelled on a sample of the blocks\n";
    return;
  }
  double bytes = double(profile.dram->bytes());
  double compulsory = double(profile.dram->compulsoryBytes);
  os << "  DRAM by a model of the L2 cache: " << byteText(bytes)
     << ", compulsory " << byteText(compulsory) << '\n';
  const OperationCounts &operations = profile.counts.operations;
  os << "  arithmetic: " << operations.f16 + operations.f32 + operations.f64
     << " floating-point operations";
  if (!profile.roofline) {
    os << '\n';
    return;
  }
  const Roofline &roofline = *profile.roofline;
  os << ", " << numberText(roofline.intensity) << " per byte of DRAM traffic\n"
     << "  roofline: "
     << formatv("bound by {0}, at best {1} Gflop/s; at least {2:f2} us "
                "(memory {3:f2}, arithmetic {4:f2}); ridge at {5} per byte\n",
                roofline.isMemoryBound() ? "memory" : "arithmetic",
                numberText(roofline.attainableGflops),
                std::max(roofline.memoryMicroseconds,
                         roofline.arithmeticMicroseconds),
                roofline.memoryMicroseconds, roofline.arithmeticMicroseconds,
                numberText(roofline.ridge));
}

/// The count of `profile`, scaled to the whole grid where it is of a sample.
static double scaled(const KernelMeasurement &profile, double count) {
  return count * double(profile.counts.blocks) /
         double(std::max<int64_t>(1, profile.counts.blocksRun));
}

static void printGeometries(const KernelMeasurement &profile, raw_ostream &os) {
  if (profile.geometries.empty())
    return;
  os << "  sectors by which thread dimension is x:";
  llvm::ListSeparator comma(",");
  for (const GeometryCandidate &candidate : profile.geometries)
    os << comma << ' ' << dimensionName(candidate.order[0]) << ' '
       << candidate.sectors << " (" << candidate.uncoalesced << " uncoalesced)";
  if (const GeometryCandidate *best = profile.bestGeometry())
    os << "; to compile the best: --design fastest="
       << dimensionName(best->order[0]);
  os << '\n';
}

void gpuopt::printProfile(const KernelMeasurement &profile, TargetAttr target,
                          raw_ostream &os) {
  const LaunchCounts &counts = profile.counts;
  llvm::WithColor(os, raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << profile.kernel.displayName
      << (profile.isRecorded ? ", as recorded"
          : profile.isTuned  ? ", optimized"
                             : ", as written");
  os << ": " << shapeText(profile.launch.grid) << " blocks of "
     << shapeText(profile.launch.block) << " on "
     << target.getTargetName().str() << "; ";
  if (profile.isSampled())
    os << "sampled: " << counts.blocksRun << " of " << counts.blocks
       << " blocks\n";
  else
    os << "exact\n";
  if (profile.usedFallback)
    os << "  the original kernel: the optimized one cannot cover the launch\n";
  for (const ExecutionFault &fault : profile.faults) {
    if (!fault.location.empty())
      os << fault.location << ": ";
    llvm::WithColor::error(os) << fault.message << '\n';
  }
  printGlobal(profile, target, os);
  printWorkgroup(profile, os);
  RequestCost cost = profile.globalCost();
  double moved = double(cost.sectors) * double(target.getSectorBytes());
  os << "  global memory: " << profile.globalRequests() << " requests, "
     << cost.sectors << " sectors of " << target.getSectorBytes() << " bytes; ";
  if (profile.isSampled())
    os << "about " << byteText(scaled(profile, moved))
       << " in the whole grid; ";
  os << percent(moved > 0 ? double(cost.usedBytes) / moved : 1) << " used\n";
  if (!profile.isRecorded)
    printDRAM(profile, os);
  os << "  barriers per block: "
     << numberText(double(counts.barriers) /
                   double(std::max<int64_t>(1, counts.blocksRun)));
  if (!profile.isRecorded)
    os << "; divergent branches: " << profile.divergentBranches() << " of "
       << profile.branches();
  os << '\n';
  if (const WorkgroupUse &use = profile.workgroupUse; use.used)
    os << "  workgroup memory is in use for "
       << percent(double(use.used) / double(use.total))
       << " of a block's life, in requests\n";
  printGeometries(profile, os);
}

void gpuopt::printComparison(const KernelMeasurement &original,
                             const KernelMeasurement &tuned, raw_ostream &os) {
  TextTable table;
  table.row({original.kernel.displayName, "as written", "optimized"});
  auto row = [&](StringRef what, auto figure) {
    table.row({what.str(), figure(original), figure(tuned)});
  };
  auto whole = [](const KernelMeasurement &profile, double count) {
    std::string text = formatv("{0:f0}", scaled(profile, count));
    return (profile.isSampled() ? "about " : "") + text;
  };
  row("requests to global memory", [&](const KernelMeasurement &profile) {
    return whole(profile, double(profile.globalRequests()));
  });
  row("sectors", [&](const KernelMeasurement &profile) {
    return whole(profile, double(profile.globalCost().sectors));
  });
  row("sectors per request", [&](const KernelMeasurement &profile) {
    double requests = double(profile.globalRequests());
    double sectors = double(profile.globalCost().sectors);
    return numberText(requests > 0 ? sectors / requests : 0);
  });
  row("wavefronts of workgroup memory", [&](const KernelMeasurement &profile) {
    double wavefronts = 0;
    for (const AccessMeasurement &access : profile.accesses)
      wavefronts += double(access.figures.wavefronts);
    return whole(profile, wavefronts);
  });
  row("DRAM bytes (model)", [&](const KernelMeasurement &profile) {
    return profile.dram ? std::to_string(profile.dram->bytes()) : "-";
  });
  row("least time (us)", [&](const KernelMeasurement &profile) -> std::string {
    if (!profile.roofline)
      return "-";
    return numberText(std::max(profile.roofline->memoryMicroseconds,
                               profile.roofline->arithmeticMicroseconds));
  });
  row("barriers", [&](const KernelMeasurement &profile) {
    return whole(profile, double(profile.counts.barriers));
  });
  row("divergent branches", [&](const KernelMeasurement &profile) {
    return whole(profile, double(profile.divergentBranches()));
  });
  table.print(os, 1);
}
