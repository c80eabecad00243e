// The keys `predicted` and `variants` of a report: what a kernel's warps do, how long that should take, and how long
// other choices for ?sw_tune would.
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "codegen/report/report.h"

namespace swizzle {

nlohmann::ordered_json to_json(const std::optional<Report::Predicted>& predicted);  // null, if there is nothing
nlohmann::ordered_json to_json(const Report::Variant& variant);

}  // namespace swizzle
