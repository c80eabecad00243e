#include "codegen/run/toolchain.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace swizzle {
namespace {

constexpr int kErrorLines = 8;

// What a test program is compiled with. In the folder of what is precompiled is warp_emulation.h; a compiler that
// cannot use it reads the header.
struct EmulationFiles {
  std::string folder, library, context_library, precompiled_folder = {};
};

// Those of the prefix that the program is installed in, wherever that was moved to; otherwise those of its build.
EmulationFiles found_emulation() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path folder = program / SWIZZLE_INSTALLED_EMULATION, libraries = program / SWIZZLE_INSTALLED_LIBRARIES;
  if (error || !fs::exists(folder / "warp_emulation.h", error))
    return {SWIZZLE_EMULATION_INCLUDE_DIR, SWIZZLE_EMULATION_LIBRARY, SWIZZLE_BOOST_CONTEXT_LIBRARY,
            SWIZZLE_EMULATION_PRECOMPILED_DIR};
  const fs::path context = libraries / "libboost_context.a";
  return {folder.lexically_normal().string(), (libraries / "libswizzle_emulation.a").lexically_normal().string(),
          fs::exists(context, error) ? context.lexically_normal().string() : SWIZZLE_BOOST_CONTEXT_LIBRARY};
}

const EmulationFiles& emulation() {
  static const EmulationFiles files = found_emulation();  // of this program: it does not change
  return files;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string indented(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) result += "\n    " + line;
  return result;
}

// The compiler's lines from the first error on; all of them where none says "error".
std::string first_error_lines(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> kept;
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (!found && (line.find("error") != std::string::npos || line.find("undefined reference") != std::string::npos)) {
      found = true;
      kept.clear();
    }
    if (kept.size() < kErrorLines) kept.push_back(line);
  }
  return indented(kept);
}

TargetBuild sorted(const std::string& text) {
  TargetBuild result;
  std::istringstream lines(text);
  std::vector<std::string> warnings;
  for (std::string line; std::getline(lines, line);) {
    const bool is_resource = line.starts_with("ptxas info") || line.find("bytes stack frame") != std::string::npos;
    if (is_resource) result.resources += line + "\n";
    else if (!line.empty() && warnings.size() < kErrorLines &&
             (!warnings.empty() || line.find("warning") != std::string::npos))
      warnings.push_back(line);
  }
  result.warnings = indented(warnings);
  return result;
}

// The harness is C++17.
std::string standard_flag(const CompileFlags& flags) {
  const bool is_older = flags.standard.ends_with("11") || flags.standard.ends_with("14");
  return "-std=" + (is_older ? "c++17" : flags.standard);
}

// Forced headers are named from the working folder.
void add_folders(std::vector<std::string>& command, const CompileFlags& flags) {
  if (!flags.forced_headers.empty()) command.insert(command.end(), {"-I", "."});
  for (const std::string& folder : flags.include_folders) command.insert(command.end(), {"-I", folder});
}

// Objects of the emulation library are instrumented in a sanitizer build, and need its runtime.
void add_sanitizer_runtime(std::vector<std::string>& command) {
#if defined(__SANITIZE_ADDRESS__)
  command.push_back("-fsanitize=address,undefined");
#else
  static_cast<void>(command);
#endif
}

}  // namespace

bool gpu_present() {
  for (int i = 0; i < 16; ++i) {
    const std::string node = "/dev/nvidia" + std::to_string(i);
    if (access(node.c_str(), R_OK | W_OK) == 0) return true;
  }
  return access("/dev/dxg", R_OK | W_OK) == 0 && !find_executable("nvidia-smi").empty();  // WSL
}

std::optional<std::string> find_nvcc() {
  std::vector<std::string> candidates;
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0') {
    candidates.push_back(std::string(home) + "/bin/nvcc");
  }
  candidates.push_back("nvcc");
  candidates.push_back("/usr/local/cuda/bin/nvcc");
  for (const std::string& candidate : candidates) {
    if (std::string path = find_executable(candidate); !path.empty()) return path;
  }
  return std::nullopt;
}

// Since CUDA 13 in a folder of its own.
std::string find_cub() {
  const auto nvcc = find_nvcc();
  std::error_code ignored;
  if (!nvcc) return "";
  const std::filesystem::path toolkit = std::filesystem::canonical(*nvcc, ignored).parent_path().parent_path();
  for (const char* folder : {"include/cccl", "include"})
    if (std::filesystem::is_directory(toolkit / folder / "cub", ignored)) return toolkit / folder;
  return "";
}

Result<std::string> find_host_compiler() {
  const char* chosen = std::getenv("CXX");
  for (const std::string& candidate :
       {std::string(chosen != nullptr ? chosen : ""), std::string("g++"), std::string("c++"), std::string("clang++")}) {
    if (std::string path = find_executable(candidate); !path.empty()) return path;
  }
  return make_error(
      "no C++ compiler to run the kernel with: install g++ (for instance 'apt install g++'), set CXX, or pass --run=none");
}

