// The conditions on sizes under which a proof holds, as they are told: private to this room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace swizzle {

// 1 <= n <= 2147483584 with a size of at most 1000000: 1 <= n <= 1000000
void bound_by(std::int64_t most, const std::string& name, std::vector<std::string>& conditions);

// 1 <= n <= 2147483616 and n <= 32: 1 <= n <= 32
std::vector<std::string> with_one_bound_each(const std::vector<std::string>& conditions);

// 1 <= n + m is said by 1 <= n and 1 <= m, 1 <= h * 2 by 1 <= h, and w * h - w <= 9 by w * h <= 9. Sizes are not
// negative.
std::vector<std::string> without_what_others_say(std::vector<std::string> conditions);

}  // namespace swizzle
