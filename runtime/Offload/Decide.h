//===- Decide.h - whether a section runs on the device ----------*- C++ -*-===//
//
// What `gpuopt offload` has programs ask (conversion/Offload). A section goes
// to the device where its time there, copies included, is less than that on the
// host:
//
//   host    max(operations / rate, bytes accessed / bandwidth)
//   device  start + bytes in and out / link + the same with its own figures,
//           of which a loop uses no more than it has iterations for
//
// The figures are those of a file of `NAME = NUMBER` lines that
// GPUOPT_OFFLOAD_MACHINE names, or of an H100 behind PCIe 5 and a server's
// processor.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_OFFLOAD_DECIDE_H
#define RUNTIME_OFFLOAD_DECIDE_H

#include <string>

namespace gpuopt::offload {

/// A host, a device and what is between them.
struct Machine {
  /// In 10^9 operations a second, of additions.
  double hostOperations = 50, deviceOperations = 30000;
  /// In 10^9 bytes a second.
  double hostBandwidth = 100, deviceBandwidth = 3000, linkBandwidth = 50;
  /// What an offloaded section takes beside all that.
  double startMicroseconds = 20;
  /// Iterations that the device does at the same time when it is full.
  double deviceThreads = 100000;
};

/// What a section does.
struct Section {
  /// That are independent of each other.
  double iterations = 0;
  /// In all.
  double operations = 0, memoryOperations = 0;
  double bytesIn = 0, bytesOut = 0;
};

struct Times {
  double host = 0, device = 0;
};

/// In seconds.
Times predict(const Machine &machine, const Section &section);

/// Reads lines of `NAME = NUMBER` into `machine`; returns what is wrong with
/// the text, or nothing.
std::string readMachine(const std::string &text, Machine &machine);

} // namespace gpuopt::offload

extern "C" {
/// Whether the section at `place` of a program runs on the device.
/// GPUOPT_OFFLOAD decides: `model` (the default), `always`, `never`, or
/// `random:SEED`. GPUOPT_OFFLOAD_LOG names a file that gets a line for each
/// decision; `-` is standard error.
///
/// What other threads access while it is on the device would be lost, so that
/// nothing is offloaded in a parallel region of OpenMP.
int gpuopt_offload_decide(const char *place, double iterations,
                          double operations, double memory_operations,
                          double bytes_in, double bytes_out);
/// The same for a section that one thread of a team asks for while the others
/// wait for it: in one parallel region, but in none inside of another.
int gpuopt_offload_decide_for_team(const char *place, double iterations,
                                   double operations, double memory_operations,
                                   double bytes_in, double bytes_out);
/// Whether a loop may keep arrays on the device: no parallel region is around
/// it.
int gpuopt_offload_may_keep(void);
/// Logs that such an array comes back.
void gpuopt_offload_note_back(const char *array, double bytes);
}

#endif // RUNTIME_OFFLOAD_DECIDE_H
