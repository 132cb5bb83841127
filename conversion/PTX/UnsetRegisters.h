//===- UnsetRegisters.h - registers before they are set ---------*- C++ -*-===//
//
// PTX leaves open what a register holds that nothing has set, no more than
// that: the code that reads it is still done. An undefined value of LLVM's
// would take such code away, and with it what is wrong there. Until it is known
// who wants the code it is the result of a function, of which there is one for
// each register: `i64 @__gpuopt_unset.%rd9.i64()`.
//
// The same holds for local memory that nothing has stored to, and parameters of
// functions, which is what `i8 @__gpuopt_unset.[local memory 'a'].i8()` gives:
// at first each byte of a variable is set to that.
//
// What is compiled takes zero for it, or whatever is in the memory. The CPU
// executor takes a pattern that is in no array and is no number, and says where
// one is used (runtime/CPU/UnsetRegisters.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_UNSETREGISTERS_H
#define CONVERSION_PTX_UNSETREGISTERS_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace gpuopt::ptx {

/// Stores to `slot` what the register `name` holds before it is set.
void markUnset(llvm::AllocaInst &slot, llvm::StringRef name);

/// The register whose content before it is set `callee` returns; nothing where
/// it is another function.
std::optional<llvm::StringRef> unsetRegister(const llvm::Function &callee);

/// Marks a variable in workgroup memory that others than the kernel set.
inline constexpr llvm::StringLiteral presetMemory = "preset-memory";

/// Says that nothing has been stored to `variable` at first, which a person
/// knows as `what`: `local memory 'a'`.
void markOpen(llvm::AllocaInst &variable, const llvm::Twine &what);

/// Whether `name` (unsetRegister) is of memory: `[local memory 'a']`.
inline bool isOfMemory(llvm::StringRef name) { return name.starts_with("["); }

/// Has loads of variables that are marked so give any value, but always the
/// same, where nothing has been stored; other memory has bits.
void freezeLoads(llvm::Module &module);

/// Loads of what is behind or before such a variable, at an offset that is
/// known, give `i32 @__gpuopt_unset.[local memory beyond 'a'].i32()`: LLVM
/// would take them, and what depends on them, away.
void markLoadsBeyond(llvm::Module &module);

/// Takes zero for what registers hold that nothing has set.
void resolveUnsetRegisters(llvm::Module &module);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_UNSETREGISTERS_H
