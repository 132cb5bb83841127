#!/usr/bin/env bash
# Installs what the build and the tests need and does not find: Debian packages
# (root or sudo), and NVIDIA's assembler from its Python wheel where no CUDA
# toolkit is installed. Does nothing, quickly, when all is there.
#
#   utils/setup.sh BUILD_DIR
set -euo pipefail
build=${1:-build}

packages=(
  clang-22 lld-22 llvm-22-dev llvm-22-tools libclang-22-dev libclang-cpp22-dev
  liblld-22-dev libmlir-22-dev mlir-22-tools
  cmake ninja-build ccache g++ libgtest-dev librapidcheck-dev python3-dev python3-venv rocm-device-libs
  libsqlite3-dev libzstd-dev zlib1g-dev libedit-dev libxml2-dev libffi-dev libblas-dev
)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing+=("$package")
done
if ((${#missing[@]})); then
  sudo=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "setup: run as root, or install: ${missing[*]}" >&2
      exit 1
    }
    sudo=sudo
  fi
  echo "setup: installing ${missing[*]}"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >/dev/null
fi

# The Python bindings need nanobind; without it they are left out.
if [ ! -e "$build/venv/.nanobind" ]; then
  mkdir -p "$build"
  if python3 -m venv "$build/venv" &&
    "$build/venv/bin/pip" install -q --disable-pip-version-check nanobind==2.9.2; then
    touch "$build/venv/.nanobind"
  else
    echo "setup: no nanobind; the Python bindings are left out" >&2
  fi
fi

# Tests of the bindings call kernels on NumPy's arrays; without it they are skipped.
if [ ! -e "$build/venv/.numpy" ]; then
  if "$build/venv/bin/pip" install -q --disable-pip-version-check numpy==2.2.6; then
    touch "$build/venv/.numpy"
  else
    echo "setup: no NumPy; calls of kernels from Python are not tested" >&2
  fi
fi

# What `pip wheel .` builds with (pyproject.toml), for any Python; without it wheels
# are not tested.
if [ ! -e "$build/wheel-tools/.complete" ]; then
  if "$build/venv/bin/pip" install -q --disable-pip-version-check --upgrade \
    --target "$build/wheel-tools" scikit-build-core==0.11.6 nanobind==2.9.2; then
    touch "$build/wheel-tools/.complete"
  else
    echo "setup: no scikit-build-core; wheels are not tested" >&2
  fi
fi

# Z3 proves what passes make of index arithmetic; without it those tests are skipped.
if [ ! -e "$build/venv/.z3" ]; then
  if "$build/venv/bin/pip" install -q --disable-pip-version-check z3-solver==4.13.4.0; then
    touch "$build/venv/.z3"
  else
    echo "setup: no Z3; rewrites of index arithmetic are not proved" >&2
  fi
fi

# SimPy runs the model of a multiprocessor in bench/simulation; without it that is not tested.
if [ ! -e "$build/venv/.simpy" ]; then
  if "$build/venv/bin/pip" install -q --disable-pip-version-check simpy==4.1.1; then
    touch "$build/venv/.simpy"
  else
    echo "setup: no SimPy; bench/simulation is not tested" >&2
  fi
fi

# ptxas and libdevice: the toolkit's, else the wheels'. Both are optional: the
# tests that need them are skipped, PTX is still written.
if [ ! -e "$build/cuda" ] && ! command -v ptxas >/dev/null &&
  [ ! -x /usr/local/cuda/bin/ptxas ]; then
  echo "setup: fetching ptxas (nvidia-cuda-nvcc 13.0.88)"
  if "$build/venv/bin/pip" install -q --disable-pip-version-check \
    nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88; then
    ptxas=$(find "$build/venv" -name ptxas -type f | head -n 1)
    chmod +x "$ptxas"
    ln -sfn "$(dirname "$(dirname "$(realpath "$ptxas")")")" "$build/cuda"
  else
    echo "setup: no ptxas; PTX will not be assembled" >&2
  fi
fi

# Tools of NVIDIA's that are optional: the toolkit's, else the wheel's.
fetch_tool() { # name, package, what there is not without it
  if [ -e "$build/bin/$1" ] || command -v "$1" >/dev/null || [ -x "/usr/local/cuda/bin/$1" ]; then
    return
  fi
  echo "setup: fetching $1 ($2)"
  if "$build/venv/bin/pip" install -q --disable-pip-version-check "$2"; then
    tool=$(find "$build/venv" -name "$1" -type f | head -n 1)
    chmod +x "$tool"
    mkdir -p "$build/bin"
    ln -sfn "$(realpath "$tool")" "$build/bin/$1"
  else
    echo "setup: no $1; $3" >&2
  fi
}
fetch_tool nvdisasm nvidia-cuda-nvdisasm==13.2.51 "instructions are counted in PTX"
fetch_tool cuobjdump nvidia-cuda-cuobjdump==13.2.51 "PTX inside programs is not read"
true
