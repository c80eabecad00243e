// What a program is parsed for: private to frontend/.
#pragma once

namespace swizzle {

// To be completed or executed, a program must be understood as a whole. To be checked, it may have parts that are left
// out: they become kUnknown, and Program::skipped says so.
enum class Purpose { kComplete, kCheck };

}  // namespace swizzle
