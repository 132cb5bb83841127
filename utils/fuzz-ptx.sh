#!/usr/bin/env bash
# Mutations of real PTX through the importer, on several cores: of what gpuopt,
# and nvcc where it is found, makes of the repository's own kernels, and of what
# tests have. Inputs that fail are kept in DIRECTORY/findings.
#
#   utils/fuzz-ptx.sh BUILD RUNS JOBS DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 runs=$2 jobs=$3 directory=$4
corpus=$directory/corpus
mkdir -p "$corpus" "$directory/findings" "$directory/reached"
find test examples -name '*.ptx' -not -name errors.ptx -exec cp -t "$corpus" {} +

# Two files for each kernel; what cannot be compiled is none of this test's.
compile() {
  local name
  name=$corpus/$(basename "$1" .cu)
  [ -e "$name.ptx" ] || "$build/bin/gpuopt" compile "$1" -o "$name.ptx" || true
  [ -e "$name-nvcc.ptx" ] || nvcc -ptx -arch=sm_90 "$1" -o "$name-nvcc.ptx" || true
} >/dev/null 2>&1
export -f compile
export build corpus
printf '%s\n' examples/*.cu bench/kernels/*.cu | xargs -P "$jobs" -I{} bash -c 'compile {}'
# Large ones take their time and say nothing new.
find "$corpus" -size +20000c -delete

share=$(((runs + jobs - 1) / jobs))
fuzz() {
  "$build/bin/gpuopt-fuzz-ptx" "$directory/reached" "$corpus" -runs="$share" -seed="$1" -timeout=10 -rss_limit_mb=4096 \
    -max_len=65536 -print_funcs=0 -artifact_prefix="$directory/findings/" >"$directory/job-$1.log" 2>&1 ||
    { tail -n 40 "$directory/job-$1.log"; return 1; }
}
export -f fuzz
export directory share
seq "$jobs" | xargs -P "$jobs" -I{} bash -c 'fuzz {}'
echo "$runs mutations of $(find "$corpus" -type f | wc -l) files: no finding"
