// Kernels that a file has and clang has not: private to frontend/. A check names them, as it does not count them.
//
//   template <class T> requires Small<T> __global__ void k(T* y) {     an error of clang's; what stands behind is lost
//   KERNEL(k)(float* y) { … }   …   k<<<1, 32>>>(y);                   launched, and not declared
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/check_unit.h"
#include "frontend/parse_check.h"

namespace swizzle {

// Of the main file. `known`: where those stand that clang has, with their names.
std::vector<KernelLeftOut> lost_kernels(const SourceText& file, const CheckUnit& unit, const RewrittenSource& rewritten,
                                        const std::vector<SourceRange>& known, const std::set<std::string>& names);

}  // namespace swizzle
