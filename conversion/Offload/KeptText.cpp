//===- KeptText.cpp - how arrays stay on a device, in C -------------------===//

#include "conversion/Offload/KeptText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

static std::string moveText(const VarDecl &array, bool goes) {
  return "gpuopt_move_" + array.getName().str() + (goes ? "(1);" : "(0);");
}

std::string offload::moveLines(const Variables &arrays,
                               llvm::StringRef indent) {
  std::string lines;
  for (const VarDecl *array : arrays)
    lines += indent.str() + moveText(*array, /*goes=*/true) + "\n";
  return lines;
}

std::string offload::backLines(const Variables &arrays, const KeptArrays &kept,
                               llvm::StringRef indent) {
  std::string lines;
  for (const VarDecl *array : arrays)
    if (kept.arrays.lookup(array))
      lines += indent.str() + moveText(*array, /*goes=*/false) + "\n";
  return lines;
}

std::string offload::keepingBegin(const Variables &arrays,
                                  llvm::StringRef indent) {
  std::string inner = indent.str() + "  ";
  std::string text = "{\n" + inner +
                     "int gpuopt_keeps = gpuopt_offload_keeps();\n" + inner +
                     "if (gpuopt_keeps) {\n";
  for (const VarDecl *array : arrays)
    text += inner + "  gpuopt_kept_" + array->getName().str() + ".loops++;\n";
  return text + inner + "}\n";
}

std::string offload::keepingEnd(const Variables &arrays,
                                llvm::StringRef indent) {
  std::string inner = indent.str() + "  ";
  std::string text = "\n" + inner + "if (gpuopt_keeps) {\n";
  for (const VarDecl *array : arrays)
    text += inner + "  if (--gpuopt_kept_" + array->getName().str() +
            ".loops == 0)\n" + inner + "    " +
            moveText(*array, /*goes=*/false) + "\n";
  return text + inner + "}\n" + indent.str() + "}";
}

static constexpr llvm::StringLiteral kHelpers = R"(
#ifndef GPUOPT_OFFLOAD_KEPT
#define GPUOPT_OFFLOAD_KEPT
#ifdef __cplusplus
extern "C" {
#endif
int gpuopt_offload_may_keep(void) __attribute__((weak));
void gpuopt_offload_note_back(const char *array, double bytes)
    __attribute__((weak));
#ifdef __cplusplus
}
#endif

/* Of an array: how many loops that run keep it on the device once it has come
   there, and whether it has. */
struct gpuopt_offload_kept {
  int loops, is_there;
};

/* Whether a loop may keep arrays there: not in a parallel region. */
static __inline__ __attribute__((unused)) int gpuopt_offload_keeps(void) {
  return gpuopt_offload_may_keep && gpuopt_offload_may_keep();
}

/* Whether the array has to move now, of which the device has all or nothing. */
static __inline__ __attribute__((unused)) int
gpuopt_offload_moves(struct gpuopt_offload_kept *kept, int goes,
                     const char *array, double bytes_out) {
  if (goes ? kept->is_there || !kept->loops : !kept->is_there)
    return 0;
  if (!goes && gpuopt_offload_note_back)
    gpuopt_offload_note_back(array, bytes_out);
  kept->is_there = goes;
  return 1;
}

/* What a section moves of such an array, of which it alone needs `bytes`. */
static __inline__ __attribute__((unused)) double
gpuopt_offload_in(struct gpuopt_offload_kept kept, double bytes, double whole) {
  return kept.is_there ? 0 : kept.loops ? whole : bytes;
}
static __inline__ __attribute__((unused)) double
gpuopt_offload_out(struct gpuopt_offload_kept kept, double bytes) {
  return kept.loops ? 0 : bytes;
}
#endif
)";

std::string offload::keptDeclarations(const KeptArrays &kept) {
  if (kept.arrays.empty())
    return "";
  std::string text = kHelpers.str();
  for (const auto &[array, isChanged] : kept.arrays)
    text +=
        ("static struct gpuopt_offload_kept gpuopt_kept_" + array->getName() +
         ";\nstatic void gpuopt_move_" + array->getName() + "(int goes);\n")
            .str();
  return text + "\n";
}

std::string offload::keptFunctions(const KeptArrays &kept, Dialect dialect) {
  std::string text;
  bool isACC = dialect == Dialect::OpenACC;
  for (const auto &[array, isChanged] : kept.arrays) {
    std::string name = array->getName().str();
    std::string enter = isACC ? "acc enter data copyin(" + name + ")"
                              : "omp target enter data map(to: " + name + ")";
    std::string back =
        isACC ? "acc exit data copyout(" : "omp target exit data map(from: ";
    if (!isChanged)
      back = isACC ? "acc exit data delete("
                   : "omp target exit data map(release: ";
    text += "\n/* Moves '" + name +
            "' to the device, or back (gpuopt offload). */\nstatic void "
            "gpuopt_move_" +
            name + "(int goes) {\n  if (!gpuopt_offload_moves(&gpuopt_kept_" +
            name + ", goes, \"" + name + "\", " +
            (isChanged ? "sizeof " + name : "0") +
            "))\n    return;\n  if (goes) {\n#pragma " + enter +
            "\n  } else {\n#pragma " + back + name + ")\n  }\n}\n";
  }
  return text;
}
