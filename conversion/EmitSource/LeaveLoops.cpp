//===- LeaveLoops.cpp - `break` instead of flags --------------------------===//
//
// A loop with several ends comes with a flag that its branches set and that is
// asked at its end:
//
//   while (true) {              while (i < n) {
//     if (i < n) {                if (a[i] == x)
//       more = a[i] != x;           break;
//     } else {                    ++i;
//       more = false;           }
//     }
//     if (!more)
//       break;
//     ++i;
//   }
//
// The branch that clears the flag leaves the loop itself. What stands between
// the branches and the question, copies of values for what follows, is done
// behind the loop where only that reads them.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/TreePasses.h"

#include "llvm/ADT/DenseMap.h"

using namespace gpuopt::source;

namespace {
/// Replaces the flags of a kernel's loops by `break`.
class FlagRemover {
public:
  explicit FlagRemover(Kernel &kernel) : kernel(kernel) {}
  void run() {
    splitSelects(kernel.body);
    threadFlags(kernel.body);
    visit(kernel.body);
  }

private:
  void visit(Block &block);
  bool isFlagSet(const Block &block, const Variable *flag) const;
  void leave(Block &block, const Variable *flag);
  const Expr *negate(const Expr *condition);
  const Expr *asCondition(const Expr *value) const;
  bool rewriteLoop(Block &block, size_t at);
  void askOnTop(Stmt &loop);
  void flatten(Stmt &loop);
  void joinCopies(Block &block);
  void splitSelects(Block &block);
  void threadFlags(Block &block);
  bool threadFlag(Block &block, size_t at);
  bool passOn(Block &block, const Variable *flag, const Stmt &question);
  Stmt *clone(const Stmt &stmt);
  bool collectEnds(Block &block, llvm::SmallVectorImpl<Block *> &ends);
  void sinkCopies(Block &block);
  Stmt *leaveIf(const Expr *condition, mlir::Location location);

  Kernel &kernel;
};

bool reads(const Expr *expr, const Variable *variable) {
  bool found = false;
  forEachPart(expr,
              [&](const Expr *part) { found |= part->variable == variable; });
  return found;
}

unsigned countUses(Block &block, const Variable *variable) {
  unsigned uses = 0;
  forEachStmt(block, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(
          root, [&](const Expr *part) { uses += part->variable == variable; });
    });
  });
  return uses;
}

bool isNumber(const Expr *expr, llvm::StringRef text) {
  return expr->kind == Expr::Literal && expr->text == text;
}

/// A copy: sets a scalar to what is computed from variables.
bool isCopy(const Stmt &stmt) {
  if (stmt.kind != Stmt::Assign || !stmt.value ||
      stmt.target->kind != Expr::Use || !stmt.target->operands.empty() ||
      stmt.target->variable->kind != Variable::Local)
    return false;
  bool isPlain = true;
  forEachPart(stmt.value, [&](const Expr *part) {
    isPlain &= part->kind != Expr::Access && part->kind != Expr::Call;
  });
  return isPlain;
}

/// The flag that `((unsigned)flag & 1u) != 0u` or `flag != 0` asks for; null
/// for all else.
const Variable *flagOf(const Expr *condition) {
  if (condition->kind == Expr::Binary && condition->text == "!=" &&
      isNumber(condition->operands[1], "0"))
    condition = condition->operands[0];
  if (condition->kind == Expr::Binary && condition->text == "&" &&
      isNumber(condition->operands[1], "1"))
    condition = condition->operands[0];
  while (condition->kind == Expr::Cast)
    condition = condition->operands[0];
  bool isFlag = condition->kind == Expr::Use && condition->operands.empty() &&
                condition->variable->kind == Variable::Local;
  return isFlag ? condition->variable : nullptr;
}
} // namespace

const Expr *FlagRemover::negate(const Expr *condition) {
  if (condition->kind == Expr::Unary && condition->text == "!")
    return condition->operands[0];
  static const std::pair<llvm::StringRef, llvm::StringRef> opposites[] = {
      {"==", "!="}, {"!=", "=="}, {"<", ">="},
      {">=", "<"},  {">", "<="},  {"<=", ">"}};
  bool isOrdered = condition->kind == Expr::Binary &&
                   (condition->operands[0]->type.isInteger() ||
                    condition->operands[0]->type.kind == CType::Index);
  for (auto [sign, opposite] : opposites)
    if (isOrdered && condition->text == sign) {
      Expr negated = *condition;
      negated.text = opposite.str();
      return kernel.make(std::move(negated));
    }
  Expr negated{Expr::Unary, kBoolType};
  negated.text = "!";
  negated.operands = {condition};
  return kernel.make(std::move(negated));
}

