// Stands in for CUDA's header of the same name under the warp emulation, which provides what it declares.
#pragma once
#include "warp_emulation.h"
