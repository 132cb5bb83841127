//===- InferLaunchBlock.cpp - the block that code is written for ----------===//
//
// A kernel that numbers its work items by constants, blockIdx.x * 32 +
// threadIdx.x, is right in blocks of 32 threads only: where no host code says
// what it is launched with, its subscripts and conditions do.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LargestBlock.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

namespace gpuopt {
#define GEN_PASS_DEF_INFERLAUNCHBLOCK
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Blocks are taken to have a subgroup of threads at least.
static constexpr int64_t kFewestThreads = 32;

namespace {
/// Collects what a kernel's subscripts and conditions say of its block.
class BlockFinder {
public:
  explicit BlockFinder(gpu::GPUFuncOp kernel) : kernel(kernel), values(kernel) {
    for (unsigned dim = 0; dim < 3; ++dim) {
      threads[dim] = variableOf(Atom::Kind::ThreadId, dim);
      blocks[dim] = variableOf(Atom::Kind::BlockId, dim);
    }
  }

  std::optional<std::array<int32_t, 3>> find();

private:
  unsigned variableOf(Atom::Kind kind, unsigned dim) {
    return values.getId(kind, dim).getVariables().front();
  }
  Polynomial guess(Value value);
  Polynomial guessAnew(Value value);
  Polynomial guess(AffineExpr expr, AffineMap map, ValueRange operands);
  void visit(Operation *op);
  void visitNumber(const Polynomial &number, Value array);
  void take(unsigned dim, int64_t size);
  bool hasStepsWithin(const Polynomial &number, int64_t perThread,
                      int64_t perBlock) const;
  bool fitsTiles(const std::array<int32_t, 3> &block);

