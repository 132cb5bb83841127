//===- Options.td - command line of gpuopt -----------------*- tablegen -*-===//

include "llvm/Option/OptParser.td"

def compile : SubCommand<"compile",
    "optimise kernels and write PTX, a cubin, HSACO, LLVM IR, MLIR or source code",
    "gpuopt compile FILE [--kernel NAME]... [--target T] [--emit KIND] [-o OUT] [options]">;
def check : SubCommand<"check",
    "run the untouched and the optimised kernel on the CPU, or kernels of two files, and compare every output",
    "gpuopt check FILE [OTHER] [--kernel NAME]... [--size NAME=V,...] [--target T] [options]">;
def tune : SubCommand<"tune",
    "try designs of kernels and print them ranked: registers, memory, predicted time, verdict",
    "gpuopt tune FILE [--kernel NAME]... --size NAME=V,... [--target T] [--json FILE] [options]">;
def profile : SubCommand<"profile",
    "run a kernel on the CPU, tell how each access uses memory, and what would help",
    "gpuopt profile FILE [--kernel NAME]... [--size NAME=V,...] [--optimized|--compare] [--target T] [options]">;
def sanitize : SubCommand<"sanitize",
    "run a kernel as it is written on the CPU and look for races, bad accesses and diverging barriers",
    "gpuopt sanitize FILE [--kernel NAME]... [--size NAME=V,...] [--target T] [options]">;
def targets : SubCommand<"targets",
    "list the GPUs that gpuopt knows", "gpuopt targets [NAME]">;
def cache : SubCommand<"cache",
    "show, clear or limit what is kept on disk", "gpuopt cache show|clear|limit [SIZE]">;

def run : SubCommand<"run",
    "run a program that gpuopt cc has built, and check or sanitize each launch on the program's own data",
    "gpuopt run [--check|--sanitize] [--every N] [--first N] [--report R.json] -- PROGRAM [ARGUMENTS]">;
def inspect : SubCommand<"inspect",
    "list the kernels that an object file, library or program carries",
    "gpuopt inspect FILE [--ptx]">;

def instrument : SubCommand<"instrument",
    "add to PTX what records each access of memory wherever it runs, for 'gpuopt profile --records'",
    "gpuopt instrument K.ptx [--kernel NAME]... [-o K.trace.ptx]">;

def assist : SubCommand<"assist",
    "write the C program by which a CPU that shares a cache with the GPU fetches what a kernel is about to access",
    "gpuopt assist FILE [--kernel NAME] [--no-opt] [--target T] [--skip-factor N] [-o OUT.c]">;

def reproduce : SubCommand<"reproduce",
    "find a pass that fails or crashes for a kernel, and write the smallest IR for which it does, with the pass, for "
    "'gpuopt-opt --run-reproducer'",
    "gpuopt reproduce FILE [--kernel NAME] [--target T] [-o OUT.mlir]">;

def offload : SubCommand<"offload",
    "let a C program with OpenMP run its parallel loops on a device where that pays: with conditions, and clauses for "
    "the data that each needs",
    "gpuopt offload FILE.c [-o OUT.c] [--dialect omp|acc|leo] [options]">;

def calibrate : SubCommand<"calibrate",
    "measure the host, and write the description of the machine by which programs of 'gpuopt offload' decide",
    "gpuopt calibrate [--target T] [-o MACHINE]">;

class F<string name, string help, list<SubCommand> commands = [compile, check, tune, profile, sanitize, assist]>
    : Flag<["--"], name, commands>, HelpText<help>;
multiclass Eq<string name, string help, string meta,
              list<SubCommand> commands = [compile, check, tune, profile, sanitize, assist]> {
  def NAME : Separate<["--"], name, commands>, HelpText<help>, MetaVarName<meta>;
  def NAME#_eq : Joined<["--"], name#"=", commands>,
      Alias<!cast<Separate>(NAME)>;
}

def help : F<"help", "show this help",
    [compile, check, tune, profile, sanitize, run, inspect, instrument, reproduce, assist, offload, calibrate]>;
