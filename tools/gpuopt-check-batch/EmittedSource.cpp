//===- EmittedSource.cpp - kernels as source, against the original --------===//

#include "Requests.h"

#include "conversion/EmitBinary/FileOutput.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace gpuopt;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Writing it
//===----------------------------------------------------------------------===//

/// What each launch has to cover, as far as it is known.
static json::Array extentsOf(const Compilation &compilation,
                             const KernelInfo &kernel,
                             const json::Array &launches) {
  json::Array all;
  for (const json::Value &launch : launches) {
    SizeMap scalars;
    for (const auto &[name, size] : readLaunch(*launch.getAsObject()).sizes)
      if (std::optional<int64_t> integer = toInteger(size))
        scalars[name] = *integer;
    auto geometry = compilation.geometry(kernel, scalars);
    json::Array extents;
    for (unsigned dim = 0; dim < 3; ++dim)
      extents.push_back(geometry ? geometry->extents[dim] : std::nullopt);
    all.push_back(std::move(extents));
  }
  return all;
}

/// The arrays that the tuned kernel wants at multiples of a number of bytes.
static json::Object alignmentsOf(const Compilation &compilation,
                                 const KernelInfo &kernel) {
  json::Object all;
  for (const ArrayAlignment &array : compilation.alignedArrays(kernel))
    all[array.name] = array.bytes;
  return all;
}

static Error write(StringRef path, StringRef text) {
  std::error_code error = replaceFile(path, {text});
  return error ? cannotWrite(path, error) : Error::success();
}

json::Value gpuopt::emitFile(const json::Object &request) {
  CompileOptions options;
  options.target = request.getString("target")->str();
  StringRef path = *request.getString("emit");
  auto compilation = Compilation::create(*request.getString("file"), options);
  if (!compilation)
    return json::Object{{"kernels", json::Array()}};
  EmitSourceOptions form;
  form.language = sys::path::extension(path) == ".hip" ? OutputLanguage::HIP
                                                       : OutputLanguage::CUDA;
  for (const KernelInfo &kernel : compilation->kernels())
    form.kernels.push_back(kernel.symbol);
  std::vector<FormlessKernel> formless;
  FailureOr<std::string> text =
      emitSource(compilation->tuned(), form, &formless);
  StringMap<std::string> reasons;
  for (const FormlessKernel &kernel : formless)
    reasons[kernel.symbol] = kernel.reason;
  if (Error error = write(path, succeeded(text) ? *text : "")) {
    errs() << toString(std::move(error)) << '\n';
    return json::Object{{"kernels", json::Array()}};
  }
  json::Array results;
  for (const json::Value &entry : *request.getArray("kernels"))
    for (const KernelInfo &kernel : compilation->kernels())
      if (kernel.name == *entry.getAsObject()->getString("name"))
        results.push_back(json::Object{
            {"name", kernel.name},
            {"formless", reasons.lookup(kernel.symbol)},
            {"aligned", alignmentsOf(*compilation, kernel)},
            {"extents", extentsOf(*compilation, kernel,
                                  *entry.getAsObject()->getArray("launches"))},
        });
  return json::Object{{"kernels", std::move(results)}};
}

//===----------------------------------------------------------------------===//
// Checking it
//===----------------------------------------------------------------------===//

static const KernelInfo *findKernel(const Compilation &compilation,
                                    StringRef name) {
  auto found = find_if(compilation.kernels(), [&](const KernelInfo &kernel) {
    return kernel.name == name;
  });
  return found == compilation.kernels().end() ? nullptr : &*found;
}

static LaunchArgument readArgument(const KernelInfo &original,
                                   const json::Object &entry) {
  LaunchArgument argument;
  if (auto array = entry.getString("array")) {
    argument.name = array->str();
    for (auto [index, parameter] : enumerate(original.parameters))
      if (parameter.name == *array)
        argument.parameter = index;
    return argument;
  }
  std::string bytes = fromHex(*entry.getString("bytes"));
  argument.bytes.assign(bytes.begin(), bytes.end());
  return argument;
}

static Expected<KernelLaunch> readMade(const Compilation &emitted,
                                       const KernelInfo &original,
                                       const json::Object &made) {
  StringRef name = *made.getString("kernel");
  const KernelInfo *kernel = findKernel(emitted, name);
  if (!kernel)
    return createStringError("the source has no kernel '" + name + "'");
  KernelLaunch launch;
  launch.symbol = kernel->symbol;
  launch.config = {readDim(made.getArray("grid")),
                   readDim(made.getArray("block"))};
  for (const json::Value &entry : *made.getArray("arguments"))
    launch.arguments.push_back(readArgument(original, *entry.getAsObject()));
  return launch;
}

namespace {
/// What is there to check the kernels of one file with.
struct EmittedFile {
  const Compilation &original;
  const Compilation &emitted;
  const CheckOptions &options;
  std::shared_ptr<CheckExecutors> executors;
  /// Whether the original's own faults are looked for.
  bool sanitize;

  LaunchOutcome check(KernelChecker &checker, const KernelInfo &kernel,
                      const json::Object &launch) const;
  json::Value check(const json::Object &entry) const;
};
} // namespace

LaunchOutcome EmittedFile::check(KernelChecker &checker,
                                 const KernelInfo &kernel,
                                 const json::Object &launch) const {
  RunOptions run = readLaunch(launch);
  if (sanitize)
    if (auto fault = findOwnFault(original, kernel, run, options.maxSeconds))
      return *fault;
  std::vector<KernelLaunch> launches;
  for (const json::Value &made : *launch.getArray("made")) {
    auto read = readMade(emitted, kernel, *made.getAsObject());
    if (!read)
      return {"tuned: " + toString(read.takeError())};
    launches.push_back(std::move(*read));
  }
  return outcomeOf(checker.check(run, std::move(launches)));
}

json::Value EmittedFile::check(const json::Object &entry) const {
  json::Array outcomes;
  StringRef name = *entry.getString("name");
  if (const KernelInfo *kernel = findKernel(original, name)) {
    KernelChecker checker(original, *kernel, options, executors);
    outcomes = outcomesOf(*entry.getArray("launches"),
                          [&](const json::Object &launch) {
                            return check(checker, *kernel, launch);
                          });
  }
  return json::Object{{"name", name}, {"launches", std::move(outcomes)}};
}

json::Value gpuopt::checkEmitted(const json::Object &request) {
  CompileOptions options;
  options.target = request.getString("target")->str();
  options.optimize = false;
  json::Array results;
  auto original = Compilation::create(*request.getString("file"), options);
  auto emitted = Compilation::create(*request.getString("emitted"), options);
  if (!original || !emitted)
    return json::Object{{"kernels", std::move(results)}};
  CheckOptions checks = quickChecks(request);
  EmittedFile file = {
      *original, *emitted, checks,
      std::make_shared<CheckExecutors>(
          *original, checks, llvm::CloneModule(*emitted->importedModule())),
      request.getBoolean("sanitize").value_or(false)};
  for (const json::Value &entry : *request.getArray("kernels"))
    results.push_back(file.check(*entry.getAsObject()));
  return json::Object{{"kernels", std::move(results)}};
}
