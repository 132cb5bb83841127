//===- gpuopt-run-ll.cpp - run a kernel of an .ll file --------------------===//
//
// For tests of the CPU executor only. Arguments are given as
//
//   --arg f32[64]=iota    a buffer: zero, iota, rand or a number for all
//   --arg i32=5           a scalar
//   --arg pack:i32=3:f32=1.5   a struct that is passed by value
//
// and `--print N[:FROM:COUNT]` writes argument N after the run. Faults are
// written as `fault: KIND: [LOCATION: ]MESSAGE`; the exit code is then 3.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/SoftFloat.h"
#include "runtime/CPUExecutor.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <random>

using namespace llvm;
using namespace gpuopt;

static cl::opt<std::string> input(cl::Positional, cl::Required);
static cl::opt<std::string> kernelName("kernel", cl::Required);
static cl::list<int64_t> grid("grid", cl::CommaSeparated);
static cl::list<int64_t> block("block", cl::CommaSeparated);
static cl::opt<int64_t> shared("shared");
static cl::opt<unsigned> subgroup("subgroup", cl::init(32));
static cl::list<std::string> argumentSpecs("arg");
static cl::list<std::string> prints("print");
static cl::opt<bool> races("races");
static cl::opt<bool> noBounds("no-bounds");
static cl::opt<unsigned> sectors("sectors");
static cl::opt<double> seconds("seconds", cl::init(60));
static cl::opt<uint64_t> steps("steps", cl::init(0));
static cl::opt<unsigned> workers("workers");
static cl::opt<bool> timing("time");

namespace {

struct Buffer {
  std::string type;
  std::vector<uint8_t> bytes;
  bool isScalar = false;
};

} // namespace

static ExitOnError exitOnError("gpuopt-run-ll: ");

[[noreturn]] static void fail(const Twine &message) {
  errs() << "gpuopt-run-ll: " << message << "\n";
  exit(2);
}

static size_t sizeOf(StringRef type) {
  unsigned bits;
  if (type == "bf16")
    return 2;
  if (type.drop_front().getAsInteger(10, bits))
    fail("unknown type " + type);
  return bits / 8;
}

static void put(std::vector<uint8_t> &bytes, size_t index, StringRef type,
                double value) {
  auto store = [&](auto typed) {
    memcpy(bytes.data() + index * sizeof typed, &typed, sizeof typed);
  };
  if (type == "f32")
    store(float(value));
  else if (type == "f64")
    store(value);
  else if (type == "f16")
    store(runtime::doubleToHalf(value));
  else if (type == "bf16")
    store(runtime::doubleToBFloat(value));
  else if (type == "i64")
    store(int64_t(value));
  else if (type == "i32")
    store(int32_t(value));
  else if (type == "i16")
    store(int16_t(value));
  else
    store(int8_t(value));
}

template <typename T>
static T at(const Buffer &buffer, size_t index) {
  T value;
  memcpy(&value, buffer.bytes.data() + index * sizeof value, sizeof value);
  return value;
}

static void print(const Buffer &buffer, size_t index) {
  StringRef type = buffer.type;
  if (type == "f32")
    outs() << format("%g", at<float>(buffer, index));
  else if (type == "f64")
    outs() << format("%.15g", at<double>(buffer, index));
  else if (type == "f16")
    outs() << format("%g", runtime::halfToDouble(at<uint16_t>(buffer, index)));
  else if (type == "bf16")
    outs() << format(
        "%g", bit_cast<float>(uint32_t(at<uint16_t>(buffer, index)) << 16));
  else if (type == "i64")
    outs() << at<int64_t>(buffer, index);
  else if (type == "i32")
    outs() << at<int32_t>(buffer, index);
  else if (type == "i16")
    outs() << at<int16_t>(buffer, index);
  else
    outs() << int(at<int8_t>(buffer, index));
}

static double parseNumber(StringRef text) {
  double value;
  if (text.getAsDouble(value))
    fail("not a number: " + text);
  return value;
}

/// TYPE=VALUE, appended at TYPE's alignment.
static void appendScalar(Buffer &buffer, StringRef spec) {
  auto [type, value] = spec.split('=');
  size_t bytes = sizeOf(type);
  buffer.type = type.str();
  buffer.bytes.resize(alignTo(buffer.bytes.size(), bytes) + bytes);
  put(buffer.bytes, buffer.bytes.size() / bytes - 1, type, parseNumber(value));
}

