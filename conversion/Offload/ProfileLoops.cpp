//===- ProfileLoops.cpp - how much of a loop's time is parallel -----------===//

#include "conversion/Offload/ProfileLoops.h"

#include "conversion/Offload/FunctionFinder.h"
#include "conversion/Offload/ParseProgram.h"
#include "conversion/Offload/PlainLoops.h"
#include "conversion/Offload/Region.h"
#include "conversion/Offload/SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

ParallelShares ProfiledProgram::sharesOf(llvm::StringRef lines) const {
  std::map<int, double> seconds;
  for (llvm::StringRef line : llvm::split(lines, '\n')) {
    auto [number, time] = line.split(' ');
    int section = 0;
    double value = 0;
    if (!number.getAsInteger(10, section) && !time.getAsDouble(value))
      seconds[section] = value;
  }
  ParallelShares shares;
  for (const Loop &loop : loops) {
    double parallel = 0;
    for (int section : loop.parallel)
      parallel += seconds[section];
    // Nothing is known of what does not run.
    if (double all = seconds[loop.section]; all > 0)
      shares[loop.offset] = parallel / all;
  }
  return shares;
}

namespace {
class LoopProfiler {
public:
  explicit LoopProfiler(const ASTContext &context)
      : context(context), text(context) {}

  ProfiledProgram run();

private:
  void add(const FunctionDecl &function, bool hasDirectives);
  void add(const Region &region);
  std::optional<int> measure(const Stmt &statement);

  const ASTContext &context;
  SourceText text;
  ProfiledProgram program;
  int sections = 0;
};
} // namespace

/// Puts a measurement around `statement`; returns its number.
std::optional<int> LoopProfiler::measure(const Stmt &statement) {
  std::optional<SourceText::Place> place = text.placeOf(statement);
  if (!place)
    return std::nullopt;
  std::string number = std::to_string(sections);
  text.insert(place->begin, "{ gpuopt_offload_begin(" + number + ");\n");
  text.insertBefore(place->end, "\ngpuopt_offload_end(" + number + "); }");
  return sections++;
}

/// Measures the sequential loops of `region` and what they hold. Loops of teams
/// are none: many threads come to them.
void LoopProfiler::add(const Region &region) {
  for (const Region &part : region.parts)
    if (region.parents.empty())
      add(part);
  if (region.parents.empty() || region.isInTeam())
    return;
  size_t first = program.loops.size();
  for (const ForStmt *parent : region.parents)
    if (std::optional<int> section = measure(*parent))
      program.loops.push_back(
          {*text.offsetOf(parent->getForLoc()), *section, {}});
  std::vector<const Stmt *> measured;
  for (const ParallelLoop &loop : region.loops) {
    const Stmt *statement = loop.around ? loop.around : loop.statement;
    if (llvm::is_contained(measured, statement))
      continue;
    measured.push_back(statement);
    if (std::optional<int> section = measure(*statement))
      for (size_t place = first; place < program.loops.size(); ++place)
        program.loops[place].parallel.push_back(*section);
  }
}

void LoopProfiler::add(const FunctionDecl &function, bool hasDirectives) {
  std::vector<ParallelLoop> loops =
      hasDirectives ? findParallelLoops(function, context)
                    : findPlainLoops(function, context, [](const Problem &) {});
  RegionOptions options;
  for (const Region &region :
       findRegions(*function.getBody(), std::move(loops), options, {}))
    add(region);
}

ProfiledProgram LoopProfiler::run() {
  FunctionFinder finder(context.getSourceManager());
  finder.TraverseDecl(context.getTranslationUnitDecl());
  for (const FunctionDecl *function : finder.functions)
    add(*function, finder.hasDirectives);
  text.insert(text.begin(), "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                            "void gpuopt_offload_begin(int);\n"
                            "void gpuopt_offload_end(int);\n"
                            "#ifdef __cplusplus\n}\n#endif\n");
  program.text = text.result();
  return std::move(program);
}

mlir::FailureOr<ProfiledProgram>
offload::profileLoops(llvm::StringRef path,
                      llvm::ArrayRef<std::string> clangArguments) {
  ProfiledProgram program;
  if (failed(
          parseProgram(path, clangArguments, [&](const ParsedProgram &parsed) {
            program = LoopProfiler(parsed.context).run();
          })))
    return mlir::failure();
  return program;
}