/// The truth value that `value` of a flag stands for; null for all else.
const Expr *FlagRemover::asCondition(const Expr *value) const {
  if (value->type == kBoolType)
    return value;
  if (isNumber(value, "0"))
    return kernel.literal("false", kBoolType);
  if (isNumber(value, "1"))
    return kernel.literal("true", kBoolType);
  if (value->kind == Expr::Cast && value->operands[0]->type == kBoolType)
    return value->operands[0];
  return nullptr;
}

/// Whether all ways through `block` set `flag` last, to a truth value.
bool FlagRemover::isFlagSet(const Block &block, const Variable *flag) const {
  if (block.empty())
    return false;
  const Stmt &last = *block.back();
  if (last.kind == Stmt::If)
    return isFlagSet(last.body, flag) && isFlagSet(last.orElse, flag);
  return last.kind == Stmt::Assign && last.value &&
         last.target->variable == flag && last.target->operands.empty() &&
         asCondition(last.value);
}

Stmt *FlagRemover::leaveIf(const Expr *condition, mlir::Location location) {
  Stmt *stmt = kernel.createStmt(Stmt::Break, location);
  if (isNumber(condition, "true"))
    return stmt;
  Stmt *branch = kernel.createStmt(Stmt::If, location);
  branch->value = condition;
  branch->body.push_back(stmt);
  return branch;
}

/// Leaves the loop where `block` sets `flag` to false.
void FlagRemover::leave(Block &block, const Variable *flag) {
  Stmt &last = *block.back();
  if (last.kind == Stmt::If) {
    leave(last.body, flag);
    leave(last.orElse, flag);
    return;
  }
  const Expr *condition = asCondition(last.value);
  block.pop_back();
  if (isNumber(condition, "true"))
    return;
  bool isFalse = isNumber(condition, "false");
  block.push_back(
      leaveIf(isFalse ? kernel.literal("true", kBoolType) : negate(condition),
              last.location));
}

/// Whether all that `stmt` does is to leave the loop on a condition.
static bool isLeaveIf(const Stmt &stmt) {
  return stmt.kind == Stmt::If && stmt.orElse.empty() &&
         stmt.body.size() == 1 && stmt.body[0]->kind == Stmt::Break;
}

/// The flag without which `stmt` leaves the loop; null where it does not.
static const Variable *askedFlag(const Stmt &stmt) {
  if (!isLeaveIf(stmt) || stmt.value->kind != Expr::Unary ||
      stmt.value->text != "!")
    return nullptr;
  return flagOf(stmt.value->operands[0]);
}

/// Makes a loop that starts with the question whether to leave a `while`.
void FlagRemover::askOnTop(Stmt &loop) {
  Block &body = loop.body;
  if (body.size() <= 1 || !isLeaveIf(*body[0]))
    return;
  loop.kind = Stmt::While;
  loop.value = negate(body[0]->value);
  body.erase(body.begin());
}

