//===- WriteMemory.cpp - random arrays, accesses and barriers -------------===//

#include "test/fuzz/KernelWriter.h"

using namespace gpuopt::fuzz;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void KernelWriter::addScalars() {
  static const char *names[] = {"nx", "ny", "m"};
  for (unsigned i = 0; i < 3; ++i) {
    std::string type = chance(50) ? "i32" : anyOf({"index", "i64"});
    std::string name = std::string("%") + names[i];
    parameters.push_back(name + ": " + type + " {gpuopt.name = \"" + names[i] +
                         "\"}");
    result.sizes[names[i]] = sizes[i];
    Value parameter{name, type, {sizes[i], sizes[i]}, type == "index"};
    scope.push_back(parameter);
    sizeValues[i] = parameter;
  }
  parameters.push_back("%p: i32 {gpuopt.name = \"p\"}");
  int64_t value = number(-3, 9);
  result.sizes["p"] = value;
  scope.push_back({"%p", "i32", {value, value}, false});
  parameters.push_back("%alpha: f32 {gpuopt.name = \"alpha\"}");
  scope.push_back({"%alpha", "f32", {}, false});
}

/// What arrays are made of, floats more often than others.
static const char *kElementTypes[] = {"f32", "f32", "f32",          "f32",
                                      "f64", "f16", "i32",          "i8",
                                      "i16", "i64", "vector<4xf32>"};

void KernelWriter::addArrays() {
  for (int64_t i = number(1, 3); i > 0; --i) {
    View array;
    array.name = fresh("a");
    array.element = kElementTypes[number(0, 10)];
    array.type = "memref<?x" + array.element + ">";
    const int64_t extents[] = {sizes[0],
                               sizes[0] * sizes[2],
                               sizes[1] * sizes[2],
                               sizes[0] * sizes[1],
                               sizes[0] + 2,
                               sizes[2],
                               64};
    int64_t elements = extents[number(0, 6)];
    array.subscripts = {{0, elements - 1}};
    std::string name = array.name.substr(1);
    result.sizes[name] = elements;
    parameters.push_back(array.name + ": " + array.type + " {gpuopt.name = \"" +
                         name + "\"" + (chance(70) ? ", llvm.noalias" : "") +
                         (chance(50) ? ", llvm.readonly" : "") + "}");
    views.push_back(array);
  }
  if (!chance(20))
    return;
  View array;
  array.name = fresh("h");
  array.element = "i32";
  array.type = "memref<?xi32>";
  array.subscripts = {{0, number(1, 20)}};
  std::string name = array.name.substr(1);
  result.sizes[name] = array.subscripts[0].high + 1;
  parameters.push_back(array.name + ": memref<?xi32> {gpuopt.name = \"" + name +
                       "\"" + (chance(70) ? ", llvm.noalias}" : "}"));
  atomics.push_back(array);
}

void KernelWriter::addOutputs() {
  for (int64_t i = number(1, 2); i > 0; --i) {
    Output output;
    int64_t elements = sizes[0] * sizes[1];
    output.count = 1;
    if (dimensions == 2) {
      output.subscripts = {Output::Y, Output::X};
      if (chance(30))
        output.subscripts = {Output::X, Output::Y};
    } else if (int64_t form = number(0, 5); form < 3) {
      output.subscripts = {Output::X};
    } else {
      output.count = form == 3 ? number(2, 4) : sizes[2];
      elements = sizes[0] * output.count;
      output.subscripts = {Output::XTimesCount};
      if (form == 4)
        output.subscripts = {Output::X, Output::Count};
      if (form == 5)
        output.subscripts = {Output::Count, Output::X};
    }
    View &array = output.view;
    array.name = fresh("o");
    array.element = kElementTypes[number(0, 10)];
    array.type = "memref<?x" + array.element + ">";
    std::string name = array.name.substr(1);
    result.sizes[name] = elements;
    bool hasAlias = output.subscripts.size() == 1 && chance(25);
    std::string noalias = !hasAlias && chance(70) ? ", llvm.noalias}" : "}";
    parameters.push_back(array.name + ": " + array.type + " {gpuopt.name = \"" +
                         name + "\"" + noalias);
    if (hasAlias) {
      output.alias = fresh("b");
      std::string other = output.alias.substr(1);
      parameters.push_back(output.alias + ": " + array.type +
                           " {gpuopt.name = \"" + other + "\"}");
      result.sizes[other] = elements;
      if (chance(70))
        result.sameArrays[other] = name;
    }
    outputs.push_back(output);
  }
}

