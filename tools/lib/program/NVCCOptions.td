//===- NVCCOptions.td - what nvcc's command line has and Clang's not ------===//
//
// Everything that is not here goes to Clang's driver as it is.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

class F<string name> : Flag<["-", "--"], name>;
// `-arch sm_90` and `-arch=sm_90`.
multiclass Eq<string name> {
  def NAME : Separate<["-", "--"], name>;
  def NAME#_eq : Joined<["-", "--"], name#"=">, Alias<!cast<Separate>(NAME)>;
}
multiclass EqAlias<string name, Option option> {
  def NAME : Separate<["-", "--"], name>, Alias<option>;
  def NAME#_eq : Joined<["-", "--"], name#"=">, Alias<option>;
}

// For which GPUs.
defm arch : Eq<"arch">;
defm gpu_architecture : EqAlias<"gpu-architecture", arch>;
defm cuda_gpu_arch : EqAlias<"cuda-gpu-arch", arch>;
defm offload_arch : EqAlias<"offload-arch", arch>;
defm gencode : Eq<"gencode">;
defm generate_code : EqAlias<"generate-code", gencode>;

// Arithmetic on the device.
def use_fast_math : F<"use_fast_math">;
defm fmad : Eq<"fmad">;

// What other tools are told. A comma separates several.
defm Xcompiler : Eq<"Xcompiler">;
defm compiler_options : EqAlias<"compiler-options", Xcompiler>;
defm Xlinker : Eq<"Xlinker">;
defm linker_options : EqAlias<"linker-options", Xlinker>;

// As Clang spells it otherwise.
def V : Flag<["-"], "V">;
// nvcc would write C++; here there is none between.
def cuda : F<"cuda">;
def x : JoinedOrSeparate<["-"], "x">;
def l : JoinedOrSeparate<["-"], "l">;
defm isystem : Eq<"isystem">;
def std : Separate<["-", "--"], "std">;
def ffast_math : Flag<["-"], "ffast-math">;
defm cuda_path : Eq<"cuda-path">;

// Device code of several object files linked together is not supported.
defm rdc : Eq<"rdc">;
defm relocatable_device_code : EqAlias<"relocatable-device-code", rdc>;
def dc : F<"dc">;
def device_c : F<"device-c">, Alias<dc>;
def dlink : F<"dlink">;
def device_link : F<"device-link">, Alias<dlink>;

// What has no effect here: wishes to nvcc's own stages, what Clang does
// anyway, and what only says how nvcc works.
class Ignored : OptionGroup<"ignored">;
def ignored : Ignored;
let Group = ignored in {
  defm code_ : Eq<"code">;
  defm gpu_code : Eq<"gpu-code">;
  defm ccbin : Eq<"ccbin">;
  defm compiler_bindir : Eq<"compiler-bindir">;
  defm Xptxas : Eq<"Xptxas">;
  defm ptxas_options : Eq<"ptxas-options">;
  defm Xnvlink : Eq<"Xnvlink">;
  defm Xcudafe : Eq<"Xcudafe">;
  defm Xfatbin : Eq<"Xfatbin">;
  defm maxrregcount : Eq<"maxrregcount">;
  defm cudart : Eq<"cudart">;
  defm threads : Eq<"threads">;
  defm diag_suppress : Eq<"diag-suppress">;
  defm keep_dir : Eq<"keep-dir">;
  defm t : Eq<"t">;
  defm split_compile : Eq<"split-compile">;
  defm default_stream : Eq<"default-stream">;
  defm ftz : Eq<"ftz">;
  defm prec_div : Eq<"prec-div">;
  defm prec_sqrt : Eq<"prec-sqrt">;
  def res_usage : F<"res-usage">;
  def resource_usage : F<"resource-usage">;
  def restrict : F<"restrict">;
  def src_in_ptx : F<"src-in-ptx">;
  def extra_device_vectorization : F<"extra-device-vectorization">;
  def allow_unsupported_compiler : F<"allow-unsupported-compiler">;
  def display_error_number : F<"display-error-number">;
  def forward_unknown_to_linker : F<"forward-unknown-to-host-linker">;
  def keep : F<"keep">;
  def link : F<"link">;
  def lineinfo : F<"lineinfo">;
  def generate_line_info : F<"generate-line-info">;
  def device_debug : F<"device-debug">;
  def G : F<"G">;
  def expt_relaxed_constexpr : F<"expt-relaxed-constexpr">;
  def expt_extended_lambda : F<"expt-extended-lambda">;
  def extended_lambda : F<"extended-lambda">;
  def no_deprecated_targets : F<"Wno-deprecated-gpu-targets">;
  def forward_unknown : F<"forward-unknown-to-host-compiler">;
}
