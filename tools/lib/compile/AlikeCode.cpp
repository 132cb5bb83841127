//===- AlikeCode.cpp - code that differs in names and positions -----------===//

#include "tools/lib/compile/AlikeCode.h"

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpuopt;

uint64_t gpuopt::fingerprintOf(ArrayRef<Operation *> code) {
  llvm::hash_code hash(code.size());
  for (Operation *outermost : code)
    outermost->walk<WalkOrder::PreOrder>([&](Operation *op) {
      hash = llvm::hash_combine(hash, op->getName(), op->getNumOperands(),
                                op->getNumRegions());
      for (Type type : op->getResultTypes())
        hash = llvm::hash_combine(hash, type);
    });
  return hash;
}

//===----------------------------------------------------------------------===//
// What differs
//===----------------------------------------------------------------------===//

using Names = std::vector<std::pair<std::string, std::string>>;

/// `name` with another one in the place of the one that it is or begins with;
/// nothing where there is none.
static std::optional<std::string> renamed(StringRef name, const Names &names) {
  for (const auto &[from, to] : names) {
    StringRef rest = name;
    if (rest.consume_front(from) && (rest.empty() || rest.starts_with("__")))
      return to + rest.str();
  }
  return std::nullopt;
}

/// Calls kernels of `op` in the source as `names` says.
static void renameSources(Operation *op, const Names &names) {
  op->walk([&](Operation *each) {
    auto name = each->getAttrOfType<StringAttr>(kSourceNameAttrName);
    if (!name)
      return;
    for (const auto &[from, to] : names)
      if (name.getValue() == from)
        return each->setAttr(kSourceNameAttrName,
                             StringAttr::get(op->getContext(), to));
  });
}

/// Renames symbols wherever attributes of `op` and what is in it name them.
static void renameSymbols(Operation *op, const Names &names,
                          const llvm::DenseMap<Attribute, Attribute> &others,
                          bool withLocations) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](Attribute attribute)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (Attribute other = others.lookup(attribute))
          return std::pair(other, WalkResult::skip());
        auto text = dyn_cast<StringAttr>(attribute);
        if (!text)
          return std::nullopt;
        std::optional<std::string> name = renamed(text.getValue(), names);
        if (!name)
          return std::nullopt;
        Attribute other = StringAttr::get(*name, text.getType());
        return std::pair(other, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        withLocations);
}

static Names reversed(const Names &names) {
  Names result;
  for (const auto &[from, to] : names)
    result.emplace_back(to, from);
  return result;
}

bool AlikeCode::addNames(Operation *from, Operation *to) {
  auto name = from->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  auto other = to->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  if (!name || !other)
    return false;
  names.emplace_back(name.str(), other.str());
  auto source = from->getAttrOfType<StringAttr>(kSourceNameAttrName);
  auto otherSource = to->getAttrOfType<StringAttr>(kSourceNameAttrName);
  if (source && otherSource)
    sources.emplace_back(source.str(), otherSource.str());
  return true;
}

bool AlikeCode::addLine(StringRef file, unsigned from, unsigned to) {
  auto known = lines.try_emplace({file.str(), from}, to).first;
  auto back = linesBack.try_emplace({file.str(), to}, from).first;
  return known->second == to && back->second == from;
}

bool AlikeCode::addScope(Attribute from, Attribute to) {
  auto subprogram = dyn_cast<LLVM::DISubprogramAttr>(from);
  auto other = dyn_cast<LLVM::DISubprogramAttr>(to);
  if (!subprogram || !other)
    return from == to;
  auto file = subprogram.getFile();
  return file == other.getFile() &&
         (!file ||
          (addLine(file.getName(), subprogram.getLine(), other.getLine()) &&
           addLine(file.getName(), subprogram.getScopeLine(),
                   other.getScopeLine())));
}

