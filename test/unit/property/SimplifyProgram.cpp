//===- SimplifyProgram.cpp - what a smaller program may look like ---------===//
//
// Makes counterexamples small: instructions that nothing uses go, others become
// one of their operands, a constant or an argument, and constants shrink. Each
// step makes a program smaller in its number of instructions, else in the kinds
// of these, else in the distance of a number from its least: so it ends.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt::property;

/// Lets all uses of instruction `from` use `to`.
static void redirect(Program &program, unsigned from, unsigned to) {
  for (Instruction &instruction : program.code) {
    llvm::replace(instruction.operands, from, to);
    if (instruction.op == Opcode::Carry && instruction.data[0] == from)
      instruction.data[0] = to;
  }
}

/// Takes instruction `number` away, which nothing uses.
static void erase(Program &program, unsigned number) {
  program.code.erase(program.code.begin() + number);
  for (Instruction &instruction : program.code) {
    for (unsigned &operand : instruction.operands)
      operand -= operand > number;
    if (instruction.op == Opcode::Carry)
      instruction.data[0] -= instruction.data[0] > number;
  }
}

static bool isUsed(const Program &program, unsigned number) {
  return llvm::any_of(program.code, [&](const Instruction &instruction) {
    return llvm::is_contained(instruction.operands, number) ||
           (instruction.op == Opcode::Carry && instruction.data[0] == number);
  });
}

/// Whether a carried value belongs to the loop that is instruction `number`.
static bool isLoopWithCarry(const Program &program, unsigned number) {
  return program.code[number].isLoop() && number + 1 < program.code.size() &&
         program.code[number + 1].op == Opcode::Carry;
}

static bool isLeaf(Opcode op) { return op <= Opcode::LaneId; }

/// The program without `number`, and without operands of it that nothing else
/// uses.
static Program without(Program program, unsigned number) {
  auto operands = program.code[number].operands;
  erase(program, number);
  llvm::sort(operands, std::greater<>());
  operands.erase(llvm::unique(operands), operands.end());
  for (unsigned operand : operands)
    if (!isUsed(program, operand) && program.code[operand].hasResult() &&
        !isLoopWithCarry(program, operand))
      erase(program, operand);
  return program;
}

static void simplifyInstruction(const Program &program, unsigned number,
                                std::vector<Program> &results) {
  const Instruction &instruction = program.code[number];
  if (isLoopWithCarry(program, number))
    return;
  if (!instruction.hasResult() || !isUsed(program, number))
    results.push_back(without(program, number));
  if (!instruction.hasResult())
    return;
  for (unsigned operand : instruction.operands)
    if (program.code[operand].width == instruction.width) {
      Program redirected = program;
      redirect(redirected, number, operand);
      results.push_back(without(std::move(redirected), number));
    }
  if (instruction.op == Opcode::Constant || instruction.isLoop())
    return;
  Program replaced = program;
  replaced.code[number] = {Opcode::Constant, instruction.width, {}, {}};
  results.push_back(replaced);
  if (!isLeaf(instruction.op)) {
    replaced.code[number].op = Opcode::Argument;
    results.push_back(std::move(replaced));
  }
}

/// Numbers between `old` and `least`, which is always nearer: `least` itself,
/// then halfway, a quarter, ..., one step. So the least number that fails is
/// found in as many steps as it has bits.
static std::vector<int64_t> numbersTowards(int64_t least, int64_t old) {
  std::vector<int64_t> numbers;
  uint64_t distance = old > least ? uint64_t(old) - uint64_t(least)
                                  : uint64_t(least) - uint64_t(old);
  for (uint64_t step = distance; step > 0; step /= 2)
    numbers.push_back(old > least ? uint64_t(old) - step
                                  : uint64_t(old) + step);
  return numbers;
}

/// Smaller constants and fewer flags.
static void simplifyData(const Program &program, unsigned number,
                         std::vector<Program> &results) {
  const Instruction &instruction = program.code[number];
  if (instruction.op == Opcode::Carry)
    return;
  for (unsigned i = 0; i < instruction.data.size(); ++i) {
    bool isDivisor = i == 4 && instruction.op != Opcode::AffineIf;
    bool isStep = i == 0 && instruction.isLoop();
    int64_t least = isDivisor || isStep ? 1 : 0;
    for (int64_t smaller : numbersTowards(least, instruction.data[i])) {
      if (smaller >= 0 && smaller < least)
        continue;
      Program changed = program;
      changed.code[number].data[i] = smaller;
      results.push_back(std::move(changed));
    }
  }
}

std::vector<Program> Program::simplified() const {
  std::vector<Program> results;
  for (unsigned number = code.size(); number-- > 0;)
    simplifyInstruction(*this, number, results);
  for (unsigned number = code.size(); number-- > 0;)
    simplifyData(*this, number, results);
  return results;
}
