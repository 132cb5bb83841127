//===- gpuopt-mutate.cpp - does a check find planted miscompilations? -----===//
//
// Compiles a kernel, plants one miscompilation after the other in what the
// passes made of it, and checks each with the library behind `gpuopt check`,
// which must find all of them. Places that no thread reaches do not count: a
// trap that is planted there instead shows which they are. A tool of the tests.
//
//===----------------------------------------------------------------------===//

#include "test/mutation/Harmless.h"
#include "test/mutation/Mutations.h"

#include "tools/lib/check/Check.h"
#include "tools/lib/program/DeviceSection.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <random>

using namespace gpuopt;
using namespace mlir;
namespace cl = llvm::cl;

static cl::opt<std::string> inputPath(cl::Positional, cl::Required,
                                      cl::desc("FILE"));
static cl::opt<std::string> kernelName("kernel", cl::Required,
                                       cl::desc("the kernel"));
static cl::opt<std::string> target("target", cl::init("sm_90"),
                                   cl::desc("the GPU"));
static cl::list<std::string> sizes("size", cl::CommaSeparated,
                                   cl::desc("NAME=V,…"));
static cl::opt<std::string> block("block", cl::desc("X,Y,Z"));
static cl::opt<unsigned> count("count", cl::init(10),
                               cl::desc("how many to plant (default: 10)"));
static cl::opt<unsigned> seed("seed", cl::init(1),
                              cl::desc("which ones (default: 1)"));
static cl::opt<std::string> only("only", cl::desc("only this kind"));

static cl::opt<std::string>
    section("section", cl::desc("plant one and write the device code of the "
                                "file, as an object file carries it"));

static cl::opt<std::string>
    dump("dump", cl::desc("write the kernel before and after each mutation "
                          "that survives to FILE.N.mlir"));

namespace {
/// What became of one mutation.
enum class Outcome { Found, Survived, NoEffect, NotReached, NotLegal };

/// One of the tuned kernels that run in the place of the source's.
struct Part {
  KernelInfo kernel;
  LaunchConfig launch;
  /// A copy of what the passes made.
  Operation *pristine;
};

/// Plants mutations in a kernel and puts it back.
class Planter {
public:
  Planter(const Compilation &compiled, const RunOptions &options)
      : compilation(compiled), kernel(compiled.kernels().front()),
        run(options) {}
  ~Planter() {
    for (Part &part : parts)
      part.pristine->destroy();
  }

  /// Notes which kernels run in `launches`.
  void addParts(llvm::ArrayRef<KernelLaunch> launches);
  /// The check of the kernel as it is now.
  llvm::Expected<KernelCheck> check() const;
  /// All that can be planted, in all parts.
  std::vector<Mutation> mutations() const;
  /// Plants the mutation with this number, checks, and puts the kernel back.
  Outcome tryOne(size_t number, std::string &how);

private:
  /// Why the mutation with this number has no effect; empty where it may.
  std::string whyHarmless(size_t number);
  void restore();
  void write(size_t number, llvm::StringRef when) const;

  const Compilation &compilation;
  const KernelInfo &kernel;
  const RunOptions &run;
  std::vector<Part> parts;
};
} // namespace

void Planter::addParts(llvm::ArrayRef<KernelLaunch> launches) {
  for (const KernelInfo &phase : compilation.phases(kernel)) {
    gpu::GPUFuncOp function = compilation.tunedKernel(phase);
    auto launch = llvm::find_if(launches, [&](const KernelLaunch &candidate) {
      return candidate.symbol == phase.symbol;
    });
    if (function && launch != launches.end())
      parts.push_back({phase, launch->config, function->clone()});
  }
}

/// Tells mutations of one kind apart that operations of one place have: `#2`.
static void numberWithinPlaces(std::vector<Mutation> &mutations) {
  std::map<std::pair<std::string, std::string>, std::vector<Mutation *>> places;
  for (Mutation &mutation : mutations)
    places[{mutation.kind, mutation.where}].push_back(&mutation);
  for (auto &[place, here] : places)
    for (auto [number, mutation] : llvm::enumerate(here))
      if (here.size() > 1)
        mutation->where += " #" + std::to_string(number + 1);
}

