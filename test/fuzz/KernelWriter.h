//===- KernelWriter.h - what the parts of the generator share ---*- C++ -*-===//

#ifndef TEST_FUZZ_KERNELWRITER_H
#define TEST_FUZZ_KERNELWRITER_H

#include "test/fuzz/KernelGenerator.h"

#include <optional>
#include <random>
#include <vector>

namespace gpuopt::fuzz {

/// Least and greatest signed value that an integer can have.
struct Range {
  int64_t low = 0, high = 0;

  bool isWithin(Range other) const {
    return low >= other.low && high <= other.high;
  }
};

/// An SSA value in scope.
struct Value {
  std::string name;
  std::string type;
  Range range;
  /// Whether affine operations take it.
  bool isDim = false;
};

/// A memref in scope and the subscripts that are inside of its array.
struct View {
  std::string name;
  std::string type;
  std::string element;
  std::vector<Range> subscripts;
};

/// An array that each work item writes elements of its own of.
struct Output {
  View view;
  /// Which subscripts are the work item's id along x or y; another one counts
  /// its elements.
  enum Subscript { X, Y, Count, XTimesCount };
  std::vector<Subscript> subscripts;
  int64_t count = 1;
  /// A parameter that may be the same array.
  std::string alias;
};

bool isFloat(const std::string &type);
bool isVector(const std::string &type);
/// Bits of an integer or float; 64 for `index`.
unsigned bitsOf(const std::string &type);
Range rangeOfType(const std::string &type);

/// Writes one kernel, statement by statement.
class KernelWriter {
public:
  explicit KernelWriter(uint64_t seed)
      : random(seed), isCooperative(seed % 8 == 5) {}
  GeneratedKernel write();

private:
  // Choices.
  int64_t number(int64_t low, int64_t high);
  bool chance(unsigned percent) { return number(1, 100) <= percent; }
  template <typename T>
  const T &any(const std::vector<T> &list) {
    return list[number(0, list.size() - 1)];
  }
  std::string anyOf(std::initializer_list<const char *> list);

  // Text.
  std::string fresh(const char *stem = "v");
  void line(const std::string &text);
  /// Writes `%new = text` and makes it known.
  Value define(const std::string &text, const std::string &type,
               Range range = {}, bool isDim = false);
  bool isTop() const { return depth == 0; }

  // Values (WriteValues.cpp).
  Value constant(const std::string &type, int64_t value);
  Value anyInteger(const std::string &type, unsigned effort);
  Value binaryInteger(const std::string &type, unsigned effort);
  Value castInteger(const std::string &type, unsigned effort);
  Value affineInteger();
  Value shifted(const std::string &type, Value left);
  Value divided(const std::string &type, Value left, Value right);
  Value anyFloat(const std::string &type, unsigned effort);
  Value castFloat(const std::string &type, unsigned effort);
  Value binaryFloat(const std::string &type, unsigned effort);
  Value anyVector(const std::string &type, unsigned effort);
  Value anyOfType(const std::string &type, unsigned effort);
  Value anyCondition(unsigned effort);
  Value positive(Value value);
  std::optional<Value> inScope(const std::string &type);
  /// An index within `range`.
  Value indexWithin(Range range);
  std::optional<std::string> affineWithin(Range range, unsigned tries = 6);
  std::string affineText(Range &range);

  // Memory (WriteMemory.cpp).
  void addArrays();
  void addScalars();
  void addViews(const View &array, int64_t elements);
  void addView(const View &array, const std::vector<Value> &sizes,
               int64_t offset);
  std::string typeOfView(unsigned rank, const std::string &element,
                         int64_t offset);
  void addOutputs();
  void addExchanged();
  Value load(const View &view);
  std::optional<std::string> ownSubscripts(const Output &output, bool affine);
  void storeOwn(const Output &output);
  void loadOwn(const Output &output);
  void atomic();
  void workgroupPhase();
  void shuffle();

  // Statements (WriteStatements.cpp).
  void body(unsigned statements);
  void statement();
  void branch();
  void guardedBranch();
  void affineBranch();
  void affineLoop();
  void countedLoop();
  void whileLoop();
  void halvingLoop();
  /// Writes a region: what is known in it is forgotten behind it.
  template <typename F>
  void nested(bool staysConvergent, F &&inside) {
    size_t known = scope.size(), knownViews = views.size();
    bool wasConvergent = isConvergent;
    isConvergent &= staysConvergent;
    ++depth;
    inside();
    --depth;
    isConvergent = wasConvergent;
    scope.resize(known);
    views.resize(knownViews);
  }
  std::string accumulatorType();

  // The kernel (KernelGenerator.cpp).
  void chooseLaunch();
  void addTiles();
  void ids();
  Value globalId(unsigned dim);
  void splitFlatId();
  void gridStrideLoop();
  std::string insideItems();
  void narrowItems();
  void kernelGuard();
  template <typename F>
  void itemsOnly(F &&inside);
  void exchange();
  void gridPhases();
  void shapeOutput(Output &output);
  std::string endOfSignature();
  std::string knownBlock();
  std::string geometryText();

  std::mt19937_64 random;
  std::string written;
  unsigned numNames = 0;
  /// Regions around what is written now, and whether all threads get there.
  unsigned depth = 0;
  bool isConvergent = true;
  /// Statements that may still be written.
  int64_t budget = 0;
  std::vector<Value> scope;
  std::vector<View> views;
  std::vector<Output> outputs;
  std::vector<View> atomics, tiles;
  std::vector<std::string> parameters;
  GeneratedKernel result;

  unsigned dimensions = 1;
  /// All work items of the launch meet: each leaves numbers in `exchanged` that
  /// the others read.
  bool isCooperative;
  Output exchanged;
  /// Reads ids of threads and blocks, with a block size that is known
  /// (`isFixed`) or not.
  bool usesThreads = false, isFixed = false;
  bool isGuarded = true;
  /// In one dimension: threads take several items; items have two ids. In two:
  /// blocks are one thread high.
  bool isStrided = false, isFlat = false, isBatched = false;
  /// Extents of the work items in x and y, and the length of inner loops.
  int64_t sizes[3] = {1, 1, 1};
  Value itemIds[2];
  Value sizeValues[3];
};

} // namespace gpuopt::fuzz

#endif // TEST_FUZZ_KERNELWRITER_H
