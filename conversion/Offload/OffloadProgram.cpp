//===- OffloadProgram.cpp - a program whose loops go to a device ----------===//

#include "conversion/Offload/OffloadProgram.h"

#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/OpenACC/LoopForm.h"
#include "conversion/Offload/AlignedAllocations.h"
#include "conversion/Offload/FunctionFinder.h"
#include "conversion/Offload/KeptText.h"
#include "conversion/Offload/ParseProgram.h"
#include "conversion/Offload/PlainLoops.h"
#include "conversion/Offload/RegionWriter.h"
#include "conversion/Offload/SourceText.h"
#include "conversion/Offload/TargetLoops.h"
#include "conversion/Offload/Teams.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

namespace {
/// The statement that follows a place of the text.
class NextStatementFinder : public ConstDynamicRecursiveASTVisitor {
public:
  NextStatementFinder(const SourceText &text, unsigned behind)
      : text(text), behind(behind) {}

  const Stmt *found = nullptr;

  bool VisitStmt(const Stmt *statement) override {
    std::optional<unsigned> begin = text.offsetOf(statement->getBeginLoc());
    if (begin && *begin >= behind && (!found || *begin < first)) {
      found = statement;
      first = *begin;
    }
    return true;
  }

private:
  const SourceText &text;
  unsigned behind, first = 0;
};

class Offloader {
public:
  Offloader(const ParsedProgram &parsed, const OffloadOptions &options)
      : parsed(parsed), context(parsed.context), text(context),
        spelling(options.dialect, context), teams(context), options(options) {}

  OffloadedProgram run();

private:
  void offload(const Region &region);
  void offloadParts(llvm::ArrayRef<Region> parts);
  void noteOffloaded(const Region &region);
  std::optional<Problem> tryOffload(const Region &region);
  void decline(const ParallelLoop &loop, const Problem &problem);
  std::optional<SourceText::Place> placeOf(const Region &region) const;
  void keepArrays();
  std::string together(const Region &region) const;
  std::vector<ParallelLoop> loopsOf(const FunctionDecl &function);
  void offloadIn(const FunctionDecl &function, std::vector<ParallelLoop> loops);
  bool isWorthHoisting(const ForStmt &loop);
  void alignIn(const FunctionDecl &function);
  bool isLeftAsItIs();
  void lowerIn(const FunctionDecl &function);
  void lower(const FunctionDecl &function, const ConditionalOffload &directive);
  std::optional<Problem> write(const FunctionDecl &function,
                               const ConditionalOffload &directive,
                               const Stmt &statement);
  void remark(SourceLocation location, const Twine &message);

  const ParsedProgram &parsed;
  const ASTContext &context;
  SourceText text;
  Spelling spelling;
  Teams teams;
  const OffloadOptions &options;
  OffloadedProgram program;
  bool hasDirectives = false;
  /// Arrays, and pointers to them, that go to the device somewhere.
  llvm::DenseSet<const VarDecl *> mapped;
  /// What `conditional-offload` stands in front of.
  std::vector<const Stmt *> lowered;
  std::vector<const ConditionalOffload *> handled;
  /// What is offloaded, to be written.
  std::vector<OffloadedRegion> offloadedRegions;
  KeptArrays keptArrays;
};
} // namespace

void Offloader::remark(SourceLocation location, const llvm::Twine &message) {
  SourcePosition at = toSourcePosition(location, context.getSourceManager());
  llvm::raw_ostream &stream = diagnosticStream();
  stream << at.file << ":" << at.line << ":" << at.column << ": ";
  llvm::WithColor(stream, llvm::raw_ostream::BLUE, /*Bold=*/true) << "remark: ";
  stream << message << "\n";
}

void Offloader::decline(const ParallelLoop &loop, const Problem &problem) {
  if (loop.isTarget) {
    ++program.kept;
    return remark(problem.location, "keeps its clauses: " + problem.message);
  }
  ++program.declined;
  remark(problem.location, "not offloaded: " + problem.message);
  std::optional<SourceText::Place> place = text.placeOf(*loop.statement);
  if (!problem.isForAuthor || !place)
    return;
  ++program.forAuthor;
  text.insert(place->begin,
              "/* gpuopt offload: " + problem.message +
                  ": only the author can say what of it a device needs */\n" +
                  text.indentAt(place->begin).str());
}

