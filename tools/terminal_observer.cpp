#include "tools/terminal_observer.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace swizzle {

void TerminalObserver::begin(Phase phase) { progress_.phase(name_of(phase)); }

void TerminalObserver::end(Phase, double seconds, const std::string& what) {
  if (verbose_) say(fmt::format("{:8.1f} ms  {}\n", seconds * 1e3, what));
}

void TerminalObserver::say(const std::string& text) {
  if (as_ == DiagnosticsAs::kText) progress_.say(text);
}

void TerminalObserver::tell(const Diagnostic& diagnostic) {
  const std::string text = render(diagnostic, colors_);
  {
    const std::lock_guard lock(mutex_);
    if (!texts_.insert(text).second) return;
    told_.push_back(diagnostic);
  }
  say(text);
}

Diagnostics TerminalObserver::told() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

Colors colors_of(ColorWhen when) {
  const auto says = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return std::string_view(value != nullptr ? value : "");
  };
  if (when == ColorWhen::kAuto && (!says("NO_COLOR").empty() || says("TERM") == "dumb" || isatty(STDERR_FILENO) == 0))
    return Colors::kNone;
  return when == ColorWhen::kNever ? Colors::kNone : Colors::kAnsi;
}

}  // namespace swizzle
