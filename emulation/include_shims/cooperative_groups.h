// Stands in for CUDA's header of the same name under the warp emulation.
#pragma once
#include "warp_emulation.h"

#define SWIZZLE_SOURCE(...) __VA_ARGS__
#include "cooperative_groups.inc"
#undef SWIZZLE_SOURCE
