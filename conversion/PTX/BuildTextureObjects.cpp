//===- BuildTextureObjects.cpp - textures and surfaces by their handles ---===//
//
// `tex.2d.v4.f32.f32 {r, g, b, a}, [h, {x, y}]` with a handle in a register,
// `tld4.…`, `txq.…`, `suld.b.…` and `sust.b.…` are NVVM's intrinsics, which
// have the coordinates one after the other. The host makes what is behind the
// handle.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"
#include "conversion/PTX/MatrixRegisters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

namespace {
/// `2d` and `a2d`: coordinates, and whether a layer stands before them. `cube`
/// has three.
struct Geometry {
  unsigned dimensions = 0;
  bool isLayered = false, isCube = false;

  std::string name() const {
    return (isCube ? "cube" : std::to_string(dimensions) + "d") +
           (isLayered ? ".array" : "");
  }
};

/// The intrinsic of an access, and what it is called with.
class ObjectAccess {
public:
  ObjectAccess(Operation &op, const Operand &place) : op(op), place(place) {
    StringRef name = op.has("1d") || op.has("a1d")   ? "1"
                     : op.has("2d") || op.has("a2d") ? "2"
                                                     : "3";
    name.getAsInteger(10, geometry.dimensions);
    geometry.isCube = op.has("cube") || op.has("acube");
    geometry.isLayered = op.has("a1d") || op.has("a2d") || op.has("acube");
  }

  std::string geometryName() const { return geometry.name(); }
  /// The handle and the coordinates; false after a problem.
  bool addPlace(RegisterType coordinate);
  /// One number for each dimension: three stand in a vector of four.
  bool addVector(const Operand &vector, RegisterType type, unsigned first = 0);
  bool add(const Operand &operand, RegisterType type);
  /// Calls `name`; null after a problem.
  Value *call(StringRef name);

  Operation &op;
  SmallVector<Value *, 12> arguments;

private:
  const Operand &place;
  Geometry geometry;
};
} // namespace

bool ObjectAccess::add(const Operand &operand, RegisterType type) {
  Value *value = op.function.read(operand, type);
  arguments.push_back(value);
  return value;
}

bool ObjectAccess::addVector(const Operand &vector, RegisterType type,
                             unsigned first) {
  ArrayRef<Operand> parts =
      vector.kind == Operand::Kind::Vector ? ArrayRef(vector.parts) : vector;
  if (parts.size() < first + geometry.dimensions)
    return op.fail("expected more coordinates");
  for (const Operand &part : parts.slice(first, geometry.dimensions))
    if (!add(part, type))
      return false;
  return true;
}

bool ObjectAccess::addPlace(RegisterType coordinate) {
  if (place.kind != Operand::Kind::Address || place.parts.size() != 2)
    return op.fail("expected an object and coordinates");
  const Operand &coordinates = place.parts[1];
  if (!add(place.parts[0], kB64))
    return false;
  if (geometry.isLayered &&
      (coordinates.parts.empty() || !add(coordinates.parts[0], kB32)))
    return op.fail("expected a layer and coordinates");
  return addVector(coordinates, coordinate, geometry.isLayered);
}

Value *ObjectAccess::call(StringRef name) {
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  if (id == Intrinsic::not_intrinsic)
    return op.fail("there is no such access");
  FunctionType *type = Intrinsic::getType(op.ir.getContext(), id);
  if (type->getNumParams() != arguments.size())
    return op.fail("it has another number of operands");
  return op.function.callIntrinsic(name, arguments);
}

/// Behind the four registers there may be a predicate: whether the memory of a
/// sparse array is there. No other arrays are known here.
static bool writeTexel(Operation &op, Value *texel) {
  const Operand &target = op.operand(0);
  if (target.kind != Operand::Kind::Pair)
    return writeRegisters(op, target, texel);
  return writeRegisters(op, target.parts[0], texel) &&
         op.function.write(target.parts[1], op.ir.getTrue(), kPredicate);
}

bool build::fetchFromObject(Operation &op) {
  ObjectAccess access(op, op.operand(1));
  if (!access.addPlace(op.type(1)))
    return false;
  StringRef level = op.has("level") ? ".level" : op.has("grad") ? ".grad" : "";
  if (op.operandCount() != (level.empty() ? 2 : level == ".level" ? 3 : 4))
    return op.fail("it has another number of operands");
  for (unsigned index = 2; index < op.operandCount(); ++index)
    if (level == ".level" ? !access.add(op.operand(index), kF32)
                          : !access.addVector(op.operand(index), kF32))
      return false;
  ArrayRef<StringRef> types = ArrayRef(op.instruction.words).take_back(2);
  Value *result =
      access.call(("llvm.nvvm.tex.unified." + access.geometryName() + level +
                   ".v4" + types[0] + "." + types[1])
                      .str());
  return result && writeTexel(op, result);
}

/// `tld4.r.2d.v4.f32.f32`: a channel of the four elements around a place.
bool build::gatherFromObject(Operation &op) {
  ObjectAccess access(op, op.operand(1));
  if (!access.addPlace(op.type(1)))
    return false;
  StringRef channel = op.has("r")   ? "r"
                      : op.has("g") ? "g"
                      : op.has("b") ? "b"
                                    : "a";
  ArrayRef<StringRef> types = ArrayRef(op.instruction.words).take_back(2);
  Value *result = access.call(("llvm.nvvm.tld4.unified." + channel + ".2d.v4" +
                               types[0] + "." + types[1])
                                  .str());
  return result && writeTexel(op, result);
}

/// `txq.width.b32 d, [h]`
bool build::queryObject(Operation &op) {
  const Operand &address = op.operand(1);
  if (address.kind != Operand::Kind::Address || address.parts.size() != 1)
    return op.fail("expected an object");
  Value *handle = op.function.read(address.parts[0], kB64);
  if (!handle)
    return false;
  // Without the type.
  std::string name = join(ArrayRef(op.instruction.words).drop_back(), ".");
  llvm::replace(name, '_', '.');
  return op.write(0, op.callNVVM(name, {handle}), kB32);
}

/// `2d.v2.b32.clamp`: `2d.v2i32.clamp`.
static std::string surfaceName(const Operation &op, StringRef instruction,
                               const ObjectAccess &access) {
  StringRef beyond = op.has("clamp")  ? ".clamp"
                     : op.has("zero") ? ".zero"
                                      : ".trap";
  StringRef vector = op.has("v2") ? "v2" : op.has("v4") ? "v4" : "";
  return ("llvm.nvvm." + instruction + access.geometryName() + "." + vector +
          "i" + Twine(op.type().bits) + beyond)
      .str();
}

bool build::loadSurface(Operation &op) {
  ObjectAccess access(op, op.operand(1));
  if (!access.addPlace(kB32))
    return false;
  Value *result = access.call(surfaceName(op, "suld.", access));
  return result && writeRegisters(op, op.operand(0), result);
}

bool build::storeSurface(Operation &op) {
  ObjectAccess access(op, op.operand(0));
  if (!access.addPlace(kB32))
    return false;
  const Operand &data = op.operand(1);
  // Elements of 8 bits are in registers of 16.
  RegisterType type = {RegisterType::Kind::Bits, std::max(16u, op.type().bits)};
  for (const Operand &part :
       data.kind == Operand::Kind::Vector ? ArrayRef(data.parts) : data)
    if (!access.add(part, type))
      return false;
  return access.call(surfaceName(op, "sust.b.", access));
}
