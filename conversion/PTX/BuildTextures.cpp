//===- BuildTextures.cpp - fetches from textures --------------------------===//
//
// `tex.1d.v4.f32.s32 {r, g, b, a}, [t, {i}]` of a texture in linear memory is
// element i of an array (Textures.h).
//
// How other fetches are filtered, and what coordinates beyond the ends mean,
// the host says, and not PTX. They are taken to be what CUDA's references have
// unless the host says otherwise: the element in which the coordinates lie, in
// units of elements, and the nearest one beyond the ends.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

/// The parameter that stands for a texture; null for what is none.
static const Variable *findTexture(Operation &op, StringRef name) {
  ArrayRef<Variable> parameters = op.function.source.parameters;
  auto found = find_if(parameters, [&](const Variable &parameter) {
    return parameter.isTexture && parameter.name == name;
  });
  return found == parameters.end() ? nullptr : &*found;
}

/// Coordinate `dimension` in whole elements.
static Value *readCoordinate(Operation &op, const Operand &coordinates,
                             unsigned dimension) {
  bool isVector = coordinates.kind == Operand::Kind::Vector;
  if (dimension >= (isVector ? coordinates.parts.size() : 1))
    return op.fail("expected more coordinates");
  Value *value = op.function.read(
      isVector ? coordinates.parts[dimension] : coordinates, op.type(1));
  if (!value || !op.type(1).isFloat())
    return value;
  Value *floor = op.ir.CreateUnaryIntrinsic(Intrinsic::floor, value);
  return op.ir.CreateIntrinsic(Intrinsic::fptosi_sat,
                               {op.ir.getInt32Ty(), floor->getType()}, {floor});
}

/// The subscript of the element that a fetch from `texture` gives. Older PTX
/// writes four coordinates where fewer count.
static Value *findElement(Operation &op, const Variable &texture,
                          const Operand &coordinates) {
  Builder &ir = op.ir;
  Value *subscript = nullptr;
  if (texture.textureExtents.empty()) {
    subscript = readCoordinate(op, coordinates, 0);
    return subscript ? ir.CreateSExt(subscript, ir.getInt64Ty()) : nullptr;
  }
  unsigned dimensions = op.has("1d") ? 1 : op.has("2d") ? 2 : 3;
  for (unsigned dimension = dimensions; dimension-- > 0;) {
    Value *coordinate = readCoordinate(op, coordinates, dimension);
    if (!coordinate)
      return nullptr;
    Operand name;
    name.name = texture.textureExtents[dimension];
    Value *extent =
        ir.CreateLoad(ir.getInt32Ty(), op.function.findVariable(name));
    Value *last = ir.CreateSub(extent, ir.getInt32(1));
    coordinate = ir.CreateBinaryIntrinsic(Intrinsic::smin, coordinate, last);
    coordinate =
        ir.CreateBinaryIntrinsic(Intrinsic::smax, coordinate, ir.getInt32(0));
    coordinate = ir.CreateSExt(coordinate, ir.getInt64Ty());
    if (subscript)
      coordinate = ir.CreateAdd(
          ir.CreateMul(subscript, ir.CreateSExt(extent, ir.getInt64Ty())),
          coordinate);
    subscript = coordinate;
  }
  return subscript;
}

bool build::fetchTexture(Operation &op) {
  Builder &ir = op.ir;
  const Operand &target = op.operand(0), &address = op.operand(1);
  if (address.kind != Operand::Kind::Address || address.parts.size() != 2)
    return op.fail("expected a texture and coordinates");
  const Variable *texture = findTexture(op, address.parts[0].name);
  if (!texture) {
    if (op.function.registerBits(address.parts[0]) == 64)
      return fetchFromObject(op);
    return op.fail("only references to textures, in kernels, are supported");
  }
  if (target.kind != Operand::Kind::Vector || target.parts.size() != 4)
    return op.fail("expected four registers");
  Value *subscript = findElement(op, *texture, address.parts[1]);
  if (!subscript)
    return false;
  uint64_t bytes = op.type().bits / 8;
  Value *offset =
      ir.CreateMul(subscript, ir.getInt64(bytes * texture->channels));
  Value *base = ir.CreateLoad(ir.getInt64Ty(),
                              op.function.findVariable(address.parts[0]));
  llvm::Type *type = op.function.typeOf(op.type());
  for (unsigned channel = 0; channel < texture->channels; ++channel) {
    Value *place =
        ir.CreateAdd(ir.CreateAdd(base, offset), ir.getInt64(bytes * channel));
    Value *element = ir.CreateAlignedLoad(
        type, ir.CreateIntToPtr(place, ir.getPtrTy()), Align(bytes));
    if (!op.function.write(target.parts[channel], element, op.type()))
      return false;
  }
  return true;
}
