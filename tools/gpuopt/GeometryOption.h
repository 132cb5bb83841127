//===- GeometryOption.h - thread geometry by measurements -------*- C++ -*-===//

#ifndef TOOLS_GPUOPT_GEOMETRYOPTION_H
#define TOOLS_GPUOPT_GEOMETRYOPTION_H

#include "tools/gpuopt/CommandLine.h"

namespace gpuopt {

/// Whether --geometry asks for measurements.
bool wantsMeasurement(const llvm::opt::InputArgList &arguments);

/// Fails where --geometry, or what it is combined with, is wrong.
llvm::Error checkGeometryOption(const llvm::opt::InputArgList &arguments);

/// As Compilation::create. Where --geometry measured asks for it, `options` get
/// for each kernel the thread geometry with which it moves the fewest sectors
/// when it runs as it is written (Fauzia et al. 2015, section 4.2.1).
std::unique_ptr<Compilation>
compileWithGeometry(llvm::StringRef input, CompileOptions &options,
                    const llvm::opt::InputArgList &arguments);

} // namespace gpuopt

#endif // TOOLS_GPUOPT_GEOMETRYOPTION_H
