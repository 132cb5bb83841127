//===- GenerateProgram.cpp - random kernels of index arithmetic -----------===//

#include "Program.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt::property;

namespace {

class Generator {
public:
  Generator(llvm::function_ref<uint64_t()> next, const ProgramShape &shape)
      : next(next), shape(shape) {}

  Program run();

private:
  uint64_t below(uint64_t bound) { return next() % bound; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  template <typename T> T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

  unsigned add(Instruction instruction);
  /// A value of `width` bits, recent ones preferred, or a new leaf.
  unsigned value(unsigned width);
  /// An index that affine operations take.
  unsigned affineValue();
  unsigned leaf(unsigned width);
  unsigned constant(unsigned width, int64_t value);
  int64_t interestingConstant(unsigned width);
  /// The types of this program, other than i1.
  unsigned someWidth() { return widths[below(widths.size())]; }

  void addArithmetic();
  void addFlatId();
  void addDivision();
  void addBits();
  void addCast();
  void addComparison();
  void addSelect();
  void addAffine();
  void addGuard();
  void addIdGuard();
  void addLoop();
  void addCarry(unsigned width, unsigned init);

  llvm::function_ref<uint64_t()> next;
  const ProgramShape &shape;
  Program program;
  llvm::SmallVector<unsigned> widths;
  /// By instruction: whether affine operations take it.
  std::vector<bool> isAffine;
  unsigned depth = 0, loopDepth = 0;
};

} // namespace

unsigned Generator::add(Instruction instruction) {
  bool isIndex = instruction.width == kIndex && instruction.hasResult();
  bool follows = instruction.op == Opcode::AffineFor ||
                 (instruction.op == Opcode::Apply &&
                  llvm::all_of(instruction.operands,
                               [&](unsigned x) { return isAffine[x]; }));
  isAffine.push_back(
      isIndex && (depth == 0 || follows || instruction.op == Opcode::Constant));
  program.code.push_back(std::move(instruction));
  return program.code.size() - 1;
}

int64_t Generator::interestingConstant(unsigned width) {
  unsigned bits = width == kIndex ? 64 : width;
  int64_t power = int64_t(1) << below(bits == 64 ? 63 : bits);
  switch (below(6)) {
  case 0:
    return power;
  case 1:
    return power - 1;
  case 2:
    return -power;
  case 3:
    return -1;
  default:
    return static_cast<int64_t>(below(12)) - 3;
  }
}

unsigned Generator::constant(unsigned width, int64_t value) {
  return add({Opcode::Constant, width, {}, {value}});
}

unsigned Generator::leaf(unsigned width) {
  if (width != kIndex || oneIn(6))
    return oneIn(3) ? constant(width, interestingConstant(width))
                    : add({Opcode::Argument, width});
  auto dimension = static_cast<int64_t>(oneIn(3) ? below(3) : 0);
  Opcode op = shape.onlyGlobalIds
                  ? Opcode::GlobalId
                  : pick({Opcode::ThreadId, Opcode::BlockId, Opcode::GlobalId,
                          Opcode::BlockDim, Opcode::GridDim, Opcode::GlobalId,
                          Opcode::ThreadId, Opcode::LaneId});
  return add({op, kIndex, {}, {op == Opcode::LaneId ? 0 : dimension}});
}

unsigned Generator::value(unsigned width) {
  llvm::SmallVector<unsigned> candidates;
  for (unsigned i = 0; i < program.code.size(); ++i)
    if (program.code[i].hasResult() && program.code[i].width == width)
      candidates.push_back(i);
  if (candidates.empty() || oneIn(8))
    return leaf(width);
  size_t recent = std::min<size_t>(candidates.size(), 4);
  return candidates[candidates.size() - 1 -
                    below(oneIn(2) ? recent : candidates.size())];
}

unsigned Generator::affineValue() {
  llvm::SmallVector<unsigned> candidates;
  for (unsigned i = 0; i < program.code.size(); ++i)
    if (isAffine[i])
      candidates.push_back(i);
  return candidates.empty() ? constant(kIndex, interestingConstant(6))
                            : candidates[below(candidates.size())];
}

/// Ids and sizes of launches, computed by hand.
void Generator::addFlatId() {
  auto dimension = static_cast<int64_t>(below(2));
  unsigned size = add({Opcode::BlockDim, kIndex, {}, {dimension}});
  unsigned factor = add({pick({Opcode::BlockId, Opcode::GridDim}),
                         kIndex,
                         {},
                         {oneIn(8) ? 0 : dimension}});
  if (oneIn(3))
    size = add({Opcode::MulI, kIndex, {size, value(kIndex)}});
  unsigned product = add({Opcode::MulI, kIndex, {size, factor}});
  unsigned thread = add({Opcode::ThreadId, kIndex, {}, {dimension}});
  if (!oneIn(4))
    add({Opcode::AddI, kIndex, {product, thread}});
}

void Generator::addArithmetic() {
  if (!shape.onlyGlobalIds && oneIn(16))
    return addFlatId();
  unsigned width = someWidth();
  Opcode op = pick(
      {Opcode::AddI, Opcode::SubI, Opcode::MulI, Opcode::AddI, Opcode::ShLI});
  unsigned left = value(width);
  unsigned right;
  if (op == Opcode::ShLI)
    right = constant(width,
                     static_cast<int64_t>(below(width == kIndex ? 33 : width)));
  else
    right =
        oneIn(3) ? constant(width, interestingConstant(width)) : value(width);
  int64_t flags = oneIn(2) ? static_cast<int64_t>(below(4)) : 0;
  add({op, width, {left, right}, {flags}});
}

void Generator::addDivision() {
  unsigned width = someWidth();
  Opcode op =
      pick({Opcode::DivSI, Opcode::DivUI, Opcode::FloorDivSI, Opcode::CeilDivSI,
            Opcode::CeilDivUI, Opcode::RemSI, Opcode::RemUI});
  unsigned left = value(width);
  unsigned right =
      oneIn(5) ? value(width) : constant(width, interestingConstant(width));
  add({op, width, {left, right}});
}

void Generator::addBits() {
  unsigned width = someWidth();
  Opcode op = pick({Opcode::ShRSI, Opcode::ShRUI, Opcode::AndI, Opcode::AndI,
                    Opcode::OrI, Opcode::XOrI});
  unsigned left = value(width);
  unsigned right;
  if (op == Opcode::ShRSI || op == Opcode::ShRUI)
    right = constant(width,
                     static_cast<int64_t>(below(width == kIndex ? 64 : width)));
  else
    right =
        oneIn(4) ? value(width) : constant(width, interestingConstant(width));
  add({op, width, {left, right}});
}

void Generator::addCast() {
  unsigned from = oneIn(10) ? 1 : someWidth(), to = someWidth();
  if (from == to)
    return addArithmetic();
  unsigned operand = value(from);
  if (from == kIndex || to == kIndex) {
    add({pick({Opcode::IndexCast, Opcode::IndexCastUI}), to, {operand}});
    return;
  }
  if (from < to)
    add({pick({Opcode::ExtSI, Opcode::ExtUI}), to, {operand}});
  else
    add({Opcode::TruncI,
         to,
         {operand},
         {oneIn(3) ? static_cast<int64_t>(below(4)) : 0}});
}

void Generator::addComparison() {
  if (oneIn(4)) {
    unsigned left = value(1);
    unsigned right = oneIn(3) ? constant(1, -1) : value(1);
    add({pick({Opcode::AndI, Opcode::OrI, Opcode::XOrI}), 1, {left, right}});
    return;
  }
  unsigned width = someWidth();
  unsigned left = value(width);
  unsigned right =
      oneIn(3) ? constant(width, interestingConstant(width)) : value(width);
  add({Opcode::CmpI, 1, {left, right}, {static_cast<int64_t>(below(10))}});
}

void Generator::addSelect() {
  if (oneIn(2)) {
    unsigned width = someWidth();
    unsigned left = value(width), right = value(width);
    add({pick({Opcode::MinSI, Opcode::MaxSI, Opcode::MinUI, Opcode::MaxUI}),
         width,
         {left, right}});
    return;
  }
  unsigned width = oneIn(4) ? 1 : someWidth();
  unsigned condition = value(1), taken = value(width), other = value(width);
  // Conditions of which the second is only looked at if it matters.
  if (width == 1 && oneIn(2))
    other = constant(1, 0);
  else if (width == 1)
    taken = constant(1, -1);
  add({oneIn(3) ? Opcode::Choice : Opcode::Select,
       width,
       {condition, taken, other}});
}

void Generator::addAffine() {
  unsigned x = affineValue(), y = affineValue();
  auto small = [&] { return static_cast<int64_t>(below(9)) - 3; };
  int64_t divisor = oneIn(2) ? int64_t(1) << below(6) : 1 + int64_t(below(9));
  Opcode op = pick({Opcode::Apply, Opcode::Apply, Opcode::Min, Opcode::Max});
  add({op,
       kIndex,
       {x, y},
       {small(), small(), small(), static_cast<int64_t>(below(4)), divisor,
        oneIn(2) ? 1 : small()}});
}

void Generator::addGuard() {
  if (oneIn(6)) {
    unsigned x = affineValue(), y = affineValue();
    auto small = [&] { return static_cast<int64_t>(below(7)) - 3; };
    add({Opcode::AffineIf,
         kIndex,
         {x, y},
         {small(), small(), small(), oneIn(3), oneIn(5)}});
  } else {
    if (!oneIn(3))
      addComparison();
    unsigned condition = value(1);
    add({Opcode::If, 1, {condition}, {oneIn(4)}});
  }
  ++depth;
}

/// `if (f(id) < x)`, as kernels guard what they do.
void Generator::addIdGuard() {
  unsigned width = kIndex;
  unsigned id = add({Opcode::GlobalId, kIndex, {}, {oneIn(4)}});
  for (unsigned steps = below(4); steps-- > 0;) {
    unsigned to = someWidth();
    if (oneIn(2) && to != width) {
      bool isIndex = width == kIndex || to == kIndex;
      Opcode extension = pick({Opcode::ExtSI, Opcode::ExtUI});
      Opcode op = isIndex ? pick({Opcode::IndexCast, Opcode::IndexCastUI})
                          : (width < to ? extension : Opcode::TruncI);
      id = add({op, to, {id}});
      width = to;
      continue;
    }
    unsigned other = oneIn(2) ? constant(width, interestingConstant(5))
                              : add({Opcode::Argument, width});
    Opcode op = pick({Opcode::AddI, Opcode::SubI, Opcode::MulI, Opcode::AddI});
    int64_t flags = oneIn(4) ? 0 : 1;
    if (oneIn(2))
      std::swap(id, other);
    id = add({op, width, {id, other}, {flags}});
  }
  unsigned limit = value(width);
  if (oneIn(2))
    std::swap(id, limit);
  unsigned condition =
      add({Opcode::CmpI, 1, {id, limit}, {static_cast<int64_t>(below(10))}});
  add({Opcode::If, 1, {condition}, {oneIn(8)}});
  ++depth;
}

void Generator::addLoop() {
  if (loopDepth == 2)
    return addArithmetic();
  unsigned carriedWidth = someWidth(), init = value(carriedWidth);
  int64_t step = oneIn(2) ? 1 : 1 + static_cast<int64_t>(below(4));
  if (oneIn(2)) {
    unsigned width = oneIn(3) ? someWidth() : kIndex;
    unsigned lower =
        oneIn(2) ? constant(width, interestingConstant(4)) : value(width);
    unsigned upper = value(width);
    // One that the type holds as a positive number.
    if (width != kIndex && width < 4)
      step = 1;
    add({Opcode::For, width, {lower, upper}, {step, oneIn(5)}});
  } else {
    unsigned lower = oneIn(2) ? constant(kIndex, 0) : affineValue();
    unsigned upper = affineValue();
    auto offset = [&] { return static_cast<int64_t>(below(7)) - 3; };
    add({Opcode::AffineFor,
         kIndex,
         {lower, upper},
         {step, offset(), offset(), oneIn(3)}});
  }
  ++depth;
  ++loopDepth;
  unsigned loop = program.code.size() - 1;
  if (oneIn(2))
    addCarry(carriedWidth, init);
  // As loops that count down look when they count up.
  if (oneIn(3))
    add({Opcode::SubI,
         program.code[loop].width,
         {program.code[loop].operands[1], loop}});
}

/// Values carried around loops are sums as a rule.
void Generator::addCarry(unsigned width, unsigned init) {
  unsigned carried = add({Opcode::Carry, width, {init}});
  unsigned amount =
      oneIn(2) ? constant(width, interestingConstant(4)) : value(width);
  int64_t flags = oneIn(2) ? static_cast<int64_t>(below(4)) : 0;
  unsigned sum = add({oneIn(8) ? Opcode::MulI : Opcode::AddI,
                      width,
                      {carried, amount},
                      {flags}});
  program.code[carried].data[0] = oneIn(5) ? value(width) : sum;
}

Program Generator::run() {
  program.seed = next();
  widths.push_back(kIndex);
  if (!shape.onlyIndices) {
    widths.push_back(oneIn(3) ? 1 + below(64) : 32);
    widths.push_back(pick({8u, 16u, 64u, 32u, 4u}));
  }
  unsigned arguments = 1 + below(3);
  for (unsigned i = 0; i < arguments; ++i)
    add({Opcode::Argument, someWidth()});
  leaf(kIndex);
  unsigned length = shape.length / 4 + below(shape.length);
  while (program.code.size() < length) {
    switch (below(16)) {
    case 0:
    case 1:
      addDivision();
      break;
    case 2:
    case 3:
      addBits();
      break;
    case 4:
    case 5:
    case 6:
      addCast();
      break;
    case 7:
      addComparison();
      break;
    case 8:
      addSelect();
      break;
    case 9:
      addAffine();
      break;
    case 10:
    case 11:
      addGuard();
      break;
    case 12:
      if (shape.loops) {
        addLoop();
        break;
      }
      [[fallthrough]];
    default:
      addArithmetic();
    }
  }
  if (shape.guardedIds)
    for (unsigned guards = 1 + below(2); guards-- > 0;)
      addIdGuard();
  return std::move(program);
}

Program gpuopt::property::generate(llvm::function_ref<uint64_t()> next,
                                   const ProgramShape &shape) {
  return Generator(next, shape).run();
}
