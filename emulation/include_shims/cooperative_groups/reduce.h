// Stands in for CUDA's header of the same name under the warp emulation.
#pragma once
#include "cooperative_groups.h"
