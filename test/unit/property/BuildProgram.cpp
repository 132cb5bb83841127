//===- BuildProgram.cpp - a random program as a kernel --------------------===//

#include "BuildProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;

namespace {

class ProgramBuilder {
public:
  ProgramBuilder(const Program &program, MLIRContext *context)
      : program(program), builder(context), loc(builder.getUnknownLoc()) {}

  BuiltKernel run();

private:
  Type typeOf(const Instruction &instruction);
  Value operand(unsigned number) {
    return result.values[instruction->operands[number]];
  }
  Value affineOperand(unsigned number);
  AffineMap mapOf(bool twoResults);
  Value buildValue(unsigned number);
  Value buildLeaf();
  template <typename Op> Value buildFlagged();
  Value buildBinary();
  Value buildChoice();
  Value buildCast();
  Value buildAffine();
  void buildGuard();
  void buildLoop(unsigned number);
  void yield();

  const Program &program;
  OpBuilder builder;
  Location loc;
  const Instruction *instruction = nullptr;
  BuiltKernel result;
  /// Loops with the values that they carry, outermost first, by instruction.
  std::vector<std::pair<Operation *, SmallVector<unsigned>>> loops;
  unsigned numArguments = 0;
};

} // namespace

Type ProgramBuilder::typeOf(const Instruction &of) {
  return of.width == kIndex ? Type(builder.getIndexType())
                            : Type(builder.getIntegerType(of.width));
}

Value ProgramBuilder::affineOperand(unsigned number) {
  Value value = operand(number);
  if (value.getType().isIndex() && affine::isValidDim(value))
    return value;
  return arith::ConstantIndexOp::create(builder, loc, 0);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ProgramBuilder::buildLeaf() {
  auto dimension = static_cast<gpu::Dimension>(instruction->data[0]);
  switch (instruction->op) {
  case Opcode::Argument:
    return result.kernel.getArgument(numArguments++);
  case Opcode::Constant: {
    unsigned bits = instruction->width == kIndex ? 64 : instruction->width;
    APInt value = APInt(64, instruction->data[0], true).trunc(bits);
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(typeOf(*instruction), value));
  }
  case Opcode::ThreadId:
    return gpu::ThreadIdOp::create(builder, loc, dimension);
  case Opcode::BlockId:
    return gpu::BlockIdOp::create(builder, loc, dimension);
  case Opcode::GlobalId:
    return gpu::GlobalIdOp::create(builder, loc, dimension);
  case Opcode::BlockDim:
    return gpu::BlockDimOp::create(builder, loc, dimension);
  case Opcode::GridDim:
    return gpu::GridDimOp::create(builder, loc, dimension);
  default:
    return gpu::LaneIdOp::create(builder, loc, /*upper_bound=*/nullptr);
  }
}

template <typename Op> Value ProgramBuilder::buildFlagged() {
  using Flags = arith::IntegerOverflowFlags;
  auto flags = Flags::none;
  if (instruction->data[0] & 1)
    flags = flags | Flags::nsw;
  if (instruction->data[0] & 2)
    flags = flags | Flags::nuw;
  return Op::create(builder, loc, operand(0), operand(1), flags);
}

Value ProgramBuilder::buildBinary() {
  auto make = [&](auto op) -> Value {
    return decltype(op)::create(builder, loc, operand(0), operand(1));
  };
  switch (instruction->op) {
  case Opcode::AddI:
    return buildFlagged<arith::AddIOp>();
  case Opcode::SubI:
    return buildFlagged<arith::SubIOp>();
  case Opcode::MulI:
    return buildFlagged<arith::MulIOp>();
  case Opcode::ShLI:
    return buildFlagged<arith::ShLIOp>();
  case Opcode::DivSI:
    return make(arith::DivSIOp());
  case Opcode::DivUI:
    return make(arith::DivUIOp());
  case Opcode::FloorDivSI:
    return make(arith::FloorDivSIOp());
  case Opcode::CeilDivSI:
    return make(arith::CeilDivSIOp());
  case Opcode::CeilDivUI:
    return make(arith::CeilDivUIOp());
  case Opcode::RemSI:
    return make(arith::RemSIOp());
  case Opcode::RemUI:
    return make(arith::RemUIOp());
  case Opcode::ShRSI:
    return make(arith::ShRSIOp());
  case Opcode::ShRUI:
    return make(arith::ShRUIOp());
  case Opcode::AndI:
    return make(arith::AndIOp());
  case Opcode::OrI:
    return make(arith::OrIOp());
  case Opcode::XOrI:
    return make(arith::XOrIOp());
  case Opcode::MinSI:
    return make(arith::MinSIOp());
  case Opcode::MaxSI:
    return make(arith::MaxSIOp());
  case Opcode::MinUI:
    return make(arith::MinUIOp());
  case Opcode::MaxUI:
    return make(arith::MaxUIOp());
  default: // CmpI
    return arith::CmpIOp::create(
        builder, loc, static_cast<arith::CmpIPredicate>(instruction->data[0]),
        operand(0), operand(1));
  }
}