void KernelWriter::addExchanged() {
  View &array = exchanged.view;
  array.name = fresh("x");
  array.element = anyOf({"f32", "f32", "i32"});
  array.type = "memref<?x" + array.element + ">";
  int64_t elements = sizes[0] * (dimensions == 2 ? sizes[1] : 1);
  array.subscripts = {{0, elements - 1}};
  exchanged.subscripts = {Output::X};
  if (dimensions == 2)
    exchanged.subscripts = {Output::Y, Output::X};
  std::string name = array.name.substr(1);
  result.sizes[name] = elements;
  parameters.push_back(array.name + ": " + array.type + " {gpuopt.name = \"" +
                       name + "\"" + (chance(70) ? ", llvm.noalias}" : "}"));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

std::string KernelWriter::typeOfView(unsigned rank, const std::string &element,
                                     int64_t offset) {
  std::string type = rank == 1 ? "memref<?x" : "memref<?x?x";
  type += element + (rank == 1 ? ", strided<[1]" : ", strided<[?, 1]");
  if (offset)
    type += ", offset: " + std::to_string(offset);
  return type + ">>";
}

void KernelWriter::addView(const View &array, const std::vector<Value> &extents,
                           int64_t offset) {
  std::string sizesText, strides;
  for (const Value &extent : extents)
    sizesText += (sizesText.empty() ? "" : ", ") + extent.name;
  strides = extents.size() == 1 ? "1" : extents[1].name + ", 1";
  View view;
  view.element = array.element;
  view.type = typeOfView(extents.size(), array.element, offset);
  view.name = fresh("w");
  line(view.name + " = memref.reinterpret_cast " + array.name +
       " to offset: [" + std::to_string(offset) + "], sizes: [" + sizesText +
       "], strides: [" + strides + "] : " + array.type + " to " + view.type);
  int64_t elements = array.subscripts[0].high + 1;
  if (extents.size() == 1) {
    view.subscripts = {{-offset, elements - 1 - offset}};
  } else {
    int64_t rows = extents[0].range.low, columns = extents[1].range.low;
    view.subscripts = {{0, rows - 1}, {0, columns - 1}};
    // A subscript need not stay in its dimension.
    if (rows > 2 && chance(10))
      view.subscripts = {{0, rows - 3}, {0, 2 * columns - 1}};
  }
  views.push_back(view);
}

void KernelWriter::addViews(const View &array, int64_t elements) {
  for (unsigned rows = 0; rows < 3; ++rows)
    for (unsigned columns = 0; columns < 3; ++columns)
      if (rows != columns && elements > 1 &&
          sizes[rows] * sizes[columns] == elements && chance(70))
        addView(array, {sizeValues[rows], sizeValues[columns]}, 0);
  if (chance(20) && elements > 3)
    addView(array, {constant("index", elements - 2)}, number(0, 2));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static std::string join(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts)
    all += (all.empty() ? "" : ", ") + text;
  return all;
}

Value KernelWriter::load(const View &from) {
  View view = from;
  std::vector<std::string> texts;
  bool isAffine = chance(75);
  for (Range range : view.subscripts) {
    std::optional<std::string> text;
    if (isAffine)
      text = affineWithin(range);
    if (!text)
      break;
    texts.push_back(*text);
  }
  isAffine = texts.size() == view.subscripts.size();
  if (!isAffine) {
    texts.clear();
    for (Range range : view.subscripts)
      texts.push_back(indexWithin(range).name);
  }
  Range range;
  if (!isFloat(view.element) && !isVector(view.element))
    range = rangeOfType(view.element);
  return define((isAffine ? "affine.load " : "memref.load ") + view.name + "[" +
                    join(texts) + "] : " + view.type,
                view.element, range);
}

std::optional<std::string> KernelWriter::ownSubscripts(const Output &output,
                                                       bool isAffine) {
  Value items[2];
  for (unsigned dim = 0; dim < dimensions; ++dim) {
    for (const Value &value : scope)
      if (value.name == itemIds[dim].name)
        items[dim] = value;
    if (!items[dim].range.isWithin({0, sizes[dim] - 1}) ||
        (isAffine && !items[dim].isDim))
      return std::nullopt;
  }
  std::vector<std::string> texts;
  auto count = [&]() -> std::string {
    if (isAffine)
      return affineWithin({0, output.count - 1}).value_or("0");
    return indexWithin({0, output.count - 1}).name;
  };
  for (Output::Subscript subscript : output.subscripts)
    switch (subscript) {
    case Output::X:
      texts.push_back(items[0].name);
      break;
    case Output::Y:
      texts.push_back(items[1].name);
      break;
    case Output::Count:
      texts.push_back(count());
      break;
    case Output::XTimesCount:
      if (isAffine) {
        texts.push_back(items[0].name + " * " + std::to_string(output.count) +
                        " + " + count());
        break;
      }
      Value factor = constant("index", output.count);
      Value start = define("arith.muli " + items[0].name + ", " + factor.name +
                               " : index",
                           "index", {0, sizes[0] * output.count});
      texts.push_back(
          define("arith.addi " + start.name + ", " + count() + " : index",
                 "index", {0, sizes[0] * output.count})
              .name);
      break;
    }
  return join(texts);
}

void KernelWriter::storeOwn(const Output &output) {
  bool isAffine = chance(75);
  Value value = anyOfType(output.view.element, 3);
  std::optional<std::string> subscripts = ownSubscripts(output, isAffine);
  if (!subscripts)
    subscripts = ownSubscripts(output, isAffine = false);
  if (subscripts)
    line((isAffine ? "affine.store " : "memref.store ") + value.name + ", " +
         output.view.name + "[" + *subscripts + "] : " + output.view.type);
}

void KernelWriter::loadOwn(const Output &output) {
  bool isAffine = chance(75);
  std::optional<std::string> subscripts = ownSubscripts(output, isAffine);
  if (!subscripts)
    return;
  const View &view = output.view;
  bool isAlias = !output.alias.empty() && chance(50);
  Range range;
  if (!isFloat(view.element) && !isVector(view.element))
    range = rangeOfType(view.element);
  define((isAffine ? "affine.load " : "memref.load ") +
             (isAlias ? output.alias : view.name) + "[" + *subscripts +
             "] : " + (isAlias ? "memref<?x" + view.element + ">" : view.type),
         view.element, range);
}

void KernelWriter::atomic() {
  if (atomics.empty())
    return;
  const View &array = atomics.front();
  // Operations of one kind commute; which one follows from the size.
  static const char *kinds[] = {"addi", "maxs", "mins", "andi", "ori"};
  Value value = anyInteger("i32", 2);
  Value index = indexWithin(array.subscripts[0]);
  line(fresh("r") + " = memref.atomic_rmw " +
       kinds[array.subscripts[0].high % 5] + " " + value.name + ", " +
       array.name + "[" + index.name + "] : (i32, memref<?xi32>) -> i32");
}

//===----------------------------------------------------------------------===//
// What the threads of a block do together
//===----------------------------------------------------------------------===//

void KernelWriter::workgroupPhase() {
  if (tiles.empty())
    return;
  View tile = any(tiles);
  Value value = anyFloat("f32", 2);
  line("gpu.barrier");
  bool isAffine = chance(60);
  std::string own = tile.subscripts.size() == 1 ? "%tx" : "%ty, %tx";
  line((isAffine ? "affine.store " : "memref.store ") + value.name + ", " +
       tile.name + "[" + own + "] : " + tile.type);
  line("gpu.barrier");
  load(tile);
  if (!isTop())
    return;
  for (const View &view : views)
    if (view.name == tile.name)
      return;
  views.push_back(tile);
}

void KernelWriter::shuffle() {
  std::string type = anyOf({"f32", "i32"});
  Value value = anyOfType(type, 2);
  Value offset = constant("i32", int64_t(1) << number(0, 4));
  Value width = constant("i32", 32);
  std::string name = fresh();
  line(name + ", " + fresh("ok") + " = gpu.shuffle " +
       anyOf({"xor", "up", "down", "idx"}) + " " + value.name + ", " +
       offset.name + ", " + width.name + " : " + type);
  scope.push_back(
      {name, type, type == "i32" ? rangeOfType(type) : Range(), false});
}