std::vector<Mutation> Planter::mutations() const {
  std::vector<Mutation> all;
  for (const Part &part : parts)
    llvm::append_range(all, findMutations(compilation.tunedKernel(part.kernel),
                                          part.launch, seed));
  numberWithinPlaces(all);
  return all;
}

void Planter::restore() {
  for (const Part &part : parts) {
    gpu::GPUFuncOp function = compilation.tunedKernel(part.kernel);
    OpBuilder(function).clone(*part.pristine);
    function.erase();
  }
}

void Planter::write(size_t number, llvm::StringRef when) const {
  std::error_code error;
  llvm::raw_fd_ostream file(
      (dump + "." + llvm::Twine(number) + "." + when + ".mlir").str(), error);
  if (!error)
    file << compilation.tuned() << '\n';
}

llvm::Expected<KernelCheck> Planter::check() const {
  CheckOptions options;
  options.runs.push_back(run);
  options.maxSeconds = 10;
  return KernelChecker(compilation, kernel, options).check(run);
}

/// What a failed check says first.
static std::string reasonOf(const KernelCheck &check) {
  if (!check.tunedFaults.empty())
    return check.tunedFaults.front().message;
  for (const ArrayComparison &array : check.arrays) {
    if (int64_t differing = array.mismatches + array.withoutBound)
      return array.name + ": " + std::to_string(differing) + " of " +
             std::to_string(array.elements) + " differ";
    if (array.strayWrites)
      return array.name + ": " + std::to_string(array.strayWrites) +
             " changed that the original leaves alone";
  }
  for (const KernelCheck &extremes : check.withExtremes)
    if (!extremes.passed())
      return "with extreme inputs, " + reasonOf(extremes);
  return "the launch is not tuned";
}

static bool hasTrap(const KernelCheck &check) {
  return llvm::any_of(check.tunedFaults, [](const ExecutionFault &fault) {
    return fault.kind == ExecutionFault::Kind::Trap;
  });
}

std::string Planter::whyHarmless(size_t number) {
  Mutation mutation = mutations()[number];
  if (!mutation.harmless.empty() || !mutation.expose)
    return mutation.harmless;
  std::string why;
  if (mutation.expose()) {
    llvm::Expected<KernelCheck> exposed = check();
    if (!exposed)
      llvm::consumeError(exposed.takeError());
    else if (exposed->passed())
      why = kExposedReason;
  }
  restore();
  return why;
}

Outcome Planter::tryOne(size_t number, std::string &how) {
  mutations()[number].plant();
  llvm::Expected<KernelCheck> planted = check();
  restore();
  if (!planted) {
    how = toString(planted.takeError());
    return Outcome::NotLegal;
  }
  if (!planted->passed()) {
    how = reasonOf(*planted);
    return Outcome::Found;
  }
  mutations()[number].trap();
  llvm::Expected<KernelCheck> trapped = check();
  restore();
  if (!trapped) {
    how = toString(trapped.takeError());
    return Outcome::NotLegal;
  }
  if (!hasTrap(*trapped))
    return Outcome::NotReached;
  how = whyHarmless(number);
  if (!how.empty())
    return Outcome::NoEffect;
  if (!dump.empty()) {
    write(number, "before");
    mutations()[number].plant();
    write(number, "after");
    restore();
  }
  return Outcome::Survived;
}

/// Numbers of mutations, of each kind in turn, in an order that the seed
/// decides.
static std::vector<size_t> chooseOrder(const std::vector<Mutation> &mutations) {
  std::map<std::string, std::vector<size_t>> kinds;
  for (auto [number, mutation] : llvm::enumerate(mutations))
    if (only.empty() || mutation.kind == only)
      kinds[mutation.kind].push_back(number);
  std::mt19937 random(seed);
  std::vector<std::vector<size_t>> lists;
  for (auto &[kind, numbers] : kinds) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    lists.push_back(numbers);
  }
  std::shuffle(lists.begin(), lists.end(), random);
  std::vector<size_t> order;
  for (size_t round = 0, left = 1; left; ++round) {
    left = 0;
    for (const std::vector<size_t> &list : lists)
      if (round < list.size()) {
        order.push_back(list[round]);
        ++left;
      }
  }
  return order;
}

