//===- KernelGenerator.cpp - random kernels in the raised form ------------===//

#include "test/fuzz/KernelGenerator.h"

#include "test/fuzz/KernelWriter.h"

using namespace gpuopt::fuzz;

int64_t KernelWriter::number(int64_t low, int64_t high) {
  // No distribution of the library: these differ among libraries.
  return low + static_cast<int64_t>(random() % (high - low + 1));
}

std::string KernelWriter::anyOf(std::initializer_list<const char *> list) {
  return list.begin()[number(0, list.size() - 1)];
}

std::string KernelWriter::fresh(const char *stem) {
  return std::string("%") + stem + std::to_string(numNames++);
}

void KernelWriter::line(const std::string &statement) {
  written += std::string(4 + 2 * depth, ' ') + statement + "\n";
}

Value KernelWriter::define(const std::string &operation,
                           const std::string &type, Range range, bool isDim) {
  Value value{fresh(), type, range, isDim || (type == "index" && isTop())};
  line(value.name + " = " + operation);
  scope.push_back(value);
  return value;
}

/// The id of the work item along x or y, formed in one of the usual ways.
Value KernelWriter::globalId(unsigned dim) {
  std::string x = dim ? "y" : "x";
  Range range{0, result.grid[dim] * result.block[dim] - 1};
  // A block id that stands alone is a work item's, of a batch.
  if (dim == 1 && isBatched)
    return define("gpu.block_id y", "index", range);
  if (!usesThreads)
    return define("gpu.global_id " + x, "index", range);
  Value block = define("gpu.block_id " + x, "index", {0, result.grid[dim] - 1});
  std::string thread = "%t" + x;
  line(thread + " = gpu.thread_id " + x);
  scope.push_back({thread, "index", {0, result.block[dim] - 1}, true});
  std::string size = std::to_string(result.block[dim]);
  if (isFixed)
    return define("affine.apply affine_map<(d0, d1) -> (d0 * " + size +
                      " + d1)>(" + block.name + ", " + thread + ")",
                  "index", range);
  Value threads = define("gpu.block_dim " + x, "index",
                         {result.block[dim], result.block[dim]});
  if (chance(50)) {
    Value start =
        define("arith.muli " + block.name + ", " + threads.name + " : index",
               "index", range);
    return define("arith.addi " + start.name + ", " + thread + " : index",
                  "index", range);
  }
  auto narrow = [&](const std::string &index) {
    return define("arith.index_cast " + index + " : index to i32", "i32", range)
        .name;
  };
  std::string b = narrow(block.name), d = narrow(threads.name),
              t = narrow(thread);
  Value start = define("arith.muli " + b + ", " + d + " overflow<nsw> : i32",
                       "i32", range);
  Value id =
      define("arith.addi " + start.name + ", " + t + " overflow<nsw> : i32",
             "i32", range);
  return define("arith.index_cast " + id.name + " : i32 to index", "index",
                range);
}

void KernelWriter::ids() {
  for (unsigned dim = 0; dim < dimensions; ++dim)
    itemIds[dim] = globalId(dim);
  for (Value &size : sizeValues)
    if (size.type != "index")
      size = define("arith.index_cast " + size.name + " : " + size.type +
                        " to index",
                    "index", size.range);
  if (isFlat)
    splitFlatId();
}

/// The two ids that a kernel in one dimension takes its id apart into.
void KernelWriter::splitFlatId() {
  std::string operands =
      itemIds[0].name + ", " + sizeValues[1].name + " : index";
  bool isSigned = chance(50);
  define((isSigned ? "arith.divsi " : "arith.divui ") + operands, "index",
         {0, itemIds[0].range.high / sizes[1]});
  define((isSigned ? "arith.remsi " : "arith.remui ") + operands, "index",
         {0, sizes[1] - 1});
  if (chance(50))
    sizeValues[0] = define("arith.muli " + sizeValues[1].name + ", " +
                               sizeValues[2].name + " : index",
                           "index", sizeValues[0].range);
}

