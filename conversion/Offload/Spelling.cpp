//===- Spelling.cpp - offloaded sections in three dialects ----------------===//

#include "conversion/Offload/Spelling.h"

#include "clang/AST/OpenMPClause.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

std::optional<Problem> Spelling::check(const ParallelLoop &loop) const {
  auto refuse = [&](const char *message) {
    return Problem{loop.statement->getBeginLoc(), message, false};
  };
  if (dialect != Dialect::OpenACC)
    return std::nullopt;
  if (!loop.lastPrivates.empty())
    return refuse("OpenACC has no clause 'lastprivate'");
  if (llvm::any_of(loop.firstPrivates, [](const VarDecl *variable) {
        return !variable->getType()->isScalarType();
      }))
    return refuse("OpenACC's compilers copy no arrays for each iteration");
  return std::nullopt;
}

std::optional<Problem> Spelling::check(const DataPlan &plan,
                                       const Effects &effects) const {
  auto record = llvm::find_if(plan.arrays, [](const DataItem &item) {
    return item.variable->getType()->isRecordType();
  });
  if (dialect != Dialect::OpenACC || record == plan.arrays.end())
    return std::nullopt;
  auto access = llvm::find_if(effects.accesses, [&](const Access &each) {
    return each.base == record->variable;
  });
  return Problem{access->expression->getExprLoc(),
                 "OpenACC's compilers have no structure '" +
                     record->variable->getNameAsString() +
                     "' on the device as a whole",
                 false};
}

