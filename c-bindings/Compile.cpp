//===- Compile.cpp - C interface: what is compiled, and into what ---------===//

#include "c-bindings/Handles.h"

#include "conversion/ImportSource/DiagnosticStream.h"
#include "tools/lib/compile/Formats.h"
#include "tools/lib/report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemAlloc.h"

#include <cstdlib>
#include <cstring>

using namespace gpuopt;

char *c::copyText(llvm::StringRef text) {
  auto *copy = static_cast<char *>(llvm::safe_malloc(text.size() + 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

bool c::fail(char **place, llvm::StringRef message) {
  if (place)
    *place = copyText(message);
  return false;
}

uint32_t gpuoptVersion(void) { return GPUOPT_C_VERSION; }

void gpuoptFree(void *memory) { std::free(memory); }

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

GpuoptOptions *gpuoptOptionsCreate(void) { return new GpuoptOptions(); }

void gpuoptOptionsDestroy(GpuoptOptions *options) { delete options; }

void gpuoptOptionsSetTarget(GpuoptOptions *options, const char *target) {
  options->options.target = target;
}

void gpuoptOptionsSetText(GpuoptOptions *options, const char *text,
                          size_t size) {
  options->options.text = std::string(text, size);
}

bool gpuoptOptionsSetKind(GpuoptOptions *options, const char *kind) {
  std::optional<InputKind> found = findInputKind(kind);
  if (found)
    options->options.inputKind = found;
  return found.has_value();
}

void gpuoptOptionsAddKernel(GpuoptOptions *options, const char *name) {
  options->options.kernels.emplace_back(name);
}

void gpuoptOptionsAddClangArgument(GpuoptOptions *options,
                                   const char *argument) {
  options->options.import.clangArguments.emplace_back(argument);
}

void gpuoptOptionsSetSize(GpuoptOptions *options, const char *parameter,
                          int64_t value) {
  options->options.sizes[parameter] = value;
}

void gpuoptOptionsSpecialize(GpuoptOptions *options, const char *parameter,
                             int64_t value) {
  options->options.specialize[parameter] = value;
}

void gpuoptOptionsSetFlag(GpuoptOptions *options, GpuoptFlag flag, bool isOn) {
  switch (flag) {
  case GPUOPT_OPTIMIZE:
    options->options.optimize = isOn;
    break;
  case GPUOPT_ASSUME_NOALIAS:
    options->options.assumeNoalias = isOn;
    break;
  case GPUOPT_REASSOCIATE:
    options->options.reassociate = isOn;
    break;
  case GPUOPT_STRICT:
    options->options.strict = isOn;
    break;
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

GpuoptFile *gpuoptCompile(const char *path, const GpuoptOptions *options,
                          char **diagnostics) {
  std::string said;
  std::unique_ptr<Compilation> compilation;
  {
    llvm::raw_string_ostream stream(said);
    OwnDiagnostics own(stream);
    compilation = Compilation::create(path, options ? options->options
                                                    : CompileOptions());
  }
  if (diagnostics)
    *diagnostics = c::copyText(said);
  return compilation ? new GpuoptFile(std::move(compilation)) : nullptr;
}

void gpuoptFileDestroy(GpuoptFile *file) { delete file; }

size_t gpuoptKernelCount(const GpuoptFile *file) {
  return file->compilation->kernels().size();
}

const char *gpuoptKernelName(const GpuoptFile *file, size_t kernel) {
  const KernelInfo *found = file->kernel(kernel);
  return found ? found->displayName.c_str() : nullptr;
}

const char *gpuoptKernelSymbol(const GpuoptFile *file, size_t kernel) {
  const KernelInfo *found = file->kernel(kernel);
  return found ? found->symbol.c_str() : nullptr;
}

size_t gpuoptParameterCount(const GpuoptFile *file, size_t kernel) {
  const KernelInfo *found = file->kernel(kernel);
  return found ? found->sourceArguments().size() : 0;
}

/// A parameter of the source, which lives as long as the file.
static const KernelParameter *findParameter(const GpuoptFile *file,
                                            size_t kernel, size_t parameter) {
  const KernelInfo *found = file->kernel(kernel);
  if (!found)
    return nullptr;
  std::vector<SourceArgument> sources = found->sourceArguments();
  return parameter < sources.size() ? sources[parameter].parameter : nullptr;
}

const char *gpuoptParameterName(const GpuoptFile *file, size_t kernel,
                                size_t parameter) {
  const KernelParameter *found = findParameter(file, kernel, parameter);
  return found ? found->name.c_str() : nullptr;
}

const char *gpuoptParameterType(const GpuoptFile *file, size_t kernel,
                                size_t parameter) {
  const KernelParameter *found = findParameter(file, kernel, parameter);
  return found ? found->typeName.c_str() : nullptr;
}

bool gpuoptParameterIsPointer(const GpuoptFile *file, size_t kernel,
                              size_t parameter) {
  const KernelParameter *found = findParameter(file, kernel, parameter);
  return found && found->isPointer;
}

size_t gpuoptParameterBytes(const GpuoptFile *file, size_t kernel,
                            size_t parameter) {
  const KernelParameter *found = findParameter(file, kernel, parameter);
  return found ? found->bytes : 0;
}

bool gpuoptEmit(GpuoptFile *file, const char *kind, char **data, size_t *size,
                char **error) {
  const OutputFormat *format = findOutputFormat(kind);
  if (!format)
    return c::fail(error, "expected " + outputFormatNames());
  std::lock_guard<std::mutex> lock(file->mutex);
  std::string said;
  llvm::raw_string_ostream stream(said);
  OwnDiagnostics own(stream);
  llvm::Expected<std::string> output = file->compilation->emit(format->kind);
  if (!output)
    return c::fail(error, said + llvm::toString(output.takeError()));
  *data = c::copyText(*output);
  *size = output->size();
  return true;
}

char *gpuoptReport(GpuoptFile *file) {
  std::lock_guard<std::mutex> lock(file->mutex);
  std::string text =
      llvm::formatv("{0}", llvm::json::Value(makeReport(*file->compilation)));
  return c::copyText(text);
}
