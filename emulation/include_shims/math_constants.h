// The constants of CUDA's header of this name that kernels use most.
#pragma once

#include <limits>

#define CUDART_INF_F std::numeric_limits<float>::infinity()
#define CUDART_INF std::numeric_limits<double>::infinity()
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