/// Where `region` is, if all of its loops are text of the file.
std::optional<SourceText::Place>
Offloader::placeOf(const Region &region) const {
  auto first = text.placeOf(*region.first), last = text.placeOf(*region.last);
  bool areThere = llvm::all_of(region.loops, [&](const ParallelLoop &loop) {
    return text.placeOf(*loop.statement) && text.placeOf(*loop.loop);
  });
  if (!first || !last || !areThere)
    return std::nullopt;
  SourceText::Place place{first->begin, last->end};
  return text.isBalanced(place) ? std::optional(place) : std::nullopt;
}

/// Offloads `region`, or says why not.
std::optional<Problem> Offloader::tryOffload(const Region &region) {
  for (const ParallelLoop &loop : region.loops)
    if (loop.problem)
      return loop.problem;
  if (region.isInTeam())
    for (auto problem :
         {teams.checkParents(region), teams.checkBystanders(region)})
      if (problem)
        return problem;
  if (options.dialect == Dialect::LEO && !region.bystanders.empty())
    return Problem{region.bystanders.front().statement->getBeginLoc(),
                   "the whole region would be the device's"};
  std::optional<SourceText::Place> place = placeOf(region);
  if (!place)
    return Problem{region.first->getBeginLoc(),
                   "a macro, another file or an '#if' has a part of this loop",
                   false};
  for (const ParallelLoop &loop : region.loops)
    if (std::optional<Problem> problem = spelling.check(loop))
      return problem;
  Effects effects = findEffects(region, context);
  DataPlan plan = planData(region, effects, context, options.trustsConditions);
  if (plan.problem)
    return plan.problem;
  for (auto problem :
       {spelling.check(plan, effects), checkPointers(effects.pointers, text)})
    if (problem)
      return problem;
  if (region.isTarget())
    if (std::optional<Problem> problem =
            narrowMaps(region, plan, effects, context))
      return problem;
  if (region.isJoined() && !plan.sharesArrays(effects.symbols))
    return Problem{region.first->getBeginLoc(), "no data is shared", false};
  for (const DataItem &item : plan.arrays)
    mapped.insert(item.variable);
  std::vector<MovedDeclarations> declarations;
  if (options.movesDeclarations && !region.isTarget())
    declarations = moveDeclarations(region, plan, text, context);
  offloadedRegions.push_back({region,
                              *place,
                              std::move(plan),
                              std::move(effects.symbols),
                              std::move(effects.pointers),
                              std::move(declarations),
                              {}});
  return std::nullopt;
}

/// What else is offloaded with a loop of `region`, for its remark.
std::string Offloader::together(const Region &region) const {
  const SourceManager &sources = context.getSourceManager();
  if (!region.parents.empty())
    return ", data once for all iterations of the loop in line " +
           std::to_string(sources.getPresumedLineNumber(
               region.parents.front()->getForLoc()));
  return region.loops.size() == 1
             ? ""
             : ", data once for " + std::to_string(region.loops.size()) +
                   " loops";
}

/// So many loops that follow each other have their data in common at most.
static constexpr size_t kMostTogether = 8;

/// Offloads as many of `parts`, which follow each other, together as can be,
/// from the first on.
void Offloader::offloadParts(llvm::ArrayRef<Region> parts) {
  while (!parts.empty()) {
    // Each try looks at all of them.
    size_t count = std::min(parts.size(), kMostTogether);
    while (count > 1) {
      Region joined = joinRegions(parts.take_front(count));
      if (!tryOffload(joined)) {
        noteOffloaded(joined);
        break;
      }
      --count;
    }
    if (count == 1)
      offload(joinRegions(parts.take_front(1)));
    parts = parts.drop_front(count);
  }
}

void Offloader::noteOffloaded(const Region &region) {
  for (const ParallelLoop &loop : region.loops) {
    ++(loop.isTarget ? program.narrowed : program.offloaded);
    remark(loop.statement->getBeginLoc(),
           (loop.isTarget ? "brings less to the device"
                          : "offloaded where it pays") +
               together(region));
  }
}

void Offloader::offload(const Region &region) {
  if (region.isJoined())
    return offloadParts(region.parts);
  std::optional<Problem> problem = tryOffload(region);
  if (!problem)
    return noteOffloaded(region);
  // What a loop around it makes impossible may be possible without.
  if (!region.parts.empty())
    return offload(region.parts.front());
  for (const ParallelLoop &loop : region.loops)
    decline(loop, *problem);
}

//===----------------------------------------------------------------------===//
// #pragma gpuopt conditional-offload
//===----------------------------------------------------------------------===//

