//===- AssemblyBuilder.h - one statement of inline PTX ----------*- C++ -*-===//
//
// CUB and much code by hand spell shuffles, special registers, bit fields and
// loads with a cache operator as inline PTX, which nothing here could look
// into, run on the host or compile for another vendor. A statement all of whose
// instructions are known becomes LLVM's own and calls of DeviceFunctions.def,
// with the meaning that the PTX ISA (version 8, chapter 9) gives them; any
// other stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_INLINEASSEMBLY_ASSEMBLYBUILDER_H
#define CONVERSION_IMPORTSOURCE_INLINEASSEMBLY_ASSEMBLYBUILDER_H

#include "conversion/ImportSource/InlineAssembly/PTXText.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuopt {

/// `s32`: a kind (`u`, `s`, `b` for bits, `f`) and a width; predicates are one
/// bit.
struct PTXType {
  char kind = 0;
  unsigned bits = 0;

  bool isFloat() const { return kind == 'f'; }
  bool isSigned() const { return kind == 's'; }
};

/// Nothing for types that are not known, such as half precision.
std::optional<PTXType> typeOf(llvm::StringRef text);
/// Of the last word of the opcode.
std::optional<PTXType> typeOf(const PTXInstruction &instruction);

/// What stands between the name of an instruction and its type: `lo` of
/// `mul.lo.s32`.
llvm::ArrayRef<llvm::StringRef> modifiers(const PTXInstruction &instruction);
bool hasModifiers(const PTXInstruction &instruction,
                  llvm::ArrayRef<llvm::StringRef> expected);

/// Bits of a register.
unsigned widthOf(llvm::Type *type);

/// Builds the instructions of one statement. Every function that builds gives
/// null, or false, where it does not know what it was asked for.
class AssemblyBuilder {
public:
  AssemblyBuilder(llvm::CallInst &call, const PTXBlock &block)
      : call(call), block(block), builder(&call),
        hasPTXLanes(
            llvm::Triple(call.getModule()->getTargetTriple()).isNVPTX()) {}

  /// Replaces the statement where all of it is known.
  bool replace();

private:
  bool build();
  llvm::Value *results();
  bool bindOperands(const llvm::InlineAsm &assembly);
  bool buildInstruction(const PTXInstruction &instruction);
  bool buildAccess(const PTXInstruction &instruction, llvm::Value *guard);
  bool writeElements(llvm::ArrayRef<PTXOperand> parts, llvm::Value *loaded,
                     PTXType type);
  llvm::Value *readElements(llvm::ArrayRef<PTXOperand> parts, llvm::Type *whole,
                            PTXType type);
  bool buildEffect(const PTXInstruction &instruction);
  llvm::Value *buildValue(const PTXInstruction &instruction);
  llvm::Value *buildFloat(const PTXInstruction &instruction, PTXType type);
  llvm::Value *buildInteger(const PTXInstruction &instruction, PTXType type);
  llvm::Value *buildWideProduct(const PTXInstruction &instruction, PTXType type,
                                llvm::Value *left, llvm::Value *right);
  llvm::Value *buildBitField(const PTXInstruction &instruction, PTXType type);
  llvm::Value *buildMask(const PTXInstruction &instruction, PTXType type);
  llvm::Value *shift(llvm::Value *value, llvm::Value *amount, bool isLeft,
                     bool isSigned = false);
  llvm::Value *lowBits(llvm::Type *type, llvm::Value *count);
  llvm::Value *buildComparison(const PTXInstruction &instruction, PTXType type);
  llvm::Value *buildConversion(const PTXInstruction &instruction);
  bool buildShuffle(const PTXInstruction &instruction, llvm::Value *guard);
  llvm::Value *buildVote(const PTXInstruction &instruction);
  llvm::Value *buildLookup(const PTXInstruction &instruction);

  llvm::Value *read(PTXOperand operand, PTXType type);
  llvm::Value *readParts(PTXOperand operand, PTXType type);
  bool writeParts(PTXOperand operand, llvm::Value *value);
  llvm::Value *extractPart(llvm::Value *word, unsigned index, unsigned bits);
  llvm::Value *insertPart(llvm::Value *word, llvm::Value *part, unsigned index);
  llvm::Value *readSpecial(llvm::StringRef name, PTXType type);
  llvm::Value *readAddress(PTXOperand operand);
  bool write(PTXOperand operand, llvm::Value *value, llvm::Value *guard);
  llvm::Value *asType(llvm::Value *value, llvm::Type *type);
  llvm::Value *asInteger(llvm::Value *value, unsigned bits);
  llvm::Value *callDevice(llvm::StringRef name, llvm::Type *result,
                          llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Value *laneId() {
    return callDevice("lane_id", builder.getInt32Ty(), {});
  }

  llvm::CallInst &call;
  const PTXBlock &block;
  llvm::IRBuilder<> builder;
  /// What registers and operands hold, and of which types they are.
  llvm::StringMap<llvm::Value *> values;
  llvm::StringMap<llvm::Type *> types;
  unsigned outputs = 0;
  bool clobbersMemory = false;
  /// `asm volatile`: an access may neither go away nor be made once for many.
  bool isVolatile = false;
  /// Whether a subgroup has the 32 lanes that PTX counts on.
  const bool hasPTXLanes;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_INLINEASSEMBLY_ASSEMBLYBUILDER_H