  gpu::GPUFuncOp kernel;
  IntegerValues values;
  llvm::DenseMap<Value, Polynomial> guesses;
  /// The variables of the ids in polynomials.
  std::array<unsigned, 3> threads, blocks;
  std::array<std::optional<int64_t>, 3> sizes;
  /// What says something, without its constant, and that: by array.
  std::map<std::pair<void *, std::string>, SmallVector<int64_t>> places;
  bool isContradictory = false;
};
} // namespace

static bool isWorkgroupMemory(Value array) {
  auto type = dyn_cast<MemRefType>(array.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// `ofBlock` / `ofThread`, where it is a number.
static std::optional<int64_t> ratioOf(const Polynomial &ofBlock,
                                      const Polynomial &ofThread) {
  const auto &[monomial, coefficient] = *ofThread.getTerms().begin();
  int64_t whole = ofBlock.getCoefficient(monomial);
  if (coefficient == 0 || whole == 0 || whole % coefficient != 0)
    return std::nullopt;
  int64_t ratio = whole / coefficient;
  return ofBlock == ofThread * Polynomial(ratio) ? std::optional(ratio)
                                                 : std::nullopt;
}

void BlockFinder::take(unsigned dim, int64_t size) {
  isContradictory |= size < 1 || size > kMostThreadsOfBlock ||
                     sizes[dim].value_or(size) != size;
  sizes[dim] = size;
}

/// Whether a loop goes through what lies between one block and the next in
/// steps of whole subgroups: the threads of a block are fewer then.
bool BlockFinder::hasStepsWithin(const Polynomial &number, int64_t perThread,
                                 int64_t perBlock) const {
  return llvm::any_of(number.getVariables(), [&](unsigned variable) {
    bool isId = llvm::is_contained(threads, variable) ||
                llvm::is_contained(blocks, variable);
    int64_t step = isId ? 0 : std::abs(number.getCoefficient({variable}));
    return step >= kFewestThreads * std::abs(perThread) &&
           step < std::abs(perBlock);
  });
}

void BlockFinder::visitNumber(const Polynomial &number, Value array) {
  if (number.isUnknown())
    return;
  for (unsigned dim = 0; dim < 3; ++dim) {
    Polynomial ofThread = number.getCofactor(threads[dim]);
    Polynomial ofBlock = number.getCofactor(blocks[dim]);
    if (ofThread.isUnknown() || ofBlock.isUnknown() || ofThread.isZero() ||
        ofBlock.isZero())
      continue;
    std::optional<int64_t> size = ratioOf(ofBlock, ofThread);
    // Blocks overlap, or their size is a parameter, unless the block's id goes
    // with another of the thread's, as where a tile is transposed.
    bool isNumber = ofThread == Polynomial(ofThread.getConstantTerm());
    bool isOfOther = llvm::any_of(threads, [&](unsigned other) {
      Polynomial ofOther = number.getCofactor(other);
      return other != threads[dim] && !ofOther.isUnknown() &&
             !ofOther.isZero() && ratioOf(ofBlock, ofOther);
    });
    if (!size && isNumber && !isOfOther)
      isContradictory = true;
    if (!size)
      continue;
    take(dim, *size);
    if (!isNumber)
      continue;
    int64_t perThread = ofThread.getConstantTerm();
    isContradictory |= hasStepsWithin(number, perThread, perThread * *size);
    Polynomial varying = number - number.getConstantTerm();
    SmallVector<int64_t> &known =
        places[{array.getAsOpaquePointer(), values.str(varying)}];
    for (int64_t other : known) {
      int64_t distance = std::abs(other - number.getConstantTerm());
      isContradictory |= distance >= kFewestThreads * std::abs(perThread) &&
                         distance < std::abs(perThread) * *size;
    }
    known.push_back(number.getConstantTerm());
  }
}

/// What `value` is where nothing wraps: 32 bits of an id times a constant may,
/// for all that is known, but that is no reason to multiply by another.
Polynomial BlockFinder::guess(Value value) {
  if (auto known = guesses.find(value); known != guesses.end())
    return known->second;
  Polynomial guessed = guessAnew(value);
  // What is too large to be one is a number of its own.
  constexpr size_t mostTerms = 64;
  if (guessed.isUnknown() || guessed.getTerms().size() > mostTerms)
    guessed = values.get(value).value;
  return guesses[value] = guessed;
}

Polynomial BlockFinder::guessAnew(Value value) {
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned number) { return guess(op->getOperand(number)); };
  if (isa_and_nonnull<arith::AddIOp>(op))
    return operand(0) + operand(1);
  if (isa_and_nonnull<arith::SubIOp>(op))
    return operand(0) - operand(1);
  if (isa_and_nonnull<arith::MulIOp>(op))
    return operand(0) * operand(1);
  if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
                      arith::ExtUIOp, arith::TruncIOp>(op))
    return operand(0);
  APInt distance;
  if (isa_and_nonnull<arith::ShLIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&distance)) &&
      distance.ult(32))
    return operand(0) * Polynomial(int64_t(1) << distance.getZExtValue());
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    return guess(apply.getMap().getResult(0), apply.getMap(),
                 apply.getMapOperands());
  return values.get(value).value;
}

Polynomial BlockFinder::guess(AffineExpr expr, AffineMap map,
                              ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return guess(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return guess(operands[map.getNumDims() + symbol.getPosition()]);
  auto operation = cast<AffineBinaryOpExpr>(expr);
  Polynomial left = guess(operation.getLHS(), map, operands);
  Polynomial right = guess(operation.getRHS(), map, operands);
  if (operation.getKind() == AffineExprKind::Add)
    return left + right;
  if (operation.getKind() == AffineExprKind::Mul)
    return left * right;
  return Polynomial::unknown();
}

/// Whether `value` decides on versions for indices that may wrap alone: raising
/// asks for the block's size there, the source does not.
static bool choosesVersions(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->hasAttr(kIndexRangeVersionAttrName) ||
           (isPure(user) && user->getNumResults() == 1 &&
            choosesVersions(user->getResult(0)));
  });
}

