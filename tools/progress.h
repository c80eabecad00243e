// Progress: one line on a terminal that says which phase works, once the command has taken a second.
//
//   Progress progress(stderr);            // silent unless stderr is a terminal
//   progress.phase("searching");          // "\rsearching, 3.2 s" from the first second on
//   progress.say("a message\n");          // the line goes, the message stays
//   progress.finish();                    // the line goes for good
//
// Into a pipe or a file only what say() is given is written, and no thread is started.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace swizzle {

class Progress {
 public:
  explicit Progress(std::FILE* stream);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void phase(std::string name);
  void say(const std::string& text);
  void finish();

 private:
  void tick(const std::stop_token& stop);
  void show();   // mutex_ held
  void erase();  // mutex_ held

  std::FILE* stream_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string phase_;
  std::size_t shown_ = 0;  // characters of the line that stands on the terminal
  std::jthread ticker_;    // last: it uses the members above
};

}  // namespace swizzle
