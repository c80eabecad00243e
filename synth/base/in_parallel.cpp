#include "synth/base/in_parallel.h"

#include <exception>
#include <thread>
#include <vector>

namespace swizzle {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count == 1) return work(0);
  std::vector<std::exception_ptr> thrown(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i)
      threads.emplace_back([&, i] {
        try {
          work(i);
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr& e : thrown)
    if (e) std::rethrow_exception(e);
}

}  // namespace swizzle
