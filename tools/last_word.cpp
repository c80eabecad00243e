#include "tools/last_word.h"

#include <unistd.h>

#include "codegen/run/files.h"
#include "tools/exit_codes.h"

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
  report_ending(ending_, report_);
  report_.seconds.total = watch_.seconds();
  progress_.say(text_of(ending_, options_.sketch));
  remove_stale_outputs(options_, ending_);
  if (!options_.report.empty()) static_cast<void>(write_output(options_.report, to_json(report_)));
  _exit(exit_code(ending_.kind));
}

void remove_stale_outputs(const Options& options, const Ending& ending) {
  if (ending.kind == Ending::Kind::kFound) return;
  remove_output(options.output);
  remove_output(options.draw);
  if (!is_reported(ending)) remove_output(options.report);
}

}  // namespace swizzle