def help_short : Flag<["-"], "h",
    [compile, check, tune, profile, sanitize, run, inspect, instrument, reproduce, assist, offload, calibrate]>,
    Alias<help>;
def version : F<"version", "show the version", []>;

def ptx : F<"ptx", "print the PTX in FILE, of whichever compiler", [inspect]>;

// What to compile, for which GPU.
defm kernel : Eq<"kernel", "a kernel by name; repeat for several (default: all)", "NAME",
    [compile, check, tune, profile, sanitize, instrument, reproduce, assist]>;
def x : JoinedOrSeparate<["-"], "x", [compile, check, tune, profile, sanitize, reproduce, assist]>,
    MetaVarName<"cu|hip|cl|mlir|ptx">,
    HelpText<"what FILE is written in (default: by its ending); needed where FILE is '-', which is standard input">;
defm target : Eq<"target", "a GPU that 'gpuopt targets' lists, or a machine description's file (default: sm_90)", "T",
    [compile, check, tune, profile, sanitize, reproduce, assist, calibrate]>;
defm passes : Eq<"passes", "run these passes on the imported kernels instead: 'builtin.module(gpuopt-raise,...)'",
    "PIPELINE", [reproduce]>;
def no_opt : F<"no-opt", "leave the kernels as they are written", [compile, check, assist]>;
defm signature : Eq<"signature", "of PTX: what the parameters of the kernel are, 'ptr a, f32* b, s32 n'; default: what "
    "its mangled name and its code tell", "LIST">;
def strict : F<"strict", "fail where a pass fails for a kernel, which otherwise stays as it is written with a "
    "warning, and where one cannot be compiled for the GPU or has no form as source, which otherwise is left out",
    [compile, check]>;
defm time_budget : Eq<"time-budget", "leave a kernel as it is written, with a warning, whose passes compute for longer "
    "(default: 10)", "SECONDS", [compile, check, tune, profile, assist]>;
def assume_noalias : F<"assume-noalias", "treat every pointer parameter as __restrict__">;
def reassociate : F<"reassociate", "allow sums to be reordered; for one loop: #pragma gpuopt reassociate",
                    [compile, check, tune, profile]>;
defm grid_sync : Eq<"grid-sync", "what becomes of gpuopt_global_sync(): 'split' into a sequence of launches (default), "
    "or one 'cooperative' launch, of which all blocks must be resident", "KIND",
    [compile, check, tune, profile, sanitize]>;
defm plan : Eq<"plan", "who chooses what goes through workgroup memory, and the block: 'unified', the passes; 'share', "
    "from the part of arrays that a block works on (docs/share.md); 'model', the quicker one of both by the model "
    "(default: model for kernels with '#pragma acc share' or '#pragma gpuopt share', else unified)", "KIND",
    [compile, check, profile]>;
defm size : Eq<"size", "values of scalar parameters and of members of structures, and numbers of elements of "
    "arrays without a pragma: n=64,t.w=8,a=n*n; check, profile and sanitize choose those that are not given; compile "
    "and assist make a kernel for these values", "NAME=V,...">;

def specialize : F<"specialize", "check the kernel that is made for the values of --size", [check, profile]>;
def specialize_eq : Joined<["--"], "specialize=", [check, profile]>, MetaVarName<"NAME=V,...">,
    HelpText<"check the kernel that is made for these values">;
def no_specialize : F<"no-specialize",
    "make a kernel for all sizes: --size is for counts and predictions only", [compile, tune]>;

// Which design.
defm design : Eq<"design", "make the choices that a row of 'gpuopt tune' names: "
    "'blocks=1,1 threads=8,4 stages=3' (default: the passes choose)", "D", [compile, check, profile]>;
defm geometry : Eq<"geometry", "by what the dimension is chosen whose threads become neighbouring lanes: model "
    "(default), or measured: the kernel runs as it is written with each dimension of its block in turn, which needs "
    "--size", "model|measured", [compile, check, profile]>;
defm search : Eq<"search", "none: the passes choose; model: try designs and take the "
    "one that the analytical model ranks first (default: none)", "none|model", [compile, check]>;