/// Rewrites the loop at `at` where its last question is about a flag.
bool FlagRemover::rewriteLoop(Block &block, size_t at) {
  Stmt &loop = *block[at];
  Block &body = loop.body;
  size_t question = 0;
  while (question < body.size() && !askedFlag(*body[question]))
    ++question;
  if (question == body.size())
    return false;
  const Variable *flag = askedFlag(*body[question]);
  // Branches, then copies, then the question; the flag is theirs alone.
  size_t branches = question;
  while (branches > 0 && isCopy(*body[branches - 1]) &&
         body[branches - 1]->target->variable != flag)
    --branches;
  if (branches == 0 || body[branches - 1]->kind != Stmt::If)
    return false;
  Block setting{body[branches - 1]};
  if (!isFlagSet(setting, flag) ||
      countUses(kernel.body, flag) != countUses(setting, flag) + 1)
    return false;
  // Nothing else leaves the loop, so that copies may be made behind it.
  unsigned breaks = 0;
  for (Stmt *stmt : body)
    breaks += stmt->kind == Stmt::Break;
  if (breaks > 0)
    return false;
  // What is read behind the loop is copied there, and only there.
  Block behind, copies(body.begin() + branches, body.begin() + question);
  Block whole{&loop};
  for (Stmt *copy : copies) {
    const Variable *variable = copy->target->variable;
    unsigned inside = countUses(whole, variable);
    if (inside == countUses(kernel.body, variable))
      continue;
    // Read in the loop too, or changed between there and here.
    if (inside > 1)
      return false;
    behind.push_back(copy);
  }
  for (Stmt *copy : behind)
    for (Stmt *other : copies)
      if (reads(copy->value, other->target->variable))
        return false;
  leave(setting, flag);
  body.erase(body.begin() + question);
  llvm::erase_if(body,
                 [&](Stmt *stmt) { return llvm::is_contained(behind, stmt); });
  block.insert(block.begin() + at + 1, behind.begin(), behind.end());
  joinCopies(body);
  sinkCopies(body);
  flatten(loop);
  joinCopies(body);
  askOnTop(loop);
  return true;
}

/// Puts what only happens where a branch has not left the loop behind it.
void FlagRemover::flatten(Stmt &loop) {
  for (size_t at = 0; at < loop.body.size(); ++at) {
    Stmt &branch = *loop.body[at];
    if (branch.kind != Stmt::If)
      continue;
    auto onlyLeaves = [](const Block &block) {
      return block.size() == 1 && block[0]->kind == Stmt::Break;
    };
    if (onlyLeaves(branch.orElse) && !branch.body.empty()) {
      std::swap(branch.body, branch.orElse);
      branch.value = negate(branch.value);
    }
    // What only happens where the next branch does not leave follows it.
    if (at + 1 < loop.body.size() && branch.orElse.empty()) {
      Stmt &next = *loop.body[at + 1];
      bool isOpposite = next.kind == Stmt::If && next.orElse.empty() &&
                        onlyLeaves(next.body) &&
                        negate(branch.value) == next.value;
      bool changesCondition = false;
      forEachStmt(branch.body, [&](Stmt &inner) {
        changesCondition |= inner.kind != Stmt::Assign ||
                            inner.target->kind != Expr::Use ||
                            reads(next.value, inner.target->variable);
      });
      if (isOpposite && !changesCondition) {
        Block rest = branch.body;
        std::swap(loop.body[at], loop.body[at + 1]);
        loop.body.erase(loop.body.begin() + at + 1);
        loop.body.insert(loop.body.begin() + at + 1, rest.begin(), rest.end());
        continue;
      }
    }
    if (!onlyLeaves(branch.body) || branch.orElse.empty())
      continue;
    Block rest = std::move(branch.orElse);
    branch.orElse.clear();
    loop.body.insert(loop.body.begin() + at + 1, rest.begin(), rest.end());
  }
}

/// x = e; ...; y = x; is ...; y = e; where nothing else reads x, and what
/// stands between changes nothing that e reads.
void FlagRemover::joinCopies(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    Stmt &first = *block[at];
    if (!isCopy(first) || countUses(kernel.body, first.target->variable) != 2)
      continue;
    for (size_t next = at + 1; next < block.size(); ++next) {
      Stmt &second = *block[next];
      if (isCopy(second) &&
          (second.value == first.target ||
           second.value == kernel.asSum(first.target)) &&
          second.target->type == first.target->type) {
        second.value = first.value;
        block.erase(block.begin() + at);
        --at;
        break;
      }
      bool isInTheWay = !isCopy(second) ||
                        reads(second.value, first.target->variable) ||
                        reads(first.value, second.target->variable);
      if (isInTheWay)
        break;
    }
  }
}

//===--- Flags that the next branch asks for ------------------------------===//

