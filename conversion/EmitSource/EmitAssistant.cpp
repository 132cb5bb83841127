//===- EmitAssistant.cpp - the CPU's program beside a kernel --------------===//

#include "conversion/EmitSource/EmitAssistant.h"

#include "conversion/EmitSource/ArrangeKernel.h"
#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/LaunchSequence.h"
#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/Printer.h"
#include "conversion/EmitSource/TreePasses.h"
#include "dialects/GPUOpt/AttributeNames.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

//===----------------------------------------------------------------------===//
// What all programs have
//===----------------------------------------------------------------------===//

static constexpr const char *kFetchByPrefetch = R"(
// Brings what `address` points to into the caches.
#ifndef FETCH
#define FETCH(address) __builtin_prefetch(address)
#endif
)";

static constexpr const char *kFetchByLoad = R"(
// Brings what `address` points to into the caches.
#ifndef FETCH
#define FETCH(address) (void)*(const volatile char *)(address)
#endif
)";

static constexpr const char *kTypes = R"(
struct extent { int x, y, z; };

// A thread of the kernel.
struct thread { struct extent gridDim, blockDim, blockIdx, threadIdx; };

// The threads that the GPU runs at a time, and which of them are visited.
struct walk {
  struct extent grid;
  long long first_block;
  long long threads;
  // One of so many threads is visited.
  long long skip_factor;
  // How many have been. That it is counted also keeps compilers from leaving
  // visits out, which they take to do nothing.
  long long visits;)";

static constexpr const char *kAdaptiveState = R"(
  // Hits of this CPU in the cache that it shares with the GPU, so far.
  unsigned long long (*shared_cache_hits)(void);
  long long hits_before;
  // What the factor was last reduced to.
  long long reduced_to;)";

static constexpr const char *kThreadAt = R"(
static struct extent position(struct extent size, long long number) {
  struct extent at = {(int)(number % size.x), (int)(number / size.x % size.y),
                      (int)(number / size.x / size.y)};
  return at;
}

// One of the threads that `walk` is at.
static inline struct thread thread_at(const struct walk *walk, unsigned which) {
  const long long block = walk->first_block + which / block_size;
  const unsigned at = which % block_size;
  // Most grids are one row of blocks.
  const struct extent in_row = {(int)block, 0, 0};
  const struct thread thread = {
      walk->grid, {block_x, block_y, block_z},
      block < walk->grid.x ? in_row : position(walk->grid, block),
      {(int)(at % block_x), (int)(at / block_x % block_y),
       (int)(at / (block_x * block_y))}};
  return thread;
}
)";

static constexpr const char *kEnter = R"(
// Goes on to `blocks` blocks.
static void enter(struct walk *walk, long long first_block, long long blocks) {
  walk->first_block = first_block;
  walk->threads = blocks * block_size;
}
)";

static constexpr const char *kAdapt = R"(
// With many hits in the shared cache the GPU has been here: get further ahead.
// With few there is time to leave out less. That it does not go to and fro
// between two factors, none is reduced to twice.
static void adapt(struct walk *walk) {
  const long long hits = (long long)walk->shared_cache_hits();
  if (hits - walk->hits_before > threshold) {
    walk->skip_factor += skip_step;
  } else if (walk->skip_factor > skip_step &&
             walk->reduced_to != walk->skip_factor - skip_step) {
    walk->skip_factor -= skip_step;
    walk->reduced_to = walk->skip_factor;
  }
  walk->hits_before = hits;
}
)";

//===----------------------------------------------------------------------===//
// The program of one kernel
//===----------------------------------------------------------------------===//

/// Names of the functions around the code of kernels.
static const llvm::StringSet<> &ownNames() {
  static const llvm::StringSet<> names = {"walk",          "thread",
                                          "which",         "next",
                                          "from",          "part",
                                          "skip",          "grid",
                                          "block",         "enter",
                                          "position",      "adapt",
                                          "blocks",        "first",
                                          "extent",        "threshold",
                                          "restrict",      "concurrent_blocks",
                                          "unroll_factor", "batch_size",
                                          "skip_step",     "shared_cache_hits",
                                          "FETCH",         "thread_at",
                                          "block_x",       "block_y",
                                          "block_z",       "block_size",
                                          "rest",          "first_skip_factor",
                                          "SKIP_FACTOR"};
  return names;
}

