//===- LaunchHelper.cpp - the host's side of a tuned kernel ---------------===//
//
// Three forms. A kernel whose guards say how many work items have something to
// do is launched for these:
//
//   cudaError_t launch_mm(cudaStream_t stream, …, int m, int n, int k);
//
// Any other takes an original launch, and covers it by the rule that is
// documented at `GeometryAttr`; runtime/Launch.cpp computes it:
//
//   void launch_f(dim3 grid, dim3 block, size_t shared_bytes, …);
//
// The same declaration has what runs in the original's launch, but under
// conditions.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/LaunchHelper.h"

#include "conversion/EmitSource/LaunchProblem.h"
#include "conversion/EmitSource/LaunchTexts.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "runtime/Launch.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// `x`, `y`, `z`.
static std::string axisName(unsigned dim) { return std::string(1, 'x' + dim); }

/// Work items along a dimension have to be fewer, so that all positions in the
/// last of blocks of `perBlock` fit `int`.
static int64_t mostItems(int64_t perBlock) {
  return (int64_t(1) << 31) - perBlock;
}

static std::string hexadecimal(int64_t number) {
  return "0x" + llvm::utohexstr(number, /*LowerCase=*/true);
}

/// The name of the number of work items along a dimension.
static std::string itemsName(unsigned dim) { return "items_" + axisName(dim); }

/// Adds what is not there yet.
static void addOnce(std::vector<std::string> &all, std::string text) {
  if (!llvm::is_contained(all, text))
    all.push_back(std::move(text));
}

//===----------------------------------------------------------------------===//
// Launched for a problem
//===----------------------------------------------------------------------===//

namespace {
/// Prints a launch for the work items that have something to do.
class ProblemLaunch {
public:
  ProblemLaunch(const LaunchTexts &texts, const LaunchProblem &problem,
                llvm::raw_ostream &stream)
      : texts(texts), problem(problem), stream(stream) {}

  void print();
  void printComment();

private:
  /// An extent that is not one of the parameters, or a constant, has a name.
  struct Items {
    std::string text;
    bool isConstant = false, isUnsigned = false;
    unsigned bits = 64;
    bool isNamed = false;
  };
  Items itemsOf(unsigned dim) const;
  std::vector<std::string> negativeSizes() const;
  bool isEmpty() const;
  void printEmptyChecks(ArrayRef<unsigned> dims);
  void printError(ArrayRef<std::string> conditions);
  void printChecks();
  std::string blocksOf(ArrayRef<int64_t> itemsPerBlock) const;
  std::string blocksOf(ArrayRef<int64_t> itemsPerBlock, StringRef separator,
                       llvm::function_ref<std::string(unsigned)> textOf) const;
  std::string words() const;
  void printLaunch(StringRef kernel, const std::string &blocks,
                   ArrayRef<int64_t> block);

  const LaunchTexts &texts;
  const LaunchProblem &problem;
  llvm::raw_ostream &stream;
};
} // namespace

ProblemLaunch::Items ProblemLaunch::itemsOf(unsigned dim) const {
  if (problem.extents[dim].size() > 1)
    return {itemsName(dim), false, false, 64, /*isNamed=*/true};
  AffineExpr extent = problem.extents[dim].front();
  if (isa<AffineConstantExpr>(extent))
    return {texts.print(extent, {}), /*isConstant=*/true};
  // A parameter, whether it is read as signed or as the unsigned that it is.
  auto symbol = dyn_cast<AffineSymbolExpr>(extent);
  auto operation = dyn_cast<AffineBinaryOpExpr>(extent);
  if (operation && operation.getKind() == AffineExprKind::Mod)
    symbol = cast<AffineSymbolExpr>(operation.getLHS());
  if (symbol) {
    unsigned number = symbol.getPosition();
    bool isUnsigned =
        bool(texts.function.getArgAttr(number, kUnsignedAttrName));
    unsigned bits = bitsOfArgument(texts.function, number);
    if (isUnsigned == bool(operation) || bits == 64)
      return {texts.parameterName(number), false, isUnsigned, bits};
  }
  return {itemsName(dim), false, false, 64, /*isNamed=*/true};
}