bool AlikeCode::addLocation(Location from, Location to) {
  if (from->getTypeID() != to->getTypeID())
    return false;
  if (auto place = dyn_cast<FileLineColLoc>(from)) {
    auto other = cast<FileLineColLoc>(to);
    return place.getFilename() == other.getFilename() &&
           place.getColumn() == other.getColumn() &&
           addLine(place.getFilename(), place.getLine(), other.getLine()) &&
           places.try_emplace(place, other).first->second == other;
  }
  if (auto fused = dyn_cast<FusedLoc>(from)) {
    auto other = cast<FusedLoc>(to);
    if (fused.getLocations().size() != other.getLocations().size() ||
        !fused.getMetadata() != !other.getMetadata())
      return false;
    for (auto [part, otherPart] :
         llvm::zip_equal(fused.getLocations(), other.getLocations()))
      if (!addLocation(part, otherPart))
        return false;
    return !fused.getMetadata() ||
           addScope(fused.getMetadata(), other.getMetadata());
  }
  if (auto call = dyn_cast<CallSiteLoc>(from)) {
    auto other = cast<CallSiteLoc>(to);
    return addLocation(call.getCallee(), other.getCallee()) &&
           addLocation(call.getCaller(), other.getCaller());
  }
  if (auto name = dyn_cast<NameLoc>(from)) {
    auto other = cast<NameLoc>(to);
    return name.getName() == other.getName() &&
           addLocation(name.getChildLoc(), other.getChildLoc());
  }
  return from == to;
}

/// A copy in which loops of LLVM's do not say where they are.
static Operation *cloneWithoutPlaces(Operation *op) {
  Operation *copy = op->clone();
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LoopAnnotationAttr loop) -> Attribute {
    return LLVM::LoopAnnotationAttr::get(
        loop.getContext(), loop.getDisableNonforced(), loop.getVectorize(),
        loop.getInterleave(), loop.getUnroll(), loop.getUnrollAndJam(),
        loop.getLicm(), loop.getDistribute(), loop.getPipeline(),
        loop.getPeeled(), loop.getUnswitch(), loop.getMustProgress(),
        loop.getIsVectorized(), /*startLoc=*/FusedLoc(), /*endLoc=*/FusedLoc(),
        loop.getParallelAccesses());
  });
  replacer.recursivelyReplaceElementsIn(copy);
  return copy;
}

/// Where loops of LLVM's that end at `op` are.
static void addLoopPlaces(Operation *op, SmallVector<Location> &found) {
  auto loop = op->getAttrOfType<LLVM::LoopAnnotationAttr>("loop_annotation");
  if (!loop)
    return;
  for (FusedLoc place : {loop.getStartLoc(), loop.getEndLoc()})
    if (place)
      found.push_back(place);
}

bool AlikeCode::addPositions(Operation *from, Operation *to) {
  // They are equal but for that, so that walks meet what belongs together.
  SmallVector<Location> these, those;
  auto collect = [](Operation *op, SmallVector<Location> &found) {
    op->walk<WalkOrder::PreOrder>([&](Operation *each) {
      found.push_back(each->getLoc());
      addLoopPlaces(each, found);
      for (Region &region : each->getRegions())
        for (BlockArgument argument : region.getArguments())
          found.push_back(argument.getLoc());
    });
  };
  collect(from, these);
  collect(to, those);
  return these.size() == those.size() &&
         llvm::all_of(llvm::zip_equal(these, those), [&](auto pair) {
           return addLocation(std::get<0>(pair), std::get<1>(pair));
         });
}

std::optional<AlikeCode> AlikeCode::find(ArrayRef<Operation *> from,
                                         ArrayRef<Operation *> to) {
  AlikeCode alike;
  if (from.size() != to.size())
    return std::nullopt;
  for (auto [one, other] : llvm::zip_equal(from, to))
    if (!alike.addNames(one, other))
      return std::nullopt;
  Names back = reversed(alike.names), sourcesBack = reversed(alike.sources);
  for (auto [one, other] : llvm::zip_equal(from, to)) {
    OwningOpRef<Operation *> original = cloneWithoutPlaces(one);
    OwningOpRef<Operation *> copy = cloneWithoutPlaces(other);
    renameSymbols(*copy, back, llvm::DenseMap<Attribute, Attribute>(),
                  /*withLocations=*/false);
    renameSources(*copy, sourcesBack);
    if (!OperationEquivalence::isEquivalentTo(
            *original, *copy, OperationEquivalence::IgnoreLocations) ||
        !alike.addPositions(one, other))
      return std::nullopt;
  }
  llvm::sort(alike.names, [](const auto &left, const auto &right) {
    return left.first.size() > right.first.size();
  });
  return alike;
}

//===----------------------------------------------------------------------===//
// Making one of the other
//===----------------------------------------------------------------------===//

/// The name that `names` has in the place of `name`, which may be null.
static StringAttr otherName(StringAttr name, const Names &names) {
  for (const auto &[from, to] : names)
    if (name && name.getValue() == from)
      return StringAttr::get(name.getContext(), to);
  return name;
}

