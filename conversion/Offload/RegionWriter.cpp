//===- RegionWriter.cpp - the text of what is offloaded -------------------===//

#include "conversion/Offload/RegionWriter.h"

#include "conversion/Offload/KeptText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

/// Where a region reads `pointers`, and what stands for them.
static std::vector<SourceText::Name> namesOf(const FixedPointers &pointers,
                                             const SourceText &text) {
  std::vector<SourceText::Name> names;
  for (const FixedPointer &pointer : pointers)
    for (const Expr *read : pointer.reads)
      if (auto place = text.placeOfExpression(*read))
        names.push_back({*place, pointer.variable->getNameAsString()});
  return names;
}

std::optional<Problem> offload::checkPointers(const FixedPointers &pointers,
                                              const SourceText &text) {
  for (const FixedPointer &pointer : pointers)
    for (const Expr *read : pointer.reads)
      if (!text.placeOfExpression(*read))
        return Problem{read->getExprLoc(),
                       "a macro or another file has a part of '" +
                           pointer.text + "'"};
  return std::nullopt;
}

/// Adds what puts declarations at the begin of a loop's body.
static void addDeclarations(const MovedDeclarations &moved,
                            const SourceText &text,
                            std::vector<SourceText::Name> &names) {
  SourceText::Place place = *text.placeOf(*moved.body);
  std::string indent = "\n" + text.indentAt(place.begin).str();
  bool hasBraces = isa<CompoundStmt>(moved.body);
  std::string begin = hasBraces ? "" : "{";
  for (const std::string &declaration : moved.texts)
    begin += indent + (hasBraces ? "  " : "") + declaration;
  unsigned at = place.begin + unsigned(hasBraces);
  names.push_back({{at, at}, begin + (hasBraces ? "" : indent)});
  if (!hasBraces)
    names.push_back({{place.end, place.end}, indent + "}"});
}

static std::string declarationOf(const FixedPointer &pointer) {
  return "__typeof__(*" + pointer.text + ") *" +
         pointer.variable->getNameAsString() + ";";
}

/// `text` without lines that are barriers: one thread has none.
static std::string withoutBarriers(llvm::StringRef text) {
  static llvm::Regex barrier(
      "^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+barrier[^\n]*$",
      llvm::Regex::Newline);
  std::string result = text.str();
  while (barrier.match(result))
    result = barrier.sub("", result);
  return result;
}

/// The text of `region` at `place` with the directives of the dialect.
std::string RegionWriter::copyOf(const OffloadedRegion &offloaded) const {
  const Region &region = offloaded.region;
  SourceText::Place place = offloaded.place;
  std::vector<SourceText::Name> names = namesOf(offloaded.pointers, text);
  for (const MovedDeclarations &each : offloaded.declarations)
    addDeclarations(each, text, names);
  auto textAt = [&](SourceText::Place part) {
    return text.textAt(part, names);
  };
  if (dialect == Dialect::LEO && !region.isInTeam())
    return textAt(place);
  std::string copy;
  auto addBetween = [&](SourceText::Place between) {
    if (region.keepsData())
      copy += region.isInTeam() ? withoutBarriers(textAt(between))
                                : textAt(between);
  };
  // A parallel region of the host is none of the device.
  if (const auto *around = region.loops.front().around)
    place.begin = text.placeOf(*around->getRawStmt())->begin;
  for (auto [number, loop] : llvm::enumerate(region.loops)) {
    unsigned directive = text.placeOf(*loop.statement)->begin;
    SourceText::Place inner = *text.placeOf(*loop.loop);
    addBetween({place.begin, directive});
    // A directive has a line to itself.
    StringRef line = StringRef(copy).rtrim(" \t");
    if (!line.empty() && !line.ends_with("\n"))
      copy += "\n";
    copy += spelling.loopDirective(region, number, offloaded.plan,
                                   offloaded.symbols) +
            "\n" + text.indentAt(inner.begin).str() + textAt(inner);
    place.begin = inner.end;
  }
  addBetween(place);
  return spelling.body(copy);
}

