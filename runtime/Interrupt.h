//===- Interrupt.h - ending launches by Ctrl-C ------------------*- C++ -*-===//

#ifndef RUNTIME_INTERRUPT_H
#define RUNTIME_INTERRUPT_H

namespace gpuopt {

/// Stops the launch that runs, and every later one: they report what they have
/// found so far, and that they were interrupted. False where none runs. May be
/// called by a signal handler.
bool interruptLaunches();

} // namespace gpuopt

#endif // RUNTIME_INTERRUPT_H
