//===- AssemblePTX.cpp - PTX to cubin through ptxas -----------------------===//

#include "conversion/EmitBinary/CUDAToolkit.h"
#include "conversion/EmitBinary/EmitBinary.h"
#include "conversion/EmitBinary/FileOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuopt {

std::string findCUDATool(StringRef name, StringRef variable) {
  if (std::optional<std::string> path = sys::Process::GetEnv(variable))
    return sys::fs::can_execute(*path) ? *path : "";
  std::string self =
      sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findPtxas));
  std::string beside = (sys::path::parent_path(self) + "/" + name).str();
  if (sys::fs::can_execute(beside))
    return beside;
  if (ErrorOr<std::string> path = sys::findProgramByName(name))
    return *path;
  for (const std::string &root : cudaRoots())
    if (std::string path = root + "/bin/" + name.str();
        sys::fs::can_execute(path))
      return path;
  return "";
}

std::string findPtxas() { return findCUDATool("ptxas", "GPUOPT_PTXAS"); }

/// The number in front of `unit` in a line of `ptxas -v`; 0 where not there.
static unsigned numberBefore(StringRef line, StringRef unit) {
  SmallVector<StringRef> groups;
  unsigned value = 0;
  if (Regex(("([0-9]+) " + unit).str()).match(line, &groups))
    groups[1].getAsInteger(10, value);
  return value;
}

/// Reads what `ptxas -v` says about each entry function:
///   ptxas info : Compiling entry function 'mm' for 'sm_90'
///   ptxas info : Function properties for mm
///       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///   ptxas info : Used 32 registers, used 1 barriers, 2176 bytes smem
static std::vector<KernelResources> parseResources(StringRef log) {
  std::vector<KernelResources> resources;
  SmallVector<StringRef> lines;
  log.split(lines, '\n');
  Regex entry("Compiling entry function '([^']*)'");
  for (StringRef line : lines) {
    SmallVector<StringRef> groups;
    if (entry.match(line, &groups)) {
      resources.push_back({groups[1].str(), 0, 0, 0, "ptxas"});
      continue;
    }
    if (resources.empty())
      continue;
    KernelResources &current = resources.back();
    if (line.contains("bytes spill stores"))
      current.spillBytes += numberBefore(line, "bytes spill stores") +
                            numberBefore(line, "bytes spill loads");
    if (line.contains("Used ")) {
      current.registers = numberBefore(line, "registers");
      current.sharedBytes = numberBefore(line, "bytes smem");
    }
  }
  return resources;
}

/// What `.target` says, `sm_90a`; else the target's own.
static std::string archOf(StringRef ptx, TargetAttr target) {
  SmallVector<StringRef> groups;
  static const Regex directive("\n\\.target ([a-z0-9_]+)");
  return directive.match(ptx, &groups) ? groups[1].str()
                                       : target.getArch().str();
}

Expected<Cubin> assemblePTX(StringRef ptx, TargetAttr target) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return createStringError("ptxas was not found: install the CUDA compiler "
                             "or set GPUOPT_PTXAS");
  auto ptxFile = TemporaryFile::create("ptx");
  if (!ptxFile)
    return ptxFile.takeError();
  auto cubinFile = TemporaryFile::create("cubin");
  if (!cubinFile)
    return cubinFile.takeError();
  auto logFile = TemporaryFile::create("log");
  if (!logFile)
    return logFile.takeError();
  StringRef ptxPath = (*ptxFile)->path(), cubinPath = (*cubinFile)->path(),
            logPath = (*logFile)->path();
  if (std::error_code error = writeFile(ptxPath, {ptx}))
    return cannotWrite(ptxPath, error);

  std::string arch = "-arch=" + archOf(ptx, target);
  StringRef args[] = {ptxas, "-v", "-O3", arch, ptxPath, "-o", cubinPath};
  std::optional<StringRef> redirects[] = {StringRef(""), logPath, logPath};
  std::string message;
  int status =
      sys::ExecuteAndWait(ptxas, args, std::nullopt, redirects, 0, 0, &message);
  ErrorOr<std::unique_ptr<MemoryBuffer>> log = MemoryBuffer::getFile(logPath);
  StringRef logText = log ? (*log)->getBuffer() : StringRef();
  if (status != 0)
    return createStringError("ptxas rejects the PTX for '" + target.getArch() +
                             "': " + message + logText.trim());
  ErrorOr<std::unique_ptr<MemoryBuffer>> cubin =
      MemoryBuffer::getFile(cubinPath, false, false);
  if (!cubin)
    return createStringError("cannot read '" + cubinPath +
                             "': " + cubin.getError().message());
  return Cubin{(*cubin)->getBuffer().str(), parseResources(logText)};
}

} // namespace gpuopt
