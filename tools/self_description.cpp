#include "tools/self_description.h"

#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "codegen/report/sarif.h"
#include "driver/versions.h"
#include "synth/base/sha256.h"

namespace swizzle {

SourceFile source_file(const std::string& role, const std::string& path) {
  if (path == "-") return {role, "<stdin>", std::nullopt};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {role, path, std::nullopt};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return {role, path, file ? std::optional(sha256(content.str())) : std::nullopt};
}

About about_run(const std::vector<std::string>& arguments, const NamedFiles& files) {
  About about;
  about.version = tool_version();
  about.llvm = llvm_version();
  about.z3 = z3_version_linked();
  about.arguments = arguments;
  std::error_code ignored;
  about.folder = std::filesystem::current_path(ignored).string();
  for (const auto& [role, path] : files) about.files.push_back(source_file(role, path));
  return about;
}

void about_end(int exit_code, About& about) {
  constexpr std::uint64_t kKibibyte = 1024;
  about.exit_code = exit_code;
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0)
    about.peak_memory_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * kKibibyte;
}

std::string findings_document(const About& about, bool as_sarif) {
  if (as_sarif) return to_sarif(about);
  return findings_json(about.findings).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace swizzle
