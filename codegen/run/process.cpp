#include "codegen/run/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace swizzle {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kGrace{2};  // between SIGTERM and SIGKILL

// Both ends close on exec, so that children of other threads never hold them open.
class Pipe {
 public:
  Pipe() { opened_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool opened() const { return opened_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }

 private:
  void close_end(std::size_t i) {
    if (ends_[i] >= 0) close(ends_[i]);
    ends_[i] = -1;
  }
  std::array<int, 2> ends_{-1, -1};
  bool opened_ = false;
};

// In a process group of its own, so that a time-out also ends what a compiler driver has started.
int spawn(const std::vector<std::string>& arguments, const Pipe& out, const Pipe& err, pid_t& child) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Ends a child that runs too long: asked first, then forced.
class Timeout {
 public:
  Timeout(pid_t child, std::chrono::milliseconds limit) : child_(child), end_(Clock::now() + limit) {}

  // Milliseconds to wait for; escalates when the end has passed.
  int next_wait_ms() {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
    if (left <= 0) {
      kill(-child_, passed_ ? SIGKILL : SIGTERM);
      passed_ = true;
      end_ = Clock::now() + kGrace;
      left = std::chrono::milliseconds(kGrace).count();
    }
    return static_cast<int>(left < 100 ? left : 100);
  }
  bool passed() const { return passed_; }

 private:
  pid_t child_;
  Clock::time_point end_;
  bool passed_ = false;
};

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string& into) {
  char buffer[16 * 1024];
  const ssize_t count = read(fd, buffer, sizeof buffer);
  if (count > 0) into.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

void collect(Pipe& out, Pipe& err, Timeout& timeout, ProcessResult& result) {
  std::array<pollfd, 2> streams{pollfd{out.read_end(), POLLIN, 0}, pollfd{err.read_end(), POLLIN, 0}};
  const std::array<std::string*, 2> texts{&result.standard_output, &result.standard_error};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const int ready = poll(streams.data(), streams.size(), timeout.next_wait_ms());
    if (ready <= 0) continue;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd >= 0 && streams[i].revents != 0 && !drain(streams[i].fd, *texts[i])) streams[i].fd = -1;
    }
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& arguments, std::chrono::milliseconds limit) {
  Pipe out;
  Pipe err;
  if (!out.opened() || !err.opened()) return make_error(std::string("cannot open a pipe: ") + std::strerror(errno));
  pid_t child = 0;
  if (const int error = spawn(arguments, out, err, child)) {
    return make_error("cannot run '" + arguments[0] + "': " + std::strerror(error));
  }
  out.close_write();
  err.close_write();
  ProcessResult result;
  Timeout timeout(child, limit);
  collect(out, err, timeout, result);
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    poll(nullptr, 0, timeout.next_wait_ms() < 5 ? 1 : 5);
  }
  result.timed_out = timeout.passed();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string find_executable(const std::string& name) {
  if (name.empty()) return "";
  const auto is_executable = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : "";
  const char* variable = std::getenv("PATH");
  std::string folders = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  folders += ':';
  for (std::size_t begin = 0, end; (end = folders.find(':', begin)) != std::string::npos; begin = end + 1) {
    const std::string folder = folders.substr(begin, end - begin);
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (is_executable(path)) return path;
  }
  return "";
}

}  // namespace swizzle
