//===- Reductions.cpp - loops that may run in another order ---------------===//

#include "passes/Transforms/BlockOrder/Reductions.h"

#include "passes/Analysis/FastMath.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// One operation per kind: values combined by different ones do not commute.
enum class Combiner {
  Sum,
  Product,
  And,
  Or,
  Xor,
  MinSigned,
  MaxSigned,
  MinUnsigned,
  MaxUnsigned,
  Minimum,
  Maximum,
  MinNumber,
  MaxNumber
};

/// Follows a carried value through one iteration.
class Chain {
public:
  /// Whether `end` is `start` combined with other values in `block`, and
  /// nothing else sees what it is on the way. `ignored` is a user of `start`
  /// that is accounted for.
  bool leadsTo(Value start, Value end, Block *block,
               Operation *ignored = nullptr);

  std::optional<Refusal> refusal;
  /// What it is combined by.
  SmallVector<Operation *> links;

private:
  bool refuse(Operation *op, const Twine &why) {
    if (!refusal)
      refusal = Refusal{op->getLoc(), why.str()};
    return false;
  }
  bool refuseUse(Operation *op) {
    return refuse(op, "iterations depend on the one before by more than a sum");
  }
  Value step(Value value, Operation *user);
  Value combine(Value value, Operation *op);
  Value throughLoop(Value value, LoopLikeOpInterface loop);
  Value throughBranch(Value value, scf::IfOp branch);
  bool throughSide(Value value, Block *side, unsigned number);

  std::optional<Combiner> combiner;
};
} // namespace

