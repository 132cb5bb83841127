//===- Samples.cpp - launches and work items to run kernels with ----------===//

#include "Samples.h"

#include "dialects/GPUOpt/LaunchConditions.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::APInt;

static constexpr int64_t maxWorkItems = (int64_t(1) << 31) - 1;

static APInt drawNumber(unsigned bits, bool isSmall, RandomNumbers &random) {
  unsigned kind = isSmall ? 0 : random.below(8);
  APInt one(bits, 1);
  APInt power = one.shl(random.below(bits));
  switch (kind) {
  case 1:
    return power;
  case 2:
    return power - 1;
  case 3:
    return -power;
  case 4:
    return APInt::getAllOnes(bits).lshr(random.below(2));
  case 5: // Any number, of any length.
    return APInt(64, random()).lshr(random.below(64)).zextOrTrunc(bits);
  default:
    return APInt(64, random.below(12) - 3, true, true).sextOrTrunc(bits);
  }
}

/// The bits of arithmetic on `type`.
static unsigned bitsOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

void gpuopt::property::restrictLaunches(gpu::GPUFuncOp kernel,
                                        RandomNumbers &random) {
  Builder builder(kernel.getContext());
  if (random.below(4) == 0)
    kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
        {int32_t(1 + random.below(64)), int32_t(1 + random.below(4)), 1}));
  unsigned count = kernel.getNumArguments() - 1;
  if (count == 0 || random.below(3) != 0)
    return;
  for (unsigned conditions = 1 + random.below(2); conditions-- > 0;) {
    unsigned argument = random.below(count);
    unsigned bits = bitsOf(kernel.getArgument(argument).getType());
    AffineExpr number = builder.getAffineSymbolExpr(argument);
    if (random.below(3) == 0)
      number = number % (bits < 62 && random.below(2)
                             ? int64_t(1) << bits
                             : 1 + int64_t(random.below(16)));
    int64_t constant = static_cast<int64_t>(random.below(16)) - 4;
    addLaunchConditions(kernel, kernel.getNumArguments(),
                        {number * (random.below(2) ? 1 : -1) + constant});
  }
}

/// Whether the arguments are ones that the kernel may be launched with.
static bool isAllowed(gpu::GPUFuncOp kernel, const Launch &launch) {
  IntegerSet conditions = launchConditions(kernel);
  if (!conditions)
    return true;
  SmallVector<std::optional<int64_t>> numbers;
  for (const APInt &argument : launch.arguments)
    numbers.push_back(argument.getSExtValue());
  // The symbols behind the arguments are the grid and the block.
  numbers.resize(conditions.getNumSymbols() - 6);
  numbers.append(launch.gridDim.begin(), launch.gridDim.end());
  numbers.append(launch.blockDim.begin(), launch.blockDim.end());
  return isFulfilled(conditions, numbers);
}

static Launch drawAnyLaunch(gpu::GPUFuncOp kernel, unsigned number,
                            RandomNumbers &random) {
  Launch launch;
  bool isSmall = number % 2 == 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    int64_t blockDim =
        1 + random.below(isSmall ? 4 : (dimension == 2 ? 64 : 1024));
    if (auto known = kernel.getKnownBlockSize())
      blockDim = (*known)[dimension];
    int64_t most = maxWorkItems / blockDim;
    launch.blockDim[dimension] = blockDim;
    launch.gridDim[dimension] =
        isSmall ? 1 + random.below(4)
                : (random.below(3) ? 1 + random.below(most) : most);
  }
  for (Type type : kernel.getFunctionType().getInputs())
    if (type.isIntOrIndex())
      launch.arguments.push_back(
          drawNumber(bitsOf(type), isSmall || random.below(4) == 0, random));
  return launch;
}

std::optional<Launch> gpuopt::property::drawLaunch(gpu::GPUFuncOp kernel,
                                                   unsigned number,
                                                   RandomNumbers &random) {
  for (unsigned tries = 0; tries < 20; ++tries)
    if (Launch launch = drawAnyLaunch(kernel, number, random);
        isAllowed(kernel, launch))
      return launch;
  return std::nullopt;
}

WorkItem gpuopt::property::drawWorkItem(const Launch &launch,
                                        RandomNumbers &random) {
  WorkItem item{launch.blockDim, launch.gridDim, {}, {}};
  auto draw = [&](int64_t size) -> int64_t {
    switch (random.below(4)) {
    case 0:
      return 0;
    case 1:
      return size - 1;
    case 2:
      return random.below(std::min<int64_t>(size, 4));
    default:
      return random.below(size);
    }
  };
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    item.blockId[dimension] = draw(launch.gridDim[dimension]);
    item.threadId[dimension] = draw(launch.blockDim[dimension]);
  }
  return item;
}

std::string gpuopt::property::toString(const WorkItem &item,
                                       ArrayRef<APInt> arguments) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](StringRef name, const std::array<int64_t, 3> &values) {
    os << name << " (" << values[0] << ", " << values[1] << ", " << values[2]
       << ") ";
  };
  print("block", item.blockDim);
  print("grid", item.gridDim);
  print("block id", item.blockId);
  print("thread id", item.threadId);
  os << "arguments";
  for (const APInt &argument : arguments) {
    os << ' ';
    argument.print(os, /*isSigned=*/true);
  }
  return text;
}

std::optional<std::string> gpuopt::property::runSamples(
    gpu::GPUFuncOp kernel, uint64_t seed,
    llvm::function_ref<std::optional<std::string>(const Interpreter &,
                                                  Operation *)>
        judge,
    llvm::function_ref<void()> begin) {
  RandomNumbers random(seed);
  for (unsigned number = 0; number < kLaunches; ++number) {
    std::optional<Launch> launch = drawLaunch(kernel, number, random);
    if (!launch)
      return std::nullopt;
    begin();
    for (unsigned i = 0; i < kWorkItems; ++i) {
      WorkItem item = drawWorkItem(*launch, random);
      Interpreter interpreter(kernel, item, launch->arguments);
      std::optional<std::string> wrong;
      auto end = interpreter.run([&](Operation *op) {
        if (!wrong)
          wrong = judge(interpreter, op);
      });
      if (end == Interpreter::End::Unsupported)
        wrong = "the interpreter does not know an operation";
      if (wrong)
        return *wrong + "\n  where " + toString(item, launch->arguments);
    }
  }
  return std::nullopt;
}
