//===- InstructionMix.cpp - what a kernel's main loop consists of ---------===//

#include "conversion/EmitBinary/InstructionMix.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <tuple>
#include <vector>

using namespace llvm;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

namespace {
struct ListedInstruction {
  std::string opcode;
  bool isMultiplyAdd = false;
  bool isMatrixProduct = false;
  /// The label that it may branch to; empty for others.
  std::string branchTarget;
};

/// One kernel: instructions in order, and where labels stand.
struct Listing {
  std::vector<ListedInstruction> instructions;
  StringMap<size_t> labels;
};
} // namespace

/// Whether `mnemonic` accesses memory, so that its modifiers tell the width.
static bool isMemoryAccess(StringRef mnemonic) {
  static constexpr StringLiteral prefixes[] = {
      "LD", "ST", "ATOM", "RED", "ld.", "st.", "cp.", "atom.", "red."};
  return any_of(prefixes,
                [&](StringRef prefix) { return mnemonic.starts_with(prefix); });
}

static bool isMatrixProduct(StringRef mnemonic) {
  static constexpr StringLiteral prefixes[] = {
      "HMMA",   "IMMA",  "DMMA",
      "QMMA",   "HGMMA", "IGMMA",
      "QGMMA",  "mma.",  "wgmma.mma_async",
      "v_mfma_"};
  return any_of(prefixes,
                [&](StringRef prefix) { return mnemonic.starts_with(prefix); });
}

static bool isMultiplyAdd(StringRef mnemonic, StringRef operands) {
  // ptxas writes constants into registers with HFMA2.
  if (mnemonic.starts_with("HFMA2"))
    return !operands.contains("RZ, RZ");
  // Those of matrices count as one each.
  if (isMatrixProduct(mnemonic))
    return true;
  static constexpr StringLiteral prefixes[] = {
      "FFMA",  "DFMA",    "fma.",    "mad.f",     "v_fma_",
      "v_mac", "v_fmac_", "v_mad_f", "v_pk_fma_", "v_dual_fmac"};
  return any_of(prefixes,
                [&](StringRef prefix) { return mnemonic.starts_with(prefix); });
}

/// The label that a branch names, as it stands before the label's colon.
static StringRef branchTarget(StringRef mnemonic, StringRef operands) {
  if (!mnemonic.starts_with("BRA") && mnemonic.split('.').first != "bra" &&
      !mnemonic.starts_with("s_branch") && !mnemonic.starts_with("s_cbranch"))
    return "";
  StringRef target = operands;
  if (size_t quote = target.find("`("); quote != StringRef::npos)
    target = target.substr(quote + 2).split(')').first;
  return target.rtrim(" ;").rsplit(' ').second.empty()
             ? target.rtrim(" ;")
             : target.rtrim(" ;").rsplit(' ').second;
}

/// Reads the instruction in `text`, which has no comments.
static ListedInstruction parseInstruction(StringRef text) {
  // A predicate: @P0, @!%p1.
  if (text.starts_with("@"))
    text = text.substr(text.find_first_of(" \t")).ltrim();
  size_t end = std::min(text.find_first_of(" \t;"), text.size());
  StringRef mnemonic = text.take_front(end);
  StringRef operands = text.drop_front(end).trim();
  ListedInstruction instruction;
  instruction.opcode =
      (isMemoryAccess(mnemonic) ? mnemonic : mnemonic.split('.').first).str();
  instruction.isMultiplyAdd = isMultiplyAdd(mnemonic, operands);
  instruction.isMatrixProduct = isMatrixProduct(mnemonic);
  instruction.branchTarget = branchTarget(mnemonic, operands).str();
  return instruction;
}

/// Drops `/* */` and line comments.
static std::string withoutComments(StringRef line, AssemblySyntax syntax) {
  std::string text;
  while (!line.empty()) {
    auto [before, rest] = line.split("/*");
    text += before;
    line = rest.split("*/").second;
  }
  StringRef comment = syntax == AssemblySyntax::AMDGCN ? ";" : "//";
  return StringRef(text).split(comment).first.trim().str();
}

