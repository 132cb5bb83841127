#!/usr/bin/env bash
# Renews the generated pages: docs/dialects/GPUOpt.md, docs/passes/*.md and
# docs/remarks.md from the definitions, and what commands print in README.md and docs/*.md;
# docs/pictures/mm.svg, the README's picture; docs/performance.md from the newest results of benchmarks.
#
#   utils/update-docs.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
tablegen="/usr/lib/llvm-22/bin/mlir-tblgen -I . -I /usr/lib/llvm-22/include"

$tablegen -gen-dialect-doc -dialect=gpuopt dialects/GPUOpt/GPUOpt.td -o docs/dialects/GPUOpt.md
for definitions in passes/Raising passes/Analysis passes/Transforms passes/Launches passes/Assist conversion/GPUToLLVM; do
  $tablegen -gen-pass-doc $definitions/Passes.td -o "docs/passes/$(basename $definitions).md"
done
utils/list-remarks.py > docs/remarks.md
utils/doctest.py --bin "$build/bin" --update README.md docs/*.md
profile=$(mktemp)
"$build/bin/gpuopt" profile examples/unified.cu --kernel mm --size m=256,n=256,k=256 --compare --json "$profile" >/dev/null
utils/draw-profile.py "$profile" "Matrix product on an H200, m = n = k = 256" > docs/pictures/mm.svg
rm "$profile"
python3 bench/run.py --page
