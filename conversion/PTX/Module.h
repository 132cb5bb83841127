//===- Module.h - what a file of PTX says -----------------------*- C++ -*-===//
//
// The tree that the parser makes, close to the text: what instructions mean is
// in Instructions.def. All names refer to the text.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_MODULE_H
#define CONVERSION_PTX_MODULE_H

#include "conversion/PTX/Lexer.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <variant>

namespace gpuopt::ptx {

/// `.u32`, `.f16x2`, `.pred`: a kind and the bits of the whole.
struct RegisterType {
  enum class Kind { Bits, Unsigned, Signed, Float, BFloat, Predicate };

  Kind kind = Kind::Bits;
  unsigned bits = 0;
  /// 2 for `.f16x2`.
  unsigned lanes = 1;

  bool isFloat() const { return kind == Kind::Float || kind == Kind::BFloat; }
  bool isSigned() const { return kind == Kind::Signed; }
  bool isPredicate() const { return kind == Kind::Predicate; }
  bool operator==(const RegisterType &other) const {
    return kind == other.kind && bits == other.bits && lanes == other.lanes;
  }
};

/// The type that `word` names, without its dot; nothing where it names none.
std::optional<RegisterType> typeNamed(llvm::StringRef word);

struct Operand {
  enum class Kind {
    Name,    ///< a register, `%tid.x`, a variable, a label, `_`
    Integer, ///< `-5`
    Float,   ///< the bits of `0f…` and `0d…`; a decimal number's of a double
    Vector,  ///< `{a, b}`
    Address, ///< `[a+4]`
    List,    ///< `(a, b)`
    Pair     ///< `p|q`; the first may be a vector
  };

  Kind kind = Kind::Name;
  Position at;
  llvm::StringRef name;
  /// Of an integer; behind a name, what is added to it.
  int64_t number = 0;
  uint64_t bits = 0;
  /// Whether `bits` are those of an f32.
  bool isSingle = false;
  bool isNegated = false;
  std::vector<Operand> parts;
};

struct SourceInstruction {
  Position at;
  /// The predicate that it needs; empty where there is none.
  llvm::StringRef guard;
  bool isGuardNegated = false;
  /// `add` and `s32`; `opcode` as it is written.
  llvm::SmallVector<llvm::StringRef, 4> words;
  llvm::StringRef opcode;
  llvm::SmallVector<Operand, 4> operands;
};

enum class Space { Register, Global, Constant, Shared, Local, Parameter };

/// `.global .align 4 .f32 a[2][3] = {…}`, `.reg .b32 %r<5>`, `.param .u64 p`.
struct Variable {
  Position at;
  Space space = Space::Register;
  RegisterType type;
  llvm::StringRef name;
  /// `%r<5>` declares %r0 to %r4.
  std::optional<unsigned> count;
  /// Extents; 0 for one that is open.
  llvm::SmallVector<uint64_t, 2> extents;
  bool isArray() const { return !extents.empty(); }
  /// 0 where nothing is said.
  uint64_t alignment = 0;
  bool isExternal = false;
  bool isVisible = false;
  /// Of a pointer parameter (`.ptr .align 16`).
  bool isPointer = false;
  /// `.attribute(.managed)`.
  bool isManaged = false;
  /// `.texref`, and the parameters that it becomes (Textures.h): the array, and
  /// its extents.
  bool isTexture = false;
  bool isTextureExtent = false;
  /// Of the array: numbers of an element, and the parameters that are its
  /// extents, the fastest dimension first; none where it has no ends.
  unsigned channels = 0;
  llvm::SmallVector<llvm::StringRef, 0> textureExtents;
  /// Numbers, and addresses of variables, in row-major order.
  std::vector<Operand> values;

  uint64_t elements() const {
    uint64_t product = 1;
    for (uint64_t extent : extents)
      product *= extent;
    return product;
  }
  uint64_t bytes() const { return elements() * ((type.bits + 7) / 8); }
};

/// Behind `.callprototype`: what a function takes and gives that is called
/// through a pointer.
struct Prototype {
  std::vector<Variable> results;
  std::vector<Variable> parameters;
};

struct Label {
  Position at;
  llvm::StringRef name;
  /// Behind `.branchtargets`.
  std::vector<llvm::StringRef> targets;
  /// Behind `.calltargets`.
  std::vector<llvm::StringRef> callees;
  std::optional<Prototype> prototype;
  /// Whether a branch may go there.
  bool isPlace() const {
    return targets.empty() && callees.empty() && !prototype;
  }
};

/// `.loc file line column`; line 0 is code of no line.
struct Location {
  unsigned file = 0;
  unsigned line = 0;
  unsigned column = 0;
};

/// A `{` or `}` that begins or ends a scope of names.
struct ScopeMark {
  bool begins = false;
};

using Statement =
    std::variant<SourceInstruction, Variable, Label, Location, ScopeMark>;

struct SourceFunction {
  Position at;
  llvm::StringRef name;
  bool isKernel = false;
  bool isDefined = false;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  /// `.reqntid`, `.maxntid`, `.minnctapersm` and the like, by name.
  std::map<llvm::StringRef, llvm::SmallVector<uint64_t, 3>> bounds;
  std::vector<Statement> body;
};

struct SourceModule {
  std::vector<Variable> variables;
  std::vector<SourceFunction> functions;
  /// By the number that `.file` gives them.
  std::map<unsigned, std::string> files;
  /// Names that are not in the text.
  std::deque<std::string> ownNames;
  llvm::StringRef addName(const llvm::Twine &name) {
    return ownNames.emplace_back(name.str());
  }
};

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_MODULE_H
