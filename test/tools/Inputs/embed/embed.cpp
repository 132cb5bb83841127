// The smallest program that embeds the compiler: a CUDA file in, PTX out.
#include <gpuopt/Compiler.h>
#include <llvm/Support/raw_ostream.h>

int main(int argc, char **argv) {
  auto compilation = gpuopt::Compilation::create(argv[1], {});
  if (!compilation)
    return 1;
  llvm::outs() << llvm::cantFail(compilation->emit(gpuopt::OutputKind::PTX));
}
