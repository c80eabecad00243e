#include "tools/sweep.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "tools/exit_codes.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

// Where the module lies: in the prefix that the program is installed in, wherever that was moved to; else in its
// sources.
std::string module_folder(const fs::path& program) {
  std::error_code ignored;
  const fs::path installed = program.parent_path() / SWIZZLE_INSTALLED_PYTHON;
  return fs::exists(installed / "swizzle_synth", ignored) ? installed.lexically_normal().string() : SWIZZLE_PYTHON;
}

}  // namespace

int sweep(const std::vector<std::string>& arguments) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const char* others = std::getenv("PYTHONPATH");
  const std::string path = module_folder(program) + (others != nullptr ? fmt::format(":{}", others) : "");
  setenv("PYTHONPATH", path.c_str(), 1);
  setenv("SWIZZLE_SYNTH", program.c_str(), 1);
  std::vector<const char*> words = {"python3", "-m", "swizzle_synth", "sweep"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  execvp(words[0], const_cast<char* const*>(words.data()));
  std::fputs("error: 'sweep' needs python3, 3.10 or later\n", stderr);
  return kExitBadInput;
}

}  // namespace swizzle
