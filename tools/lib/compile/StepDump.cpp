//===- StepDump.cpp - a kernel after each transform -----------------------===//

#include "tools/lib/compile/StepDump.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gpuopt;

static std::string textOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  return text;
}

/// Passes that tidy up between transforms, and those that only run others.
static bool isCleanUp(Pass *pass) {
  StringRef name = pass->getArgument();
  return !name.starts_with("gpuopt-") || name == "gpuopt-clean-up";
}

static ModuleOp moduleOf(Operation *op) {
  if (auto module = dyn_cast<ModuleOp>(op))
    return module;
  auto kernels = dyn_cast<gpu::GPUModuleOp>(op);
  return kernels ? dyn_cast_or_null<ModuleOp>(kernels->getParentOp())
                 : ModuleOp();
}

void SnapshotTaker::runBeforePass(Pass *pass, Operation *op) {
  if (moduleOf(op))
    running.push_back({textOf(op), remarks.size(), snapshots.size()});
}

void SnapshotTaker::runAfterPass(Pass *pass, Operation *op) {
  if (!moduleOf(op))
    return;
  RunningPass begin = running.pop_back_val();
  // What runs other passes has nothing of its own to show.
  if (snapshots.size() != begin.snapshots || textOf(op) == begin.text)
    return;
  bool belongsToLast = isCleanUp(pass) && !snapshots.empty();
  if (!belongsToLast) {
    StepSnapshot &snapshot = snapshots.emplace_back();
    StringRef name = pass->getArgument();
    name.consume_front("gpuopt-");
    snapshot.pass = name.str();
    snapshot.firstRemark = begin.remarks;
  }
  StepSnapshot &last = snapshots.back();
  last.module = moduleOf(op).clone();
  last.endOfRemarks = remarks.size();
}

//===--- The page ---------------------------------------------------------===//

static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

namespace {
/// The lines of a difference on the page. Of many that are the same in a row,
/// those next to a change are shown and the others on demand.
class DiffPrinter {
public:
  explicit DiffPrinter(raw_ostream &stream) : stream(stream) {}

  void same(StringRef line) { unchanged.push_back(line); }
  void changed(StringRef mark, StringRef kind, StringRef line) {
    flush(/*isEnd=*/false);
    print(mark, kind, line);
    sawChange = true;
  }
  void finish() { flush(/*isEnd=*/true); }

private:
  /// Lines that are shown beside a change.
  static constexpr size_t context = 3;

  void print(StringRef mark, StringRef kind, StringRef line) {
    stream << "<span class=\"" << kind << "\">" << mark << escape(line)
           << "</span>\n";
  }
  void flush(bool isEnd) {
    size_t head = sawChange ? context : 0, tail = isEnd ? 0 : context;
    // A text without a change is the kernel as it is.
    bool isHidden =
        (sawChange || !isEnd) && unchanged.size() > head + tail + context;
    for (auto [index, line] : llvm::enumerate(unchanged)) {
      if (isHidden && index == head)
        stream << "</pre><details><summary>" << unchanged.size() - head - tail
               << " lines as before</summary><pre>";
      if (isHidden && index == unchanged.size() - tail)
        stream << "</pre></details><pre>";
      print("  ", "same", line);
    }
    if (isHidden && tail == 0)
      stream << "</pre></details><pre>";
    unchanged.clear();
  }

  raw_ostream &stream;
  SmallVector<StringRef> unchanged;
  bool sawChange = false;
};
} // namespace

/// Prints the lines of both texts in order: those of a longest common
/// subsequence once, the others as removed or added.
static void printDiff(StringRef before, StringRef after, raw_ostream &stream) {
  SmallVector<StringRef> left, right;
  before.split(left, '\n');
  after.split(right, '\n');
  // What is the same at both ends needs no search.
  size_t head = 0;
  while (head < left.size() && head < right.size() && left[head] == right[head])
    ++head;
  size_t leftEnd = left.size(), rightEnd = right.size();
  while (leftEnd > head && rightEnd > head &&
         left[leftEnd - 1] == right[rightEnd - 1])
    --leftEnd, --rightEnd;
  size_t rows = leftEnd - head, columns = rightEnd - head;
  std::vector<unsigned> lengths((rows + 1) * (columns + 1), 0);
  auto length = [&](size_t i, size_t j) -> unsigned & {
    return lengths[i * (columns + 1) + j];
  };
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;)
      length(i, j) = left[head + i] == right[head + j]
                         ? length(i + 1, j + 1) + 1
                         : std::max(length(i + 1, j), length(i, j + 1));
  DiffPrinter printer(stream);
  for (size_t i = 0; i < head; ++i)
    printer.same(left[i]);
  for (size_t i = 0, j = 0; i < rows || j < columns;) {
    if (i < rows && j < columns && left[head + i] == right[head + j]) {
      printer.same(left[head + i]);
      ++i, ++j;
    } else if (j == columns ||
               (i < rows && length(i + 1, j) >= length(i, j + 1))) {
      printer.changed("- ", "old", left[head + i++]);
    } else {
      printer.changed("+ ", "new", right[head + j++]);
    }
  }
  for (size_t i = leftEnd; i < left.size(); ++i)
    printer.same(left[i]);
  printer.finish();
}

