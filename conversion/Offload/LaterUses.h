//===- LaterUses.h - whether a function uses an array again -----*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_LATERUSES_H
#define CONVERSION_OFFLOAD_LATERUSES_H

#include "conversion/Offload/Region.h"

namespace gpuopt::offload {

/// Whether nobody can use what `region` leaves in `array`: an array of the
/// function itself, of which no address is kept, and which is used in front of
/// the region and in it at most. A loop around it begins again in front of it,
/// so that there must be no use outside then, and none of an earlier value
/// inside, which `isReadFirst` tells.
bool isUnusedBehind(const clang::VarDecl &array, const Region &region,
                    bool isReadFirst, const clang::ASTContext &context);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_LATERUSES_H
