//===- CheckPrint.cpp - the outcome of a check for a person ---------------===//

#include "tools/lib/check/Check.h"
#include "tools/lib/launch/RunLimits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;

static std::string shapeText(const Dim3 &dim) {
  return std::to_string(dim[0]) + "x" + std::to_string(dim[1]) + "x" +
         std::to_string(dim[2]);
}

/// Faults that are printed of a run.
static constexpr size_t kPrintedFaults = 20;

static void printFaults(llvm::StringRef which,
                        llvm::ArrayRef<ExecutionFault> faults,
                        llvm::raw_ostream &os) {
  for (const ExecutionFault &fault : faults.take_front(kPrintedFaults)) {
    if (!fault.location.empty())
      os << fault.location << ": ";
    llvm::WithColor::error(os) << which << " kernel: " << fault.message << '\n';
  }
  if (faults.size() > kPrintedFaults)
    os << "  " << faults.size() - kPrintedFaults << " more places of the "
       << which << " kernel\n";
}

/// The launches of the tuned kernel: a sequence with a line for each, of which
/// equal ones that follow each other share one.
static void printTunedLaunches(const KernelCheck &check,
                               llvm::raw_ostream &os) {
  const std::vector<KernelLaunch> &launches = check.tunedLaunches;
  llvm::StringRef name = check.comparedName;
  auto textOf = [](const KernelLaunch &launch) {
    if (launch.isCooperative)
      return "cooperative, " + shapeText(launch.config.grid) + " blocks of " +
             shapeText(launch.config.block);
    if (!launch.isFallback)
      return shapeText(launch.config.grid) + " blocks of " +
             shapeText(launch.config.block);
    if (launch.hasNothingToDo)
      return "the original kernel, since " + launch.fallbackReason;
    return "the original kernel, since the tuned one cannot cover the launch" +
           (launch.fallbackReason.empty() ? "" : ": " + launch.fallbackReason);
  };
  // Only a sequence passes numbers of its own; a second file's kernel may get
  // zeros for what it does not use.
  bool isSequence =
      launches.size() != 1 ||
      (!check.isOfSecondFile && !launches.front().arguments.empty());
  if (!isSequence) {
    const KernelLaunch &launch = launches.front();
    os << "; " << name << (launch.isFallback ? ": " : " ") << textOf(launch)
       << '\n';
    return;
  }
  os << "; " << name << " " << launches.size()
     << (launches.size() == 1 ? " launch\n" : " launches\n");
  for (size_t i = 0; i < launches.size();) {
    size_t first = i;
    std::string text = launches[i].symbol + ": " + textOf(launches[i]);
    while (i < launches.size() &&
           launches[i].symbol + ": " + textOf(launches[i]) == text)
      ++i;
    os << "  " << text;
    if (i - first > 1)
      os << ", " << i - first << " times";
    os << '\n';
  }
}

static void printArray(const ArrayComparison &array, llvm::raw_ostream &os) {
  os << array.name << ": ";
  if (array.elements || !array.strayWrites)
    os << array.elements << " elements, ";
  if (!array.passed()) {
    llvm::ListSeparator join(" and ");
    if (array.mismatches)
      os << join << array.mismatches << " differ";
    if (array.withoutBound)
      os << join << array.withoutBound
         << " differ by what no bound can be given for";
    if (array.strayWrites)
      os << join << array.strayWrites
         << " changed that the original kernel leaves alone";
    os << ", the first at element " << array.firstElement << ": expected "
       << array.original << ", found " << array.tuned << " (largest error "
       << llvm::format("%.3g", array.largestError) << ")\n";
    return;
  }
  if (array.isEqual())
    os << "equal, bit for bit\n";
  else
    os << "within the bound of each, " << array.withinBound
       << " not bit for bit (at most "
       << llvm::format("%.2g", array.largestShareOfBound) << " of the bound)\n";
}

/// Races that both kernels have, where no result shows them: threads may all
/// write the same. One is named.
static void printHarmlessRaces(const KernelCheck &check, llvm::StringRef indent,
                               llvm::raw_ostream &os) {
  if (!check.originalRaces)
    return;
  const ExecutionFault &race = check.sourceRaces.front();
  if (!race.location.empty())
    os << race.location << ": ";
  llvm::WithColor::warning(os) << "original kernel: " << race.message << '\n';
  if (check.originalRaces > 1)
    os << indent << check.originalRaces - 1
       << " more pair(s) of accesses race in both kernels\n";
}

/// What a run found, apart from its launches.
static void printFindings(const KernelCheck &check, llvm::StringRef indent,
                          llvm::raw_ostream &os) {
  printFaults("original", check.originalFaults, os);
  printFaults("original", check.unsetUses, os);
  printFaults(check.comparedName, check.tunedFaults, os);
  if (check.mayBlameInputs())
    os << indent << blameInputs(check.madeUpIntegers) << '\n';
  for (const auto &faults : {check.originalFaults, check.tunedFaults})
    for (llvm::StringRef advice : limitAdvice(faults))
      os << indent << advice << '\n';
  bool areUnexplained = !check.sourceRaces.empty() &&
                        !check.hasEqualOutputs() && !check.racesExplainOutputs;
  if (check.ownVerdict() == CheckVerdict::Undefined || areUnexplained)
    printFaults("original", check.sourceRaces, os);
  else
    printHarmlessRaces(check, indent, os);
  if (check.idleRaces)
    os << indent << "the " << check.comparedName << " kernel races at "
       << check.idleRaces << " place(s), without effect on what is there\n";
  if (check.idleReads)
    os << indent << check.idleReads
       << " place(s) read workgroup memory that nobody has written; no output "
          "depends on it\n";
  if (check.skippedCounts)
    os << indent
       << "sectors are not counted: a block makes more accesses than this "
          "machine's memory can keep apart\n";
  if (check.skippedRaces)
    os << indent
       << "not checked for data races: the arrays have more than 256 MiB\n";
  for (const std::string &reason : check.roundingReasons)
    os << indent << "results may be rounded in another way: " << reason << '\n';
  for (const ArrayComparison &array : check.arrays) {
    os << indent;
    printArray(array, os);
  }
  if (areUnexplained)
    os << indent
       << "the source races, but not all that differs depends on it\n";
}