Value ProgramBuilder::buildChoice() {
  if (instruction->op == Opcode::Select)
    return arith::SelectOp::create(builder, loc, operand(0), operand(1),
                                   operand(2));
  auto branch =
      scf::IfOp::create(builder, loc, typeOf(*instruction), operand(0), true);
  auto fill = [&](Block *block, Value value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    scf::YieldOp::create(builder, loc, value);
  };
  fill(branch.thenBlock(), operand(1));
  fill(branch.elseBlock(), operand(2));
  return branch.getResult(0);
}

Value ProgramBuilder::buildCast() {
  Type to = typeOf(*instruction);
  Value from = operand(0);
  switch (instruction->op) {
  case Opcode::ExtSI:
    return arith::ExtSIOp::create(builder, loc, to, from);
  case Opcode::ExtUI:
    return arith::ExtUIOp::create(builder, loc, to, from);
  case Opcode::TruncI: {
    using Flags = arith::IntegerOverflowFlags;
    auto flags = Flags::none;
    if (instruction->data[0] & 1)
      flags = flags | Flags::nsw;
    if (instruction->data[0] & 2)
      flags = flags | Flags::nuw;
    return arith::TruncIOp::create(builder, loc, to, from, flags);
  }
  case Opcode::IndexCast:
    return arith::IndexCastOp::create(builder, loc, to, from);
  default:
    return arith::IndexCastUIOp::create(builder, loc, to, from);
  }
}

/// ((a*x + b*y + c) op d) * e, and as a second result x + b.
AffineMap ProgramBuilder::mapOf(bool twoResults) {
  AffineExpr x = builder.getAffineDimExpr(0), y = builder.getAffineDimExpr(1);
  const auto &data = instruction->data;
  AffineExpr sum = x * data[0] + y * data[1] + data[2];
  switch (data[3]) {
  case 1:
    sum = sum.floorDiv(data[4]);
    break;
  case 2:
    sum = sum.ceilDiv(data[4]);
    break;
  case 3:
    sum = sum % data[4];
    break;
  }
  SmallVector<AffineExpr, 2> results{sum * data[5]};
  if (twoResults)
    results.push_back(x + data[1]);
  return AffineMap::get(2, 0, results, builder.getContext());
}

Value ProgramBuilder::buildAffine() {
  SmallVector<Value, 2> operands{affineOperand(0), affineOperand(1)};
  if (instruction->op == Opcode::Apply)
    return affine::AffineApplyOp::create(builder, loc, mapOf(false), operands);
  if (instruction->op == Opcode::Min)
    return affine::AffineMinOp::create(builder, loc, mapOf(true), operands);
  return affine::AffineMaxOp::create(builder, loc, mapOf(true), operands);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void ProgramBuilder::buildGuard() {
  if (instruction->op == Opcode::If) {
    auto branch = scf::IfOp::create(builder, loc, operand(0), true);
    builder.setInsertionPointToStart(instruction->data[0] ? branch.elseBlock()
                                                          : branch.thenBlock());
    return;
  }
  const auto &data = instruction->data;
  AffineExpr value = builder.getAffineDimExpr(0) * data[0] +
                     builder.getAffineDimExpr(1) * data[1] + data[2];
  IntegerSet set = IntegerSet::get(2, 0, {value}, {data[4] != 0});
  SmallVector<Value, 2> operands{affineOperand(0), affineOperand(1)};
  auto branch = affine::AffineIfOp::create(builder, loc, set, operands, true);
  builder.setInsertionPointToStart(data[3] ? branch.getElseBlock()
                                           : branch.getThenBlock());
}

void ProgramBuilder::buildLoop(unsigned number) {
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (unsigned i = number + 1;
       i < program.code.size() && program.code[i].op == Opcode::Carry; ++i) {
    carried.push_back(i);
    inits.push_back(result.values[program.code[i].operands[0]]);
  }
  const auto &data = instruction->data;
  if (instruction->op == Opcode::For) {
    Value step = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(typeOf(*instruction), data[0]));
    auto loop = scf::ForOp::create(builder, loc, operand(0), operand(1), step,
                                   inits, nullptr, data[1] != 0);
    result.values[number] = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
    loops.push_back({loop, carried});
  } else {
    AffineExpr dim = builder.getAffineDimExpr(0);
    const Instruction &first = program.code[instruction->operands[0]];
    bool isConstant = first.op == Opcode::Constant;
    SmallVector<Value, 1> from, to{affineOperand(1)};
    if (!isConstant)
      from.push_back(affineOperand(0));
    SmallVector<AffineExpr, 2> lower{
        (isConstant ? builder.getAffineConstantExpr(first.data[0]) : dim) +
        data[1]};
    if (data[3])
      lower.push_back(builder.getAffineConstantExpr(0));
    auto loop = affine::AffineForOp::create(
        builder, loc, from,
        AffineMap::get(from.size(), 0, lower, builder.getContext()), to,
        AffineMap::get(1, 0, dim + data[2]), data[0], inits);
    result.values[number] = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
    loops.push_back({loop, carried});
  }
  Operation *loop = loops.back().first;
  for (auto [i, instructionNumber] : llvm::enumerate(carried))
    result.values[instructionNumber] =
        cast<LoopLikeOpInterface>(loop).getRegionIterArgs()[i];
}