/// flag = c ? 1 : 2 is a branch, joined with one under the same condition.
void FlagRemover::splitSelects(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    Stmt &stmt = *block[at];
    splitSelects(stmt.body);
    splitSelects(stmt.orElse);
    bool isChoice = stmt.kind == Stmt::Assign && stmt.value &&
                    stmt.value->kind == Expr::Select &&
                    stmt.target->kind == Expr::Use &&
                    stmt.target->operands.empty() &&
                    stmt.value->operands[1]->kind == Expr::Literal &&
                    stmt.value->operands[2]->kind == Expr::Literal &&
                    stmt.target->type.isInteger();
    // Only flags: without a name, for a branch that asks for them.
    if (!isChoice || !stmt.target->variable->name.empty())
      continue;
    bool isAsked = at + 1 < block.size() && block[at + 1]->kind == Stmt::If &&
                   reads(block[at + 1]->value, stmt.target->variable);
    bool isLast = at + 1 == block.size();
    if (!isAsked && !isLast)
      continue;
    const Expr *condition = stmt.value->operands[0];
    Stmt *branch = at > 0 ? block[at - 1] : nullptr;
    bool joins = branch && branch->kind == Stmt::If &&
                 branch->value == condition && branch->orElse.empty();
    if (joins)
      forEachStmt(branch->body, [&](Stmt &inner) {
        joins &= inner.kind == Stmt::Assign &&
                 !reads(condition, inner.target->variable);
      });
    if (!joins) {
      branch = kernel.createStmt(Stmt::If, stmt.location);
      branch->value = condition;
      block.insert(block.begin() + at, branch);
    }
    for (bool isElse : {false, true}) {
      Stmt *assign = kernel.createStmt(Stmt::Assign, stmt.location);
      assign->target = stmt.target;
      assign->value = stmt.value->operands[1 + isElse];
      (isElse ? branch->orElse : branch->body).push_back(assign);
    }
    llvm::erase(block, &stmt);
    at -= joins;
  }
}

Stmt *FlagRemover::clone(const Stmt &stmt) {
  Stmt *copy = kernel.createStmt(stmt.kind, stmt.location);
  *copy = stmt;
  for (Block *part : {&copy->body, &copy->orElse})
    for (Stmt *&inner : *part)
      inner = clone(*inner);
  return copy;
}

namespace {
/// flag == value, or != where it is not `isEqual`.
struct FlagTest {
  const Variable *flag;
  int64_t value;
  bool isEqual;
};

std::optional<int64_t> numberOf(const Expr *expr) {
  int64_t value = 0;
  if (expr->kind == Expr::Literal &&
      !llvm::StringRef(expr->text).getAsInteger(10, value))
    return value;
  return constantValue(expr);
}

std::optional<FlagTest> testOf(const Expr *condition) {
  if (condition->kind != Expr::Binary ||
      (condition->text != "==" && condition->text != "!="))
    return std::nullopt;
  const Expr *flag = condition->operands[0];
  if (flag->kind == Expr::Sum && flag->operands.size() == 1 &&
      flag->coefficients[0] == 1 && flag->constant == 0)
    flag = flag->operands[0];
  while (flag->kind == Expr::Cast && flag->type.isInteger() &&
         flag->type.bits >= 32)
    flag = flag->operands[0];
  std::optional<int64_t> value = numberOf(condition->operands[1]);
  if (!value || flag->kind != Expr::Use || !flag->operands.empty() ||
      flag->variable->kind != Variable::Local)
    return std::nullopt;
  return FlagTest{flag->variable, *value, condition->text == "=="};
}
} // namespace

/// What `question` does where `flag` is `value`; nothing where it also asks for
/// something else.
static std::optional<Block> answer(const Stmt &question, const Variable *flag,
                                   int64_t value) {
  std::optional<FlagTest> test = testOf(question.value);
  // Numbers that are the same with and without a sign.
  auto isSmall = [](int64_t number) {
    return number >= 0 && number <= std::numeric_limits<int32_t>::max();
  };
  if (!test || test->flag != flag || !isSmall(value) || !isSmall(test->value))
    return std::nullopt;
  bool holds = (value == test->value) == test->isEqual;
  const Block &taken = holds ? question.body : question.orElse;
  if (taken.size() == 1 && taken[0]->kind == Stmt::If &&
      reads(taken[0]->value, flag))
    return answer(*taken[0], flag, value);
  for (const Stmt *stmt : taken)
    if (stmt->kind != Stmt::Assign || stmt->target->variable == flag)
      return std::nullopt;
  return taken;
}

