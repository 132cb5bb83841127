//===- Reassociation.cpp - leave to reorder sums --------------------------===//

#include "tools/lib/compile/Reassociation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace gpuopt;

static void mark(arith::ArithFastMathInterface op) {
  arith::FastMathFlagsAttr present = op.getFastMathFlagsAttr();
  auto flags = present ? present.getValue() : arith::FastMathFlags::none;
  op->setAttr(op.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags | arith::FastMathFlags::reassoc));
}

void gpuopt::allowReassociation(ModuleOp module) { module->walk(mark); }

/// Debug information has paths relative to the working directory where Clang
/// was given absolute ones.
static std::string absolutePath(llvm::StringRef path) {
  llvm::SmallString<256> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

static bool isWithin(FileLineColLoc location, const SourceSpan &span) {
  auto place = std::pair(location.getLine(), location.getColumn());
  return place >= std::pair(span.begin.line, span.begin.column) &&
         place < std::pair(span.end.line, span.end.column) &&
         absolutePath(location.getFilename()) == absolutePath(span.begin.file);
}

/// Whether `location` is in `span`, or what it has been inlined into is; of
/// several places that one operation stands for, all.
static bool isWithin(Location location, const SourceSpan &span) {
  return TypeSwitch<Location, bool>(location)
      .Case([&](FileLineColLoc place) { return isWithin(place, span); })
      .Case([&](CallSiteLoc call) {
        return isWithin(call.getCallee(), span) ||
               isWithin(call.getCaller(), span);
      })
      .Case([&](NameLoc name) { return isWithin(name.getChildLoc(), span); })
      .Case([&](FusedLoc fused) {
        return llvm::all_of(fused.getLocations(), [&](Location part) {
          return isWithin(part, span);
        });
      })
      .Default(false);
}

void gpuopt::allowReassociation(ModuleOp module,
                                llvm::ArrayRef<SourceSpan> spans) {
  module->walk([&](arith::ArithFastMathInterface op) {
    if (llvm::any_of(spans, [&](const SourceSpan &span) {
          return isWithin(op->getLoc(), span);
        }))
      mark(op);
  });
}
