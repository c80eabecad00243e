#include "tools/last_word.h"

#include <unistd.h>

#include "tools/exit_codes.h"
#include "tools/run_end.h"

namespace swizzle {

void LastWord::is_now(const Ending& ending, const Report& so_far) {
  const std::lock_guard lock(mutex_);
  ending_ = ending;
  report_ = so_far;
}

void LastWord::leave_it_to_the_search() {
  const std::lock_guard lock(mutex_);
  is_left_ = true;
}

void LastWord::speak() {
  const std::lock_guard lock(mutex_);
  if (is_left_) return;
  end_run(options_, ending_, report_, watch_, observer_, exit_code(ending_.kind));
  _exit(exit_code(ending_.kind));
}

}  // namespace swizzle