/// Ends all regions, the innermost first.
void ProgramBuilder::yield() {
  for (auto &[loop, carried] : llvm::reverse(loops)) {
    Block *body = &cast<LoopLikeOpInterface>(loop).getLoopRegions()[0]->front();
    builder.setInsertionPointToEnd(body);
    SmallVector<Value> yielded;
    for (unsigned number : carried) {
      Value next = result.values[program.code[number].data[0]];
      // What is defined in a guard in the loop does not reach its end.
      bool reaches = next.getType() == typeOf(program.code[number]) &&
                     next.getParentRegion()->isAncestor(body->getParent());
      yielded.push_back(reaches ? next : result.values[number]);
    }
    bool isEnded =
        !body->empty() && body->back().hasTrait<OpTrait::IsTerminator>();
    if (isEnded && yielded.empty())
      continue;
    if (isa<scf::ForOp>(loop))
      scf::YieldOp::create(builder, loc, yielded);
    else
      affine::AffineYieldOp::create(builder, loc, yielded);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Value ProgramBuilder::buildValue(unsigned number) {
  switch (instruction->op) {
  case Opcode::Select:
  case Opcode::Choice:
    return buildChoice();
  case Opcode::ExtSI:
  case Opcode::ExtUI:
  case Opcode::TruncI:
  case Opcode::IndexCast:
  case Opcode::IndexCastUI:
    return buildCast();
  case Opcode::Apply:
  case Opcode::Min:
  case Opcode::Max:
    return buildAffine();
  default:
    return instruction->op <= Opcode::LaneId ? buildLeaf() : buildBinary();
  }
}

BuiltKernel ProgramBuilder::run() {
  result.module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(result.module->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, loc, "m");
  builder.setInsertionPointToStart(gpuModule.getBody());
  SmallVector<Type> arguments;
  for (const Instruction &argument : program.code)
    if (argument.op == Opcode::Argument)
      arguments.push_back(typeOf(argument));
  auto array = MemRefType::get({ShapedType::kDynamic}, builder.getI32Type());
  arguments.push_back(array);
  result.kernel = gpu::GPUFuncOp::create(
      builder, loc, "k", builder.getFunctionType(arguments, {}));
  result.kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                         builder.getUnitAttr());
  builder.setInsertionPointToEnd(&result.kernel.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(&result.kernel.getBody().front());

  result.values.resize(program.code.size());
  for (unsigned number = 0; number < program.code.size(); ++number) {
    instruction = &program.code[number];
    if (instruction->isLoop())
      buildLoop(number);
    else if (!instruction->hasResult())
      buildGuard();
    else if (instruction->op != Opcode::Carry)
      result.values[number] = buildValue(number);
  }
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  result.store = memref::StoreOp::create(
      builder, loc, one, result.kernel.getArguments().back(), zero);
  yield();
  return std::move(result);
}

/// The context of all kernels; a new one now and then, since what a context
/// makes unique it keeps.
static MLIRContext *currentContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses % 20000 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                         gpu::GPUDialect, memref::MemRefDialect,
                         scf::SCFDialect>();
  }
  return context.get();
}

BuiltKernel gpuopt::property::build(const Program &program) {
  return ProgramBuilder(program, currentContext()).run();
}

std::string gpuopt::property::toString(const Program &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  build(program).module->print(os);
  return text;
}