/// The scopes of `module` that are those of `from`. What is parsed has others
/// than what it was printed from.
void AlikeCode::addScopesOf(
    ModuleOp module, llvm::DenseMap<Attribute, Attribute> &scopes) const {
  MLIRContext *context = module.getContext();
  AttrTypeWalker walker;
  walker.addWalk([&](LLVM::DISubprogramAttr scope) {
    if (!scope.getFile() || scopes.contains(scope))
      return;
    StringAttr name = otherName(scope.getName(), sources);
    StringAttr linkageName = otherName(scope.getLinkageName(), names);
    if (name == scope.getName() && linkageName == scope.getLinkageName())
      return;
    std::string file = scope.getFile().getName().str();
    auto line = lines.find({file, scope.getLine()});
    auto scopeLine = lines.find({file, scope.getScopeLine()});
    if (line == lines.end() || scopeLine == lines.end())
      return;
    scopes[scope] = LLVM::DISubprogramAttr::get(
        context, DistinctAttr::create(UnitAttr::get(context)),
        scope.getCompileUnit(), scope.getScope(), name, linkageName,
        scope.getFile(), line->second, scopeLine->second,
        scope.getSubprogramFlags(), scope.getType(), scope.getRetainedNodes(),
        scope.getAnnotations());
  });
  module->walk([&](Operation *op) { walker.walk(LocationAttr(op->getLoc())); });
}

void AlikeCode::rename(ModuleOp module) const {
  llvm::DenseMap<Attribute, Attribute> others = places;
  addScopesOf(module, others);
  renameSymbols(module, names, others, /*withLocations=*/true);
  renameSources(module, sources);
}

std::optional<SourcePosition>
AlikeCode::rename(const SourcePosition &position) const {
  SourcePosition result = position;
  if (position.line == 0)
    return result;
  auto line = lines.find({position.file, position.line});
  if (line == lines.end())
    return std::nullopt;
  result.line = line->second;
  return result;
}

std::optional<std::string> AlikeCode::renameLines(StringRef numbers) const {
  std::string result;
  for (StringRef text : llvm::split(numbers, ", ")) {
    unsigned line = 0;
    std::optional<unsigned> other;
    if (!text.getAsInteger(10, line))
      other = findLine(line);
    if (!other)
      return std::nullopt;
    result += (result.empty() ? "" : ", ") + std::to_string(*other);
  }
  return result;
}

bool AlikeCode::isNamedIn(StringRef text) const {
  return llvm::any_of(
      names, [&](const auto &name) { return text.contains(name.first); });
}

bool AlikeCode::hasMangledNames() const {
  return llvm::all_of(names, [](const auto &name) {
    return StringRef(name.first).starts_with("_Z") &&
           StringRef(name.second).starts_with("_Z");
  });
}

/// The line of `to` for one of `from` in the one file that a text has.
std::optional<unsigned> AlikeCode::findLine(unsigned line) const {
  if (line == 0)
    return line;
  std::optional<unsigned> found;
  for (const auto &[place, other] : lines) {
    if (place.second != line)
      continue;
    if (found && *found != other)
      return std::nullopt;
    found = other;
  }
  return found;
}

void AlikeCode::renameWords(StringRef line, std::string &result) const {
  while (!line.empty()) {
    size_t first = StringRef::npos;
    const std::pair<std::string, std::string> *next = nullptr;
    for (const auto &name : names)
      if (size_t place = line.find(name.first); place < first) {
        first = place;
        next = &name;
      }
    result += line.take_front(first);
    if (!next)
      return;
    result += next->second;
    line = line.drop_front(first + next->first.size());
  }
}

std::optional<std::string> AlikeCode::renamePTX(StringRef text) const {
  constexpr StringLiteral location = "\t.loc\t", file = "\t.file\t";
  if (!hasMangledNames() || text.count(file) > 1)
    return std::nullopt;
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    StringRef numbers = line;
    unsigned number = 0, place = 0;
    if (!numbers.consume_front(location)) {
      renameWords(line, result);
    } else {
      if (numbers.consumeInteger(10, number) || !numbers.consume_front(" ") ||
          numbers.consumeInteger(10, place))
        return std::nullopt;
      std::optional<unsigned> other = findLine(place);
      if (!other)
        return std::nullopt;
      result +=
          (location + Twine(number) + " " + Twine(*other) + numbers).str();
    }
    result += '\n';
  }
  return result;
}
