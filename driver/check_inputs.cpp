#include "driver/check_inputs.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"
#include "frontend/included_headers.h"
#include "synth/base/sha256.h"

namespace swizzle {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> text_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code ignored;
  if (!in || !fs::is_regular_file(path, ignored)) return std::nullopt;
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

// Files and headers, each once: their paths, and what they hold.
class Closure {
 public:
  explicit Closure(const std::vector<std::string>& folders) : folders_(folders) {}

  void add(const std::string& text, const fs::path& folder) {
    for (const std::string& name : included_names(text)) {
      if (name.empty()) is_known_ = false;
      add_header(name, folder);
    }
  }
  // Beside what includes it, and in each folder, whichever of these is taken.
  void add_header(const std::string& name, const fs::path& beside) {
    std::vector<fs::path> places = {beside / name};
    for (const std::string& folder : folders_) places.push_back(fs::path(folder) / name);
    for (const fs::path& place : places) {
      const std::string path = place.lexically_normal().string();
      if (!seen_.insert(path).second) continue;
      const auto text = text_of_file(path);
      digest_ += fmt::format("{} {}\n", path, text ? sha256(*text) : "absent");
      if (text) add(*text, place.parent_path());
    }
  }
  std::optional<std::string> digest() const { return is_known_ ? std::optional(digest_) : std::nullopt; }

 private:
  const std::vector<std::string>& folders_;
  std::set<std::string> seen_;
  std::string digest_;
  bool is_known_ = true;
};

// Parts that no text among them has: none can stand for two others.
constexpr const char* kBetween = "\x1f";

std::string text_of(const LaunchRequest& launch) {
  std::string out = launch.launch + kBetween + sizes_text(launch.set);
  for (const auto* launches : {&launch.of_kernels, &launch.project_launches})
    for (const auto& [name, text] : *launches) out += kBetween + name + kBetween + text;
  for (const auto& [name, sizes] : launch.project_sizes) out += kBetween + name + kBetween + sizes_text(sizes);
  return out;
}

// Where a file is, and which one.
std::string stamp_of(const fs::path& file) {
  std::error_code ignored;
  const auto changed = fs::last_write_time(file, ignored).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), fs::file_size(file, ignored), changed);
}

// That makes PTX, and brings the toolkit's headers.
std::string compiler_of(const CheckRequest& request) {
  const auto nvcc = request.ptx == PtxUse::kNever ? std::nullopt : find_nvcc();
  if (!nvcc) return "no nvcc";
  std::error_code ignored;
  return fmt::format("{} {}", stamp_of(fs::canonical(*nvcc, ignored)), fmt::join(request.nvcc_flags, kBetween));
}

// Which is read without nvcc, too.
std::string cub_version() {
  const std::string folder = find_cub();
  return folder.empty() ? "no CUB" : stamp_of(fs::path(folder) / "cub" / "version.cuh");
}

}  // namespace

std::optional<std::string> check_inputs(const CheckRequest& request) {
  const auto text = request.text ? request.text : text_of_file(request.path);
  if (!text) return std::nullopt;
  Closure closure(request.flags.include_folders);
  const std::string folder = parent_folder(request.path);
  for (const std::string& header : request.flags.forced_headers) closure.add_header(header, folder);
  closure.add(*text, folder);
  const auto headers = closure.digest();
  if (!headers) return std::nullopt;
  std::error_code ignored;
  const CompileFlags& flags = request.flags;
  std::string out =
      fmt::format("{}\n{}\n{}\n{}", fs::current_path(ignored).string(), request.path, sha256(*text), *headers);
  for (const auto* list : {&flags.macros, &flags.include_folders, &flags.forced_headers, &request.instances})
    out += fmt::format("{}\n", fmt::join(*list, kBetween));
  for (const std::string& one :
       {flags.standard, request.kernel, request.machine, text_of(request.launch), compiler_of(request), cub_version(),
        request.recording != nullptr ? sha256(to_json(*request.recording)) : std::string()})
    out += one + "\n";
  return out + fmt::format("{} {} {} {} {}\n", request.names_may_be_elsewhere, request.follows_history,
                           request.all_blocks, request.step_limit, static_cast<int>(request.ptx));
}

}  // namespace swizzle
