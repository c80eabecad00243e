#include "tools/check_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "driver/embedded_ptx.h"
#include "tools/compile_commands.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

bool is_glob(const std::string& operand) { return operand.find_first_of("*?") != std::string::npos; }

bool is_database(const std::string& operand) { return fs::path(operand).filename() == "compile_commands.json"; }

bool has_kernel(const fs::path& header) {
  std::ifstream in(header, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return text.find("__global__") != std::string::npos;
}

// Files below a folder that `wanted` is true of, by name.
std::vector<std::string> files_below(const fs::path& folder, const std::function<bool(const fs::path&)>& wanted) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    const bool is_hidden = at->path().filename().string().starts_with(".");
    std::error_code ignored;
    if (is_hidden && at->is_directory(ignored)) at.disable_recursion_pending();
    if (!is_hidden && at->is_regular_file(ignored) && wanted(at->path()))
      found.push_back(at->path().lexically_normal().generic_string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> cuda_files_below(const std::string& folder) {
  return files_below(folder, [](const fs::path& path) {
    return path.extension() == ".cu" || (path.extension() == ".cuh" && has_kernel(path));
  });
}

// The folders before the first * or ? need not be searched.
std::vector<std::string> files_of_glob(const std::string& glob) {
  const std::size_t slash = glob.rfind('/', glob.find_first_of("*?"));
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : glob.substr(0, slash);
  const std::string wanted = fs::path(glob).lexically_normal().generic_string();
  return files_below(
      folder, [&](const fs::path& path) { return matches_glob(wanted, path.lexically_normal().generic_string()); });
}

bool is_excluded(const CheckOptions& options, const std::string& path) {
  return std::any_of(options.exclude.begin(), options.exclude.end(), [&](const std::string& glob) {
    return matches_glob(glob, path) || matches_glob(glob + "/**", path);
  });
}

bool matches(std::string_view glob, std::string_view path) {
  if (glob.empty()) return path.empty();
  if (glob.starts_with("**/")) {
    if (matches(glob.substr(3), path)) return true;
    const std::size_t slash = path.find('/');
    return slash != std::string_view::npos && matches(glob, path.substr(slash + 1));
  }
  if (glob == "**") return true;
  if (glob[0] == '*')
    return matches(glob.substr(1), path) || (!path.empty() && path[0] != '/' && matches(glob, path.substr(1)));
  if (path.empty() || (glob[0] == '?' ? path[0] == '/' : glob[0] != path[0])) return false;
  return matches(glob.substr(1), path.substr(1));
}

class FileList {
 public:
  explicit FileList(const CheckOptions& options) : options_(options) {}

  // `commands`: those that the flags are of.
  void add(const std::string& path, const std::vector<CompileCommand>& commands) {
    const CompileFlags flags = flags_for(path, commands, options_.flags, options_.standard_is_set);
    std::string key = fs::path(path).lexically_normal().generic_string() + "\n" + flags.standard;
    for (const auto* list : {&flags.macros, &flags.include_folders, &flags.forced_headers})
      for (const std::string& flag : *list) key += "\n" + flag;
    if (!is_excluded(options_, path) && seen_.insert(key).second)
      files_.push_back({path, std::nullopt, flags, nvcc_flags_for(path, commands, options_.nvcc_flags)});
  }
  void add(EmbeddedPtx ptx) {
    if (seen_.insert(ptx.path).second) files_.push_back({std::move(ptx.path), std::move(ptx.text), {}, {}});
  }
  // A file that is there; of a compiled one, its PTX.
  std::optional<Diagnostics> add_named(const std::string& path, const std::vector<CompileCommand>& commands) {
    if (!is_compiled(path)) return add(path, commands), std::nullopt;
    auto found = embedded_ptx(path);
    if (!found.ok()) return found.errors();
    for (EmbeddedPtx& ptx : *found) add(std::move(ptx));
    return std::nullopt;
  }
  std::vector<FileToCheck> files() { return std::move(files_); }

 private:
  const CheckOptions& options_;
  std::set<std::string> seen_;
  std::vector<FileToCheck> files_;
};

}  // namespace

bool matches_glob(const std::string& glob, const std::string& path) { return matches(glob, path); }

bool names_one_file(const CheckOptions& options) {
  std::error_code ignored;
  const std::string& operand = options.files[0];
  return options.files.size() == 1 && !is_database(operand) && !fs::is_directory(operand, ignored) &&
         (fs::exists(operand, ignored) || !is_glob(operand)) && !is_compiled(operand);
}

Result<std::vector<FileToCheck>> files_to_check(const CheckOptions& options) {
  FileList list(options);
  std::vector<CompileCommand> known;
  if (!options.database.empty()) {
    auto commands = read_compile_commands(options.database);
    if (!commands.ok()) return commands.errors();
    known = std::move(*commands);
  }
  std::error_code ignored;
  for (const std::string& operand : options.files) {
    if (is_database(operand) && fs::exists(operand, ignored)) {
      const auto commands = read_compile_commands(operand);
      if (!commands.ok()) return commands.errors();
      if (commands->empty()) return make_error(fmt::format("'{}' compiles no CUDA file", operand));
      for (const CompileCommand& c : *commands) list.add(c.path, {c});
      continue;
    }
    const bool is_folder = fs::is_directory(operand, ignored);
    if (!is_folder && (fs::exists(operand, ignored) || !is_glob(operand))) {
      if (!fs::exists(operand, ignored)) return make_error(fmt::format("{}: no such file", operand));
      if (const auto wrong = list.add_named(operand, known)) return *wrong;
      continue;
    }
    const std::vector<std::string> found = is_folder ? cuda_files_below(operand) : files_of_glob(operand);
    if (found.empty())
      return make_error(is_folder ? fmt::format("there is no CUDA file below '{}'", operand)
                                  : fmt::format("'{}' matches no file", operand));
    for (const std::string& path : found) list.add(path, known);
  }
  return list.files();
}

}  // namespace swizzle