llvm::ArrayRef<llvm::StringLiteral> Spelling::words() const {
  static constexpr llvm::StringLiteral omp[] = {
      "omp", "target", "teams", "distribute", "data",
      "map", "to",     "from",  "tofrom",     "alloc"};
  static constexpr llvm::StringLiteral acc[] = {
      "acc",    "data",    "parallel", "loop",    "copy",
      "copyin", "copyout", "create",   "present", "reduction"};
  static constexpr llvm::StringLiteral leo[] = {
      "offload", "target", "mic", "in", "out", "inout", "nocopy", "length"};
  switch (dialect) {
  case Dialect::OpenMP:
    return omp;
  case Dialect::OpenACC:
    return acc;
  case Dialect::LEO:
    return leo;
  }
  llvm_unreachable("no other dialect");
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

const char *Spelling::clauseName(Direction direction) const {
  static constexpr const char *names[][3] = {
      {"map(to: ", "copyin(", "in("},
      {"map(from: ", "copyout(", "out("},
      {"map(tofrom: ", "copy(", "inout("},
      {"map(alloc: ", "create(", "nocopy("}};
  return names[size_t(direction)][size_t(dialect)];
}

std::string Spelling::operand(const DataItem &item,
                              const SymbolTable &symbols) const {
  std::string text = item.variable->getNameAsString() + item.rows;
  if (!item.hasSection)
    return text;
  std::string first = symbols.sectionText(item.first);
  std::string count = symbols.sectionText(item.count);
  if (dialect == Dialect::LEO && item.rows.empty() &&
      item.first == Polynomial(0))
    return text + ":length(" + count + ")";
  return text + "[" + first + ":" + count + "]";
}

/// Operands of a clause of LEO, with one `:length(…)` for all names that have
/// it in common.
static std::vector<std::string>
joinLengths(llvm::ArrayRef<std::string> operands) {
  llvm::MapVector<StringRef, std::string> names;
  for (StringRef operand : operands) {
    StringRef name = operand.take_front(operand.find(":length("));
    std::string &joined = names[operand.drop_front(name.size())];
    joined += (joined.empty() ? "" : ",") + name.str();
  }
  std::vector<std::string> result;
  for (const auto &[length, joined] : names)
    result.push_back(joined + length.str());
  return result;
}

/// The data clauses for `items`: one for each direction. `values` are read
/// alone.
std::string Spelling::clauses(llvm::ArrayRef<DataItem> items,
                              const Variables &values,
                              const SymbolTable &symbols) const {
  bool isLEO = dialect == Dialect::LEO;
  std::string text;
  for (Direction direction :
       {Direction::In, Direction::Out, Direction::InOut, Direction::Neither}) {
    std::vector<std::string> operands;
    for (const DataItem &item : items)
      if (item.direction == direction)
        operands.push_back(operand(item, symbols));
    // Elsewhere a scalar that is read alone is copied without being named.
    if (isLEO && direction == Direction::In)
      for (const VarDecl *value : values)
        operands.push_back(value->getNameAsString());
    if (!isLEO && !operands.empty())
      operands = {llvm::join(operands, ", ")};
    for (const std::string &each : isLEO ? joinLengths(operands) : operands)
      text += std::string(" ") + clauseName(direction) + each + ")";
  }
  return text;
}

/// The clause by which a loop finds `items` on the device, where its region has
/// brought them.
std::string Spelling::presentClause(llvm::ArrayRef<DataItem> items,
                                    const SymbolTable &symbols) const {
  std::vector<std::string> operands;
  for (const DataItem &item : items)
    operands.push_back(operand(item, symbols));
  if (operands.empty())
    return "";
  return (dialect == Dialect::OpenACC ? " present(" : " map(alloc: ") +
         llvm::join(operands, ", ") + ")";
}

/// The clauses that the source has for the loop itself, as it has them.
std::string Spelling::keptClauses(const ParallelLoop &loop) const {
  std::string text;
  for (const OMPClause *clause : loop.kept) {
    CharSourceRange range = CharSourceRange::getTokenRange(
        clause->getBeginLoc(), clause->getEndLoc());
    std::string kept = Lexer::getSourceText(range, context.getSourceManager(),
                                            context.getLangOpts())
                           .str();
    // A sum that is subtracted from is a sum.
    size_t colon = kept.find(':'), minus = kept.find('-');
    if (isa<OMPReductionClause>(clause) && minus < colon)
      kept[minus] = '+';
    text += " " + kept;
  }
  std::vector<std::string> names;
  for (const VarDecl *variable : loop.unnamedPrivates)
    names.push_back(variable->getNameAsString());
  if (!names.empty())
    text += " private(" + llvm::join(names, ", ") + ")";
  return text;
}

std::string Spelling::regionDirective(const Region &region,
                                      const DataPlan &plan,
                                      const SymbolTable &symbols) const {
  if (dialect != Dialect::LEO) {
    if (!region.keepsData() || plan.arrays.empty())
      return "";
    const char *name = dialect == Dialect::OpenACC ? "#pragma acc data"
                                                   : "#pragma omp target data";
    return name + clauses(plan.arrays, {}, symbols);
  }
  // The whole region is the device's.
  std::vector<DataItem> items = plan.arrays;
  llvm::SetVector<const VarDecl *> values;
  for (const LoopPlan &loop : plan.loops) {
    for (const DataItem &scalar : loop.scalars)
      if (llvm::none_of(items, [&](const DataItem &item) {
            return item.variable == scalar.variable;
          }))
        items.push_back(scalar);
    for (const VarDecl *value : loop.values)
      if (llvm::none_of(items, [&](const DataItem &item) {
            return item.variable == value;
          }))
        values.insert(value);
  }
  return "#pragma offload target(mic)" +
         clauses(items, {values.begin(), values.end()}, symbols);
}

std::string Spelling::loopDirective(const Region &region, size_t place,
                                    const DataPlan &plan,
                                    const SymbolTable &symbols) const {
  const ParallelLoop &loop = region.loops[place];
  if (dialect == Dialect::LEO)
    return "#pragma omp parallel for" + keptClauses(loop);
  const LoopPlan &needs = plan.loops[place];
  std::vector<DataItem> arrays;
  for (size_t array : needs.arrays)
    arrays.push_back(plan.arrays[array]);
  std::string text =
      loop.isTarget
          ? "#pragma omp " + llvm::omp::getOpenMPDirectiveName(
                                 loop.directives.back()->getDirectiveKind(),
                                 context.getLangOpts().OpenMP)
                                 .str()
      : dialect == Dialect::OpenACC
          ? "#pragma acc parallel loop"
          : "#pragma omp target teams distribute parallel for";
  text += keptClauses(loop);
  if (region.keepsData())
    return text + presentClause(arrays, symbols) +
           clauses(needs.scalars, {}, symbols);
  llvm::append_range(arrays, needs.scalars);
  return text + clauses(arrays, {}, symbols);
}

std::string Spelling::body(StringRef text) const {
  if (dialect != Dialect::OpenACC)
    return text.str();
  static llvm::Regex atomic("(#[ \t]*pragma[ \t]+)omp([ \t]+atomic)([^\n]*)");
  static llvm::Regex hints("(seq_cst|relaxed|acq_rel|acquire|release|hint\\("
                           "[^)]*\\)|,)");
  std::string result;
  SmallVector<StringRef> parts;
  while (atomic.match(text, &parts)) {
    std::string kind = parts[3].str();
    while (hints.match(kind))
      kind = hints.sub("", kind);
    result += text.take_front(parts[0].data() - text.data());
    result += parts[1].str() + "acc" + parts[2].str() + kind;
    text = text.drop_front(parts[0].end() - text.data());
  }
  return result + text.str();
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// `polynomial`, which is not constant, is not negative.
static std::string isNotNegativeText(const Polynomial &polynomial,
                                     const SymbolTable &symbols) {
  const auto &terms = polynomial.terms();
  bool hasConstant = terms.begin()->first.empty();
  const auto &[product, factor] = *std::next(terms.begin(), hasConstant);
  int64_t constant = hasConstant ? terms.begin()->second : 0;
  if (terms.size() != size_t(hasConstant) + 1 || product.size() != 1 ||
      constant == INT64_MIN || (factor != 1 && factor != -1))
    return symbols.textOf(polynomial) + " >= 0";
  const SymbolTable::Symbol &symbol = symbols[product.front()];
  int64_t end = -factor * constant;
  // It would become a large number beside an unsigned symbol.
  if (end < 0 && symbol.isUnsigned)
    return symbols.textOf(polynomial) + " >= 0";
  if (factor == -1)
    return symbol.text + " <= " + std::to_string(end);
  return symbol.text + (end == 1 ? " > 0" : " >= " + std::to_string(end));
}

/// Whether both may be pieces of the same memory.
static bool mayOverlap(const DataItem &left, const DataItem &right) {
  auto isPointer = [](const DataItem &item) {
    return item.variable->getType()->isPointerType();
  };
  if (left.variable->getType()->isArithmeticType() ||
      right.variable->getType()->isArithmeticType())
    return false;
  auto isRestrict = [](const DataItem &item) {
    return isa<ParmVarDecl>(item.variable) &&
           item.variable->getType().isRestrictQualified();
  };
  if (!isPointer(left) && !isPointer(right))
    return false;
  bool isChanged =
      left.direction != Direction::In || right.direction != Direction::In;
  return !(isChanged && isRestrict(left) && isRestrict(right));
}

/// Sections of arrays are no parts of each other: a device has each of them
/// once.
std::string Spelling::apartText(const DataPlan &plan,
                                const SymbolTable &symbols) {
  std::vector<std::string> arguments;
  bool mayAny = false;
  for (const DataItem &item : plan.arrays) {
    bool mayOne = llvm::any_of(plan.arrays, [&](const DataItem &other) {
      return &item != &other && mayOverlap(item, other);
    });
    mayAny |= mayOne;
    if (!mayOne)
      continue;
    // From where the pointer points to, as some runtimes know arrays by that.
    Polynomial before = item.rows.empty() ? item.first : Polynomial(0);
    std::string place = "&" + item.variable->getNameAsString() + item.rows;
    if (item.hasSection)
      place += "[" + symbols.sectionText(item.first - before) + "]";
    arguments.push_back("(const void *)" + place);
    arguments.push_back(
        symbols.longLongText((before + item.count) * item.elementBytes));
  }
  if (!mayAny)
    return "";
  used.apart = true;
  return "gpuopt_offload_apart(" + std::to_string(arguments.size() / 2) + ", " +
         llvm::join(arguments, ", ") + ")";
}

std::string Spelling::pays(StringRef place, bool isInTeam, const DataPlan &plan,
                           const SymbolTable &symbols, const Variables &kept) {
  (isInTeam ? used.paysForTeam : used.pays) = true;
  used.lesser |= symbols.usesLesser();
  used.greater |= symbols.usesGreater();
  Polynomial in, out;
  std::string keptIn, keptOut;
  auto add = [&](const DataItem &item) {
    bool goes =
        item.direction == Direction::In || item.direction == Direction::InOut;
    bool comes =
        item.direction == Direction::Out || item.direction == Direction::InOut;
    Polynomial bytes = item.bytes(), nothing;
    if (llvm::is_contained(kept, item.variable->getCanonicalDecl())) {
      std::string name = item.variable->getNameAsString();
      keptIn += " + gpuopt_offload_in(gpuopt_kept_" + name + ", " +
                symbols.textOf(goes ? bytes : nothing) + ", sizeof " + name +
                ")";
      if (comes)
        keptOut += " + gpuopt_offload_out(gpuopt_kept_" + name + ", " +
                   symbols.textOf(bytes) + ")";
      return;
    }
    in = goes ? in + bytes : in;
    out = comes ? out + bytes : out;
  };
  llvm::for_each(plan.arrays, add);
  for (const LoopPlan &loop : plan.loops) {
    llvm::for_each(loop.scalars, add);
    for (const VarDecl *value : loop.values)
      in = in + context.getTypeSizeInChars(value->getType()).getQuantity();
  }
  std::string text =
      isInTeam ? "gpuopt_offload_pays_for_team(\"" : "gpuopt_offload_pays(\"";
  llvm::raw_string_ostream(text).write_escaped(place);
  text += '"';
  for (const Polynomial &figure :
       {plan.iterations, plan.work.operations, plan.work.memoryOperations})
    text += ", " + symbols.textOf(figure);
  return text + ", " + symbols.textOf(in) + keptIn + ", " +
         symbols.textOf(out) + keptOut + ")";
}

std::string Spelling::condition(StringRef place, StringRef indent,
                                const Region &region, const DataPlan &plan,
                                const SymbolTable &symbols,
                                const Variables &kept,
                                const FixedPointers &pointers) {
  std::vector<std::string> parts;
  for (const Polynomial &required : plan.conditions.required())
    parts.push_back(isNotNegativeText(required, symbols));
  if (!region.isTarget())
    parts.push_back(pays(place, region.isInTeam(), plan, symbols, kept));
  else if (plan.iterations.constant().value_or(0) <= 0)
    parts.push_back(symbols.textOf(plan.iterations) + " > 0");
  for (const FixedPointer &pointer : pointers)
    parts.push_back("(" + pointer.variable->getNameAsString() + " = " +
                    pointer.text + ", 1)");
  if (std::string apart = apartText(plan, symbols); !apart.empty())
    parts.push_back(apart);
  return llvm::join(parts, " &&\n" + indent.str() + "    ");
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kPays = R"(#ifdef __cplusplus
extern "C"
#endif
int gpuopt_offload_decide(const char *place, double iterations,
                          double operations, double memory_operations,
                          double bytes_in, double bytes_out)
    __attribute__((weak));

/* Whether a section runs on the device. The library libgpuopt_offload decides;
   without it everything runs on the host. Operations are those of
   all iterations. */
static __inline__ __attribute__((unused)) int
gpuopt_offload_pays(const char *place, double iterations, double operations,
                    double memory_operations, double bytes_in,
                    double bytes_out) {
  return iterations > 0 && gpuopt_offload_decide &&
         gpuopt_offload_decide(place, iterations, operations,
                               memory_operations, bytes_in, bytes_out);
}
)";

static constexpr llvm::StringLiteral kPaysForTeam = R"(
#ifdef __cplusplus
extern "C"
#endif
int gpuopt_offload_decide_for_team(const char *place, double iterations,
                                   double operations, double memory_operations,
                                   double bytes_in, double bytes_out)
    __attribute__((weak));

/* The same for a loop that all threads of a team would share out. */
static __inline__ __attribute__((unused)) int
gpuopt_offload_pays_for_team(const char *place, double iterations,
                             double operations, double memory_operations,
                             double bytes_in, double bytes_out) {
  return iterations > 0 && gpuopt_offload_decide_for_team &&
         gpuopt_offload_decide_for_team(place, iterations, operations,
                                        memory_operations, bytes_in, bytes_out);
}
)";

static constexpr llvm::StringLiteral kApart = R"(
/* Whether pieces of memory, each an address and a number of bytes, have nothing
   in common. */
static __inline__ __attribute__((unused)) int gpuopt_offload_apart(int count, ...) {
  const char *begin[64], *end[64];
  int first, second, apart = count <= 64;
  __builtin_va_list pieces;
  __builtin_va_start(pieces, count);
  for (first = 0; apart && first < count; ++first) {
    begin[first] = (const char *)__builtin_va_arg(pieces, const void *);
    end[first] = begin[first] + __builtin_va_arg(pieces, long long);
    for (second = 0; second < first; ++second)
      apart &= begin[first] >= end[second] || begin[second] >= end[first];
  }
  __builtin_va_end(pieces);
  return apart;
}
)";

