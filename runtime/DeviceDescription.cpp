//===- DeviceDescription.cpp - what a program may ask of a device ---------===//

#include "runtime/DeviceDescription.h"

#include "llvm/ADT/StringExtras.h"

using namespace gpuopt;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using llvm::json::Value;

std::pair<int, int> DeviceDescription::capability() const {
  llvm::StringRef digits = llvm::StringRef(arch).drop_while(
      [](char c) { return !llvm::isDigit(c); });
  int number = 0;
  digits.take_while(llvm::isDigit).getAsInteger(10, number);
  return {number / 10, number % 10};
}

namespace gpuopt {

namespace {
/// The numbers of a description, by their names in machine descriptions.
struct NamedNumber {
  llvm::StringLiteral name;
  int64_t DeviceDescription::*number;
};
} // namespace

static constexpr NamedNumber kNumbers[] = {
    {"subgroup_size", &DeviceDescription::subgroupSize},
    {"multiprocessors", &DeviceDescription::multiprocessors},
    {"threads_per_workgroup", &DeviceDescription::threadsPerWorkgroup},
    {"threads_per_multiprocessor",
     &DeviceDescription::threadsPerMultiprocessor},
    {"workgroups_per_multiprocessor",
     &DeviceDescription::workgroupsPerMultiprocessor},
    {"registers_per_multiprocessor",
     &DeviceDescription::registersPerMultiprocessor},
    {"workgroup_memory_per_workgroup_bytes",
     &DeviceDescription::workgroupMemoryPerWorkgroupBytes},
    {"workgroup_memory_per_multiprocessor_bytes",
     &DeviceDescription::workgroupMemoryPerMultiprocessorBytes},
    {"l2_bytes", &DeviceDescription::l2Bytes},
    {"line_bytes", &DeviceDescription::lineBytes},
    {"sector_bytes", &DeviceDescription::sectorBytes}};

static Value toJSON(const DeviceDescription &device) {
  Object object{{"name", device.name}, {"arch", device.arch}};
  for (const NamedNumber &entry : kNumbers)
    object[entry.name] = device.*entry.number;
  return object;
}

static bool fromJSON(const Value &value, DeviceDescription &device, Path path) {
  ObjectMapper map(value, path);
  if (!map || !map.map("name", device.name) || !map.map("arch", device.arch))
    return false;
  for (const NamedNumber &entry : kNumbers)
    if (!map.map(entry.name, device.*entry.number))
      return false;
  return true;
}

Value toJSON(const DeviceCodeRules &rules) {
  return Object{{"device", toJSON(rules.device)},
                {"kernels", Array(rules.kernels)}};
}

bool fromJSON(const Value &value, DeviceCodeRules &rules, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("device", rules.device) &&
         map.map("kernels", rules.kernels);
}

} // namespace gpuopt
