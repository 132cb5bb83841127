#!/usr/bin/env bash
# The project's main job on real input: optimise mm, mv and tp of unified.cu,
# prove the result equal to the untouched source at awkward sizes, and write
# PTX (and a cubin where ptxas is found) for sm_90 and HSACO for gfx942.
#
#   examples/demo.sh [DIR_WITH_GPUOPT]     writes to out/
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${1:-build/bin}
out=out
source=examples/unified.cu
mkdir -p "$out"

section() { printf '\n=== %s\n' "$*"; }

section "What gpuopt finds and does (sm_90)"
"$bin/gpuopt" compile "$source" --kernel mm --kernel mv --kernel tp \
  --target sm_90 --explain -o "$out/unified.sm_90.ptx" --report "$out/unified.sm_90.json"

section "Equal to the untouched source, at sizes that nothing divides"
for target in sm_90 gfx942; do
  while read -r kernel sizes; do
    echo "--- $kernel $sizes ($target)"
    "$bin/gpuopt" check "$source" --kernel "$kernel" --target "$target" --size "$sizes"
  done <<'SIZES'
mm m=130,n=67,k=33
mm m=1,n=1,k=1
mm m=128,n=127,k=129
mv h=301,w=77
mv h=256,w=256
tp h=130,w=67
tp h=31,w=257
SIZES
done

section "Binaries"
"$bin/gpuopt" compile "$source" --kernel mm --kernel mv --kernel tp \
  --target gfx942 -o "$out/unified.gfx942.hsaco" --report "$out/unified.gfx942.json"
if [ -x "$bin/../cuda/bin/ptxas" ] || command -v ptxas >/dev/null || [ -x /usr/local/cuda/bin/ptxas ]; then
  "$bin/gpuopt" compile "$source" --kernel mm --kernel mv --kernel tp \
    --target sm_90 --emit cubin -o "$out/unified.sm_90.cubin"
else
  echo "no ptxas: PTX is written, not assembled"
fi
ls -l "$out"
