#include "synth/machine/cost_rows.h"

#include "synth/machine/machine.h"

namespace swizzle {

std::string cost_row(const std::string&) { return IssueCosts{}.arch; }

bool has_stand_in(const std::string& arch) { return arch != cost_row(arch) && arch != cost_row(arch) + "a"; }

}  // namespace swizzle
