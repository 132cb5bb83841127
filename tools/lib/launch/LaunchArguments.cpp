//===- LaunchArguments.cpp - arguments of a decided launch ----------------===//

#include "tools/lib/launch/LaunchArguments.h"

using namespace gpuopt;

std::vector<KernelArgument>
gpuopt::argumentsOf(const KernelLaunch &launch,
                    llvm::ArrayRef<KernelArgument> original) {
  if (launch.arguments.empty())
    return original.vec();
  std::vector<KernelArgument> arguments;
  for (const LaunchArgument &argument : launch.arguments) {
    if (argument.parameter)
      arguments.push_back(original[*argument.parameter]);
    else
      arguments.push_back({KernelArgument::Kind::Scalar,
                           const_cast<uint8_t *>(argument.bytes.data()),
                           argument.bytes.size(), argument.name});
  }
  return arguments;
}
