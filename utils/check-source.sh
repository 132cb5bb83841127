#!/usr/bin/env bash
# Emits every kernel of examples/ as source after each transform; compiles it,
# reads it again and compares what it computes with the original. Emits the
# kernels of bench/ in all languages, which compilers take without a warning.
# Usage: check-source.sh BUILD [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")
shift
export PATH=$build/bin:/usr/lib/llvm-22/bin:$PATH:/usr/local/cuda/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in "${@:-sm_90}"; do
  round_trip() {
    python3 test/tools/Inputs/round_trip.py --steps --prelude conversion/ImportSource \
      $(command -v nvcc >/dev/null && echo --nvcc nvcc) "$1" "$target" "$work/$target" "${@:2}"
  }
  round_trip examples/unified.cu \
    mm m=131,n=260,k=50 260,131 a=6550,b=13000,c=34060 \
    mv h=70,w=33 70 a=2310,b=33,c=70 \
    tmv h=70,w=133 133 a=9310,b=70,c=133 \
    vv n=2047 2047 a=2047,b=2047,c=2047 \
    strsm m=37,n=70 70 l=1369,b=2590 \
    conv h=37,w=133,kh=3,kw=5 133,37 image=5343,filter=15,c=4921 \
    tp h=37,w=70 70,37 a=2590,c=2590 \
    demosaic h=37,w=133 133,37 raw=5265,red=4921,green=4921,blue=4921 \
    imregionmax h=37,w=133 133,37 image=5265,c=4921 \
    rd n=4096 2048 a=4096:1 \
    crd n=4096 4096 a=8192,r=4096:1
  round_trip examples/fft.cu fft n=256 128 re=256,im=256
done

# The front end's own headers stand for those of an SDK.
mkdir -p "$work/headers/gpuopt"
ln -s "$PWD/conversion/ImportSource/DeviceFunctions.def" "$work/headers/gpuopt"
prelude="-isystem conversion/ImportSource/prelude -isystem $work/headers -include gpuopt_prelude.h"
for kernel in bench/kernels/*.cu; do
  gpuopt compile "$kernel" --target sm_90 --strict --emit cuda -o "$work/k.cu"
  gpuopt compile "$kernel" --target gfx942 --strict --emit hip -o "$work/k.hip"
  gpuopt compile "$kernel" --target sm_90 --strict --emit opencl -o "$work/k.cl"
  if command -v nvcc > "$work/found"; then
    nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -c "$work/k.cu" -o "$work/k.o"
  fi
  # shellcheck disable=SC2086
  clang -x hip --cuda-device-only --offload-arch=gfx942 -nogpuinc -nogpulib $prelude -fsyntax-only -Wall -Werror "$work/k.hip"
  clang -x cl -cl-std=CL2.0 -target spir64 -fsyntax-only -Wall -Werror "$work/k.cl"
done
echo "bench/kernels: compiled"