static constexpr StringRef pageHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Steps</title><style>
body { margin: 0 auto; max-width: 1280px; padding: 0 24px 48px; color: #1c2330;
  font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h2 { font-size: 18px; margin: 20px 0 2px; padding-top: 8px; border-top: 2px solid; break-after: avoid; }
p { margin: 2px 0 6px; }
.step { display: flex; gap: 24px; align-items: flex-start; }
.code { flex: 3; min-width: 0; background: #f6f8fa; padding: 8px 12px; }
pre { overflow-x: auto; margin: 0; font: 12.5px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
summary { cursor: pointer; color: #5b6675; font-size: 12px; background: #e8ecf1; padding: 0 8px; }
.step ul { flex: 1; padding-left: 1em; margin: 0; overflow-wrap: anywhere; }
.old { background: #ffebe9; } .new { background: #dafbe1; } .same { color: #57606a; }
.missed { color: #57606a; }
nav { position: sticky; top: 0; padding: 8px 0; background: #fff; }
nav a { margin-right: 1em; white-space: nowrap; }
h2 { scroll-margin-top: 3.5em; }
@media print {
  body { max-width: none; padding: 0; font-size: 11px; } nav { display: none; }
  pre { font-size: 8.5px; white-space: pre-wrap; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
</style></head><body>
)";

/// "00-raise", the name of a step's files.
static std::string stemOf(size_t number, const StepSnapshot &snapshot) {
  std::string stem;
  llvm::raw_string_ostream(stem)
      << llvm::format("%02u", static_cast<unsigned>(number)) << '-'
      << snapshot.pass;
  return stem;
}

static void printContents(const std::vector<StepSnapshot> &snapshots,
                          raw_ostream &stream) {
  stream << "<nav>\n";
  for (auto [number, snapshot] : llvm::enumerate(snapshots)) {
    std::string stem = stemOf(number, snapshot);
    stream << "<a href=\"#" << stem << "\">" << stem << "</a>\n";
  }
  stream << "</nav>\n";
}

static void printRemark(const Step &remark, raw_ostream &stream) {
  bool isMissed = remark.outcome != Step::Outcome::Passed;
  stream << "<li" << (isMissed ? " class=\"missed\"" : "") << "><b>"
         << escape(remark.pass) << "</b>";
  if (remark.location.line)
    stream << " (line " << remark.location.line << ")";
  if (!remark.reason.empty())
    stream << ": " << escape(remark.reason);
  stream << "</li>\n";
}

std::vector<DumpedFile>
gpuopt::dumpSteps(const std::vector<StepSnapshot> &snapshots,
                  const std::vector<Step> &remarks,
                  const EmitSourceOptions &options) {
  std::vector<DumpedFile> files;
  std::string page = pageHead.str(), previous;
  llvm::raw_string_ostream stream(page);
  StringRef ending = options.language == OutputLanguage::CUDA  ? ".cu"
                     : options.language == OutputLanguage::HIP ? ".hip"
                                                               : ".cl";
  printContents(snapshots, stream);
  for (auto [number, snapshot] : llvm::enumerate(snapshots)) {
    std::string stem = stemOf(number, snapshot);
    files.push_back({stem + ".mlir", textOf(*snapshot.module) + "\n"});
    std::string problem;
    ScopedDiagnosticHandler handler(snapshot.module.get().getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (problem.empty())
                                        problem = diagnostic.str();
                                    });
    FailureOr<std::string> source = emitSource(*snapshot.module, options);
    stream << "<h2 id=\"" << stem << "\">" << stem << "</h2>\n<p>";
    if (succeeded(source))
      stream << "<a href=\"" << stem << ending << "\">source</a> ";
    stream << "<a href=\"" << stem
           << ".mlir\">MLIR</a></p>\n<div class=\"step\">\n<div "
              "class=\"code\"><pre>";
    if (succeeded(source)) {
      files.push_back({stem + ending.str(), *source});
      if (*source == previous)
        stream << "The source is as before.";
      else
        printDiff(previous.empty() ? *source : previous, *source, stream);
      previous = *source;
    } else {
      stream << "no source form: " << escape(problem);
    }
    stream << "</pre></div>\n<ul>\n";
    for (size_t i = snapshot.firstRemark;
         i < std::min(snapshot.endOfRemarks, remarks.size()); ++i)
      printRemark(remarks[i], stream);
    stream << "</ul>\n</div>\n";
  }
  stream << "</body></html>\n";
  files.push_back({"index.html", page});
  return files;
}