/// Sizes that are too large for a launch, as unsigned numbers.
std::vector<std::string> ProblemLaunch::negativeSizes() const {
  std::vector<std::string> all;
  for (unsigned number : problem.nonNegative) {
    AffineExpr symbol =
        getAffineSymbolExpr(number, texts.function.getContext());
    // Alone, an unsigned number is compared with the most that there may be.
    bool isUnsigned =
        bool(texts.function.getArgAttr(number, kUnsignedAttrName));
    bool isAlone = llvm::any_of(problem.extents, [&](const auto &ends) {
      return ends.size() == 1 && ends.front() == symbol;
    });
    if (!isUnsigned || !isAlone)
      all.push_back(texts.print(symbol, {}) + " < 0");
  }
  return all;
}

/// Whether nothing is to do, whatever the arguments.
bool ProblemLaunch::isEmpty() const {
  return llvm::any_of(problem.extents, [](ArrayRef<AffineExpr> ends) {
    return llvm::any_of(ends, [](AffineExpr end) {
      auto constant = dyn_cast<AffineConstantExpr>(end);
      return constant && constant.getValue() <= 0;
    });
  });
}

/// Names the work items along `dims`, and ends where there are none.
void ProblemLaunch::printEmptyChecks(ArrayRef<unsigned> dims) {
  std::vector<std::string> isNothing;
  for (unsigned dim : dims) {
    Items items = itemsOf(dim);
    if (items.isNamed)
      stream << "const " << texts.typeOf(problem.extents[dim]) << " "
             << items.text << " = "
             << texts.printOneOf("min", problem.extents[dim],
                                 {.isWide = true, .isExact = false})
             << ";\n";
    addOnce(isNothing, items.text + (items.isUnsigned ? " == 0" : " <= 0"));
  }
  if (!isNothing.empty())
    stream << "if (" << llvm::join(isNothing, " || ") << ")\nreturn "
           << texts.spelling.hostAPI() << "Success;\n";
}

void ProblemLaunch::printError(ArrayRef<std::string> conditions) {
  if (!conditions.empty())
    stream << "if (" << llvm::join(conditions, " || ") << ")\nreturn "
           << texts.spelling.hostAPI() << "ErrorInvalidValue;\n";
}

/// Nothing to do is no error; what no launch can do is one. Nothing along one
/// dimension is nothing at all, however much there is along another.
void ProblemLaunch::printChecks() {
  std::vector<std::string> isLarge = negativeSizes(), isTooMuch;
  SmallVector<unsigned> known, unknown;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (problem.extents[dim].empty() || itemsOf(dim).isConstant)
      continue;
    bool isOfLarge = llvm::any_of(problem.extents[dim], [&](AffineExpr end) {
      return llvm::any_of(problem.nonNegative, [&](unsigned number) {
        return end.isFunctionOfSymbol(number);
      });
    });
    (isOfLarge && !isLarge.empty() ? unknown : known).push_back(dim);
    Items items = itemsOf(dim);
    int64_t perBlock =
        std::max(texts.geometry.getItemsPerBlock()[dim],
                 texts.conditions().empty() ? 1 : problem.originalBlock[dim]);
    if (items.bits > 32 ||
        (items.bits == 32 && (perBlock > 1 || items.isUnsigned)))
      addOnce(isTooMuch, items.text + " > " + hexadecimal(mostItems(perBlock)));
  }
  printEmptyChecks(known);
  printError(isLarge);
  printEmptyChecks(unknown);
  printError(isTooMuch);
}

/// "(n + 127) / 128, (m + 127) / 128": the numbers of blocks.
std::string ProblemLaunch::blocksOf(ArrayRef<int64_t> itemsPerBlock) const {
  return blocksOf(itemsPerBlock, ", ",
                  [&](unsigned dim) { return itemsOf(dim).text; });
}

std::string ProblemLaunch::blocksOf(
    ArrayRef<int64_t> itemsPerBlock, StringRef separator,
    llvm::function_ref<std::string(unsigned)> textOf) const {
  std::vector<std::string> blocks;
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t perBlock = itemsPerBlock[dim];
    ArrayRef<AffineExpr> ends = problem.extents[dim];
    auto constant = ends.size() == 1
                        ? dyn_cast<AffineConstantExpr>(ends.front())
                        : AffineConstantExpr();
    if (ends.empty()) {
      blocks.push_back("1");
    } else if (constant) {
      blocks.push_back(std::to_string(std::max<int64_t>(
          1, llvm::divideCeil(std::max<int64_t>(constant.getValue(), 0),
                              perBlock))));
    } else {
      std::string items = textOf(dim);
      blocks.push_back(perBlock == 1 ? items
                                     : "(" + items + " + " +
                                           std::to_string(perBlock - 1) +
                                           ") / " + std::to_string(perBlock));
    }
  }
  while (blocks.size() > 1 && blocks.back() == "1")
    blocks.pop_back();
  return llvm::join(blocks, separator);
}