/// Puts `statement` behind a condition with the figures of its parallel loops,
/// and the directive of the dialect in front of it (Figure 4.7).
std::optional<Problem> Offloader::write(const FunctionDecl &function,
                                        const ConditionalOffload &directive,
                                        const Stmt &statement) {
  auto begin = text.offsetOf(directive.begin);
  auto end = text.offsetOf(directive.end);
  std::optional<SourceText::Place> place = text.placeOf(statement);
  if (!begin || !end || !place)
    return Problem{directive.begin, "a macro or another file has a part of it"};
  std::vector<Region> regions = findRegions(
      statement, findParallelLoops(function, context), options.regions, {});
  if (regions.size() != 1)
    return Problem{directive.begin, "expected parallel loops behind it"};
  if (regions[0].isInTeam())
    return Problem{directive.begin, "threads of a team may decide differently"};
  Effects effects = findEffects(regions[0], context);
  DataPlan plan =
      planData(regions[0], effects, context, options.trustsConditions);
  if (plan.problem)
    return plan.problem;
  StringRef name = options.dialect == Dialect::OpenMP    ? "omp "
                   : options.dialect == Dialect::OpenACC ? "acc "
                                                         : "offload ";
  std::string left = text.indentAt(*begin).str();
  std::string indent = text.indentAt(place->begin).str();
  std::string pays = spelling.pays(text.nameOf(*begin), /*isInTeam=*/false,
                                   plan, effects.symbols, /*kept=*/{});
  std::string copy = text.textAt(*place).str();
  text.replace({*begin, *end}, indent.substr(left.size()) + "if (" + pays +
                                   ") {\n#pragma " + name.str() +
                                   directive.directive + "\n" + indent + copy +
                                   "\n" + indent + "} else {");
  text.insert(place->end, "\n" + indent + "}");
  return std::nullopt;
}

void Offloader::lower(const FunctionDecl &function,
                      const ConditionalOffload &directive) {
  NextStatementFinder finder(text, *text.offsetOf(directive.end));
  finder.TraverseStmt(function.getBody());
  std::optional<Problem> problem =
      Problem{directive.begin, "expected a statement behind it"};
  if (finder.found) {
    lowered.push_back(finder.found);
    problem = write(function, directive, *finder.found);
  }
  if (problem) {
    ++program.declined;
    remark(problem->location, "not lowered: " + problem->message);
    return;
  }
  ++program.offloaded;
  remark(directive.begin, "offloaded where it pays");
}

void Offloader::lowerIn(const FunctionDecl &function) {
  auto begin = text.offsetOf(function.getBody()->getBeginLoc());
  auto end = text.offsetOf(function.getBody()->getEndLoc());
  for (const ConditionalOffload &directive : parsed.conditional) {
    auto place = text.offsetOf(directive.begin);
    if (begin && end && place && *begin < *place && *place < *end) {
      lower(function, directive);
      handled.push_back(&directive);
    }
  }
}

/// The loops of `function` that its directives call parallel; where the program
/// has none, those that are found to be.
std::vector<ParallelLoop> Offloader::loopsOf(const FunctionDecl &function) {
  if (hasDirectives) {
    std::vector<ParallelLoop> loops = findParallelLoops(function, context);
    for (ParallelLoop &loop : loops)
      if (loop.isInTeam)
        teams.prepare(loop);
    return loops;
  }
  return findPlainLoops(function, context, [&](const Problem &problem) {
    ++program.declined;
    remark(problem.location, "not offloaded: " + problem.message);
  });
}

/// Says where all loops of the program stay where they are, and why.
bool Offloader::isLeftAsItIs() {
  // What it keeps on the device nobody else may bring there.
  if (parsed.forDevice.isValid()) {
    remark(parsed.forDevice,
           "not offloaded: this program uses a device itself");
    return true;
  }
  for (llvm::StringRef word : spelling.words()) {
    SourceLocation macro = parsed.macroOf(word);
    if (macro.isInvalid())
      continue;
    remark(macro, "not offloaded: directives would have the macro '" + word +
                      "' in them");
    return true;
  }
  return false;
}

void Offloader::offloadIn(const FunctionDecl &function,
                          std::vector<ParallelLoop> loops) {
  RegionOptions regions = options.regions;
  regions.isWorthHoisting = [&](const ForStmt &loop) {
    return isWorthHoisting(loop);
  };
  for (const Region &region :
       findRegions(*function.getBody(), std::move(loops), regions, lowered))
    offload(region);
}

