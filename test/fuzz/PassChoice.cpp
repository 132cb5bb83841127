//===- PassChoice.cpp - which passes a kernel goes through ----------------===//

#include "test/fuzz/PassChoice.h"

#include <random>

using namespace gpuopt::fuzz;

namespace {
/// What a pass runs on.
enum class Anchor { Module, Kernels, Kernel };

struct PassEntry {
  Anchor anchor;
  const char *name;
  /// Options, of which one set is taken; separated by `;`. `@` is the target.
  const char *options = "";
  /// Whether it works on tiles, which others make.
  bool wantsTiles = false;
  bool wantsGeometry = false;
};
} // namespace

static constexpr PassEntry kPasses[] = {
    {Anchor::Kernel, "gpuopt-annotate-accesses"},
    {Anchor::Module, "gpuopt-merge-grid-steps", "target=@"},
    {Anchor::Kernels, "gpuopt-expand-grid-stride-loops"},
    {Anchor::Kernels, "gpuopt-split-flat-ids", "target=@"},
    {Anchor::Kernel, "gpuopt-delinearize-accesses"},
    {Anchor::Kernel, "gpuopt-infer-no-wrap"},
    {Anchor::Kernel, "gpuopt-promote-memory"},
    {Anchor::Kernel, "gpuopt-raise-global-ids"},
    {Anchor::Kernel, "gpuopt-raise-index-arithmetic"},
    {Anchor::Kernel, "gpuopt-raise-indices"},
    {Anchor::Kernel, "gpuopt-raise-loops"},
    {Anchor::Kernel, "gpuopt-version-index-range"},
    {Anchor::Kernels, "gpuopt-raise-memory"},
    {Anchor::Module, "gpuopt-split-at-grid-barriers"},
    {Anchor::Kernels, "gpuopt-assume-distinct-arrays"},
    {Anchor::Kernels, "gpuopt-assume-index-range"},
    {Anchor::Kernels, "gpuopt-join-stores"},
    {Anchor::Kernels, "gpuopt-forward-tiles"},
    {Anchor::Kernels, "gpuopt-trim-padding"},
    {Anchor::Kernels, "gpuopt-unroll-geometric-loops"},
    {Anchor::Kernels, "gpuopt-assign-geometry",
     "target=@;block=16 target=@;block=32,4 target=@;target=@ fastest=y"},
    {Anchor::Kernels, "gpuopt-clean-up"},
    {Anchor::Kernels, "gpuopt-unroll-and-jam", "target=@;target=@ factor=2",
     false, true},
    {Anchor::Kernels, "gpuopt-unroll-stencils", "target=@", false, true},
    {Anchor::Kernels, "gpuopt-permute-geometry",
     "target=@;fastest=y target=@;fastest=x target=@", false, true},
    {Anchor::Kernels, "gpuopt-swizzle-blocks", "group=2 target=@;target=@",
     false, true},
    {Anchor::Kernels, "gpuopt-coalesce-accesses",
     "target=@;target=@ stage-reused=false", false, true},
    {Anchor::Kernels, "gpuopt-merge-for-target",
     "target=@;target=@ blocks=2 threads=1,2;target=@ threads=4 contiguous=2",
     true, true},
    {Anchor::Kernels, "gpuopt-merge-blocks",
     "dim=x factor=2 target=@;dim=y factor=3 target=@", true, true},
    {Anchor::Kernels, "gpuopt-merge-threads",
     "dim=x factor=2 target=@;dim=y factor=3 target=@;"
     "dim=x factor=4 ownership=contiguous target=@",
     true, true},
    {Anchor::Kernels, "gpuopt-pad-tiles", "target=@", true},
    {Anchor::Kernels, "gpuopt-version-guards", "", true, true},
    {Anchor::Kernels, "gpuopt-version-alignment", "target=@", true, true},
    {Anchor::Kernels, "gpuopt-distribute-tiles",
     "target=@;target=@ max-unrolled-rounds=1", true},
    {Anchor::Kernels, "gpuopt-unroll-tiles", "", true},
    {Anchor::Kernels, "gpuopt-vectorize-accesses", "target=@;target=@ width=8",
     true, true},
    {Anchor::Kernels, "gpuopt-eliminate-partition-camping", "target=@", false,
     true},
    {Anchor::Kernels, "gpuopt-prefetch-tiles",
     "target=@;target=@ stages=1;"
     "target=@ stages=3",
     true},
    {Anchor::Kernels, "gpuopt-eliminate-bank-conflicts", "target=@", true},
    {Anchor::Kernels, "gpuopt-reorder-accesses", "target=@", true, true},
    {Anchor::Kernels, "gpuopt-remap-threads", "target=@", true, true},
    {Anchor::Kernels, "gpuopt-relax-barriers", "target=@", true, true},
    {Anchor::Kernels, "canonicalize"},
    {Anchor::Kernels, "cse"},
    {Anchor::Kernels, "gpuopt-hoist-invariants"},
};

