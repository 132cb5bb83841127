//===- RegionWriter.h - the text of what is offloaded -----------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_REGIONWRITER_H
#define CONVERSION_OFFLOAD_REGIONWRITER_H

#include "conversion/Offload/KeptArrays.h"
#include "conversion/Offload/Spelling.h"
#include "conversion/Offload/Teams.h"

namespace gpuopt::offload {

/// What keeps other names from standing for `pointers` in the text.
std::optional<Problem> checkPointers(const FixedPointers &pointers,
                                     const SourceText &text);

class RegionWriter {
public:
  RegionWriter(SourceText &text, Spelling &spelling, Teams &teams,
               Dialect dialect, const KeptArrays &keptArrays)
      : text(text), spelling(spelling), teams(teams), dialect(dialect),
        keptArrays(keptArrays) {}

  /// Puts the offloaded region in front of the original one.
  void write(const OffloadedRegion &offloaded);

private:
  void writeForTeam(const OffloadedRegion &offloaded, llvm::StringRef indent,
                    llvm::StringRef declarations, llvm::StringRef condition,
                    llvm::StringRef copy);
  std::string copyOf(const OffloadedRegion &offloaded) const;

  SourceText &text;
  Spelling &spelling;
  Teams &teams;
  Dialect dialect;
  const KeptArrays &keptArrays;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_REGIONWRITER_H