/// "n x m", the problem in the order of its dimensions.
std::string ProblemLaunch::words() const {
  std::vector<std::string> extents;
  for (ArrayRef<AffineExpr> ends : problem.extents)
    if (!ends.empty())
      extents.push_back(texts.printOneOf("min", ends, {.isExact = false}));
  if (extents.size() > 1)
    for (std::string &text : extents)
      if (StringRef(text).contains(' '))
        text = "(" + text + ")";
  return llvm::join(extents, " x ");
}

void ProblemLaunch::printLaunch(StringRef kernel, const std::string &blocks,
                                ArrayRef<int64_t> block) {
  stream << texts.kernelName(kernel) << "<<<" << blocks << ", dim3("
         << joinDims(block) << "), 0, stream>>>("
         << llvm::join(texts.parameters(/*withTypes=*/false), ", ") << ");\n";
}

void ProblemLaunch::print() {
  StringRef api = texts.spelling.hostAPI();
  stream << "\n// Launches " << texts.name << " for " << words()
         << " work items.\n"
         << api << "Error_t launch_" << texts.name << "(" << api
         << "Stream_t stream, "
         << llvm::join(texts.parameters(/*withTypes=*/true), ", ") << ") {\n";
  if (isEmpty()) {
    stream << "return " << api << "Success;\n}\n";
    return;
  }
  printChecks();
  std::string blocks = blocksOf(texts.geometry.getItemsPerBlock());
  std::vector<std::string> conditions = texts.conditions();
  if (conditions.empty()) {
    stream << "const dim3 blocks(" << blocks << ");\n";
    printLaunch(texts.name, "blocks", texts.geometry.getBlock());
  } else {
    stream << "if (" << llvm::join(conditions, " && ") << ")\n";
    printLaunch(texts.name, "dim3(" + blocks + ")", texts.geometry.getBlock());
    stream << "else\n";
    printLaunch(texts.original, "dim3(" + blocksOf(problem.originalBlock) + ")",
                problem.originalBlock);
  }
  stream << "return " << api << "GetLastError();\n}\n";
}

void ProblemLaunch::printComment() {
  auto extentOf = [&](unsigned dim) {
    return texts.printOneOf("min", problem.extents[dim], {.isExact = false});
  };
  stream << "\n// Launch: "
         << blocksOf(texts.geometry.getItemsPerBlock(), " x ", extentOf)
         << " groups of " << joinDims(texts.geometry.getBlock(), " x ")
         << " work-items";
  std::vector<std::string> conditions = texts.conditions();
  if (conditions.empty()) {
    stream << ".\n";
    return;
  }
  stream << ", or " << words() << " work-items of " << texts.original
         << " where one of these is not so:\n";
  for (const std::string &condition : conditions)
    stream << "//   " << condition << '\n';
}

//===----------------------------------------------------------------------===//
// Launched in the place of an original launch
//===----------------------------------------------------------------------===//

/// What must not exceed the work items; empty where nothing guards them.
static std::string guardOf(const LaunchTexts &texts, unsigned dim) {
  ArrayAttr extents = texts.geometry.getExtents();
  auto map = extents ? dyn_cast<AffineMapAttr>(extents[dim]) : AffineMapAttr();
  if (!map)
    return "";
  AffineExpr extent = map.getValue().getResult(0);
  return texts.print(extent, {.isWide = !isa<AffineSymbolExpr>(extent)});
}

/// The number of work items along a dimension, in 64 bits.
static std::string workItems(const LaunchTexts &texts, unsigned dim) {
  if (auto map =
          texts.function->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName))
    return texts.print(map.getValue().getResult(dim),
                       {.isWide = true, .isFactor = true});
  std::string axis = axisName(dim);
  return "(long long)grid." + axis + " * block." + axis;
}