/// A loop over all work items, of which each thread takes those that lie a
/// whole grid apart.
void KernelWriter::gridStrideLoop() {
  Value threads =
      define("gpu.block_dim x", "index", {result.block[0], result.block[0]});
  Value blocks =
      define("gpu.grid_dim x", "index", {result.grid[0], result.grid[0]});
  Value step =
      define("arith.muli " + threads.name + ", " + blocks.name + " : index",
             "index", {1, result.grid[0] * result.block[0]});
  std::string item = fresh("i");
  line("scf.for " + item + " = " + itemIds[0].name + " to " +
       sizeValues[0].name + " step " + step.name + " {");
  // Nothing else uses the id.
  std::erase_if(
      scope, [&](const Value &value) { return value.name == itemIds[0].name; });
  itemIds[0] = {item, "index", {0, sizes[0] - 1}, false};
  scope.push_back(itemIds[0]);
}

/// A condition that the work item has work to do.
std::string KernelWriter::insideItems() {
  std::string all;
  for (unsigned dim = 0; dim < dimensions; ++dim) {
    Value inside =
        define("arith.cmpi " + anyOf({"slt", "slt", "ult"}) + ", " +
                   itemIds[dim].name + ", " + sizeValues[dim].name + " : index",
               "i1", {-1, 0});
    all = all.empty()
              ? inside.name
              : define("arith.andi " + all + ", " + inside.name + " : i1", "i1",
                       {-1, 0})
                    .name;
  }
  return all;
}

/// Encloses what follows in the test that the work item has work to do.
void KernelWriter::kernelGuard() {
  if (isStrided)
    return gridStrideLoop();
  line("scf.if " + insideItems() + " {");
  narrowItems();
}

/// The ids where `insideItems` holds.
void KernelWriter::narrowItems() {
  for (unsigned dim = 0; dim < dimensions; ++dim) {
    Value inside = itemIds[dim];
    inside.range.high = std::min(inside.range.high, sizes[dim] - 1);
    scope.push_back(inside);
  }
}

/// What work items with work to do compute; of its values nothing is known
/// behind it.
template <typename F>
void KernelWriter::itemsOnly(F &&inside) {
  if (!isGuarded)
    return nested(true, inside);
  std::string all = insideItems();
  line("scf.if " + all + " {");
  nested(false, [&] {
    narrowItems();
    inside();
  });
  line("}");
}

/// Every work item leaves a number, and reads what others have left.
void KernelWriter::exchange() {
  itemsOnly([&] {
    body(number(0, 2));
    storeOwn(exchanged);
  });
  line("gpuopt.grid_barrier");
  itemsOnly([&] {
    load(exchanged.view);
    body(number(0, 2));
    storeOwn(any(outputs));
  });
  line("gpuopt.grid_barrier");
}

void KernelWriter::gridPhases() {
  if (chance(50))
    return exchange();
  std::string step = fresh("i");
  bool isKnown = chance(50) || !sizeValues[2].isDim;
  int64_t steps = isKnown ? number(1, 3) : sizes[2];
  line("affine.for " + step + " = 0 to " +
       (isKnown ? std::to_string(steps) : sizeValues[2].name) + " {");
  nested(true, [&] {
    scope.push_back({step, "index", {0, steps - 1}, true});
    exchange();
  });
  line("}");
}

void KernelWriter::chooseLaunch() {
  dimensions = chance(60) ? 1 : 2;
  usesThreads = chance(35);
  isFixed = usesThreads && chance(60);
  isGuarded = !chance(15);
  static const int64_t lines[] = {16, 32, 64, 128};
  static const int64_t planes[][2] = {{16, 16}, {32, 4}, {8, 8}, {32, 8}};
  result.block = {lines[number(0, 3)], 1, 1};
  if (dimensions == 2) {
    const auto &plane = planes[number(0, 3)];
    result.block = {plane[0], plane[1], 1};
  }
  isBatched = dimensions == 2 && !usesThreads && chance(12);
  if (isBatched)
    result.block[1] = 1;
  for (unsigned dim = 0; dim < dimensions; ++dim) {
    result.grid[dim] = number(1, 3);
    int64_t items = result.grid[dim] * result.block[dim];
    // Fewer than items, or the launch has more blocks than it needs.
    sizes[dim] = isGuarded ? number(1, items) : items;
  }
  sizes[2] = chance(70) ? number(1, 6) : number(7, 20);
  isStrided = dimensions == 1 && isGuarded && chance(18);
  if (isStrided)
    sizes[0] = number(1, 3 * result.grid[0] * result.block[0]);
  isFlat = dimensions == 1 && isGuarded && !isStrided && chance(20);
  if (isFlat) {
    sizes[1] = number(1, 9);
    sizes[0] = std::min(sizes[0] / sizes[1] + 1, int64_t(20)) * sizes[1];
    sizes[2] = sizes[0] / sizes[1];
    result.grid[0] += sizes[0] / result.block[0];
  }
}