/// Puts the offloaded region in front of the original one.
void RegionWriter::write(const OffloadedRegion &offloaded) {
  const auto &[region, place, plan, symbols, pointers, declarations, kept] =
      offloaded;
  // The directive may stand further left than its loop.
  const ParallelLoop &loop = region.loops.front();
  std::string left = text.indentAt(place.begin).str();
  std::string indent = text.indentAt(text.placeOf(*loop.loop)->begin).str();
  if (!StringRef(indent).starts_with(left) || !region.parents.empty())
    indent = left;
  std::string condition = spelling.condition(
      text.nameOf(place.begin), indent + (region.isInTeam() ? "  " : ""),
      region, plan, symbols, kept, pointers);
  std::string copy = copyOf(offloaded);
  std::string directive = spelling.regionDirective(region, plan, symbols);
  bool hasBraces = !region.parents.empty() || loop.around;
  if (dialect == Dialect::LEO || (!directive.empty() && !hasBraces))
    copy = "{\n" + (StringRef(copy).starts_with("#") ? "" : indent) + copy +
           "\n" + indent + "}";
  if (!directive.empty())
    copy = directive + "\n" + indent + copy;
  else if (!region.parents.empty())
    copy = indent + copy;
  copy = moveLines(kept, indent) + copy;
  std::string begin, end;
  for (const FixedPointer &pointer : pointers)
    begin += declarationOf(pointer) + "\n" + indent;
  if (region.isInTeam())
    return writeForTeam(offloaded, indent, begin, condition, copy);
  if (!begin.empty()) {
    begin = "{\n" + indent + begin;
    end = "\n" + indent + "}";
  }
  if (condition.empty())
    return text.replace(place, StringRef(copy).ltrim(" "));
  text.insert(place.begin, indent.substr(left.size()) + begin + "if (" +
                               condition + ") {\n" + copy + "\n" + indent +
                               "} else {\n" +
                               backLines(kept, keptArrays, indent) + left);
  text.insert(place.end, "\n" + indent + "}" + end);
}

/// The same for a region that a team comes to: one of its threads goes through
/// the offloaded one (Teams.h).
void RegionWriter::writeForTeam(const OffloadedRegion &offloaded,
                                llvm::StringRef indent,
                                llvm::StringRef declarations,
                                llvm::StringRef condition,
                                llvm::StringRef copy) {
  const Region &region = offloaded.region;
  const SourceText::Place &place = offloaded.place;
  StringRef left = text.indentAt(place.begin);
  std::string line = "\n" + indent.str();
  // What it assigns between the loops all of them have then.
  llvm::SetVector<StringRef> assigned;
  for (const Bystander &bystander : region.bystanders)
    if (const Expr *target = assignedExpression(bystander.statement))
      assigned.insert(namedVariable(const_cast<Expr *>(target))->getName());
  std::string names = "gpuopt_on_device";
  for (StringRef name : assigned)
    names += (", " + name).str();
  std::string back =
      backLines(offloaded.kept, keptArrays, indent.str() + "    ");
  if (!back.empty())
    back = " else {\n" + back + indent.str() + "  }";
  StringRef barrier =
      teams.isBehindBarrier(region) ? "" : "\n#pragma omp barrier";
  text.insert(place.begin,
              (indent.drop_front(left.size()) + "{" + line + "  " +
               declarations + "int gpuopt_on_device = 0;" + barrier +
               "\n#pragma omp single copyprivate(" + names + ")" + line +
               "  if (" + condition + ") {" + line +
               "    gpuopt_on_device = 1;" + "\n" + copy + line + "  }" + back +
               line + "  if (!gpuopt_on_device) {\n" + left)
                  .str());
  text.insert(place.end, line + "  }" + line + "}");
}