/// Under which the tuned kernel does what an original launch does.
static std::vector<std::string> coverConditions(const LaunchTexts &texts) {
  std::vector<std::string> all;
  GeometryAttr geometry = texts.geometry;
  auto ownItems =
      texts.function->getAttrOfType<AffineMapAttr>(kWorkItemsAttrName);
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::string items = itemsName(dim);
    int64_t perBlock = geometry.getItemsPerBlock()[dim];
    // Without work items there is nothing to launch.
    if (ownItems &&
        !isa<AffineConstantExpr>(ownItems.getValue().getResult(dim)))
      all.push_back((perBlock == 1 ? workItems(texts, dim) : items) + " > 0");
    if (!geometry.getOriginalBlock().empty() &&
        geometry.getOriginalBlock()[dim] != 0)
      all.push_back("block." + axisName(dim) +
                    " == " + std::to_string(geometry.getOriginalBlock()[dim]));
    if (perBlock == 1)
      continue;
    std::string exact = items + " % " + std::to_string(perBlock) + " == 0";
    std::string guard = guardOf(texts, dim);
    all.push_back(guard.empty()
                      ? exact
                      : "(" + exact + " || " + guard + " <= " + items + ")");
    // All positions in the last block have to fit `int`.
    int64_t most = std::numeric_limits<int32_t>::max() / perBlock * perBlock;
    // The launch that is asked for is within the limits of grids.
    if (dim != 0 && texts.function->hasAttr(kWorkItemsAttrName))
      most = std::min<int64_t>(most, kMostBlocksAlongYOrZ * perBlock);
    all.push_back(items + " <= " + hexadecimal(most));
  }
  llvm::append_range(all, texts.conditions());
  return all;
}

/// A launch that is within the limits of grids need not be when its blocks are
/// cut in another way. Along what the kernel does not ask for, blocks have one
/// thread.
static std::vector<std::string> gridConditions(const LaunchTexts &texts) {
  if (texts.function->hasAttr(kWorkItemsAttrName))
    return {};
  std::array<bool, 3> asked = {};
  texts.function.walk([&](gpu::BlockIdOp id) {
    asked[static_cast<unsigned>(id.getDimension())] = true;
  });
  ArrayRef<int64_t> original = texts.geometry.getOriginalBlock();
  std::vector<std::string> all;
  for (unsigned dim = 1; dim < 3; ++dim) {
    int64_t known = original.empty() ? 0 : original[dim];
    bool isCoarser = known && known <= texts.geometry.getItemsPerBlock()[dim];
    if (asked[dim] && !isCoarser)
      all.push_back("blocks." + axisName(dim) +
                    " <= " + std::to_string(kMostBlocksAlongYOrZ));
  }
  return all;
}

/// The launch in words, for languages whose host code is not here.
static void printCoverComment(const LaunchTexts &texts,
                              llvm::raw_ostream &stream) {
  auto dims = [](ArrayRef<int64_t> values) {
    return llvm::join(
        llvm::map_range(values,
                        [](int64_t value) { return std::to_string(value); }),
        " x ");
  };
  stream << "\n// Launch: " << texts.name;
  std::vector<std::string> conditions;
  if (texts.geometry) {
    stream << " in groups of " << dims(texts.geometry.getBlock())
           << " work-items, each group for "
           << dims(texts.geometry.getItemsPerBlock())
           << " of the original ones.\n// It takes the place of ";
    conditions = coverConditions(texts);
  } else {
    stream << " as the original.\n// It takes the place of ";
    conditions = texts.conditions();
  }
  stream << texts.original << " where";
  stream << (conditions.empty() ? " any launch is asked for.\n" : ":\n");
  for (const std::string &condition : conditions)
    stream << "//   " << condition << '\n';
}

/// Prints the launch of `kernel`.
static void printLaunch(const LaunchTexts &texts, StringRef kernel,
                        const std::string &grid, const std::string &block,
                        llvm::raw_ostream &stream) {
  stream << texts.kernelName(kernel) << "<<<" << grid << ", " << block
         << ", shared_bytes, stream>>>("
         << llvm::join(texts.parameters(/*withTypes=*/false), ", ") << ");\n";
}

/// Prints the launch of the tuned kernel, and of the original where one of
/// `conditions` is not so.
static void printLaunches(const LaunchTexts &texts,
                          ArrayRef<std::string> conditions,
                          const std::string &grid, const std::string &block,
                          llvm::raw_ostream &stream) {
  if (!conditions.empty())
    stream << "if (" << llvm::join(conditions, " && ") << ")\n";
  printLaunch(texts, texts.name, grid, block, stream);
  if (conditions.empty())
    return;
  stream << "else\n";
  printLaunch(texts, texts.original, "grid", "block", stream);
}