static Buffer parseArgument(StringRef spec) {
  Buffer buffer;
  if (spec.consume_front("pack:")) {
    buffer.isScalar = true;
    SmallVector<StringRef> parts;
    spec.split(parts, ':');
    size_t alignment = 1;
    for (StringRef part : parts) {
      appendScalar(buffer, part);
      alignment = std::max(alignment, sizeOf(buffer.type));
    }
    buffer.bytes.resize(alignTo(buffer.bytes.size(), alignment));
    return buffer;
  }
  if (!spec.contains('[')) {
    buffer.isScalar = true;
    appendScalar(buffer, spec);
    return buffer;
  }
  auto [type, rest] = spec.split('[');
  auto [count, fill] = rest.split("]=");
  size_t elements;
  if (count.getAsInteger(10, elements))
    fail("not a count: " + count);
  buffer.type = type.str();
  buffer.bytes.resize(elements * sizeOf(type));
  std::mt19937 random(1);
  for (size_t index = 0; index < elements; ++index)
    put(buffer.bytes, index, type,
        fill == "zero"   ? 0
        : fill == "iota" ? index
        : fill == "rand" ? double(random() % 1000) / 1000
                         : parseNumber(fill));
  return buffer;
}

static void printArguments(ArrayRef<Buffer> buffers) {
  for (StringRef spec : prints) {
    SmallVector<StringRef> parts;
    spec.split(parts, ':');
    auto number = [&](size_t part, size_t otherwise) {
      size_t value = otherwise;
      if (part < parts.size())
        parts[part].getAsInteger(10, value);
      return value;
    };
    const Buffer &buffer = buffers[number(0, 0)];
    size_t from = number(1, 0);
    size_t count = number(2, buffer.bytes.size() / sizeOf(buffer.type) - from);
    for (size_t index = from; index < from + count; ++index) {
      outs() << (index == from ? "" : " ");
      print(buffer, index);
    }
    outs() << "\n";
  }
}

static int report(const ExecutionResult &result) {
  for (const ExecutionFault &fault : result.faults)
    outs() << "fault: " << faultName(fault.kind) << ": "
           << (fault.location.empty() ? "" : fault.location + ": ")
           << fault.message << "\n";
  for (const AccessCount &access : result.accesses)
    outs() << "access: " << access.location << ": " << access.array << ": "
           << access.requests << " requests, " << access.sectors
           << " sectors\n";
  if (sectors)
    outs() << "sectors: " << result.globalSectors << "\n";
  return result.faults.empty() ? 0 : 3;
}

static LaunchConfig launchConfig() {
  LaunchConfig config;
  std::copy_n(grid.begin(), std::min<size_t>(grid.size(), 3),
              config.grid.begin());
  std::copy_n(block.begin(), std::min<size_t>(block.size(), 3),
              config.block.begin());
  config.dynamicSharedBytes = shared;
  return config;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv);
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print(argv[0], errs());
    return 2;
  }
  CPUExecutorOptions options;
  options.subgroupSize = subgroup;
  options.checkBounds = !noBounds;
  options.checkRaces = races;
  options.countSectorBytes = sectors;
  options.maxSeconds = seconds;
  options.maxSteps = steps;
  options.workers = workers;

  std::vector<Buffer> buffers;
  for (StringRef spec : argumentSpecs)
    buffers.push_back(parseArgument(spec));
  std::vector<KernelArgument> arguments;
  for (Buffer &buffer : buffers)
    arguments.push_back({buffer.isScalar ? KernelArgument::Kind::Scalar
                                         : KernelArgument::Kind::Buffer,
                         buffer.bytes.data(), buffer.bytes.size(), ""});
  auto start = std::chrono::steady_clock::now();
  auto executor = exitOnError(CPUExecutor::create(*module, options));
  ExecutionResult result =
      exitOnError(executor->launch(kernelName, launchConfig(), arguments));
  if (timing)
    outs() << format(
        "time: %.3f s\n",
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  printArguments(buffers);
  return report(result);
}