/// The thesis hoists where so much of a loop's time is in parallel code.
static constexpr double kLeastShare = 0.8;

bool Offloader::isWorthHoisting(const ForStmt &loop) {
  std::optional<unsigned> offset = text.offsetOf(loop.getForLoc());
  auto share = offset ? options.shares.find(*offset) : options.shares.end();
  if (share == options.shares.end() || share->second >= kLeastShare)
    return true;
  remark(loop.getForLoc(), "data not kept for all iterations: " +
                               llvm::Twine(unsigned(100 * share->second)) +
                               " % of this loop's time is in parallel code");
  return false;
}

/// Finds arrays that stay on the device while loops call functions, and writes
/// what is around these loops.
void Offloader::keepArrays() {
  bool isMacro = llvm::any_of(
      llvm::ArrayRef<StringRef>{"enter", "exit", "release", "delete"},
      [&](StringRef word) { return parsed.macroOf(word).isValid(); });
  if (!options.keeps || options.onlyLowers || isMacro ||
      options.dialect == Dialect::LEO)
    return;
  keptArrays =
      findKeptArrays(context, offloadedRegions, [&](const Stmt &statement) {
        std::optional<SourceText::Place> place = text.placeOf(statement);
        const auto *loop = dyn_cast<ForStmt>(&statement);
        return place && text.isBalanced(*place) &&
               (!loop || isWorthHoisting(*loop));
      });
  for (const KeepingLoop &loop : keptArrays.loops) {
    SourceText::Place place = *text.placeOf(*loop.statement);
    StringRef indent = text.indentAt(place.begin);
    text.insert(place.begin, keepingBegin(loop.arrays, indent) + indent.str());
    text.insert(place.end, keepingEnd(loop.arrays, indent));
    std::vector<std::string> names;
    for (const VarDecl *array : loop.arrays)
      names.push_back("'" + array->getNameAsString() + "'");
    remark(loop.statement->getBeginLoc(),
           "data stays on the device while this loop runs: " +
               llvm::join(names, ", "));
  }
}

/// Aligns what `function` allocates for the device.
void Offloader::alignIn(const FunctionDecl &function) {
  for (const DeclRefExpr *name : findAllocations(function, mapped)) {
    std::optional<unsigned> offset = text.offsetOf(name->getLocation());
    if (!offset)
      continue;
    unsigned length = StringRef("malloc").size();
    text.replace({*offset, *offset + length}, spelling.aligningMalloc());
    remark(name->getLocation(), "allocates whole blocks of 64 bytes");
  }
}

OffloadedProgram Offloader::run() {
  FunctionFinder finder(context.getSourceManager());
  finder.TraverseDecl(context.getTranslationUnitDecl());
  hasDirectives = finder.hasDirectives;
  bool isLeft = !options.onlyLowers && isLeftAsItIs();
  for (const FunctionDecl *function : finder.functions) {
    lowerIn(*function);
    if (options.onlyLowers) {
      if (options.dialect == Dialect::OpenMP)
        offloadIn(*function, findTargetLoops(*function, context));
      continue;
    }
    if (isLeft) {
      program.declined += findParallelLoops(*function, context).size();
      continue;
    }
    offloadIn(*function, loopsOf(*function));
  }
  for (const ConditionalOffload &directive : parsed.conditional)
    if (!llvm::is_contained(handled, &directive)) {
      ++program.declined;
      remark(directive.begin, "not lowered: it is in no function of this file");
    }
  if (options.aligns && !context.getLangOpts().CPlusPlus)
    for (const FunctionDecl *function : finder.functions)
      alignIn(*function);
  keepArrays();
  RegionWriter writer(text, spelling, teams, options.dialect, keptArrays);
  for (const OffloadedRegion &region : offloadedRegions)
    writer.write(region);
  text.insert(text.begin(),
              spelling.helperText() + keptDeclarations(keptArrays));
  text.insert(text.end(), keptFunctions(keptArrays, options.dialect));
  program.text = text.result();
  return std::move(program);
}

mlir::FailureOr<OffloadedProgram>
offload::offloadProgram(llvm::StringRef path, const OffloadOptions &options) {
  OffloadedProgram program;
  if (failed(parseProgram(path, options.clangArguments,
                          [&](const ParsedProgram &parsed) {
                            program = Offloader(parsed, options).run();
                          })))
    return mlir::failure();
  return program;
}