defm search_budget : Eq<"search-budget", "begin no new variants after so many seconds; "
    "the result is then partial (default: no limit)", "SECONDS", [compile, check, tune]>;
def no_cache : F<"no-cache", "search and compile anew, and keep nothing: results are otherwise kept in "
    "$GPUOPT_CACHE_DIR, $XDG_CACHE_HOME/gpuopt or ~/.cache/gpuopt", [compile, check, tune]>;

// What to write.
defm emit : Eq<"emit", "ptx, cubin, hsaco, llvm, mlir, or source code: "
    "cuda, hip, opencl (default: ptx for NVIDIA, hsaco for AMD)", "KIND", [compile]>;
def o : JoinedOrSeparate<["-"], "o", [compile, instrument, reproduce, assist, offload, calibrate]>, MetaVarName<"OUT">,
    HelpText<"output file; '-' is standard output (default: text to standard "
             "output, a binary to FILE's name with its ending)">;
defm report : Eq<"report", "write what was found and done as JSON; '-' is standard output", "R.json",
    [compile, check, run]>;
def check_launches : F<"check", "run each launch as written and tuned, and compare all memory", [run]>;
def sanitize_launches : F<"sanitize", "run each launch as written, and look for races, accesses outside of "
    "allocations, reads of memory that nobody has written, barriers that not all threads reach, and memory that is "
    "never freed", [run]>;
defm profile_launches : Eq<"profile", "run: run each launch as written and tuned, note what it asks of memory, and "
    "write DIR/index.html, the program's kernels by their share of the traffic with the profile of each, and "
    "DIR/profile.json; offload: build the program with the system's 'cc', run it with these ARGUMENTS, and keep data "
    "for all iterations of a loop only where 80 % of its time are in parallel code", "DIR|ARGUMENTS", [run, offload]>;
defm every : Eq<"every", "check, sanitize or profile each Nth launch of a kernel only; the others run", "N", [run]>;
defm first : Eq<"first", "check, sanitize or profile no more than N launches of each kernel", "N", [run]>;
def program : Option<["--"], "", KIND_REMAINING_ARGS, [run]>;
defm dump_steps : Eq<"dump-steps", "write the kernels after each transform to DIR as source and MLIR; "
    "index.html shows what each changed, and why", "DIR", [compile]>;
def explain : F<"explain", "print step by step what was found and done, and why not more", [compile, check]>;
defm json : Eq<"json", "write the result as JSON; '-' is standard output", "FILE", [tune, profile, sanitize]>;

// How to run; compile does for --geometry measured.
defm grid : Eq<"grid", "blocks of the original launch (default: what covers the pragma's domain or the work items that "
    "the kernel's guards let through; else check, profile and sanitize choose)",
    "X,Y,Z", [compile, check, profile, sanitize]>;
defm block : Eq<"block", "threads per block of the original launch "
    "(default: 256, or 32,8 or 32,4,2 in more dimensions; check, profile and sanitize choose another where the "
    "kernel needs one)", "X,Y,Z", [compile, check, profile, sanitize, assist]>;
defm shared_bytes : Eq<"shared-bytes", "dynamic shared memory of the original launch", "N",
    [compile, check, profile, sanitize, assist]>;
defm sizes : Eq<"sizes", "check at several sizes: one --size a line; '-' is standard input", "FILE", [check]>;
defm seed : Eq<"seed", "seed of the random inputs (default: 1)", "S", [compile, check, profile, sanitize]>;
defm input : Eq<"input", "contents of an array, or of a variable of the module, instead of random values (NumPy "
    "format)",
    "NAME=FILE.npy", [compile, check, profile, sanitize]>;
defm same_array : Eq<"same-array", "pass the array of parameter OTHER for parameter NAME too, "
    "as callers may without __restrict__", "NAME=OTHER", [compile, check, profile, sanitize]>;
