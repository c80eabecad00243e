// The key `predicted` of a report: what a kernel's warps do, and how long that should take.
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "codegen/report/report.h"

namespace swizzle {

nlohmann::ordered_json to_json(const std::optional<Report::Predicted>& predicted);  // null, if there is nothing

}  // namespace swizzle
