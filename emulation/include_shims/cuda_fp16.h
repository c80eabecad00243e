// Stands in for CUDA's header of the same name. Half precision itself is not emulated: code that uses it does not compile.
#pragma once
#include "warp_emulation.h"
