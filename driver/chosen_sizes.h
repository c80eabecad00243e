// Sizes for a kernel that is verified and comes without any.
//
//   grid((n + 255) / 256)       n = 257: two blocks along each dimension, as few elements as they have
//   grid(n / 64)                n = 128; another one that is launched so, 192
//   … and assume n <= 100       n = 64: one block, where two are too many
//   one that no launch takes    twice as many as threads step over it, 64 at least; fewer, if there are several;
//                               and three times as many, where reals are divided by it; or a few, if those take too
//                               long
#pragma once

#include "synth/program/program.h"

namespace swizzle {

enum class ChosenElements { kMoreThanThreads, kFew };

// The given sizes and those that they leave open; as given, if no sizes fit the launch and what is assumed.
Sizes with_chosen_sizes(const Program& kernel, const Sizes& given,
                        ChosenElements elements = ChosenElements::kMoreThanThreads);

}  // namespace swizzle