defm output_dir : Eq<"output-dir", "write every array after the run as DIR/NAME.npy", "DIR", [check]>;
defm time_limit : Eq<"time-limit", "a launch of a kernel that takes longer on the CPU has failed (default: 300)",
    "SECONDS", [compile, check, profile, sanitize]>;
defm max_steps : Eq<"max-steps", "a launch has failed in which a work item passes the heads of loops more often "
    "(default: 250000000)", "STEPS", [compile, check, profile, sanitize]>;
def progress : F<"progress", "show how far long runs are even where standard error is no terminal",
    [compile, check, tune, profile, sanitize]>;
defm inputs : Eq<"inputs", "values of arrays without a file: ordinary (about one), extreme (zeros of both signs, "
    "denormals, infinities, NaNs, the ends of integers' ranges), or both; default: both if the original kernel moves "
    "at most 65536 sectors and its arrays take at most 16 MiB, else ordinary", "ordinary|extreme|both", [check]>;
defm from : Eq<"from", "what runs as the optimised kernel: its 'llvm' IR, which the back end gets, the 'ptx' that is "
    "written, read again, or both; default: llvm, and behind it ptx if that is cheap (--inputs)",
    "llvm|ptx|both", [check]>;
defm text : Eq<"text", "read this file in the place of the ptx that is written, as one that was changed by hand",
    "FILE.ptx", [check]>;
defm second_kernel : Eq<"second-kernel", "of two files: the kernel of OTHER to compare with (default: that of the same "
    "name, or the only one)", "NAME", [check]>;
defm second_grid : Eq<"second-grid", "of two files: blocks of the kernel of OTHER, expressions over the sizes such as "
    "'(n + 1023) / 1024' (default: those of the first kernel's launch)", "X,Y,Z", [check]>;
defm second_block : Eq<"second-block", "of two files: threads per block of the kernel of OTHER (default: the block "
    "that it requires, else the first kernel's)", "X,Y,Z", [check]>;
defm second_shared_bytes : Eq<"second-shared-bytes", "of two files: dynamic shared memory of the kernel of OTHER", "N",
    [check]>;
def allow_fallback : F<"allow-fallback", "do not fail where the optimised kernel cannot take the launch and the "
    "original one runs instead", [check]>;
def no_races : F<"no-races", "do not look for data races and uninitialised reads (faster)", [check]>;

// What to profile.
def optimized : F<"optimized", "profile the optimised kernel instead of the one as written", [profile]>;
def compare : F<"compare", "profile both, and print them side by side", [profile]>;
def static_ : F<"static", "predict the figures from access functions, without a run; tell where they are not affine",
    [profile]>;
defm trace : Eq<"trace", "write every request to memory: as a table to a .csv, else in the compressed format of "
    "docs/profile.md; of a program (run --profile), to a file for each launch and version in this folder", "FILE",
    [profile, run]>;
defm records : Eq<"records", "of PTX: judge what the kernel has recorded that 'gpuopt instrument' has made of it, on a "
    "GPU say, instead of running it (docs/ptx.md)", "FILE.npy", [profile]>;
defm html : Eq<"html", "write a page: the source with its traffic, each access drawn lane by lane, the roofline; "
    "with --compare before and after, and what the passes did", "R.html", [profile]>;
defm sample : Eq<"sample", "run N blocks spread over the grid, or 'all' (default: all up to 2^29 accesses, "
    "else about 2^26 accesses' worth)", "N", [profile]>;

// How a CPU assists.
defm skip_factor : Eq<"skip-factor", "fetch for one of N threads: 'adaptive', from one for each line of the cache on "
    "(default), or a number", "N|adaptive", [assist]>;
defm unroll_factor : Eq<"unroll-factor", "threads that are fetched for one after the other without a loop "
    "(default: 8)", "N", [assist]>;
defm batch_size : Eq<"batch-size", "times so many before the skip factor adapts (default: 16)", "N", [assist]>;
defm threshold : Eq<"threshold", "more hits in the shared cache in a batch are many (default: 10)", "N", [assist]>;
defm concurrent_blocks : Eq<"concurrent-blocks", "blocks that the GPU runs at a time (default: what its "
    "multiprocessors hold of the kernel)", "N", [assist]>;
