//===- BuildTextures.cpp - fetches from textures --------------------------===//
//
// `tex.1d.v4.f32.s32 {r, g, b, a}, [t, {i}]` of a texture in linear memory is
// element i of an array (Textures.h).
//
// Fetches by coordinates that are no integers are filtered, and clamped or
// wrapped, as the host says, which PTX does not tell.
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

/// The first coordinate: older PTX writes four.
static Value *readIndex(Operation &op, const Operand &coordinates) {
  constexpr RegisterType signedInteger = {RegisterType::Kind::Signed, 32};
  bool isVector =
      coordinates.kind == Operand::Kind::Vector && !coordinates.parts.empty();
  return op.function.read(isVector ? coordinates.parts[0] : coordinates,
                          signedInteger);
}

bool build::fetchTexture(Operation &op) {
  Builder &ir = op.ir;
  const Operand &target = op.operand(0), &address = op.operand(1);
  if (target.kind != Operand::Kind::Vector || target.parts.size() != 4)
    return op.fail("expected four registers");
  if (address.kind != Operand::Kind::Address || address.parts.size() != 2)
    return op.fail("expected a texture and a coordinate");
  const Variable *texture = findTexture(op, address.parts[0].name);
  if (!texture)
    return op.fail("only references to textures, in kernels, are supported");
  Value *index = readIndex(op, address.parts[1]);
  if (!index)
    return false;
  uint64_t bytes = op.type().bits / 8;
  Value *offset = ir.CreateMul(ir.CreateSExt(index, ir.getInt64Ty()),
                               ir.getInt64(bytes * texture->channels));
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
