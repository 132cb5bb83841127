//===- Spelling.cpp - how a language says things --------------------------===//

#include "conversion/EmitSource/Spelling.h"

#include "llvm/ADT/StringSwitch.h"

using namespace gpuopt;
using namespace gpuopt::source;
using llvm::StringRef;

static std::string scalarType(CType type, OutputLanguage language) {
  bool isOpenCL = language == OutputLanguage::OpenCL;
  // Not all compilers have a type for these.
  if (language == OutputLanguage::C && type.isSmallFloat())
    return "unsigned short";
  switch (type.kind) {
  case CType::Void:
    return "void";
  case CType::Bool:
    return "bool";
  case CType::Index:
    return isOpenCL ? "long" : "long long";
  case CType::BFloat:
    return language == OutputLanguage::HIP ? "__hip_bfloat16" : "__nv_bfloat16";
  case CType::Float:
    return type.bits == 64   ? "double"
           : type.bits == 32 ? "float"
           : isOpenCL        ? "half"
                             : "__half";
  case CType::Signed:
    return type.bits == 8    ? (isOpenCL ? "char" : "signed char")
           : type.bits == 16 ? "short"
           : type.bits == 32 ? "int"
           : isOpenCL        ? "long"
                             : "long long";
  case CType::Unsigned:
    return type.bits == 8    ? "unsigned char"
           : type.bits == 16 ? "unsigned short"
           : type.bits == 32 ? "unsigned"
           : isOpenCL        ? "unsigned long"
                             : "unsigned long long";
  }
  return "int";
}

void Spelling::requireType(CType type) const {
  if (type.kind == CType::BFloat)
    require(Headers::BFloat16);
  else if (type.kind == CType::Float && type.bits == 16)
    require(Headers::Half);
  else if (type.kind == CType::Float && type.bits == 64)
    require(Headers::Double);
}

std::string Spelling::type(CType type) const {
  requireType(type);
  if (type.lanes == 1)
    return scalarType(type, language);
  if (!type.isNative()) {
    unsigned bits = type.bits * type.lanes;
    return bits == 128  ? "uint4"
           : bits == 64 ? "uint2"
           : bits == 32 ? "unsigned"
                        : "unsigned short";
  }
  std::string lanes = std::to_string(type.lanes);
  switch (type.kind) {
  case CType::Signed:
  case CType::Unsigned: {
    std::string base = type.bits == 8    ? "char"
                       : type.bits == 16 ? "short"
                       : type.bits == 32 ? "int"
                       : isOpenCL()      ? "long"
                                         : "longlong";
    return (type.kind == CType::Unsigned ? "u" : "") + base + lanes;
  }
  case CType::Float:
    return (type.bits == 64   ? "double"
            : type.bits == 32 ? "float"
                              : "half") +
           lanes;
  default:
    return scalarType(type.element(), language) + lanes;
  }
}

std::string Spelling::space(const Variable &variable) const {
  if (!isOpenCL())
    return "";
  if (variable.kind == Variable::Shared)
    return "__local ";
  if (variable.isInConstantMemory)
    return "__constant ";
  return variable.kind == Variable::Parameter ? "__global " : "";
}

std::string Spelling::builtin(StringRef name) const {
  auto [what, axis] = name.split('.');
  if (isC() && what == "globalIdx")
    return ("thread.blockIdx." + axis + " * thread.blockDim." + axis +
            " + thread.threadIdx." + axis)
        .str();
  if (isC())
    return ("thread." + name).str();
  bool isSize = what == "subgroupSize";
  if (isOpenCL() && (isSize || what == "laneId")) {
    require(Headers::Subgroups);
    return isSize ? "get_max_sub_group_size()" : "get_sub_group_local_id()";
  }
  if (isSize)
    return "warpSize";
  // Subgroups are made of threads in order.
  if (what == "laneId")
    return axis.empty() ? "(threadIdx.x + blockDim.x * (threadIdx.y + "
                          "blockDim.y * threadIdx.z)) % warpSize"
                        : "threadIdx.x % warpSize";
  if (!isOpenCL()) {
    if (what == "globalIdx")
      return ("blockIdx." + axis + " * blockDim." + axis + " + threadIdx." +
              axis)
          .str();
    return name.str();
  }
  StringRef function = llvm::StringSwitch<StringRef>(what)
                           .Case("threadIdx", "get_local_id")
                           .Case("blockIdx", "get_group_id")
                           .Case("blockDim", "get_local_size")
                           .Case("gridDim", "get_num_groups")
                           .Default("get_global_id");
  return (function + "(" + std::to_string(axis[0] - 'x') + ")").str();
}

