//===- WarpgroupProduct.cpp - wgmma in inline PTX -------------------------===//

#include "runtime/CPU/WarpgroupProduct.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace gpuopt::runtime;

/// `{a, b}, c, d` without the spaces, at commas outside braces.
static SmallVector<StringRef, 8> splitOperands(StringRef text) {
  SmallVector<StringRef, 8> operands;
  size_t begin = 0, depth = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at == text.size() || (text[at] == ',' && depth == 0)) {
      operands.push_back(text.slice(begin, at).trim());
      begin = at + 1;
    } else if (text[at] == '{') {
      ++depth;
    } else if (text[at] == '}' && depth) {
      --depth;
    }
  }
  return operands;
}

static bool readRegisters(StringRef text, SmallVectorImpl<StringRef> &into) {
  if (!text.consume_front("{") || !text.consume_back("}"))
    return false;
  for (StringRef element : split(text, ','))
    into.push_back(element.trim());
  return true;
}

/// What stands behind the matrices: scales of floats that are negated, and how
/// matrices of 16 bits are laid out.
static bool readImmediates(ArrayRef<StringRef> immediates,
                           WarpgroupProduct &product) {
  if (!product.unit.isFloat())
    return immediates.empty();
  if (immediates.size() < 2)
    return false;
  product.rowScale = immediates[0];
  product.columnScale = immediates[1];
  immediates = immediates.drop_front(2);
  if (product.unit.packed() != 2)
    return immediates.empty();
  if (!product.rowsAreInRegisters && !immediates.empty()) {
    product.rowsAreTransposed = immediates.front();
    immediates = immediates.drop_front();
  }
  if (immediates.size() != 1)
    return false;
  product.columnsAreTransposed = immediates.front();
  return true;
}

static std::optional<WarpgroupProduct> parseInstruction(StringRef text) {
  StringRef opcode = text.take_until([](char c) { return isSpace(c); });
  SmallVector<StringRef, 8> operands =
      splitOperands(text.drop_front(opcode.size()));
  if (!opcode.consume_front("wgmma.mma_async.sync.aligned."))
    return std::nullopt;
  std::optional<MatrixUnit> unit = parseWarpgroupUnit(opcode);
  if (!unit || operands.size() < 4)
    return std::nullopt;
  WarpgroupProduct product;
  product.unit = *unit;
  product.rowsAreInRegisters = readRegisters(operands[1], product.rows);
  if (!product.rowsAreInRegisters)
    product.rows.push_back(operands[1]);
  product.columns = operands[2];
  product.accumulates = operands[3];
  bool isComplete = readRegisters(operands[0], product.sums) &&
                    product.sums.size() == unit->sumWords() &&
                    product.rows.size() ==
                        (product.rowsAreInRegisters ? unit->rowWords() : 1) &&
                    readImmediates(ArrayRef(operands).drop_front(4), product);
  return isComplete ? std::optional(std::move(product)) : std::nullopt;
}

std::optional<WarpgroupProduct>
gpuopt::runtime::parseWarpgroupProduct(StringRef assembly) {
  std::optional<WarpgroupProduct> product;
  StringMap<StringRef> predicates;
  for (StringRef text : split(assembly, ';')) {
    text = text.trim();
    if (text.consume_front("{"))
      text = text.ltrim();
    if (text.empty() || text == "}" || text.starts_with(".reg "))
      continue;
    if (text.consume_front("setp.ne.b32")) {
      SmallVector<StringRef, 8> operands = splitOperands(text);
      if (operands.size() != 3 || operands[2] != "0")
        return std::nullopt;
      predicates[operands[0]] = operands[1];
    } else {
      if (product || !(product = parseInstruction(text)))
        return std::nullopt;
    }
  }
  if (product)
    if (auto known = predicates.find(product->accumulates);
        known != predicates.end())
      product->accumulates = known->second;
  return product;
}
