//===- CaseFile.cpp - a kernel, its launch and passes, as text ------------===//

#include "test/fuzz/CaseFile.h"

#include <fstream>
#include <sstream>

using namespace gpuopt::fuzz;

std::string gpuopt::fuzz::writeCase(const GeneratedKernel &kernel,
                                    const std::string &passes) {
  std::ostringstream text;
  text << "// RUN: gpuopt-fuzz-passes --case %s\n// launch:";
  for (int64_t size : kernel.grid)
    text << ' ' << size;
  for (int64_t size : kernel.block)
    text << ' ' << size;
  text << '\n';
  for (const auto &[name, value] : kernel.sizes)
    text << "// size: " << name << ' ' << value << '\n';
  for (const auto &[name, other] : kernel.sameArrays)
    text << "// same: " << name << ' ' << other << '\n';
  text << "// passes: " << passes << '\n' << kernel.text;
  return text.str();
}

bool gpuopt::fuzz::readCase(const std::string &path, GeneratedKernel &kernel,
                            std::string &passes) {
  std::ifstream file(path);
  bool hasLaunch = false;
  for (std::string line; std::getline(file, line);) {
    kernel.text += line + "\n";
    std::istringstream words(line);
    std::string comment, key, name;
    if (!(words >> comment >> key) || comment != "//")
      continue;
    if (key == "launch:") {
      for (int64_t &size : kernel.grid)
        words >> size;
      for (int64_t &size : kernel.block)
        words >> size;
      hasLaunch = static_cast<bool>(words);
    } else if (key == "size:") {
      words >> name >> kernel.sizes[name];
    } else if (key == "same:") {
      words >> name >> kernel.sameArrays[name];
    } else if (key == "passes:") {
      std::getline(words >> std::ws, passes);
    }
  }
  return hasLaunch;
}
