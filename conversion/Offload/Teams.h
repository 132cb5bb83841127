//===- Teams.h - loops that a team of threads shares out --------*- C++ -*-===//
//
// `#pragma omp for` stands in a parallel region among other things, or in a
// function that such regions call. All threads of the team come to it, each
// does some iterations, and has variables of its own. One thread takes the loop
// to the device for all of them:
//
//   #pragma omp parallel           {
//   {                                int gpuopt_on_device = 0;
//     …                          #pragma omp barrier
//   #pragma omp for            → #pragma omp single
//   copyprivate(gpuopt_on_device)
//     for (…)                        if (gpuopt_offload_pays(…)) {
//       …                              gpuopt_on_device = 1;
//     …                          #pragma omp target teams distribute …
//   }                                  for (…)
//                                        …
//                                    }
//                                    if (!gpuopt_on_device) {
//                                #pragma omp for
//                                    …
//
// By OpenMP 5.2 that is the same program where the following hold.
//
// 1. All threads go the same way, as 5.1 (restrictions of work-sharing) asks
//    for: one of them decides, and `copyprivate` hands the others its decision
//    before any leaves the `single`. Both constructs, and the barrier, may
//    stand where the loop stands: none of them, like it, may be nested closely
//    in work-sharing, `critical`, `master` and tasks.
// 2. What a thread did before the loop is done before the device begins, and
//    what the device did is done before a thread goes on: both have a barrier
//    now, whether the loop had `nowait` or not. More barriers than there were
//    make fewer orders of what threads do, each of which was one before; they
//    keep threads waiting for ever only where one waits for another by other
//    means, and these are looked for (TeamWaits.h), in all that a team may do.
//    Regions with tasks or cancellation, for which barriers are more than that,
//    are left alone.
// 3. The iterations are the same ones, in any order; that a static schedule
// gives
//    them to the same threads as the loop before did is of no use to them with
//    a barrier in between.
// 4. A variable of which each thread has its own is, in the loop, that of the
//    thread that goes to the device. One that the loop only reads must have one
//    value in all threads (TeamValues.h). One that it writes must be written in
//    each iteration before that reads it, and nobody may read it behind the
//    loop: it becomes private. So does an array, or a variable, that nothing
//    but the loop uses: its first value is none, and as any iteration may be
//    the first one of a thread, with schedules that have no size of chunks, no
//    iteration reads what another one has left.
// 5. `firstprivate`, `lastprivate` and `reduction` name shared variables, as
//    they must on work-sharing constructs: the clauses mean the same on the
//    device, and their results are in shared memory behind the loop.
// 6. Thread ids, `threadprivate` variables and the order of threads
// (`critical`,
//    `ordered`) do not occur in the loop: it would not be offloaded anyhow.
// 7. No other thread accesses what is on the device meanwhile: those of the
// team
//    wait. Teams inside of others have threads beside them, and stay on the
//    host (runtime/Offload).
//
// A function with such a loop must be one that this file alone can call: the
// teams that come to it are known then. The same goes for the sequential loops
// around it, whose variable must be a thread's own and not be read behind them.
// What threads assign between loops that go together must have one value in all
// of them: that thread computes it, and `copyprivate` hands it to the others.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_TEAMS_H
#define CONVERSION_OFFLOAD_TEAMS_H

#include "conversion/Offload/LiveBehind.h"
#include "conversion/Offload/Region.h"
#include "conversion/Offload/TeamValues.h"
#include "conversion/Offload/TeamWaits.h"

#include <map>
#include <memory>

namespace gpuopt::offload {

class Teams {
public:
  explicit Teams(const clang::ASTContext &context);
  ~Teams();

  /// Gives each iteration of `loop`, which a team shares out, its own of the
  /// thread's variables that it needs, or notes what keeps it on the host.
  void prepare(ParallelLoop &loop);
  /// What keeps one thread from going through the sequential loops of `region`,
  /// and what is between its loops, for the others.
  std::optional<Problem> checkParents(const Region &region);
  std::optional<Problem> checkBystanders(const Region &region);
  /// Whether nothing is left to wait for where the team comes to `region`.
  bool isBehindBarrier(const Region &region) const;

private:
  struct Program;

  const Program &program();
  std::optional<Problem> checkTeams(const ParallelLoop &loop);
  std::optional<Problem> checkTeam(const clang::OMPExecutableDirective &team);
  const TeamCode &codeOf(const clang::OMPExecutableDirective &team);
  std::optional<Problem> addPrivate(const clang::VarDecl &variable,
                                    ParallelLoop &loop);
  std::optional<Problem> addPrivates(ParallelLoop &loop);
  bool isDeadBehind(const clang::VarDecl &variable, const clang::ForStmt &loop,
                    const clang::FunctionDecl &function);

  const clang::ASTContext &context;
  std::unique_ptr<Program> known;
  std::map<const clang::OMPExecutableDirective *, TeamCode> codes;
  std::map<const clang::FunctionDecl *, LiveBehind> live;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_TEAMS_H