/// The arrays of the kernel's blocks.
std::string KernelWriter::endOfSignature() {
  std::string end;
  for (const View &tile : tiles)
    end += (end.empty() ? " workgroup(" : ", ") + tile.name + " : " + tile.type;
  if (!end.empty())
    end += ")";
  return end + " kernel";
}

static std::string join(const std::array<int64_t, 3> &block) {
  return std::to_string(block[0]) + ", " + std::to_string(block[1]) + ", " +
         std::to_string(block[2]);
}

std::string KernelWriter::knownBlock() {
  if (!isFixed)
    return "";
  return "known_block_size = array<i32: " + join(result.block) + ">";
}

/// The attributes of a kernel whose launch is in its own hands.
std::string KernelWriter::geometryText() {
  return ", gpuopt.fallback = @k__original, gpuopt.geometry = "
         "#gpuopt.geometry<block = [" +
         join(result.block) +
         "], items_per_thread = [1, 1, 1], items_per_block = [" +
         join(result.block) + "]>";
}

void KernelWriter::addTiles() {
  if (!usesThreads)
    return;
  for (int64_t i = number(0, 2); i > 0; --i) {
    View tile;
    tile.name = fresh("tile");
    tile.element = "f32";
    std::string x = std::to_string(result.block[0]);
    std::string y = std::to_string(result.block[1]);
    tile.type = "memref<" + (dimensions == 2 ? y + "x" + x : x) +
                "xf32, #gpu.address_space<workgroup>>";
    if (dimensions == 2)
      tile.subscripts.push_back({0, result.block[1] - 1});
    tile.subscripts.push_back({0, result.block[0] - 1});
    tiles.push_back(tile);
  }
}

GeneratedKernel KernelWriter::write() {
  chooseLaunch();
  addScalars();
  addArrays();
  addOutputs();
  if (isCooperative)
    addExchanged();
  addTiles();
  ids();
  std::vector<View> arrays = views;
  for (const View &array : arrays)
    addViews(array, array.subscripts[0].high + 1);
  for (Output &output : outputs)
    if (output.subscripts.size() == 2)
      shapeOutput(output);
  if (isCooperative && dimensions == 2)
    shapeOutput(exchanged);
  budget = number(3, 16);
  if (isCooperative)
    gridPhases();
  if (usesThreads || (!isStrided && !isFlat && chance(10)))
    body(number(1, 3));
  if (isGuarded)
    kernelGuard();
  depth += isGuarded;
  isConvergent &= !isGuarded;
  body(number(1, 5));
  storeOwn(outputs.front());
  depth -= isGuarded;
  if (isGuarded)
    line("}");
  line("gpu.return");
  std::string signature;
  for (const std::string &parameter : parameters)
    signature += (signature.empty() ? "" : ",\n              ") + parameter;
  auto kernel = [&](const std::string &symbol, const std::string &attributes) {
    return "  gpu.func @" + symbol + "(" + signature + ")" + endOfSignature() +
           (attributes.empty() ? "" : " attributes {" + attributes + "}") +
           " {\n" + written + "  }\n";
  };
  std::string known = knownBlock();
  // A kernel with a geometry has the original one beside it.
  bool hasGeometry = isFixed && chance(60);
  result.text = "gpu.module @kernels {\n" +
                kernel("k", known + (hasGeometry ? geometryText() : "")) +
                (hasGeometry ? kernel("k__original", known) : "") + "}\n";
  return result;
}

/// An output with two subscripts is written through a view.
void KernelWriter::shapeOutput(Output &output) {
  auto extentOf = [&](Output::Subscript subscript) {
    if (subscript == Output::Count)
      return sizeValues[2];
    return sizeValues[subscript == Output::Y];
  };
  Value rows = extentOf(output.subscripts[0]);
  Value columns = extentOf(output.subscripts[1]);
  View array = output.view;
  array.subscripts = {{0, rows.range.low * columns.range.low - 1}};
  addView(array, {rows, columns}, 0);
  output.view = views.back();
  views.pop_back();
}

GeneratedKernel gpuopt::fuzz::generateKernel(uint64_t seed) {
  return KernelWriter(seed).write();
}