/// Answers `question` where `block` ends with setting `flag` to a number.
bool FlagRemover::passOn(Block &block, const Variable *flag,
                         const Stmt &question) {
  if (block.empty())
    return false;
  Stmt &last = *block.back();
  if (last.kind == Stmt::If)
    return passOn(last.body, flag, question) &&
           passOn(last.orElse, flag, question);
  if (last.kind != Stmt::Assign || !last.value ||
      last.target->variable != flag || !numberOf(last.value))
    return false;
  std::optional<Block> taken = answer(question, flag, *numberOf(last.value));
  if (!taken || taken->size() > 4)
    return false;
  block.pop_back();
  for (Stmt *stmt : *taken)
    block.push_back(clone(*stmt));
  return true;
}

/// Answers the question at `at` in the branches before it.
bool FlagRemover::threadFlag(Block &block, size_t at) {
  // Variables that only come into being may stand between.
  size_t before = at - 1;
  while (before > 0 && block[before]->kind == Stmt::Assign &&
         !block[before]->value)
    --before;
  if (block[at]->kind != Stmt::If || block[before]->kind != Stmt::If)
    return false;
  std::optional<FlagTest> test = testOf(block[at]->value);
  if (!test)
    return false;
  const Variable *flag = test->flag;
  Block both{block[before], block[at]};
  if (countUses(both, flag) != countUses(kernel.body, flag))
    return false;
  // On a copy: some branch may not tell.
  Stmt *branches = clone(*block[before]);
  Block tried{branches};
  if (!passOn(tried, flag, *block[at]))
    return false;
  block[before] = branches;
  block.erase(block.begin() + at);
  return true;
}

void FlagRemover::threadFlags(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    threadFlags(block[at]->body);
    threadFlags(block[at]->orElse);
    if (at > 0 && threadFlag(block, at))
      at = size_t(-1); // Once more, from the beginning.
  }
  joinCopies(block);
  llvm::erase_if(block, [](const Stmt *stmt) {
    return stmt->kind == Stmt::Assign && stmt->value == stmt->target;
  });
}

/// The ends of all ways through `block` that do not leave the loop.
bool FlagRemover::collectEnds(Block &block,
                              llvm::SmallVectorImpl<Block *> &ends) {
  if (block.empty())
    return false;
  Stmt &last = *block.back();
  if (last.kind == Stmt::If)
    return collectEnds(last.body, ends) && collectEnds(last.orElse, ends);
  if (last.kind != Stmt::Break)
    ends.push_back(&block);
  return true;
}

/// if (...) { x = e; } else { x = f; } y = x; sets y in the branches.
void FlagRemover::sinkCopies(Block &block) {
  for (size_t at = 1; at < block.size(); ++at) {
    Stmt &copy = *block[at];
    const Expr *from = copy.value;
    if (!isCopy(copy))
      continue;
    if (from->kind == Expr::Sum && from->operands.size() == 1 &&
        kernel.asSum(from->operands[0]) == from)
      from = from->operands[0];
    size_t branches = at - 1;
    while (branches > 0 && isCopy(*block[branches]) &&
           !reads(block[branches]->value, copy.target->variable) &&
           block[branches]->target->variable != copy.target->variable)
      --branches;
    llvm::SmallVector<Block *> ends;
    Block all{block[branches]};
    if (from->kind != Expr::Use || block[branches]->kind != Stmt::If ||
        !collectEnds(all, ends))
      continue;
    llvm::SmallVector<std::pair<Block *, Stmt *>> found;
    for (Block *end : ends)
      for (size_t i = end->size(); i-- > 0;) {
        Stmt &stmt = *(*end)[i];
        if (stmt.kind != Stmt::Assign || !stmt.value)
          break;
        if (stmt.target == from) {
          found.emplace_back(end, &stmt);
          break;
        }
        if (reads(stmt.value, copy.target->variable) ||
            stmt.target->variable == copy.target->variable)
          break;
      }
    if (found.size() != ends.size() ||
        countUses(kernel.body, from->variable) != ends.size() + 1)
      continue;
    for (auto [end, stmt] : found) {
      stmt->target = copy.target;
      if (stmt->value == copy.target)
        llvm::erase(*end, stmt);
    }
    block.erase(block.begin() + at);
    --at;
  }
}

void FlagRemover::visit(Block &block) {
  for (size_t at = 0; at < block.size(); ++at) {
    visit(block[at]->body);
    visit(block[at]->orElse);
    if (block[at]->kind == Stmt::Forever)
      rewriteLoop(block, at);
  }
}

void gpuopt::source::leaveLoops(Kernel &kernel) { FlagRemover(kernel).run(); }