std::string Spelling::number(StringRef digits, CType type) const {
  requireType(type);
  if (digits.consume_front("bits:")) {
    std::string bits = ("0x" + digits).str();
    if (isC() && type.bits >= 32)
      return type.bits == 64
                 ? "((union { unsigned long long i; double f; }){" + bits +
                       "}).f"
                 : "((union { unsigned i; float f; }){" + bits + "}).f";
    if (isOpenCL())
      return (type.bits == 64   ? "as_double("
              : type.bits == 32 ? "as_float("
                                : "as_half((ushort)") +
             bits +
             (type.bits == 64   ? "ul)"
              : type.bits == 32 ? "u)"
                                : ")");
    if (type.bits == 64)
      return "__longlong_as_double(" + bits + "ll)";
    if (type.bits == 32)
      return "__int_as_float(" + bits + ")";
    if (type.kind == CType::BFloat)
      return "__ushort_as_bfloat16(" + bits + ")";
    return "__ushort_as_half(" + bits + ")";
  }
  if (type.kind == CType::BFloat)
    return "__float2bfloat16(" + digits.str() + "f)";
  if (type.bits == 16)
    return isOpenCL() ? digits.str() + "h"
                      : "__float2half(" + digits.str() + "f)";
  return digits.str() + (type.bits == 32 ? "f" : "");
}

/// The lane that a shuffle reads, which OpenCL C takes from whoever calls; or
/// what all lanes wait at.
std::string Spelling::subgroupFunction(StringRef name) const {
  require(Headers::Subgroups);
  if (name == "__syncwarp")
    return "sub_group_barrier";
  require(Headers::Shuffles);
  return llvm::StringSwitch<std::string>(name)
      .Case("__shfl_xor_sync", "lane_xor")
      .Case("__shfl_up_sync", "lane_above")
      .Case("__shfl_down_sync", "lane_below")
      .Default("lane_at");
}

/// What a CPU computes `name` by.
std::optional<std::string> Spelling::hostFunction(StringRef name,
                                                  CType type) const {
  if (name == "prefetch")
    return "FETCH";
  if (name.starts_with("popcount"))
    return name.ends_with("_64") ? "__builtin_popcountll"
                                 : "__builtin_popcount";
  bool isExtremum = name == "min" || name == "max";
  bool isOfDevice =
      name.starts_with("__") || name.starts_with("atomic") ||
      llvm::is_contained({"mul_rn", "fma_half", "bits_of_bfloat", "bits_of",
                          "from_bits", "grid_barrier", "clock64"},
                         name) ||
      // The functions below are for what fits 64 bits with a sign.
      (type == CType{CType::Unsigned, 64, 1} && isExtremum) ||
      name.starts_with("count_leading_zeros") || type.isSmallFloat();
  if (isOfDevice)
    return std::nullopt;
  if (isExtremum)
    require(name == "min" ? Headers::Minimum : Headers::Maximum);
  if (type.kind != CType::Float)
    return name.str();
  require(Headers::Math);
  return name.str() + (type.bits == 32 ? "f" : "");
}

/// The hardware's approximation of the function `name` of a `float`.
std::string Spelling::approximation(StringRef name) const {
  // OpenCL's takes no negative numbers.
  if (isOpenCL())
    return name == "pow" ? "pow" : "native_" + name.str();
  return name == "divide" ? "__fdividef" : "__" + name.str() + "f";
}