/// Whether the code around that of kernels has `name`; so it has `walk_1`.
static bool isOwnName(StringRef name) {
  if (ownNames().contains(name))
    return true;
  unsigned number;
  return (name.consume_front("walk_") || name.consume_front("fetch_")) &&
         !name.getAsInteger(10, number);
}

/// Has no variable hide what the code around it names. All that it is given are
/// arrays that it only reads.
static void fitIn(Kernel &tree) {
  llvm::StringSet<> names;
  for (const Variable &variable : tree.allVariables())
    names.insert(variable.name);
  for (Variable &variable : tree.allVariables()) {
    if (variable.isPointer)
      variable.isConst = true;
    if (!isOwnName(variable.name))
      continue;
    variable.name = legalName(variable.name, [&](StringRef name) {
      return names.contains(name) || isOwnName(name);
    });
    names.insert(variable.name);
  }
}

using Variables = llvm::SmallPtrSet<const Variable *, 16>;

/// The variables that the statements of `tree` read.
static Variables readVariables(Kernel &tree) {
  Variables read;
  forEachStmt(tree.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        read.insert(part->variable);
        if (part->variable)
          read.insert(part->variable->viewed);
      });
    });
  });
  return read;
}

/// The statements of a body that is printed in braces.
static StringRef withoutBraces(StringRef body) {
  body.consume_front("{\n");
  body.consume_back("}\n");
  return body;
}

namespace {
/// A function of one thread.
struct ThreadFunction {
  /// What follows `fetch_` and `walk_` in names.
  unsigned number = 0;
  /// What it is given besides the thread: declarations, and their names.
  std::string parameters, arguments;
  /// The iterators of the loops around it, for a person.
  std::string iterators;
  std::string body;
  bool readsIds = false;
};

bool readsIds(const ThreadFunction &function) { return function.readsIds; }

class AssistantEmitter {
public:
  AssistantEmitter(func::FuncOp host, const AssistantOptions &options)
      : host(host), options(options), spelling(OutputLanguage::C, headers) {}

  FailureOr<std::string> emit();

private:
  LogicalResult addFunction(gpu::LaunchFuncOp launch);
  void printWalk(const ThreadFunction &function, llvm::raw_ostream &stream);
  void printRenamed(const Kernel &tree, const Variables &read,
                    llvm::raw_ostream &stream);
  LogicalResult printHost(llvm::raw_ostream &stream);
  void printHead(llvm::raw_ostream &stream);
  bool isAdaptive() const { return !options.skipFactor; }

  func::FuncOp host;
  const AssistantOptions &options;
  Headers headers;
  Spelling spelling;
  std::vector<ThreadFunction> functions;
  /// By symbol.
  llvm::StringMap<std::string> walks;
};
} // namespace

/// Fails where `function` computes with numbers that C has no type for.
static LogicalResult checkNumbers(gpu::GPUFuncOp function) {
  auto isSmall = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  };
  WalkResult walked = function.walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() ||
        llvm::none_of(op->getResultTypes(), isSmall))
      return WalkResult::advance();
    op->emitError("floating-point numbers of 16 bits, on which an access "
                  "depends, have no form in C");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// A host has the exact functions only.
static void forgetApproximations(gpu::GPUFuncOp function) {
  function.walk([](arith::ArithFastMathInterface op) {
    arith::FastMathFlags flags = op.getFastMathFlagsAttr().getValue();
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(
                    op->getContext(), flags & ~arith::FastMathFlags::afn));
  });
}