/// What a run of the text found that is wrong.
static void printWrongText(const KernelCheck &check, llvm::StringRef indent,
                           llvm::raw_ostream &os) {
  for (const KernelCheck &text : check.asText)
    if (!text.passed()) {
      os << indent << "with "
         << (text.isWithoutFusing ? "PTX without fusing"
                                  : "the PTX that is written")
         << ":\n";
      printFindings(text, (indent + "  ").str(), os);
    }
}

/// How what the text computes compares with the original.
static void printRightText(const KernelCheck &check, llvm::raw_ostream &os) {
  for (const KernelCheck &text : check.asText) {
    if (!text.passed())
      continue;
    int64_t withinBound = 0;
    for (const ArrayComparison &array : text.arrays)
      withinBound += array.withinBound;
    os << (text.isWithoutFusing ? "  PTX without fusing: "
                                : "  PTX as it is written: ");
    if (withinBound)
      os << "within the bound of each element, " << withinBound
         << " not bit for bit\n";
    else
      os << "equal, bit for bit\n";
  }
}

/// Why the verdict is what it is, where the findings do not say.
static std::string verdictReason(const KernelCheck &check) {
  CheckVerdict verdict = check.verdict();
  if (verdict == CheckVerdict::Undefined)
    return check.originalFaults.empty() && check.unsetUses.empty()
               ? "the source races, so that its results depend on which thread "
                 "is first; nothing can be proven"
               : "the source itself goes wrong with these inputs; nothing can "
                 "be proven";
  if (verdict == CheckVerdict::Unfinished)
    return check.wasInterrupted()
               ? "interrupted; nothing has been proven"
               : "the original kernel did not run to its end; nothing can be "
                 "proven";
  if (check.lacksTunedLaunch())
    return verdict == CheckVerdict::Failed && !check.allowsFallback
               ? "not tuned for this launch (--allow-fallback lets it pass)"
               : "not tuned for this launch";
  if (check.usedFallback())
    return "nothing tuned ran";
  if (verdict == CheckVerdict::Passed && check.originalRaces)
    return "with its threads in one order; the source races";
  return "";
}

static void printVerdict(const KernelCheck &check, llvm::raw_ostream &os) {
  CheckVerdict verdict = check.verdict();
  bool passed = verdict == CheckVerdict::Passed;
  std::string name = verdictName(verdict).str();
  llvm::WithColor(os, passed ? llvm::raw_ostream::GREEN
                      : verdict == CheckVerdict::Failed
                          ? llvm::raw_ostream::RED
                          : llvm::raw_ostream::YELLOW)
      << "  " << (passed ? name : llvm::StringRef(name).upper());
  std::string reason = verdictReason(check);
  os << (reason.empty() ? "" : ": ") << reason << '\n';
}

/// "85.8 times fewer"; what is nearly as many is called so.
static std::string ratioText(uint64_t before, uint64_t after) {
  double ratio = double(before) / double(after);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (ratio >= 1.05)
    stream << llvm::format("%.1f times fewer", ratio);
  else if (ratio <= 1 / 1.05)
    stream << llvm::format("%.1f times as many", 1 / ratio);
  else
    stream << (before == after ? "as many" : "about as many");
  return text;
}

void gpuopt::printCheck(const KernelCheck &check, llvm::raw_ostream &os) {
  os << check.kernel.displayName << ": original launch "
     << shapeText(check.originalLaunch.grid) << " blocks of "
     << shapeText(check.originalLaunch.block);
  if (check.tunedLaunches.empty())
    os << '\n';
  else
    printTunedLaunches(check, os);
  if (check.isWithoutFusing)
    os << "  PTX without fusing: with it, results have no bound\n";
  printFindings(check, "  ", os);
  printWrongText(check, "  ", os);
  for (const KernelCheck &extremes : check.withExtremes) {
    os << "  with extreme inputs:\n";
    printFindings(extremes, "    ", os);
    printWrongText(extremes, "    ", os);
    if (!extremes.textSkipped.empty() && check.textSkipped.empty())
      os << "    PTX not compared: " << extremes.textSkipped << '\n';
  }
  if (!check.extremesSkipped.empty())
    os << "  not checked with extreme inputs: " << check.extremesSkipped
       << '\n';
  printRightText(check, os);
  if (!check.textSkipped.empty())
    os << "  PTX not compared: " << check.textSkipped << '\n';
  if (check.originalSectors && check.tunedSectors)
    os << "  global memory sectors: " << check.originalSectors << " -> "
       << check.tunedSectors << " ("
       << ratioText(check.originalSectors, check.tunedSectors) << ")\n";
  if (check.originalDRAM.bytes() && check.tunedDRAM.bytes())
    os << "  DRAM bytes (model): " << check.originalDRAM.bytes() << " -> "
       << check.tunedDRAM.bytes() << ", compulsory "
       << check.originalDRAM.compulsoryBytes << '\n';
  printVerdict(check, os);
}