std::optional<std::string> Spelling::function(StringRef name,
                                              CType type) const {
  if (isC())
    return hostFunction(name, type);
  if (name == "prefetch")
    return std::nullopt;
  bool isDouble = type.bits == 64;
  if (name == "grid_barrier") {
    if (isOpenCL())
      return std::nullopt;
    require(Headers::CooperativeGroups);
    return "cooperative_groups::this_grid().sync";
  }
  if (name == "mul_rn") {
    // OpenCL has no such function; see FP_CONTRACT in the file's head.
    if (isOpenCL())
      return std::nullopt;
    return isDouble ? "__dmul_rn" : "__fmul_rn";
  }
  if (name == "fma_half")
    return isOpenCL() ? "fma" : "__hfma";
  if (name == "bits_of_bfloat")
    return "__bfloat16_as_ushort";
  if (type.bits == 16 && name == "bits_of")
    return isOpenCL() ? "as_ushort" : "__half_as_ushort";
  if (type.bits == 16 && name == "from_bits")
    return isOpenCL()                   ? "as_half"
           : type.kind == CType::BFloat ? "__ushort_as_bfloat16"
                                        : "__ushort_as_half";
  if (name == "bits_of")
    return isOpenCL() ? (isDouble ? "as_long" : "as_int")
           : isDouble ? "__double_as_longlong"
                      : "__float_as_int";
  if (name == "from_bits")
    return isOpenCL() ? (isDouble ? "as_double" : "as_float")
           : isDouble ? "__longlong_as_double"
                      : "__int_as_float";
  if (name.consume_front("fast_"))
    return approximation(name);
  if (name.starts_with("popcount"))
    return isOpenCL()              ? "popcount"
           : name.ends_with("_64") ? "__popcll"
                                   : "__popc";
  if (name.starts_with("count_leading_zeros"))
    return isOpenCL() ? "clz" : name.ends_with("_64") ? "__clzll" : "__clz";
  if (name.starts_with("__") || name.starts_with("atomic") ||
      name == "clock64") {
    if (!isOpenCL())
      return name.str();
    if (name.consume_front("atomic") && type.bits == 32 && type.isInteger())
      return "atomic_" + (name == "Exch" ? "xchg" : name.lower());
    if (name == "__threadfence" || name == "__threadfence_block")
      return "mem_fence";
    if (name.starts_with("__shfl") || name == "__syncwarp")
      return subgroupFunction(name);
    return std::nullopt;
  }
  bool isSingle = type.kind == CType::Float && type.bits == 32;
  return name.str() + (isSingle && !isOpenCL() ? "f" : "");
}

std::string Spelling::convert(CType type, StringRef text) const {
  requireType(type);
  if (!isOpenCL() && type.kind == CType::Float && type.bits == 16)
    return "__float2half(" + text.str() + ")";
  if (!isOpenCL() && type.kind == CType::BFloat)
    return "__float2bfloat16(" + text.str() + ")";
  return "(" + this->type(type) + ")" + text.str();
}

std::string Spelling::barrier() const {
  return isOpenCL() ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"
                    : "__syncthreads()";
}

std::string Spelling::kernelHead(const Kernel &kernel) const {
  if (isOpenCL())
    return "__kernel void ";
  if (kernel.threadsPerBlock == 0)
    return "__global__ void ";
  std::string bounds = std::to_string(kernel.threadsPerBlock);
  // HIP counts wavefronts of an execution unit, CUDA blocks.
  int64_t resident = language == OutputLanguage::HIP ? kernel.wavesPerUnit
                                                     : kernel.residentBlocks;
  if (resident > 0)
    bounds += ", " + std::to_string(resident);
  return "__global__ void __launch_bounds__(" + bounds + ") ";
}

std::string Spelling::parameter(const Variable &variable) const {
  if (!variable.structure.empty())
    return variable.structure + " " + variable.name;
  std::string text = space(variable);
  // OpenCL C has no `bool` that a kernel is given.
  if (!variable.isPointer && isOpenCL() && variable.type.kind == CType::Bool)
    return "uchar " + variable.name;
  if (!variable.isPointer)
    return type(variable.type) + " " + variable.name;
  text += pointee(variable) + " *";
  if (variable.isRestrict && !isC())
    text += isOpenCL() ? "restrict " : "__restrict__ ";
  return text + variable.name;
}

std::string Spelling::pointee(const Variable &variable) const {
  StringRef declared = variable.pointee;
  bool isConst = declared.consume_front("const ") || variable.isConst;
  std::string text = declared.str();
  if (declared.contains("half"))
    require(Headers::Half);
  if (declared.contains("bfloat"))
    require(Headers::BFloat16);
  // The host names no types of arguments to OpenCL.
  if (declared.empty() || isOpenCL() || isC() ||
      variable.type.kind == CType::Void)
    text = type(variable.type);
  else if (language == OutputLanguage::HIP &&
           declared.consume_front("__nv_bfloat"))
    text = ("__hip_bfloat" + declared).str();
  return (isConst ? "const " : "") + text;
}

bool Spelling::pointsTo(const Variable &variable, CType elements) const {
  std::string declared = pointee(variable);
  StringRef text(declared);
  text.consume_front("const ");
  return text == type(elements);
}

std::string Spelling::sharedQualifier() const {
  return isOpenCL() ? "__local " : "__shared__ ";
}

std::string Spelling::lane(unsigned number) const {
  return std::string(".") + "xyzw"[number];
}

std::string Spelling::vector(CType vectorType) const {
  return isOpenCL() ? "(" + type(vectorType) + ")" : "make_" + type(vectorType);
}
