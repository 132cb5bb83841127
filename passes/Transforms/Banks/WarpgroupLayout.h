//===- WarpgroupLayout.h - tiles of warpgroup products ----------*- C++ -*-===//
//
// `wgmma` reads matrices in lines of 128 bytes, of which eight are a pattern of
// 1024: chunk c of 16 bytes of line l lies at chunk c xor (l mod 8). Eight
// lanes that copy a line, or eight lines of one chunk, meet in no bank.
//
//   tile            line                       column
//   [line][k]       place(line)                k xor (line mod 8) * chunk
//   [k][line]       place(line) floordiv w     (place(line) mod w) xor
//                     * depth + k                (k mod 8) * chunk
//
// with chunk and w as many elements as 16 and 128 bytes are. `place` brings
// lines l and l + n eight lines apart, where a thread has sums of both
// (WarpgroupPlan.h):
//
//   place(l) = l mod 8 + 8 ((l floordiv n) mod 2) + 16 ((l mod n) floordiv 8)
//              + 2 n (l floordiv 2 n)
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_BANKS_WARPGROUPLAYOUT_H
#define PASSES_TRANSFORMS_BANKS_WARPGROUPLAYOUT_H

#include "passes/Analysis/Remarks.h"

#include "mlir/IR/Value.h"

#include <optional>

namespace gpuopt {

/// Whether `array` has matrices of warpgroups.
bool hasMatricesOfWarpgroups(mlir::BlockArgument array);

/// Whether it has, and not their layout yet.
bool awaitsWarpgroupLayout(mlir::BlockArgument array);

/// Lays out `array`, which is accessed by subscripts that stay in their
/// dimensions and by nothing else; says why it cannot be.
std::optional<Refusal> applyWarpgroupLayout(mlir::BlockArgument array);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_BANKS_WARPGROUPLAYOUT_H