static constexpr llvm::StringLiteral kMalloc = R"(
extern int posix_memalign(void **place, __SIZE_TYPE__ alignment, __SIZE_TYPE__ size);

/* malloc, of whole blocks of 64 bytes. */
static __inline__ __attribute__((unused)) void *gpuopt_offload_malloc(__SIZE_TYPE__ size) {
  __SIZE_TYPE__ rounded = (size + 63) / 64 * 64;
  void *place = 0;
  return rounded < size || posix_memalign(&place, 64, rounded) ? 0 : place;
}
)";

/// The lesser or the greater of two numbers.
static std::string choiceText(StringRef name, StringRef comparison) {
  return ("\nstatic __inline__ __attribute__((unused)) long "
          "long\ngpuopt_offload_" +
          name + "(long long left, long long right) {\n  return left " +
          comparison + " right ? left : right;\n}\n")
      .str();
}

std::string Spelling::helperText() const {
  if (!used.pays && !used.paysForTeam && !used.apart && !used.malloc)
    return "";
  std::string text;
  auto add = [&](bool isUsed, StringRef guard, const std::string &definition) {
    if (isUsed)
      text +=
          ("#ifndef " + guard + "\n#define " + guard + definition + "#endif\n")
              .str();
  };
  if (used.pays || used.paysForTeam)
    text = "#ifndef GPUOPT_OFFLOAD /* added by gpuopt offload */\n#define "
           "GPUOPT_OFFLOAD\n" +
           kPays.str() + "#endif\n";
  add(used.paysForTeam, "GPUOPT_OFFLOAD_TEAM", kPaysForTeam.str());
  add(used.apart, "GPUOPT_OFFLOAD_APART", kApart.str());
  add(used.malloc, "GPUOPT_OFFLOAD_MALLOC", kMalloc.str());
  add(used.lesser, "GPUOPT_OFFLOAD_LESSER", choiceText("lesser", "<"));
  add(used.greater, "GPUOPT_OFFLOAD_GREATER", choiceText("greater", ">"));
  return text + "\n";
}
