# gpuopt: `make demo` and `make test` do everything on a fresh Debian 12 machine:
# install what is missing (root or sudo), build, run.

BUILD ?= build
JOBS ?= $(shell nproc)

.PHONY: help setup build demo test bench bench-quick fuzz fuzz-source fuzz-passes fuzz-ptx nightly check-style install clean

help:
	@echo "make demo      install what is missing, build, optimise and check three kernels"
	@echo "make test      the same, then run every test"
	@echo "make build     install what is missing, build into $(BUILD)/bin"
	@echo "make bench     compare exact counts of all kernels with the tables in bench/counts, and compile time with nvcc and clang"
	@echo "make bench-quick the same counts, compile time of a sample of files; what CI runs"
	@echo "make fuzz      check N=2000 random kernels, from seed FIRST=0 on, against their own source (docs/verification.md)"
	@echo "make fuzz-source the same with the source that is printed for them, and its launch helpers"
	@echo "make fuzz-passes run N=2000 random kernels in MLIR through single passes and random sequences of them"
	@echo "make fuzz-ptx  read RUNS=100000 mutations of real PTX with Clang's sanitizers (needs libclang-rt-22-dev)"
	@echo "make nightly   all that takes long: every example at hundreds of sizes for eight targets and its source after each step; no false alarm in"
	@echo "               what is right; 200 planted miscompilations found; 20000 random kernels, 10000 as source; 100000 in MLIR through passes; the index analyses on a"
	@echo "               million random programs; 10000 random programs in PTX, nvcc's PTX and gpuopt's of every kernel; Z3 proves rewrites of index"
	@echo "               arithmetic (STATE=, FUZZ_STATE=, PTX_STATE= to go on; PROGRAMS=, SEED=)"
	@echo "make install   install the tools, library and CMake package (PREFIX=/usr/local)"
	@echo "make clean     remove $(BUILD)/"

setup:
	@utils/setup.sh $(BUILD)

$(BUILD)/build.ninja: | setup
	@cmake --preset release -B $(BUILD) >$(BUILD).configure.log 2>&1 || { cat $(BUILD).configure.log; exit 1; }
	@rm -f $(BUILD).configure.log

build: setup $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS)

demo: build
	@examples/demo.sh $(BUILD)/bin

test: build
	@ninja -C $(BUILD) -j $(JOBS) check

# What of the benchmarks needs no GPU; fails where counts have changed.
bench: build
	@python3 bench/run.py --no-gpu --bin $(BUILD)/bin --runs 1 --results $(BUILD)/bench-results

# The same with the compile time of a sample of files, in a minute or two.
bench-quick: build
	@python3 bench/run.py --no-gpu --quick --bin $(BUILD)/bin --results $(BUILD)/bench-results

# Random kernels against their own source; FUZZ_STATE= remembers what has passed.
N ?= 2000
FIRST ?= 0
FUZZ_STATE ?= $(BUILD)/random-kernels.state
RANDOM_KERNELS = utils/random-kernels.py --tool $(BUILD)/bin/gpuopt-check-batch --jobs $(JOBS) --state $(FUZZ_STATE)
fuzz: build
	@ninja -C $(BUILD) -j $(JOBS) gpuopt-check-batch
	@$(RANDOM_KERNELS) --seeds $(FIRST):$$(($(FIRST) + $(N)))

# The source that is printed for them, with its launch helpers.
fuzz-source: build
	@ninja -C $(BUILD) -j $(JOBS) gpuopt-check-batch
	@$(RANDOM_KERNELS) --source --seeds $(FIRST):$$(($(FIRST) + $(N)))

# Random programs for each of the ten properties of the index analyses; a failure prints its seed.
PROGRAMS ?= 100000
SEED ?= $(shell date +%s)

# Random MLIR through passes. Failing cases are reduced and kept in PASS_CASES.
PASS_CASES ?= $(BUILD)/fuzz-passes
fuzz-passes: build
	@ninja -C $(BUILD) -j $(JOBS) gpuopt-fuzz-passes
	@utils/fuzz-passes.sh $(BUILD) $(N) $(JOBS) $(PASS_CASES)

# Mutated PTX through the importer. What fails is kept in PTX_CASES/findings.
RUNS ?= 100000
PTX_CASES ?= $(BUILD)/fuzz-ptx
fuzz-ptx: build
	@cmake -B $(BUILD) -DGPUOPT_FUZZERS=ON >/dev/null
	@ninja -C $(BUILD) -j $(JOBS) gpuopt-fuzz-ptx
	@utils/fuzz-ptx.sh $(BUILD) $(RUNS) $(JOBS) $(PTX_CASES)

# Every kernel of the examples at all kinds of sizes, for old and new targets.
# What has passed with the same tool is not checked again.
STATE ?= $(BUILD)/check-sizes.state
PTX_STATE ?= $(BUILD)/random-ptx.state
nightly: build
	@ninja -C $(BUILD) -j $(JOBS) gpuopt-check-batch gpuopt-fuzz-passes gpuopt-mutate
	@utils/check-sizes.py --gpuopt $(BUILD)/bin/gpuopt --jobs $(JOBS) --state $(STATE)
	@utils/check-source.sh $(BUILD)
	@utils/check-sanitizer.py --gpuopt $(BUILD)/bin/gpuopt --jobs $(JOBS)
	@RC_PARAMS="max_success=$(PROGRAMS) seed=$(SEED)" $(BUILD)/bin/gpuopt-property-tests
	@$(RANDOM_KERNELS) --seeds $(FIRST):$$(($(FIRST) + 20000))
	@$(RANDOM_KERNELS) --source --seeds $(FIRST):$$(($(FIRST) + 10000))
	@utils/fuzz-passes.sh $(BUILD) 100000 $(JOBS) $(PASS_CASES)
	@utils/check-mutations.py --bin $(BUILD)/bin --jobs $(JOBS)
	@utils/random-ptx.py --tool $(BUILD)/bin/gpuopt-check-batch --jobs $(JOBS) --state $(PTX_STATE) --seeds 0:10000
	@utils/compare-ptx.py --gpuopt $(BUILD)/bin/gpuopt --jobs $(JOBS)
	@$(BUILD)/venv/bin/python test/smt/validate-rewrites.py --tool $(BUILD)/bin/gpuopt-opt --count 5000 --seed $(SEED)

PREFIX ?= /usr/local
install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
