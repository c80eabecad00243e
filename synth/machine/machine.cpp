#include "synth/machine/machine.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace swizzle {

std::optional<IssueCosts> issue_costs_for(const std::string& arch) {
  static constexpr std::array<std::string_view, 14> kKnown = {"sm_70",   "sm_72",  "sm_75",  "sm_80",  "sm_86",
                                                              "sm_87",   "sm_89",  "sm_90",  "sm_90a", "sm_100",
                                                              "sm_100a", "sm_103", "sm_120", "sm_121"};
  if (std::find(kKnown.begin(), kKnown.end(), arch) == kKnown.end()) return std::nullopt;
  IssueCosts machine;
  machine.arch = arch;
  return machine;
}

}  // namespace swizzle
