//===- Timers.h - how long sections of a program take -----------*- C++ -*-===//
//
// What `gpuopt offload --profile` puts around loops (conversion/Offload/
// ProfileLoops.h). The file that GPUOPT_OFFLOAD_PROFILE names gets a line with
// the number and the seconds of each section at the end of the program.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_OFFLOAD_TIMERS_H
#define RUNTIME_OFFLOAD_TIMERS_H

extern "C" {
/// Between both is the section of that number, by the thread that first comes
/// to one.
void gpuopt_offload_begin(int section);
void gpuopt_offload_end(int section);
}

#endif // RUNTIME_OFFLOAD_TIMERS_H
