//===- Explain.cpp - what was found and done, in words --------------------===//

#include "tools/lib/report/Explain.h"

#include "tools/lib/report/PartitionReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;

/// `+` done, `-` not done, `.` found.
static void printMark(Step::Outcome outcome, llvm::raw_ostream &os) {
  using Color = llvm::raw_ostream::Colors;
  switch (outcome) {
  case Step::Outcome::Passed:
    llvm::WithColor(os, Color::GREEN) << "  + ";
    break;
  case Step::Outcome::Missed:
  case Step::Outcome::Failed:
    llvm::WithColor(os, Color::YELLOW) << "  - ";
    break;
  case Step::Outcome::Analysis:
    os << "  . ";
    break;
  }
}

static void printStep(const Step &step, llvm::raw_ostream &os) {
  printMark(step.outcome, os);
  os << step.pass;
  if (step.location.line)
    os << " at " << step.location.line;
  if (step.location.column)
    os << ':' << step.location.column;
  os << ": " << (step.reason.empty() ? "done" : step.reason);
  const char *separator = " (";
  for (const auto &[name, value] : step.metrics) {
    os << separator << name << " = " << value;
    separator = ", ";
  }
  os << (step.metrics.empty() ? "\n" : ")\n");
}

static std::string listOf(const Dim3 &dim) {
  return std::to_string(dim[0]) + " x " + std::to_string(dim[1]) + " x " +
         std::to_string(dim[2]);
}

/// What the assembler made of the kernel.
static void printResources(const KernelResources &resources,
                           llvm::raw_ostream &os) {
  os << "  = " << resources.registers << " registers per thread, "
     << resources.spillBytes << " bytes spilled\n";
  const std::optional<InstructionMix> &mix = resources.instructionMix;
  if (!mix)
    return;
  os << (mix->isLoop ? "  = main loop: " : "  = no loop: ") << mix->instructions
     << " instructions, " << mix->multiplyAdds << " of them multiply-adds ("
     << llvm::format("%.0f", 100 * mix->multiplyAddShare()) << " %, counted in "
     << mix->measuredBy << ")\n";
}

/// The one reason why `kernel` keeps its launch, and what helps; empty where
/// nothing was said.
static std::string whyLaunchIsKept(const Compilation &compilation,
                                   const KernelInfo &kernel) {
  std::string reason;
  for (const Step &step : compilation.steps()) {
    if (!step.isAbout(kernel) || step.outcome == Step::Outcome::Passed)
      continue;
    // Of a known block it would be another.
    if (step.code == RemarkCode::BlockShapeUnknown)
      return ": " + step.value("reason").str() +
             "; compile it with its host code, or give --design block=X,Y,Z";
    if (reason.empty() && (step.code == RemarkCode::KernelNotRaised ||
                           step.code == RemarkCode::LaunchKept ||
                           step.code == RemarkCode::OriginalKept ||
                           step.code == RemarkCode::PassFailed))
      reason = ": " + step.value("reason").str();
  }
  return reason;
}

/// What was said about a kernel that is launched, and what came of it.
static void printLaunched(const Compilation &compilation,
                          const KernelInfo &kernel, llvm::raw_ostream &os) {
  bool isPhase =
      !compilation.raisedKernel(kernel) && compilation.tunedKernel(kernel);
  for (const Step &step : compilation.steps())
    if (isPhase ? step.kernel == kernel.symbol : step.isAbout(kernel))
      printStep(step, os);
  if (auto geometry = compilation.geometry(kernel, {}))
    os << "  = launch with blocks of " << listOf(geometry->block)
       << " threads; each block covers " << listOf(geometry->itemsPerBlock)
       << " work items\n";
  else if (isPhase && compilation.tunedKernel(kernel).getKnownBlockSize())
    os << "  = launched for several steps\n";
  else
    os << "  = keeps its original launch"
       << whyLaunchIsKept(compilation, kernel) << '\n';
  const KernelResources *measured = nullptr;
  for (const KernelResources &resources : compilation.resources())
    if (resources.symbol == kernel.symbol)
      measured = &resources;
  if (!isPhase)
    explainPartitions(compilation, kernel, measured, os);
  if (measured)
    printResources(*measured, os);
}

void gpuopt::printExplanation(const Compilation &compilation,
                              const KernelInfo &kernel, llvm::raw_ostream &os) {
  llvm::WithColor(os, llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << kernel.displayName;
  os << " (" << kernel.position.file << ':' << kernel.position.line << ") for "
     << compilation.target().getTargetName().str() << '\n';
  if (compilation.isSplit(kernel))
    for (const Step &step : compilation.steps())
      if (step.isAbout(kernel))
        printStep(step, os);
  for (const KernelInfo &phase : compilation.phases(kernel)) {
    if (compilation.isSplit(kernel))
      os << "  launch of " << phase.symbol << '\n';
    printLaunched(compilation, phase, os);
  }
}

void gpuopt::printExplanation(const Compilation &compilation,
                              llvm::raw_ostream &os) {
  for (const KernelInfo &kernel : compilation.kernels())
    printExplanation(compilation, kernel, os);
}
