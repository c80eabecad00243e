#include "tools/progress.h"

#include <unistd.h>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr std::chrono::milliseconds kRedrawPeriod{100};

}  // namespace

Progress::Progress(std::FILE* stream) : stream_(stream) {
  if (isatty(fileno(stream))) ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

Progress::~Progress() { finish(); }

void Progress::phase(std::string name) {
  const std::lock_guard lock(mutex_);
  phase_ = std::move(name);
}

void Progress::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  erase();
  std::fputs(text.c_str(), stream_);
}

void Progress::finish() {
  if (!ticker_.joinable()) return;
  ticker_.request_stop();
  ticker_.join();
  const std::lock_guard lock(mutex_);
  erase();
}

void Progress::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto never = [] { return false; };
  wake_.wait_until(lock, stop, started_ + kPatience, never);
  while (!stop.stop_requested()) {
    show();
    wake_.wait_for(lock, stop, kRedrawPeriod, never);
  }
}

// Spaces, not an escape sequence, cover what a longer line left: every terminal knows them.
void Progress::show() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  const std::string line = fmt::format("{}, {:.1f} s", phase_, elapsed.count());
  fmt::print(stream_, "\r{:<{}}", line, shown_);
  std::fflush(stream_);
  shown_ = line.size();
}

void Progress::erase() {
  if (shown_ == 0) return;
  fmt::print(stream_, "\r{:{}}\r", "", shown_);
  std::fflush(stream_);
  shown_ = 0;
}

}  // namespace swizzle
