//===- Plan.h - what the runner is to run -----------------------*- C++ -*-===//
//
// plan.txt of a bundle, which bench/run.py writes beside manifest.json with the
// same content: one statement a line, words between blanks.
//
//   api NAME                   cuda (left out: cuda) or hip
//   probe TYPE FILE SYMBOL BLOCKS THREADS ITERATIONS OPERATIONS COPY_BYTES
//                              multiply-adds of a type, OPERATIONS an iteration
//                              and thread; a copy of so many bytes, or 0
//   case ID KERNEL             begins a kernel at a size; up to the next case:
//   flops N                    floating-point operations
//   bytes N                    compulsory bytes
//   scalar NAME VALUE
//   array NAME TYPE ELEMENTS ROLE COUNTED FILL
//                              TYPE: f16, f32, f64, i32, i64, u8 or u32; ROLE:
//                              in, out, inout or scratch; the first COUNTED
//                              elements are the result; FILL (f32, f64):
//                              uniform, positive, levels or dominant
//   variant NAME FILE          begins a form of the kernel
//   launch SYMBOL GX GY GZ BX BY BZ SHARED ARGUMENT…
//                              one of its launches; ARGUMENT: a:ARRAY, or
//                              4:VALUE and 8:VALUE for integers of so many
//                              bytes
//   peer NAME                  a library's function for the same (Peers.h)
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_PLAN_H
#define BENCH_RUNNER_PLAN_H

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct Launch {
  std::string symbol;
  unsigned grid[3], block[3], sharedBytes;
  std::vector<std::string> arguments;
};

struct Variant {
  std::string name, file;
  std::vector<Launch> launches;
};

enum class ElementType { F16, F32, F64, I32, I64, U8, U32 };

inline uint64_t sizeOf(ElementType type) {
  constexpr uint64_t bytes[] = {2, 4, 8, 4, 8, 1, 4};
  return bytes[int(type)];
}

struct Array {
  std::string name, role, fill;
  ElementType type = ElementType::F32;
  uint64_t elements = 0, counted = 0;
  uint64_t bytes() const { return elements * sizeOf(type); }
  bool isResult() const { return role == "out" || role == "inout"; }
  bool isInput() const { return role == "in" || role == "inout"; }
};

struct Case {
  std::string id, kernel;
  double flops = 0, bytes = 0;
  /// Integers as well: sizes are far below 2^53.
  std::map<std::string, double> scalars;
  std::vector<Array> arrays;
  std::vector<Variant> variants;
  std::vector<std::string> peers;

  size_t arrayNumber(const std::string &name) const {
    for (size_t i = 0; i < arrays.size(); ++i)
      if (arrays[i].name == name)
        return i;
    throw std::runtime_error(id + ": no array '" + name + "'");
  }
  uint64_t arrayBytes() const {
    uint64_t sum = 0;
    for (const Array &array : arrays)
      sum += array.bytes();
    return sum;
  }
  /// Whether a second launch would find other inputs than the first.
  bool isInPlace() const {
    for (const Array &array : arrays)
      if (array.role == "inout")
        return true;
    return false;
  }
};

struct Probe {
  std::string type, file, symbol;
  unsigned blocks = 0, threads = 0;
  int iterations = 0, operations = 0;
  uint64_t copyBytes = 0;
};

struct Plan {
  bool isHip = false;
  std::vector<Probe> probes;
  std::vector<Case> cases;
};

inline std::istream &operator>>(std::istream &in, ElementType &type) {
  std::string word;
  in >> word;
  const char *names[] = {"f16", "f32", "f64", "i32", "i64", "u8", "u32"};
  for (int i = 0; i < 7; ++i)
    if (word == names[i]) {
      type = ElementType(i);
      return in;
    }
  in.setstate(std::ios::failbit);
  return in;
}

inline void readCaseLine(Case &entry, const std::string &word,
                         std::istream &in) {
  if (word == "flops") {
    in >> entry.flops;
  } else if (word == "bytes") {
    in >> entry.bytes;
  } else if (word == "scalar") {
    std::string name;
    in >> name >> entry.scalars[name];
  } else if (word == "array") {
    Array array;
    in >> array.name >> array.type >> array.elements >> array.role >>
        array.counted >> array.fill;
    entry.arrays.push_back(array);
  } else if (word == "variant") {
    Variant variant;
    in >> variant.name >> variant.file;
    entry.variants.push_back(variant);
  } else if (word == "launch" && !entry.variants.empty()) {
    Launch launch;
    in >> launch.symbol;
    for (unsigned &size : launch.grid)
      in >> size;
    for (unsigned &size : launch.block)
      in >> size;
    in >> launch.sharedBytes;
    bool isComplete = static_cast<bool>(in);
    for (std::string argument; in >> argument;)
      launch.arguments.push_back(argument);
    entry.variants.back().launches.push_back(launch);
    if (isComplete)
      in.clear();
  } else if (word == "peer") {
    in >> entry.peers.emplace_back();
  } else {
    in.setstate(std::ios::failbit);
  }
}

inline Plan readPlan(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  Plan plan;
  std::string line, word;
  for (unsigned number = 1; std::getline(file, line); ++number) {
    std::istringstream in(line);
    if (!(in >> word))
      continue;
    if (word == "api") {
      in >> word;
      plan.isHip = word == "hip";
    } else if (word == "probe") {
      Probe &probe = plan.probes.emplace_back();
      in >> probe.type >> probe.file >> probe.symbol >> probe.blocks >>
          probe.threads >> probe.iterations >> probe.operations >>
          probe.copyBytes;
    } else if (word == "case") {
      Case &entry = plan.cases.emplace_back();
      in >> entry.id >> entry.kernel;
    } else if (!plan.cases.empty()) {
      readCaseLine(plan.cases.back(), word, in);
    } else {
      in.setstate(std::ios::failbit);
    }
    if (!in)
      throw std::runtime_error(path + ":" + std::to_string(number) +
                               ": cannot read '" + line + "'");
  }
  return plan;
}

} // namespace bench

#endif // BENCH_RUNNER_PLAN_H
