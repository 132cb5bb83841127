//===- Peers.h - what libraries have for the same ---------------*- C++ -*-===//
//
// Libraries are opened at run time; where one is not there, its functions are
// reported as absent, with the reason.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_PEERS_H
#define BENCH_RUNNER_PEERS_H

#include "Blas.h"
#include "Dnn.h"

namespace bench {

/// CUB's reductions. CUB is made of templates: bench/peers/cub.cu, which the
/// bundle has as a library, holds those that are needed.
class Cub : public Library {
public:
  Cub(const Driver &driver, const std::string &path)
      : Library(path, {}), driver(driver) {
    prepare([&] {
      if (const char *reason = call<const char *()>("gpuopt_cub_absence")())
        throw LibraryError(reason);
    });
  }

  PeerCall find(const Case &entry) {
    using Sum = int(DevicePointer, DevicePointer, DevicePointer, uint64_t,
                    DevicePointer, size_t *);
    auto *sum = call<Sum>(entry.kernel == "crd"   ? "gpuopt_cub_abs_sum"
                          : entry.kernel == "dot" ? "gpuopt_cub_dot"
                                                  : "gpuopt_cub_sum");
    auto n = uint64_t(entry.scalars.at("n"));
    size_t bytes = 0, last = entry.arrays.size() - 1;
    check(sum(0, 0, 0, n, 0, &bytes), "size of CUB's memory");
    auto memory = driver.scratch(bytes);
    return [=](const std::vector<DevicePointer> &at) {
      size_t space = bytes;
      check(sum(at[0], at[1 % at.size()], at[last], n, *memory, &space),
            "CUB's reduction");
    };
  }

private:
  const Driver &driver;
};

class Peers {
public:
  struct Paths {
    std::string blas, dnn, cub;
  };
  Peers(const Driver &driver, const Paths &paths)
      : driver(driver), blas(driver, paths.blas), dnn(driver, paths.dnn),
        cub(driver, paths.cub) {}

  /// Why a peer cannot be used; empty where it can.
  std::string whyAbsent(const std::string &name) const {
    return name == "copy" ? "" : library(name).whyAbsent();
  }

  /// The call that does what `entry` asks for.
  PeerCall find(const std::string &name, const Case &entry) {
    if (name == "copy")
      return copy(entry);
    if (&library(name) == &cub)
      return cub.find(entry);
    return &library(name) == &dnn ? dnn.find(entry) : blas.find(name, entry);
  }

private:
  const Library &library(const std::string &name) const {
    if (name == "cub")
      return cub;
    return name.starts_with("cudnn") ? static_cast<const Library &>(dnn) : blas;
  }
  PeerCall copy(const Case &entry) {
    size_t from = 0, to = entry.arrays.size() - 1;
    size_t bytes = entry.arrays[to].bytes();
    return [this, from, to, bytes](const std::vector<DevicePointer> &at) {
      driver.check(driver.copyOnDevice(at[to], at[from], bytes, nullptr),
                   "copy on the device");
    };
  }

  const Driver &driver;
  Blas blas;
  Dnn dnn;
  Cub cub;
};

} // namespace bench

#endif // BENCH_RUNNER_PEERS_H