void BlockFinder::visit(Operation *op) {
  if (isa<gpu::GlobalIdOp>(op) ||
      (isa<gpu::BlockDimOp>(op) && !choosesVersions(op->getResult(0))))
    isContradictory = true;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    for (Value side : compare->getOperands())
      visitNumber(guess(side), Value());
  Value array = getAccessedMemRef(op);
  if (!array || isWorkgroupMemory(array))
    return;
  if (auto access = dyn_cast<affine::AffineMapAccessInterface>(op)) {
    auto attribute = access.getAffineMapAttrForMemRef(array);
    AffineMap map = cast<AffineMapAttr>(attribute.getValue()).getValue();
    ValueRange operands = op->getOperands().take_back(map.getNumInputs());
    for (AffineExpr result : map.getResults())
      visitNumber(guess(result, map, operands), memoryRoot(array));
    return;
  }
  if (isa<memref::LoadOp, memref::StoreOp>(op)) {
    unsigned rank = cast<MemRefType>(array.getType()).getRank();
    for (Value subscript : op->getOperands().take_back(rank))
      visitNumber(guess(subscript), memoryRoot(array));
  }
}

/// Whether the threads of `block` stay in the tiles that they index.
bool BlockFinder::fitsTiles(const std::array<int32_t, 3> &block) {
  auto staysBelow = [&](const Polynomial &subscript, int64_t extent) {
    int64_t last = subscript.getConstantTerm();
    Polynomial rest = subscript - last;
    for (unsigned dim = 0; dim < 3; ++dim) {
      int64_t factor = subscript.getCoefficient({threads[dim]});
      last += std::max<int64_t>(factor, 0) * (block[dim] - 1);
      rest -= Polynomial(factor) * Polynomial::variable(threads[dim]);
    }
    // What else it is made of is not known here.
    return !rest.isZero() || last < extent;
  };
  WalkResult result = kernel.walk([&](Operation *op) {
    Value array = getAccessedMemRef(op);
    auto type = array ? dyn_cast<MemRefType>(array.getType()) : MemRefType();
    if (!type || !type.hasStaticShape() || !isWorkgroupMemory(array))
      return WalkResult::advance();
    for (auto [subscript, extent] :
         llvm::zip(getSubscripts(op, values), type.getShape()))
      if (!subscript.isUnknown() && !staysBelow(subscript, extent))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Whether `kernel` puts something together from ids of blocks and threads.
static bool usesBothIds(gpu::GPUFuncOp kernel) {
  bool usesThreads = false, usesBlocks = false;
  kernel.walk([&](Operation *op) {
    usesThreads |= isa<gpu::ThreadIdOp>(op);
    usesBlocks |= isa<gpu::BlockIdOp>(op);
  });
  return usesThreads && usesBlocks;
}

std::optional<std::array<int32_t, 3>> BlockFinder::find() {
  std::array<bool, 3> isUsed = {};
  kernel.walk([&](Operation *op) {
    if (auto thread = dyn_cast<gpu::ThreadIdOp>(op))
      isUsed[static_cast<unsigned>(thread.getDimension())] = true;
    visit(op);
  });
  std::array<int32_t, 3> block = {1, 1, 1};
  int64_t product = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (isUsed[dim] && !sizes[dim])
      return std::nullopt;
    block[dim] = isUsed[dim] ? *sizes[dim] : 1;
    product *= block[dim];
  }
  if (isContradictory || product == 1 || product > kMostThreadsOfBlock ||
      !fitsTiles(block))
    return std::nullopt;
  return block;
}

namespace {
struct InferLaunchBlock
    : public gpuopt::impl::InferLaunchBlockBase<InferLaunchBlock> {
  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    if (!kernel.isKernel() || kernel->hasAttr(kLaunchBlockAttrName) ||
        kernel.getKnownBlockSizeAttr() || !kernel.getBody().hasOneBlock() ||
        !usesBothIds(kernel))
      return;
    if (auto block = BlockFinder(kernel).find()) {
      kernel->setAttr(kLaunchBlockAttrName,
                      DenseI32ArrayAttr::get(&getContext(), *block));
      ++numInferred;
    }
  }
};
} // namespace