/// What `op` combines its operands by, as far as `position` may be the carried
/// one.
static std::optional<Combiner> combinerOf(Operation *op, unsigned position) {
  using Result = std::optional<Combiner>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp, arith::AddFOp>([](auto) { return Combiner::Sum; })
      // x - y is x + (-y).
      .Case<arith::SubIOp, arith::SubFOp>([&](auto) {
        return position == 0 ? Result(Combiner::Sum) : std::nullopt;
      })
      .Case([&](math::FmaOp) {
        return position == 2 ? Result(Combiner::Sum) : std::nullopt;
      })
      .Case<arith::MulIOp, arith::MulFOp>(
          [](auto) { return Combiner::Product; })
      .Case([](arith::AndIOp) { return Combiner::And; })
      .Case([](arith::OrIOp) { return Combiner::Or; })
      .Case([](arith::XOrIOp) { return Combiner::Xor; })
      .Case([](arith::MinSIOp) { return Combiner::MinSigned; })
      .Case([](arith::MaxSIOp) { return Combiner::MaxSigned; })
      .Case([](arith::MinUIOp) { return Combiner::MinUnsigned; })
      .Case([](arith::MaxUIOp) { return Combiner::MaxUnsigned; })
      // These order -0 before +0 and keep NaN, in any order.
      .Case([](arith::MinimumFOp) { return Combiner::Minimum; })
      .Case([](arith::MaximumFOp) { return Combiner::Maximum; })
      // These ignore NaN in any order; which of 0 and -0 they return is open.
      .Case([](arith::MinNumFOp) { return Combiner::MinNumber; })
      .Case([](arith::MaxNumFOp) { return Combiner::MaxNumber; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether rounding makes the order of `op`s matter.
static bool mustKeepOrder(Operation *op) {
  if (isa<arith::MinimumFOp, arith::MaximumFOp, arith::MinNumFOp,
          arith::MaxNumFOp>(op))
    return false;
  return !mayReorder(op);
}

/// The operations of `block` that use `value` or hold a use of it.
static llvm::SmallSetVector<Operation *, 4> usersIn(Block *block, Value value) {
  llvm::SmallSetVector<Operation *, 4> users;
  for (Operation *user : value.getUsers())
    if (Operation *around = block->findAncestorOpInBlock(*user))
      users.insert(around);
  return users;
}

Value Chain::combine(Value value, Operation *op) {
  unsigned position =
      std::distance(op->operand_begin(), llvm::find(op->getOperands(), value));
  std::optional<Combiner> found = combinerOf(op, position);
  if (!found || (combiner && *combiner != *found) ||
      llvm::count(op->getOperands(), value) != 1) {
    refuseUse(op);
    return {};
  }
  if (mustKeepOrder(op)) {
    refuse(op, "the order of a floating-point sum matters, and '" +
                   op->getName().getStringRef() +
                   "' is not marked 'reassoc' (--reassociate)");
    return {};
  }
  combiner = found;
  links.push_back(op);
  return op->getResult(0);
}

Value Chain::throughLoop(Value value, LoopLikeOpInterface loop) {
  bool isOnlyInit = llvm::count(loop->getOperands(), value) == 1 &&
                    llvm::all_of(value.getUsers(), [&](Operation *user) {
                      return !loop->isProperAncestor(user);
                    });
  OperandRange inits = loop.getInits();
  for (unsigned number = 0; isOnlyInit && number < inits.size(); ++number)
    if (inits[number] == value) {
      BlockArgument argument = loop.getRegionIterArgs()[number];
      Value yielded = loop.getYieldedValues()[number];
      return leadsTo(argument, yielded, argument.getOwner())
                 ? Value(loop->getResult(number))
                 : Value();
    }
  refuseUse(loop);
  return {};
}

/// Whether one side of a branch yields `value`, combined or as it is, as its
/// result `number`.
bool Chain::throughSide(Value value, Block *side, unsigned number) {
  Operation *end = side->getTerminator();
  Value yielded = end->getOperand(number);
  if (yielded != value)
    return leadsTo(value, yielded, side);
  return llvm::all_of(usersIn(side, value),
                      [&](Operation *user) { return user == end; }) &&
         llvm::count(end->getOperands(), value) == 1;
}

Value Chain::throughBranch(Value value, scf::IfOp branch) {
  if (!branch.elseBlock() || branch.getCondition() == value) {
    refuseUse(branch);
    return {};
  }
  for (unsigned number = 0; number < branch.getNumResults(); ++number) {
    Chain attempt = *this;
    if (attempt.throughSide(value, branch.thenBlock(), number) &&
        attempt.throughSide(value, branch.elseBlock(), number)) {
      *this = attempt;
      return branch.getResult(number);
    }
    if (attempt.refusal && branch.getNumResults() == 1)
      refusal = attempt.refusal;
  }
  refuseUse(branch);
  return {};
}

Value Chain::step(Value value, Operation *user) {
  if (isa<affine::AffineForOp, scf::ForOp>(user))
    return throughLoop(value, cast<LoopLikeOpInterface>(user));
  if (auto branch = dyn_cast<scf::IfOp>(user))
    return throughBranch(value, branch);
  return combine(value, user);
}

bool Chain::leadsTo(Value start, Value end, Block *block, Operation *ignored) {
  Operation *last = ignored ? ignored : block->getTerminator();
  for (Value value = start; value != end; ignored = nullptr) {
    auto users = usersIn(block, value);
    users.remove(ignored);
    // Kept or combined, as a condition says.
    auto isSelection = [&](Operation *user) {
      auto select = dyn_cast<arith::SelectOp>(user);
      return select && select.getCondition() != value;
    };
    auto *selection = llvm::find_if(users, isSelection);
    if (users.size() == 2 && selection != users.end()) {
      auto select = cast<arith::SelectOp>(*selection);
      Value combined = select.getTrueValue() == value ? select.getFalseValue()
                                                      : select.getTrueValue();
      Operation *other = users[0] == select ? users[1] : users[0];
      // The selection is the one use of what was combined.
      if (combined == value || !combined.hasOneUse() ||
          !leadsTo(value, combined, block, select))
        return refuseUse(other);
      value = select;
      continue;
    }
    if (users.size() != 1 || users.front() == block->getTerminator())
      return refuseUse(users.empty() ? block->getParentOp() : users.front());
    value = step(value, users.front());
    if (!value)
      return false;
  }
  // Nobody else sees the sum so far.
  if (start != end)
    for (Operation *user : usersIn(block, end))
      if (user != last)
        return refuseUse(user);
  return true;
}

std::optional<Refusal>
gpuopt::checkCarriedValueCommutes(LoopLikeOpInterface loop, unsigned number,
                                  SmallVectorImpl<Operation *> &combiners) {
  BlockArgument argument = loop.getRegionIterArgs()[number];
  Value yielded = loop.getYieldedValues()[number];
  Chain chain;
  if (argument != yielded &&
      !chain.leadsTo(argument, yielded, argument.getOwner()))
    return chain.refusal.value_or(
        Refusal{loop.getLoc(),
                "iterations depend on the one before by more than a sum"});
  combiners.append(chain.links);
  return std::nullopt;
}

std::optional<Refusal>
gpuopt::checkCarriedValuesCommute(LoopLikeOpInterface loop,
                                  SmallVectorImpl<Operation *> &combiners) {
  for (unsigned number = 0; number < loop.getRegionIterArgs().size(); ++number)
    if (auto refusal = checkCarriedValueCommutes(loop, number, combiners))
      return refusal;
  return std::nullopt;
}
