//===- TextTable.cpp - figures in columns ---------------------------------===//

#include "tools/lib/profile/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using llvm::raw_ostream;

void TextTable::row(std::vector<std::string> cells) {
  widths.resize(std::max(widths.size(), cells.size()));
  for (auto [width, cell] : llvm::zip(widths, cells))
    width = std::max(width, cell.size());
  rows.push_back({std::move(cells), {}});
}

void TextTable::print(raw_ostream &os, size_t left) const {
  for (const Row &row : rows) {
    os << " ";
    for (auto [index, cell] : llvm::enumerate(row.cells)) {
      os << ' ';
      size_t pad = widths[index] - cell.size();
      bool isLast = index + 1 == row.cells.size();
      if (index < left)
        os << cell << std::string(isLast ? 0 : pad, ' ');
      else
        os << std::string(pad, ' ') << cell;
      os << (isLast ? "" : " ");
    }
    os << '\n';
    for (const std::string &note : row.notes)
      llvm::WithColor(os, raw_ostream::YELLOW) << "      -> " << note << '\n';
  }
}

std::string gpuopt::numberText(double value) {
  std::string text = llvm::formatv("{0:f2}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

std::string gpuopt::shapeText(const Dim3 &dim) {
  return llvm::formatv("{0}x{1}x{2}", dim[0], dim[1], dim[2]);
}

std::string gpuopt::placeText(llvm::StringRef location,
                              const KernelInfo &kernel) {
  if (location.empty())
    return "?";
  if (location.consume_front(kernel.position.file))
    location.consume_front(":");
  return location.str();
}
