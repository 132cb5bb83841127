//===- TextTable.h - figures in columns -------------------------*- C++ -*-===//

#ifndef TOOLS_LIB_PROFILE_TEXTTABLE_H
#define TOOLS_LIB_PROFILE_TEXTTABLE_H

#include "tools/lib/compile/Compiler.h"

#include "llvm/Support/raw_ostream.h"

namespace gpuopt {

/// Rows of text in columns as wide as their widest cell.
class TextTable {
public:
  void row(std::vector<std::string> cells);
  /// Lines below the last row.
  void notes(llvm::ArrayRef<std::string> notes) {
    rows.back().notes.assign(notes.begin(), notes.end());
  }
  /// The first `left` columns are flush left, the others right.
  void print(llvm::raw_ostream &os, size_t left) const;
  /// No row behind the heading.
  bool isEmpty() const { return rows.size() < 2; }

private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::string> notes;
  };
  std::vector<Row> rows;
  std::vector<size_t> widths;
};

/// At most two decimals, and none that say nothing.
std::string numberText(double value);

/// "32x8x1".
std::string shapeText(const Dim3 &dim);

/// "19:38" of `location`, with the file where it is not the kernel's.
std::string placeText(llvm::StringRef location, const KernelInfo &kernel);

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_TEXTTABLE_H