namespace {
class Chooser {
public:
  explicit Chooser(uint64_t seed) : random(seed * 2654435761u + 1) {
    static const char *targets[] = {"sm_90", "sm_70", "gfx942", "nvidia-gtx285",
                                    "amd-hd5870"};
    target = targets[number(5)];
  }

  unsigned number(unsigned end) { return random() % end; }

  std::string textOf(const PassEntry &pass) {
    std::vector<std::string> sets = {""};
    for (const char *c = pass.options; *c; ++c)
      if (*c == ';')
        sets.push_back("");
      else if (*c == '@')
        sets.back() += target;
      else
        sets.back() += *c;
    std::string text = pass.name;
    if (const std::string &set = sets[number(sets.size())]; !set.empty())
      text += "{" + set + "}";
    if (pass.anchor == Anchor::Kernel)
      text = "gpu.func(" + text + ")";
    return pass.anchor == Anchor::Module ? text : "gpu.module(" + text + ")";
  }

  std::string geometry() {
    return textOf(find("gpuopt-assign-geometry")) + ",";
  }
  std::string tiles() {
    return geometry() + textOf(find("gpuopt-coalesce-accesses")) + ",";
  }
  std::string optimize() { return "gpuopt-optimize{target=" + target + "}"; }

  std::string sequence() {
    constexpr unsigned numPasses = sizeof(kPasses) / sizeof(kPasses[0]);
    std::string text = number(3) ? geometry() : "";
    for (unsigned i = 2 + number(6); i > 0; --i)
      text += textOf(kPasses[number(numPasses)]) + ",";
    text.pop_back();
    return text;
  }

private:
  static const PassEntry &find(const std::string &name) {
    for (const PassEntry &pass : kPasses)
      if (pass.name == name)
        return pass;
    return kPasses[0];
  }

  std::mt19937_64 random;
  std::string target;
};
} // namespace

std::vector<std::string>
gpuopt::fuzz::choosePipelines(uint64_t seed, const std::string &name) {
  Chooser chooser(seed);
  std::vector<std::string> pipelines;
  for (const PassEntry &pass : kPasses) {
    if (!name.empty() && name != pass.name)
      continue;
    pipelines.push_back(chooser.textOf(pass));
    if (pass.wantsGeometry)
      pipelines.push_back(chooser.geometry() + chooser.textOf(pass));
    if (pass.wantsTiles)
      pipelines.push_back(chooser.tiles() + chooser.textOf(pass));
  }
  if (!name.empty())
    return pipelines;
  // Some of them: many kernels find more than many passes on one.
  std::vector<std::string> chosen;
  for (unsigned i = 0; i < 10; ++i)
    chosen.push_back(pipelines[chooser.number(pipelines.size())]);
  for (unsigned i = 0; i < 3; ++i)
    chosen.push_back(chooser.sequence());
  if (chooser.number(4) == 0)
    chosen.push_back(chooser.optimize());
  return chosen;
}