defm line_bytes : Eq<"line-bytes", "bytes of a line of the shared cache (default: 64)", "N", [assist]>;
defm fetch : Eq<"fetch", "by what to fetch: 'prefetch' instructions (default), or 'load' where there are none",
    "prefetch|load", [assist]>;

// What to offload.
defm dialect : Eq<"dialect", "how offloaded loops are written: 'omp', OpenMP 5 (default); 'acc', OpenACC, which "
    "'gpuopt cc -fopenacc' takes; 'leo', Intel's '#pragma offload'", "omp|acc|leo", [offload]>;
def optimize_only : F<"optimize-only", "insert no new offloading: lower '#pragma gpuopt conditional-offload', "
    "and let target regions of the program bring less",
    [offload]>;
def trust_conditions : F<"trust-conditions", "believe that elements which a loop accesses under a condition exist for "
    "all of its iterations", [offload]>;
defm profile_with : Eq<"profile-with", "what --profile needs to build it beside FILE: other files, libraries",
    "ARGUMENTS", [offload]>;
def align : F<"align", "give memory that goes to the device whole blocks of 64 bytes: posix_memalign in the "
    "place of malloc", [offload]>;
def no_hoist : F<"no-hoist", "keep data of a loop's sections on the device for one iteration only", [offload]>;
def move_declarations : F<"move-declarations", "declare what is constant in offloaded loops, instead of sending it to "
    "the device", [offload]>;
def no_keep : F<"no-keep", "bring arrays back from the device in each function that a loop calls", [offload]>;
def no_reuse : F<"no-reuse", "give each of successive sections its data anew", [offload]>;

// Clang arguments that pass through.
def clang_group : OptionGroup<"<clang>">, HelpText<"PASSED TO CLANG">;
class ClangJoinedOrSeparate<string name, string meta, string help>
    : JoinedOrSeparate<["-"], name, [compile, check, tune, profile, sanitize, reproduce, assist, offload]>,
      Group<clang_group>,
      MetaVarName<meta>, HelpText<help>;
def I : ClangJoinedOrSeparate<"I", "DIR", "add a directory to the include path">;
def D : ClangJoinedOrSeparate<"D", "NAME[=V]", "define a macro">;
def U : ClangJoinedOrSeparate<"U", "NAME", "undefine a macro">;
def include_file : Separate<["-"], "include", [compile, check, tune, profile, sanitize, assist, offload]>,
    Group<clang_group>, MetaVarName<"FILE">, HelpText<"include a file before the source">;
def isystem : ClangJoinedOrSeparate<"isystem", "DIR", "add a system directory to the include path">;
def std : Joined<["-", "--"], "std=", [compile, check, tune, profile, sanitize, reproduce, assist, offload]>,
      Group<clang_group>,
    MetaVarName<"STD">, HelpText<"language standard (default: c++17)">;
def W : Joined<["-"], "W", [compile, check, tune, profile, sanitize, reproduce, assist, offload]>,
      Group<clang_group>,
    MetaVarName<"WARNING">, HelpText<"switch a warning on or off">;
def fopenacc : Flag<["-"], "fopenacc", [compile, check, tune, profile, sanitize, assist]>, Group<clang_group>,
    HelpText<"C++ with OpenACC: its parallel loops are the kernels">;
def fopenmp : Flag<["-"], "fopenmp", [compile, check, tune, profile, sanitize, assist]>, Group<clang_group>,
    HelpText<"the same for C++ with OpenMP">;
defm cuda_path : Eq<"cuda-path", "take CUDA's headers from an SDK instead of the built-in ones", "DIR">;
def ffp_contract : Joined<["-"], "ffp-contract=", [compile, check, tune, profile, sanitize, assist]>,
    MetaVarName<"on|off|fast">, HelpText<"fusing of multiply and add (default: fast, as Clang's for CUDA)">;
def ffast_math : Flag<["-"], "ffast-math", [compile, check, tune, profile, sanitize, assist]>,
    HelpText<"allow floating-point transformations that change results">;
