#pragma once

#include <cstddef>
#include <functional>

namespace swizzle {

// work(0) … work(count - 1), all at once, in threads of their own. If some throw (for want of memory), the first of
// them is heard.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace swizzle