static int complain(const llvm::Twine &message) {
  llvm::errs() << "gpuopt-mutate: " << message << '\n';
  return 2;
}

static bool parseRun(RunOptions &run, CompileOptions &options) {
  for (llvm::StringRef part : sizes) {
    auto [name, text] = part.split('=');
    std::optional<Number> value = parseNumber(text);
    if (!value)
      return false;
    run.sizes[name.str()] = *value;
    if (std::optional<int64_t> integer = toInteger(*value))
      options.sizes[name] = *integer;
  }
  if (block.empty())
    return true;
  Dim3 shape = {1, 1, 1};
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(block).split(parts, ',');
  for (size_t dim = 0; dim < std::min<size_t>(parts.size(), 3); ++dim)
    if (parts[dim].getAsInteger(10, shape[dim]))
      return false;
  run.block = shape;
  return true;
}

/// Plants `count` mutations that some thread reaches; prints what became of
/// each.
static int plantAll(Planter &planter) {
  std::vector<Mutation> mutations = planter.mutations();
  unsigned planted = 0, survived = 0, harmless = 0, notReached = 0;
  for (size_t number : chooseOrder(mutations)) {
    if (planted == count)
      break;
    std::string how;
    Outcome outcome = planter.tryOne(number, how);
    notReached += outcome == Outcome::NotReached;
    if (outcome == Outcome::NotReached || outcome == Outcome::NotLegal)
      continue;
    ++planted;
    survived += outcome == Outcome::Survived;
    harmless += outcome == Outcome::NoEffect;
    llvm::outs() << (outcome == Outcome::Found      ? "found: "
                     : outcome == Outcome::NoEffect ? "no effect: "
                                                    : "SURVIVED: ")
                 << kernelName << " " << target << ": "
                 << mutations[number].kind << ": " << mutations[number].where;
    if (!how.empty())
      llvm::outs() << " (" << how << ')';
    llvm::outs() << '\n';
  }
  llvm::outs() << kernelName << " " << target << ": " << planted << " planted, "
               << planted - survived - harmless << " found, " << harmless
               << " without effect, " << survived << " survived; " << notReached
               << " places not reached\n";
  return survived ? 1 : 0;
}

/// Plants the first mutation of the wanted kind in the kernel, and writes what
/// `gpuopt cc` would have put into an object file.
static int writeSection(const Compilation &compilation) {
  auto wanted =
      llvm::find_if(compilation.kernels(), [](const KernelInfo &kernel) {
        return kernel.name == kernelName;
      });
  if (wanted == compilation.kernels().end())
    return complain("no kernel named '" + kernelName + "'");
  std::vector<Mutation> mutations =
      findMutations(compilation.tunedKernel(*wanted), LaunchConfig(), seed);
  auto mutation = llvm::find_if(mutations, [](const Mutation &candidate) {
    return only.empty() || candidate.kind == only;
  });
  if (mutation == mutations.end())
    return complain("nothing to plant");
  mutation->plant();
  auto images = makeDeviceImages(compilation, /*isAssembled=*/false);
  if (!images)
    return complain(toString(images.takeError()));
  std::error_code error;
  llvm::raw_fd_ostream file(section, error);
  if (error)
    return complain(error.message());
  file << writeImages(*images);
  llvm::outs() << "planted: " << mutation->kind << ": " << mutation->where
               << '\n';
  return 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  CompileOptions options;
  RunOptions run;
  options.target = target;
  if (section.empty())
    options.kernels = {kernelName};
  if (!parseRun(run, options))
    return complain("--size takes NAME=NUMBER, --block X,Y,Z");
  std::unique_ptr<Compilation> compilation =
      Compilation::create(inputPath, options);
  if (!compilation)
    return 2;
  compilation->tuned()->getContext()->loadDialect<LLVM::LLVMDialect>();
  if (!section.empty())
    return writeSection(*compilation);
  Planter planter(*compilation, run);
  llvm::Expected<KernelCheck> right = planter.check();
  if (!right)
    return complain(toString(right.takeError()));
  if (!right->passed())
    return complain("the kernel fails without a mutation: " + reasonOf(*right));
  planter.addParts(right->tunedLaunches);
  return plantAll(planter);
}
