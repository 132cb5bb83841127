//===- Samples.h - launches and work items to run kernels with --*- C++ -*-===//

#ifndef TEST_UNIT_PROPERTY_SAMPLES_H
#define TEST_UNIT_PROPERTY_SAMPLES_H

#include "Interpreter.h"
#include "Program.h"

namespace gpuopt::property {

/// Random numbers (SplitMix64) that need no setting up.
class RandomNumbers {
public:
  explicit RandomNumbers(uint64_t seed) : state(seed) {}
  uint64_t operator()() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return (*this)() % bound; }

private:
  uint64_t state;
};

struct Launch {
  std::array<int64_t, 3> blockDim, gridDim;
  /// Of all parameters but the array.
  std::vector<llvm::APInt> arguments;
};

/// Sometimes gives `kernel` a known block size, or conditions on arguments that
/// launches have to fulfil (see LaunchConditions.h).
void restrictLaunches(mlir::gpu::GPUFuncOp kernel, RandomNumbers &random);

/// A launch of `kernel` with fewer than 2^31 work items per dimension. The
/// first ones are small, then come extreme ones. Nothing where none has been
/// found that fulfils the kernel's conditions.
std::optional<Launch> drawLaunch(mlir::gpu::GPUFuncOp kernel, unsigned number,
                                 RandomNumbers &random);

/// One of the launch's work items: the first one, the last one, one of the
/// first few, or any.
WorkItem drawWorkItem(const Launch &launch, RandomNumbers &random);

std::string toString(const WorkItem &item,
                     llvm::ArrayRef<llvm::APInt> arguments);

/// Launches for each kernel, and work items for each launch.
inline constexpr unsigned kLaunches = 4, kWorkItems = 4;

/// Runs `kernel` for some work items of some launches; `judge` is called for
/// each operation that runs, until it finds something wrong. `begin` is called
/// before the first work item of each launch.
std::optional<std::string> runSamples(
    mlir::gpu::GPUFuncOp kernel, uint64_t seed,
    llvm::function_ref<std::optional<std::string>(const Interpreter &,
                                                  mlir::Operation *)>
        judge,
    llvm::function_ref<void()> begin = [] {});

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_SAMPLES_H
