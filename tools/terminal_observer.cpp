#include "tools/terminal_observer.h"

#include <fmt/format.h>

namespace swizzle {

void TerminalObserver::begin(Phase phase) { progress_.phase(name_of(phase)); }

void TerminalObserver::end(Phase, double seconds, const std::string& what) {
  if (verbose_) progress_.say(fmt::format("{:8.1f} ms  {}\n", seconds * 1e3, what));
}

void TerminalObserver::say(const std::string& text) { progress_.say(text); }

}  // namespace swizzle