/// Reads the kernel that `launch` names; what it does not need it is not given.
LogicalResult AssistantEmitter::addFunction(gpu::LaunchFuncOp launch) {
  auto function = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernel());
  function->removeAttr(kStructuresAttrName);
  forgetApproximations(function);
  if (failed(checkNumbers(function)))
    return failure();
  Kernel tree(function.getLoc());
  if (failed(KernelBuilder(tree, function).build()))
    return failure();
  arrangeKernel(tree, spelling);
  fitIn(tree);
  ThreadFunction made;
  made.number = functions.size() + 1;
  auto read = readVariables(tree);
  // What the host has from its caller is the kernel's; else it is a loop's.
  for (auto [parameter, operand] :
       llvm::zip(tree.parameters, launch.getKernelOperands()))
    if (!llvm::is_contained(host.getArguments(), operand))
      made.iterators +=
          (made.iterators.empty() ? "" : " and ") + parameter->name;
  MutableOperandRange given = launch.getKernelOperandsMutable();
  for (unsigned i = tree.parameters.size(); i-- > 0;)
    if (!read.contains(tree.parameters[i]))
      given.erase(i);
  for (const Variable *parameter : tree.parameters)
    if (read.contains(parameter)) {
      made.parameters += ", " + spelling.parameter(*parameter);
      made.arguments += ", " + parameter->name;
    }
  made.readsIds = llvm::any_of(tree.allVariables(), [](const Variable &id) {
    return id.kind == Variable::Builtin && !id.initializer.empty();
  });
  llvm::raw_string_ostream stream(made.body);
  if (failed(Printer(tree, spelling, stream).printBody()))
    return failure();
  walks[function.getName()] = "walk_" + std::to_string(made.number);
  functions.push_back(std::move(made));
  return success();
}

/// Prints the function of a thread, and the one that visits all that the GPU
/// runs at a time (figures 6.3 and 6.7).
void AssistantEmitter::printWalk(const ThreadFunction &function,
                                 llvm::raw_ostream &stream) {
  stream << "\n// What one thread accesses"
         << (function.iterators.empty() ? "" : " in an iteration of ")
         << function.iterators << ".\nstatic void fetch_" << function.number
         << "(struct walk *walk, long long which" << function.parameters
         << ") {\nif (which >= walk->threads)\nreturn;\n++walk->visits;\n";
  if (function.readsIds)
    stream
        << "const struct thread thread = thread_at(walk, (unsigned)which);\n";
  stream << withoutBraces(function.body)
         << "}\n\n// The same for all threads that the GPU runs at a time.\n"
            "static void walk_"
         << function.number << "(struct walk *walk" << function.parameters
         << ") {\n";
  if (isAdaptive())
    stream << "long long next;\n"
              "for (long long from = 0; from < walk->threads; from = next) {\n"
              "const long long skip = walk->skip_factor;\n"
              "next = from + skip * unroll_factor * batch_size;\n"
              "for (int part = 0; part < batch_size; ++part) {\n"
              "const long long which = from + skip * unroll_factor * part;\n";
  else
    stream << "const long long skip = walk->skip_factor;\n"
              "for (long long which = 0; which < walk->threads; "
              "which += skip * unroll_factor) {\n";
  for (int64_t i = 0; i < options.unrollFactor; ++i)
    stream << "fetch_" << function.number << "(walk, which + skip * " << i
           << function.arguments << ");\n";
  stream << (isAdaptive() ? "}\nadapt(walk);\n}\n}\n" : "}\n}\n");
}

/// Says in a comment which of the parameters in `read` the kernel calls
/// otherwise: who calls the program may know them by these names.
void AssistantEmitter::printRenamed(const Kernel &tree, const Variables &read,
                                    llvm::raw_ostream &stream) {
  // The others are what the launch has.
  auto arguments =
      llvm::make_filter_range(host.getArguments(), [](BlockArgument argument) {
        return !isOfLaunch(argument);
      });
  StringRef before = "//\n";
  for (auto [parameter, argument] :
       llvm::zip_equal(tree.parameters, arguments)) {
    auto name = host.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  kNameAttrName);
    if (!name || name.getValue() == parameter->name ||
        !read.contains(parameter))
      continue;
    stream << before << "// " << parameter->name << " is what the kernel calls "
           << name.getValue() << ".\n";
    before = "";
  }
}

