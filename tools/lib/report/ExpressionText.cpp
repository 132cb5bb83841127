//===- ExpressionText.cpp - expressions for people and scripts ------------===//

#include "tools/lib/report/ExpressionText.h"

#include "dialects/GPUOpt/AttributeNames.h"

using namespace mlir;
using namespace gpuopt;

std::string ExpressionText::nameOf(unsigned argument) const {
  return argument < kernel.parameters.size() ? kernel.parameters[argument].name
                                             : "arg" + std::to_string(argument);
}

bool ExpressionText::isUnsigned(unsigned argument) const {
  return function.getArgAttr(argument, kUnsignedAttrName) != nullptr;
}

unsigned ExpressionText::bitsOf(unsigned argument) const {
  Type type = function.getFunctionType().getInput(argument);
  return type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
}

/// The signed number that a symbol is, or the unsigned one that it is modulo
/// the numbers of its type. A launcher has what the source declares.
ExpressionText::Text ExpressionText::writeSymbol(unsigned symbol,
                                                 bool isModuloType) const {
  unsigned numArguments = function.getFunctionType().getNumInputs();
  if (symbol >= numArguments) {
    unsigned number = symbol - numArguments;
    std::string axis(1, static_cast<char>('x' + number % 3));
    return {(number < 3 ? "grid." : "block.") + axis};
  }
  std::string name = nameOf(symbol);
  unsigned bits = bitsOf(symbol);
  if (isModuloType == isUnsigned(symbol) || bits > 32)
    return {name};
  std::string all = std::to_string(uint64_t(1) << bits);
  if (isModuloType)
    return {name + " % " + all, Binding::Product};
  std::string half = std::to_string(uint64_t(1) << (bits - 1));
  return {"(" + name + " + " + half + ") % " + all + " - " + half,
          Binding::Sum};
}

ExpressionText::Text ExpressionText::write(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {std::to_string(constant.getValue()),
            constant.getValue() < 0 ? Binding::Sum : Binding::Primary};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return writeSymbol(symbol.getPosition(), /*isModuloType=*/false);
  auto operation = cast<AffineBinaryOpExpr>(expr);
  AffineExpr left = operation.getLHS(), right = operation.getRHS();
  auto constant = dyn_cast<AffineConstantExpr>(right);
  auto symbol = dyn_cast<AffineSymbolExpr>(left);
  unsigned numArguments = function.getFunctionType().getNumInputs();
  switch (operation.getKind()) {
  case AffineExprKind::Add: {
    std::string added = write(right).within(Binding::Product);
    // x + -1 * y, x + (-1)
    auto product = dyn_cast<AffineBinaryOpExpr>(right);
    if (constant && constant.getValue() < 0)
      return {write(left).text + " - " + std::to_string(-constant.getValue()),
              Binding::Sum};
    if (product && product.getKind() == AffineExprKind::Mul &&
        product.getRHS() == -1)
      return {write(left).text + " - " +
                  write(product.getLHS()).within(Binding::Product),
              Binding::Sum};
    return {write(left).text + " + " + added, Binding::Sum};
  }
  case AffineExprKind::Mul:
    if (constant && constant.getValue() == -1)
      return {"-" + write(left).within(Binding::Primary), Binding::Sum};
    return {write(left).within(Binding::Product) + " * " +
                write(right).within(Binding::Primary),
            Binding::Product};
  case AffineExprKind::CeilDiv:
    return {"(" + write(left).text + " + " + write(right).text + " - 1) / " +
                write(right).within(Binding::Primary),
            Binding::Product};
  case AffineExprKind::FloorDiv:
    return {write(left).within(Binding::Product) + " / " +
                write(right).within(Binding::Primary),
            Binding::Product};
  default:
    if (symbol && constant && symbol.getPosition() < numArguments &&
        bitsOf(symbol.getPosition()) <= 32 &&
        constant.getValue() == int64_t(1) << bitsOf(symbol.getPosition()))
      return writeSymbol(symbol.getPosition(), /*isModuloType=*/true);
    return {write(left).within(Binding::Product) + " % " +
                write(right).within(Binding::Primary),
            Binding::Product};
  }
}

std::string ExpressionText::print(AffineExpr expr) const {
  return write(expr).text;
}
