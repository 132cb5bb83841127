//===- Faults.h - what went wrong in a launch -------------------*- C++ -*-===//
//
// A bad kernel may fault millions of times: faults are kept as numbers, one
// record for each place, and put into words at the end.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_FAULTS_H
#define RUNTIME_CPU_FAULTS_H

#include "runtime/CPU/KernelFacts.h"
#include "runtime/CPU/Layout.h"
#include "runtime/Executor.h"

#include <array>
#include <map>
#include <mutex>
#include <string_view>

namespace gpuopt::runtime {

/// A thread of the grid.
struct ThreadName {
  std::array<uint32_t, 3> thread = {0, 0, 0};
  std::array<uint32_t, 3> block = {0, 0, 0};

  /// `thread (3,0,0) of block (1,0,0)`.
  std::string print() const;
  /// Grid order, so that reports do not depend on timing.
  bool operator<(const ThreadName &other) const;
};

ThreadName nameThread(const ThreadContext &thread);
/// `block (1,0,0)`.
std::string nameBlock(int64_t number, const Dim3 &grid);

class FaultLog {
public:
  /// Notes a fault of `thread` at `site` (and another site that it has to do
  /// with, or `noSite`); `message` is only called for the first one in grid
  /// order. Faults in workgroup memory and in each `array`, whose name outlives
  /// the log, are kept apart.
  template <typename Message>
  void add(ExecutionFault::Kind kind, const ThreadContext &thread,
           uint32_t site, uint32_t otherSite, Message message,
           bool inWorkgroup = false, std::string_view array = {}) {
    std::lock_guard<std::mutex> lock(mutex);
    ++count;
    Record &record = records[{site, otherSite, kind, inWorkgroup, array}];
    ThreadName name = nameThread(thread);
    if (record.count++ && !(name < record.thread))
      return;
    record.thread = name;
    record.message = message();
  }

  /// The report: at most `maxPlaces` places for each kind of fault.
  void report(const KernelFacts &facts, unsigned maxPlaces,
              ExecutionResult &result) const;

  /// Forgets what happened behind block `last`, and how often anything did.
  void dropBehind(int64_t last, const Dim3 &grid);

  static constexpr uint32_t noSite = ~0u;

private:
  struct Record {
    uint64_t count = 0;
    ThreadName thread;
    std::string message;
  };
  struct Key {
    uint32_t site, otherSite;
    ExecutionFault::Kind kind;
    bool inWorkgroup;
    std::string_view array;
    auto operator<=>(const Key &) const = default;
  };
  std::mutex mutex;
  uint64_t count = 0;
  bool isPartial = false;
  std::map<Key, Record> records;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_FAULTS_H