/// Prints what is called when the kernel has been launched.
LogicalResult AssistantEmitter::printHost(llvm::raw_ostream &stream) {
  Kernel tree(host.getLoc());
  if (failed(buildHostFunction(host, walks, "&walk", tree)))
    return failure();
  placeDeclarations(tree);
  chooseNames(tree);
  fitIn(tree);
  auto name = host->getAttrOfType<StringAttr>(kSourceNameAttrName);
  stream << "\n// Call this when the kernel has been launched, with its grid"
         << (isAdaptive() ? ", what counts hits in the\n// shared cache" : "")
         << " and those of its arguments that are named here. "
            "Returns how\n// often it has visited a thread.\n";
  auto read = readVariables(tree);
  printRenamed(tree, read, stream);
  stream << "long long prefetch_"
         << legalName(name ? name.getValue() : host.getName(),
                      [](StringRef) { return false; })
         << "(struct extent grid";
  if (isAdaptive())
    stream << ", unsigned long long (*shared_cache_hits)(void)";
  for (const Variable *parameter : tree.parameters)
    if (read.contains(parameter))
      stream << ", " << spelling.parameter(*parameter);
  stream << ") {\n";
  auto isOfBlock = [](const Variable *variable) {
    return variable && StringRef(variable->name).starts_with("block.");
  };
  if (llvm::any_of(read, isOfBlock))
    stream << "const struct extent block = {block_x, block_y, block_z};\n";
  stream << "struct walk walk = {.grid = grid, .skip_factor = "
         << (isAdaptive() ? "first_skip_factor" : "SKIP_FACTOR");
  if (isAdaptive())
    stream << ", .shared_cache_hits = shared_cache_hits";
  stream << "};\nconst long long blocks = (long long)grid.x * grid.y * grid.z;"
            "\nfor (long long first = 0; first < blocks; first += "
            "concurrent_blocks) {\nconst long long rest = blocks - first;\n"
            "enter(&walk, first, rest < concurrent_blocks ? rest : "
            "concurrent_blocks);\n";
  std::string body;
  llvm::raw_string_ostream bodyStream(body);
  LogicalResult isPrinted = Printer(tree, spelling, bodyStream).printBody();
  stream << withoutBraces(body) << "}\nreturn walk.visits;\n}\n";
  return isPrinted;
}

void AssistantEmitter::printHead(llvm::raw_ostream &stream) {
  for (const std::string &note : options.notes)
    stream << (note.empty() ? "//" : "// ") << note << '\n';
  stream << headers.text(OutputLanguage::C) << "\nenum {\n"
         << "// Threads of a block.\nblock_x = " << options.block[0]
         << ",\nblock_y = " << options.block[1]
         << ",\nblock_z = " << options.block[2]
         << ",\nblock_size = block_x * block_y * block_z,\n// Blocks that the "
            "GPU runs at a time.\nconcurrent_blocks = "
         << options.concurrentBlocks
         << ",\n// Threads that are visited one after the other.\n"
            "unroll_factor = "
         << options.unrollFactor;
  if (isAdaptive())
    stream << ",\n// How often, before the skip factor adapts.\nbatch_size = "
           << options.batchSize
           << ",\nfirst_skip_factor = " << options.firstSkipFactor
           << ",\nskip_step = " << options.skipStep
           << ",\n// More hits in a batch are many.\n"
              "threshold = "
           << options.threshold << "};\n";
  else
    stream << "};\n\n// One of so many threads is visited.\n#ifndef "
              "SKIP_FACTOR\n#define SKIP_FACTOR "
           << *options.skipFactor << "\n#endif\n";
  stream << (options.loads ? kFetchByLoad : kFetchByPrefetch) << kTypes
         << (isAdaptive() ? kAdaptiveState : "") << "\n};\n"
         << (llvm::any_of(functions, readsIds) ? kThreadAt : "") << kEnter
         << (isAdaptive() ? kAdapt : "");
}

FailureOr<std::string> AssistantEmitter::emit() {
  SmallVector<gpu::LaunchFuncOp> launches;
  host.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    if (failed(addFunction(launch)))
      return failure();
  std::string functionsText, hostText, head;
  llvm::raw_string_ostream functionsStream(functionsText), hostStream(hostText),
      headStream(head);
  for (const ThreadFunction &function : functions)
    printWalk(function, functionsStream);
  if (failed(printHost(hostStream)))
    return failure();
  printHead(headStream);
  return formatSource(head + functionsText + hostText);
}

FailureOr<std::string> gpuopt::emitAssistant(func::FuncOp host,
                                             const AssistantOptions &options) {
  return AssistantEmitter(host, options).emit();
}
