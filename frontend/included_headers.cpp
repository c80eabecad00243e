#include "frontend/included_headers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "frontend/prelude.h"

namespace swizzle {

bool is_covered(const std::string& header) {
  const auto& accepted = accepted_headers();
  if (std::find(accepted.begin(), accepted.end(), header) != accepted.end()) return true;
  for (const char* start : {"cuda_fp16",
                            "cuda_bf16",
                            "cuda_fp4",
                            "cuda_fp6",
                            "cuda_fp8",
                            "cudaTypedefs.h",
                            "dlfcn.h",
                            "time.h",
                            "cuda_pipeline",
                            "cooperative_groups",
                            "mma.h",
                            "helper_",
                            "cublas",
                            "curand",
                            "cudnn",
                            "nvtx",
                            "driver_types",
                            "string.h",
                            "strings.h",
                            "sys/",
                            "thrust/host",
                            "cuda/std/",
                            "device_functions",
                            "sm_",
                            "builtin_types",
                            "vector_functions",
                            "cuda_profiler",
                            "cuda_gl",
                            "channel_descriptor",
                            "texture"})
    if (header.starts_with(start)) return true;
  return header.find('.') == std::string::npos && header.find('/') == std::string::npos;  // of the standard library
}

namespace {

namespace fs = std::filesystem;

struct Include {
  std::string name;  // empty: a macro tells
  bool is_quoted = false;
  std::size_t at = 0;  // of the name
};

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> found;
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos; ++at) {
    const std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == std::string::npos || (text.compare(word, 7, "include") != 0 && text.compare(word, 6, "import") != 0))
      continue;
    const std::string_view line = std::string_view(text).substr(word, text.find('\n', word) - word);
    const std::size_t open = line.find_first_of("<\""), close = line.find_first_of(">\"", open + 1);
    if (open == std::string_view::npos || close == std::string_view::npos) found.emplace_back();
    else found.push_back({std::string(line.substr(open + 1, close - open - 1)), line[open] == '"', word + open + 1});
  }
  return found;
}

// Where a header lies, as clang finds it; nothing: it does not.
std::optional<fs::path> header_place(const Include& include, const fs::path& from,
                                     const std::vector<std::string>& folders) {
  std::error_code ignored;
  if (include.is_quoted && fs::is_regular_file(from.parent_path() / include.name, ignored))
    return from.parent_path() / include.name;
  for (const std::string& folder : folders)
    if (fs::is_regular_file(fs::path(folder) / include.name, ignored)) return fs::path(folder) / include.name;
  return std::nullopt;
}

bool may_stand_empty(const std::string& name) {
  return !name.empty() && !name.starts_with("/") && name.find("..") == std::string::npos;
}

}  // namespace

std::vector<std::string> included_names(const std::string& text) {
  std::vector<std::string> names;
  for (Include& include : includes_of(text)) names.push_back(std::move(include.name));
  return names;
}

std::string unread_text(const std::string& header) {
  return fmt::format("'{}' is not read: what it declares is not followed", header);
}

namespace {

// CUB, and what it stands on. The toolkit's other headers are those of the prelude.
bool is_of_libraries(const std::string& header) {
  return std::ranges::any_of(std::array{"cub/", "cuda/", "nv/", "thrust/"},
                             [&](const char* start) { return header.starts_with(start); });
}

// What kernels use of CUB; cub::DeviceScan and its kin are for the host.
bool names_cub_of_kernels(const std::string& text) {
  return std::ranges::any_of(std::array{"cub::Block", "cub::Warp", "cub::Thread", "cub::Shuffle", "cub::Lane",
                                        "cub::Load", "cub::Store", "using namespace cub"},
                             [&](const char* name) { return text.find(name) != std::string::npos; });
}

// `libraries`: the folder that they are read from; empty: they are not.
ScannedHeaders scan_headers(const std::string& text, const std::string& path, const std::vector<std::string>& folders,
                            const std::string& libraries) {
  constexpr std::size_t kMostHeaders = 5000;
  ScannedHeaders out;
  out.reads_libraries = !libraries.empty();
  std::vector<std::pair<fs::path, std::string>> open{{path, text}};
  std::set<std::string> known;
  while (!open.empty() && known.size() < kMostHeaders) {
    const auto [from, content] = std::move(open.back());
    open.pop_back();
    out.names_cub = out.names_cub || names_cub_of_kernels(content);
    for (const Include& include : includes_of(content)) {
      auto place = include.name.empty() ? std::nullopt : header_place(include, from, folders);
      if (!place && !libraries.empty() && is_of_libraries(include.name))
        place = header_place(include, from, {libraries});
      if (!place && may_stand_empty(include.name)) {
        out.missing.insert(include.name);
        const auto at = static_cast<std::uint32_t>(include.at),
                   end = at + static_cast<std::uint32_t>(include.name.size());
        if (from != path)
          out.unread.emplace(include.name, make_diagnostic(Severity::kWarning, SourceText(from.string(), content),
                                                           {at, end}, unread_text(include.name)));
      }
      if (!place || !known.insert(place->lexically_normal().string()).second) continue;
      std::ifstream in(*place, std::ios::binary);
      std::string read((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      if (read.find("<<<") != std::string::npos || pragma_in_macro(read, 0) != std::string::npos)
        out.rewritten[place->lexically_normal().string()] = {read, rewrite_launches(read)};
      open.emplace_back(*place, std::move(read));
    }
  }
  return out;
}

}  // namespace

// Thrust and libcu++ alone are for the host mostly, as is some of CUB, and take seconds to read.
ScannedHeaders scan_headers(const std::string& text, const std::string& path, const CompileFlags& flags) {
  ScannedHeaders own = scan_headers(text, path, flags.include_folders, "");
  std::error_code ignored;
  const auto is_in_libraries = [&](const std::string& header) {
    return header.starts_with("cub/") && fs::is_regular_file(fs::path(flags.library_folder) / header, ignored);
  };
  if (flags.library_folder.empty() || !own.names_cub || std::ranges::none_of(own.missing, is_in_libraries)) return own;
  return scan_headers(text, path, flags.include_folders, flags.library_folder);
}

std::set<std::string> headers_elsewhere(const std::string& text, const std::vector<std::string>& include_folders) {
  std::set<std::string> found;
  for (const Include& include : includes_of(text))
    if (may_stand_empty(include.name) && !header_place({include.name, false}, {}, include_folders))
      found.insert(include.name);
  return found;
}

}  // namespace swizzle
