//===- Library.h - a library that may be there or not -----------*- C++ -*-===//

#ifndef BENCH_RUNNER_LIBRARY_H
#define BENCH_RUNNER_LIBRARY_H

#include "Driver.h"

#include <vector>

namespace bench {

/// Runs a library's function on a set of arrays, in the case's order.
using PeerCall = std::function<void(const std::vector<DevicePointer> &)>;

/// A function of a library that failed, which does not harm the device.
struct LibraryError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A shared library opened at run time, or why it is not there.
class Library {
public:
  /// Opens `path`, or where it is empty the first of `usual` that is there.
  Library(const std::string &path, std::vector<std::string> usual) {
    if (!path.empty())
      usual = {path};
    for (size_t i = 0; i < usual.size() && !library; ++i)
      library = dlopen(usual[i].c_str(), RTLD_NOW);
    if (!library)
      absence = usual.empty() ? "not looked for" : dlerror();
  }

  const std::string &whyAbsent() const { return absence; }

  template <typename Signature>
  Signature *call(const std::string &name) const {
    if (!absence.empty())
      throw LibraryError(absence);
    auto *function =
        reinterpret_cast<Signature *>(dlsym(library, name.c_str()));
    if (!function)
      throw LibraryError("the library has no " + name);
    return function;
  }
  static void check(int status, const std::string &what) {
    if (status)
      throw LibraryError(what + ": status " + std::to_string(status));
  }

protected:
  /// Runs what prepares the library; an error makes it absent.
  template <typename Work>
  void prepare(Work work) {
    if (!absence.empty())
      return;
    try {
      work();
    } catch (const LibraryError &error) {
      absence = error.what();
    }
  }

private:
  void *library = nullptr;
  std::string absence;
};

} // namespace bench

#endif // BENCH_RUNNER_LIBRARY_H
