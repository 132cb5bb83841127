//===- Textures.h - references to textures ----------------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTPTX_TEXTURES_H
#define CONVERSION_IMPORTPTX_TEXTURES_H

#include "conversion/PTX/Module.h"

namespace gpuopt::ptx {

/// Makes a pointer parameter, behind the others, of each reference
/// (`.global .texref t`) that a kernel fetches from: the host binds an array to
/// it, which then is an input as others are. A fetch gives four channels
/// whatever the texture has: it is taken to have as many as the module looks
/// at, rounded up to 1, 2 or 4. Where it is fetched from other than by
/// `tex.1d` and an integer, as from linear memory, parameters `t_width`,
/// `t_height` and `t_depth` follow.
void makeTextureParameters(SourceModule &module);

} // namespace gpuopt::ptx

#endif // CONVERSION_IMPORTPTX_TEXTURES_H