/// The kernel that starts at this line; empty for other lines.
static StringRef kernelStart(StringRef line, AssemblySyntax syntax) {
  if (syntax == AssemblySyntax::PTX) {
    StringRef rest = line.split(".entry ").second;
    return rest.take_front(rest.find_first_of("( "));
  }
  if (!line.ends_with(":"))
    return "";
  StringRef label = line.drop_back();
  if (syntax == AssemblySyntax::SASS)
    return label.consume_front(".text.") ? label : "";
  return label.starts_with(".") ? "" : label;
}

static bool isInstruction(StringRef line, AssemblySyntax syntax) {
  if (line.empty() || line.starts_with("."))
    return false;
  if (syntax == AssemblySyntax::AMDGCN)
    return isLower(line.front());
  return line.ends_with(";") && (isAlpha(line.front()) || line[0] == '@');
}

static StringMap<Listing> parse(StringRef assembly, AssemblySyntax syntax) {
  StringMap<Listing> listings;
  Listing *current = nullptr;
  for (StringRef raw : split(assembly, '\n')) {
    std::string line = withoutComments(raw, syntax);
    StringRef text = line;
    if (StringRef kernel = kernelStart(text, syntax); !kernel.empty())
      current = &listings[kernel];
    else if (text.starts_with(".section") || text.starts_with(".Lfunc_end"))
      current = nullptr;
    else if (current && text.ends_with(":"))
      current->labels[text.drop_back()] = current->instructions.size();
    else if (current && isInstruction(text, syntax))
      current->instructions.push_back(parseInstruction(text));
  }
  return listings;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// From a label to the last branch back to it, both inclusive.
struct Loop {
  size_t begin;
  size_t end;
  bool encloses(const Loop &other) const {
    return this != &other && begin <= other.begin && other.end <= end;
  }
};
} // namespace

static std::vector<Loop> findLoops(const Listing &listing) {
  std::map<size_t, size_t> endOfBegin;
  for (auto [position, instruction] : enumerate(listing.instructions)) {
    auto label = listing.labels.find(instruction.branchTarget);
    // A jump to itself only fills the end of a kernel.
    if (label != listing.labels.end() && label->second < position)
      endOfBegin[label->second] = position;
  }
  std::vector<Loop> loops;
  for (auto [begin, end] : endOfBegin)
    loops.push_back({begin, end});
  return loops;
}

/// Counts the instructions of `loop` outside the loops in it.
static InstructionMix countLoop(const Listing &listing, const Loop &loop,
                                ArrayRef<Loop> loops) {
  InstructionMix mix;
  for (size_t position = loop.begin; position <= loop.end; ++position) {
    bool isInner = any_of(loops, [&](const Loop &other) {
      return loop.encloses(other) && other.begin <= position &&
             position <= other.end;
    });
    const ListedInstruction &instruction = listing.instructions[position];
    if (isInner || instruction.opcode == "NOP")
      continue;
    ++mix.instructions;
    mix.multiplyAdds += instruction.isMultiplyAdd;
    mix.matrixProducts += instruction.isMatrixProduct;
    ++mix.opcodes[instruction.opcode];
  }
  return mix;
}

static InstructionMix countMainLoop(const Listing &listing) {
  std::vector<Loop> loops = findLoops(listing);
  InstructionMix best;
  for (const Loop &loop : loops) {
    InstructionMix mix = countLoop(listing, loop, loops);
    mix.isLoop = true;
    if (!best.isLoop || std::tie(mix.multiplyAdds, mix.instructions) >
                            std::tie(best.multiplyAdds, best.instructions))
      best = std::move(mix);
  }
  if (!best.isLoop && !listing.instructions.empty())
    best = countLoop(listing, {0, listing.instructions.size() - 1}, {});
  return best;
}

StringMap<InstructionMix>
gpuopt::computeInstructionMixes(StringRef assembly, AssemblySyntax syntax) {
  static constexpr StringLiteral names[] = {"sass", "ptx", "amdgcn"};
  StringMap<InstructionMix> mixes;
  for (const auto &entry : parse(assembly, syntax)) {
    InstructionMix &mix = mixes[entry.first()];
    mix = countMainLoop(entry.second);
    mix.measuredBy = names[static_cast<size_t>(syntax)];
  }
  return mixes;
}
