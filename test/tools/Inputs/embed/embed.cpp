// A program that embeds the compiler: it prints a CUDA file as PTX, then searches
// for a design by a measure of its own, which is how many threads a block has.
#include <gpuopt/Compiler.h>
#include <gpuopt/Search.h>
#include <llvm/Support/raw_ostream.h>

int main(int argc, char **argv) {
  gpuopt::CompileOptions options;
  auto compilation = gpuopt::Compilation::create(argv[1], options);
  if (!compilation)
    return 1;
  llvm::outs() << llvm::cantFail(compilation->emit(gpuopt::OutputKind::PTX));

  // A copy: the compilation that it is of goes below.
  const gpuopt::KernelInfo kernel = compilation->kernels().front();
  gpuopt::SearchOptions search;
  search.measure = [](const gpuopt::VariantCode &variant) {
    return std::optional<double>(1.0 / variant.launch.block[0]);
  };
  auto result = gpuopt::searchDesigns(*compilation, kernel, search);
  options.designs[kernel.symbol] = result.chosen()->design;
  compilation = gpuopt::Compilation::create(argv[1], options);
  llvm::outs() << compilation->geometry(kernel, {})->block[0] << " threads\n";
}
