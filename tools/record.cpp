#include "tools/record.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"
#include "driver/recording.h"
#include "tools/exit_codes.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

// In the prefix that the program is installed in, wherever that was moved to; else where it was built. Empty: nowhere.
std::string recorder_library() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& path : {program.parent_path() / SWIZZLE_INSTALLED_LIBRARIES / "libswizzle_recorder.so",
                               fs::path(SWIZZLE_BUILT_RECORDER)})
    if (fs::is_regular_file(path, ignored)) return path.lexically_normal().string();
  return "";
}

// In the child, to its end; `told` gets the reason if there is no such program.
[[noreturn]] void become(const std::vector<std::string>& command, int told) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = write(told, &reason, sizeof reason);
  constexpr int kNotFound = 127;
  _exit(kNotFound);
}

// How it ended, as waitpid() tells it. Error: it cannot be started.
Result<int> ran(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return make_error("no process could be started");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) become(command, ends[1]);
  close(ends[1]);
  int reason = 0, status = 0;
  const bool has_failed = read(ends[0], &reason, sizeof reason) == sizeof reason;
  close(ends[0]);
  if (child < 0) return make_error("no process could be started");
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (has_failed) return make_error(fmt::format("'{}' cannot be started: {}", command[0], std::strerror(reason)));
  return status;
}

std::optional<std::string> trouble(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return std::nullopt;
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "es");
}

int fail(const Diagnostics& why, TerminalObserver& observer, ExitCode code = kExitBadInput) {
  for (const Diagnostic& d : why) observer.tell(d);
  return code;
}

int write_recording(Recording recording, const RecordOptions& options, int status, TerminalObserver& observer) {
  const std::string& application = options.application[0];
  const auto ended = trouble(status);
  if (recording.launches.empty())
    return fail({make_error(fmt::format("'{}' {} and launched no kernel by way of CUDA's driver: nothing is written",
                                        application, ended.value_or("ended")))},
                observer);
  std::error_code ignored;
  recording.arguments = options.application;
  recording.folder = fs::current_path(ignored).string();
  if (const auto written = write_output(options.output, to_json(recording)); !written.ok())
    return fail(written.errors(), observer);
  std::int64_t launches = 0;
  for (const RecordedLaunch& launch : recording.launches) launches += launch.occurrences;
  for (const auto& [kernel, count] : recording.others) launches += count;
  observer.say(fmt::format("{}: {}, {} different\n", options.output,
                           counted(static_cast<std::size_t>(launches), "launch"), recording.launches.size()));
  if (ended)
    return fail({make_error(fmt::format("'{}' {}: what it launched until then is written", application, *ended))},
                observer);
  return kExitFound;
}

}  // namespace

int record_with(const std::string& library, const RecordOptions& options) {
  Progress progress(stderr);
  TerminalObserver observer(progress, false, DiagnosticsAs::kText, colors_of(options.color));
  const ScratchFolder scratch;
  setenv("CUDA_INJECTION64_PATH", library.c_str(), 1);
  setenv("SWIZZLE_SYNTH_RECORD", scratch.path().c_str(), 1);
  const auto status = ran(options.application);
  if (!status.ok()) return fail(status.errors(), observer);
  auto recording = gathered_recording(scratch.path());
  if (!recording.ok()) return fail(recording.errors(), observer);
  return write_recording(std::move(*recording), options, *status, observer);
}

int record(const RecordOptions& options) {
  Progress progress(stderr);
  TerminalObserver observer(progress, false, DiagnosticsAs::kText, colors_of(options.color));
  const std::string library = recorder_library();
  if (library.empty())
    return fail(
        {make_error("this build has no recorder, which needs CUPTI's headers: install the toolkit's CUPTI package "
                    "(cuda-cupti-dev-…), or configure with -DCUPTI_INCLUDE_DIR=FOLDER, and build again")},
        observer);
  if (find_executable(options.application[0]).empty())
    return fail({make_error(fmt::format("'{}' cannot be started: there is no such program", options.application[0]))},
                observer);
  if (!gpu_present())
    return fail({make_error("record: there is no GPU that this process may use")}, observer, kExitNoGpu);
  return record_with(library, options);
}

}  // namespace swizzle