static void printCover(const LaunchTexts &texts, llvm::raw_ostream &stream) {
  StringRef api = texts.spelling.hostAPI();
  stream << "\n// Launches " << texts.name << " in place of " << texts.original
         << "<<<grid, block>>>.\nvoid launch_" << texts.name
         << "(dim3 grid, dim3 block, size_t shared_bytes, " << api
         << "Stream_t stream, " << llvm::join(texts.parameters(true), ", ")
         << ") {\n";
  // Where the kernel has no geometry of its own, it has the original's.
  if (!texts.geometry) {
    printLaunches(texts, texts.conditions(), "grid", "block", stream);
    stream << "}\n";
    return;
  }
  bool hasOwnItems = texts.function->hasAttr(kWorkItemsAttrName);
  std::string blocks[3];
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::string axis = axisName(dim);
    int64_t perBlock = texts.geometry.getItemsPerBlock()[dim];
    if (perBlock == 1) {
      blocks[dim] = hasOwnItems ? workItems(texts, dim)
                                : "grid." + axis + " * block." + axis;
      continue;
    }
    stream << "const long long items_" << axis << " = " << workItems(texts, dim)
           << ";\n";
    blocks[dim] = "(items_" + axis + " + " + std::to_string(perBlock - 1) +
                  ") / " + std::to_string(perBlock);
  }
  std::vector<std::string> conditions = coverConditions(texts);
  llvm::append_range(conditions, gridConditions(texts));
  stream << "const dim3 blocks(" << blocks[0] << ", " << blocks[1] << ", "
         << blocks[2] << ");\n";
  printLaunches(texts, conditions, "blocks",
                "dim3(" + joinDims(texts.geometry.getBlock()) + ")", stream);
  stream << "}\n";
}

//===----------------------------------------------------------------------===//
// Either
//===----------------------------------------------------------------------===//

/// The texts for one form or the other.
static LaunchTexts makeTexts(gpu::GPUFuncOp function, GeometryAttr geometry,
                             const Spelling &spelling,
                             const std::optional<LaunchProblem> &problem) {
  LaunchTexts texts{function, geometry, spelling};
  texts.ownNames = {"stream", "blocks", "items_x", "items_y", "items_z"};
  for (StringRef name : {"Success", "ErrorInvalidValue", "GetLastError"})
    texts.ownNames.push_back((spelling.hostAPI() + name).str());
  if (!problem) {
    texts.ownNames.append({"grid", "block", "shared_bytes"});
    return texts;
  }
  // Of a quotient it is not known, as C rounds toward zero.
  for (ArrayRef<AffineExpr> ends : problem->extents)
    for (AffineExpr extent : ends) {
      bool isUnsigned = extent.getKind() == AffineExprKind::Mod;
      if (isUnsigned || isa<AffineSymbolExpr>(extent))
        texts.positive.push_back(extent);
      // No more than a launch can have, it is the same number with a sign.
      if (isUnsigned && ends.size() == 1)
        texts.positive.push_back(cast<AffineBinaryOpExpr>(extent).getLHS());
    }
  return texts;
}

/// A kernel with work items of its own runs in blocks of any shape.
static GeometryAttr findGeometry(gpu::GPUFuncOp function) {
  auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  if (!geometry && function->hasAttr(kWorkItemsAttrName))
    return GeometryAttr::get(function.getContext(), {256, 1, 1}, {1, 1, 1},
                             {256, 1, 1}, {}, {});
  return geometry;
}

bool gpuopt::source::hasLaunchHelper(gpu::GPUFuncOp function,
                                     const Spelling &spelling) {
  GeometryAttr geometry = findGeometry(function);
  return geometry ||
         !makeTexts(function, geometry, spelling, {}).conditions().empty();
}

bool gpuopt::source::launchesOriginal(gpu::GPUFuncOp function,
                                      gpu::GPUFuncOp original,
                                      const Spelling &spelling) {
  std::optional<LaunchProblem> problem = findLaunchProblem(function, original);
  if (!problem)
    return true;
  auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  return !makeTexts(function, geometry, spelling, problem).conditions().empty();
}

void gpuopt::source::printLaunchHelper(gpu::GPUFuncOp function, StringRef name,
                                       gpu::GPUFuncOp original,
                                       StringRef originalName,
                                       const Spelling &spelling,
                                       llvm::raw_ostream &stream) {
  std::optional<LaunchProblem> problem = findLaunchProblem(function, original);
  LaunchTexts texts =
      makeTexts(function, findGeometry(function), spelling, problem);
  texts.name = name;
  texts.original = originalName;
  if (problem) {
    ProblemLaunch launch(texts, *problem, stream);
    return spelling.isOpenCL() ? launch.printComment() : launch.print();
  }
  return spelling.isOpenCL() ? printCoverComment(texts, stream)
                             : printCover(texts, stream);
}
