//===- ProfilePage.cpp - a profile to look at -----------------------------===//

#include "tools/lib/profile/ProfilePage.h"

#include "tools/lib/report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gpuopt;
namespace json = llvm::json;

/// The parts of tools/lib/profile/page.
static constexpr char pageFrame[] =
#include "tools/lib/page.html.inc"
    ;
static constexpr char pageStyle[] =
#include "tools/lib/page.css.inc"
    ;
static constexpr char pageScript[] =
#include "tools/lib/page.js.inc"
    ;
static constexpr char chartLibrary[] =
#include "tools/lib/chart.js.inc"
    ;

static json::Object sourceOf(llvm::StringRef path) {
  json::Array lines;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (buffer) {
    llvm::SmallVector<llvm::StringRef> texts;
    (*buffer)->getBuffer().split(texts, '\n');
    for (llvm::StringRef text : texts)
      lines.push_back(json::fixUTF8(text.rtrim('\r')));
  }
  return json::Object{{"name", json::fixUTF8(llvm::sys::path::filename(path))},
                      {"lines", std::move(lines)}};
}

static json::Object figuresOf(TargetAttr target) {
  return json::Object{{"name", target.getTargetName()},
                      {"subgroup_size", target.getSubgroupSize()},
                      {"sector_bytes", target.getSectorBytes()},
                      {"banks", target.getWorkgroupMemoryBanks()},
                      {"bank_bytes", target.getWorkgroupMemoryBankBytes()},
                      {"bandwidth_gbps", target.getBandwidthGbps()}};
}

/// `part` in the place of `mark`, which occurs once.
static void put(std::string &page, llvm::StringRef mark, llvm::StringRef part) {
  size_t place = page.find(mark.str());
  if (place != std::string::npos)
    page.replace(place, mark.size(), part.data(), part.size());
}

static std::string fillPage(json::Value data) {
  std::string text;
  llvm::raw_string_ostream(text) << data;
  // Nothing in it may end the element that it stands in.
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  std::string page = pageFrame;
  // From the end on, so that no part is searched for marks.
  put(page, "@SCRIPT@", pageScript);
  put(page, "@CHARTS@", chartLibrary);
  put(page, "@DATA@", text);
  put(page, "@CSS@", pageStyle);
  return page;
}

std::string gpuopt::makeProfilePage(const Compilation &compilation,
                                    const json::Array &profiles) {
  json::Object steps;
  bool showsTuned = llvm::any_of(profiles, [](const json::Value &profile) {
    return profile.getAsObject()->getString("version") == "optimized";
  });
  if (showsTuned)
    for (const KernelInfo &kernel : compilation.kernels())
      steps[kernel.displayName] = makeStepsReport(compilation, kernel);
  json::Value data = json::Object{{"source", sourceOf(compilation.path())},
                                  {"target", figuresOf(compilation.target())},
                                  {"profiles", json::Array(profiles)},
                                  {"steps", std::move(steps)}};
  return fillPage(std::move(data));
}

/// The file that most of a kernel's accesses are in.
static std::string fileOf(const KernelMeasurement &kernel) {
  std::map<std::string, unsigned> counts;
  for (const AccessMeasurement &access : kernel.accesses)
    ++counts[llvm::StringRef(access.location)
                 .rsplit(':')
                 .first.rsplit(':')
                 .first.str()];
  auto most = llvm::max_element(
      counts, [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

std::string
gpuopt::makeProgramPage(llvm::StringRef program,
                        llvm::ArrayRef<const ProgramKernel *> kernels) {
  json::Object sources;
  for (const ProgramKernel *kernel : kernels)
    sources[kernel->asWritten.kernel.displayName] =
        sourceOf(fileOf(kernel->asWritten));
  return fillPage(json::Object{
      {"source",
       json::Object{{"name", json::fixUTF8(llvm::sys::path::filename(program))},
                    {"lines", json::Array()}}},
      {"sources", std::move(sources)},
      {"target",
       kernels.empty() ? json::Object() : figuresOf(kernels.front()->target)},
      {"profiles", makeReport(kernels)},
      {"steps", json::Object()}});
}