std::vector<std::string> host_command(const TestProgramBuild& build, const std::string& compiler) {
  const std::string& folder = emulation().folder;
  std::vector<std::string> command = {compiler,
                                      standard_flag(build.flags),
                                      SWIZZLE_TEST_PROGRAM_FLAGS,
                                      "-I" + folder,
                                      "-I" + folder + "/include_shims",
                                      build.source_path,
                                      "-o",
                                      build.executable_path,
                                      emulation().library};
  if (const std::string& precompiled = emulation().precompiled_folder; !precompiled.empty())
    command.insert(command.begin() + 1, "-I" + precompiled);
  for (const std::string& user_folder : build.user_folders) command.insert(command.end(), {"-iquote", user_folder});
  add_folders(command, build.flags);
  if (const std::string& library = emulation().context_library; !library.empty()) {
    command.push_back(library);
    if (library.find(".so") != std::string::npos) command.push_back("-Wl,-rpath," + parent_folder(library));
  }
  if (!find_executable("ld.gold").empty()) command.push_back("-fuse-ld=gold");  // a third of the other linker's time
  add_sanitizer_runtime(command);
  return command;
}

std::vector<std::string> nvcc_command(const TestProgramBuild& build, const std::string& nvcc, const std::string& arch) {
  std::vector<std::string> command = {nvcc,
                                      standard_flag(build.flags),
                                      "-O2",
                                      "-w",
                                      "-arch=" + arch,
                                      "-Xcompiler",
                                      "-fwrapv,-ffp-contract=off,-O1",
                                      "-I",
                                      emulation().folder,
                                      build.source_path,
                                      "-o",
                                      build.executable_path,
                                      emulation().library};
  for (const std::string& user_folder : build.user_folders) command.insert(command.end(), {"-I", user_folder});
  add_folders(command, build.flags);
#if defined(__SANITIZE_ADDRESS__)
  command.insert(command.end(), {"-Xcompiler", "-fsanitize=address,-fsanitize=undefined"});
#endif
  return command;
}

// Toolkits drop what is old, and lack what is new.
Diagnostic unsupported_architecture(const std::vector<std::string>& nvcc_command) {
  constexpr std::string_view kFlag = "-arch=";
  const auto asked = std::ranges::find_if(nvcc_command, [&](const std::string& a) { return a.starts_with(kFlag); });
  std::string message = fmt::format("this nvcc does not compile for '{}'", asked->substr(kFlag.size()));
  const Result<ProcessResult> listed = run_process({nvcc_command[0], "--list-gpu-code"}, kToolTimeLimit);
  if (listed.ok() && listed->succeeded()) {
    std::istringstream lines(listed->standard_output);
    const std::vector<std::string> known{std::istream_iterator<std::string>(lines), {}};
    message += fmt::format("; with --arch, it takes {}", fmt::join(known, ", "));
  }
  return make_error(message + "; --run=none compiles nothing");
}

Result<ProcessResult> run_compiler(const std::vector<std::string>& command, const std::string& what,
                                   const std::string& replaced, const std::string& by) {
  Result<ProcessResult> done = run_process(command, kToolTimeLimit);
  if (!done) return done;
  if (done->succeeded()) return done;
  const std::string tool = std::filesystem::path(command[0]).filename().string();
  if (done->timed_out) {
    return make_error(tool + " took longer than " + std::to_string(kToolTimeLimit.count()) + " s on " + what);
  }
  std::string text = done->standard_error + done->standard_output;
  if (text.find("Unsupported gpu architecture") != std::string::npos) return unsupported_architecture(command);
  replace_all(text, replaced, by);
  return make_error(tool + " does not accept " + what + ":" + first_error_lines(text));
}

Result<TargetBuild> compile_for_target(const TargetRequest& request) {
  const std::optional<std::string> nvcc = find_nvcc();
  if (!nvcc) return make_error("no nvcc: install the CUDA toolkit, or set CUDA_HOME");
  ScratchFolder scratch;
  const Result<std::string> source = scratch.link("kernel.cu", request.kernel_path);
  if (!source) return source.errors();
  std::vector<std::string> command = {*nvcc,
                                      "-cubin",
                                      standard_flag(request.flags),
                                      "-arch=" + request.arch,
                                      "-Xptxas",
                                      "-v",
                                      "-I",
                                      request.include_folder,
                                      *source,
                                      "-o",
                                      scratch.path() + "/kernel.cubin"};
  add_folders(command, request.flags);
  const Result<ProcessResult> done = run_compiler(command, "the emitted kernel", *source, request.shown_as);
  if (!done) return done.errors();
  std::string text = done->standard_error + done->standard_output;
  replace_all(text, *source, request.shown_as);
  return sorted(text);
}

}  // namespace swizzle
