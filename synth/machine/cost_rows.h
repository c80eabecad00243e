// Whose figures an architecture is costed by.
//
//   sm_90, sm_90a      sm_90
//   sm_80              sm_90, which stands in for it: there are no figures of its own
#pragma once

#include <string>

namespace swizzle {

// The row of the table of machine.h that `arch` is costed by: "sm_90".
std::string cost_row(const std::string& arch);

// Whether it is another architecture's.
bool has_stand_in(const std::string& arch);

}  // namespace swizzle
