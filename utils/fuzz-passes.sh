#!/usr/bin/env bash
# Random kernels through passes, on several cores; goes on where an earlier run
# of the same build has stopped.
#
#   utils/fuzz-passes.sh BUILD KERNELS JOBS DIRECTORY
set -euo pipefail
build=$1 kernels=$2 jobs=$3 directory=$4
tool=$build/bin/gpuopt-fuzz-passes
state=$directory/$(sha256sum "$tool" | cut -c1-16)
mkdir -p "$state"
share=$(((kernels + jobs - 1) / jobs))
seq 0 $((jobs - 1)) | xargs -P "$jobs" -I{} sh -c "
  first=\$(({} * $share))
  exec '$tool' --seeds \$first:\$((first + $share)) --state '$state/{}-of-$jobs-$kernels' \
    --reduce --output-dir '$directory'"
