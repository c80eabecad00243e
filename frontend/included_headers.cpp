#include "frontend/included_headers.h"

#include <algorithm>
#include <filesystem>

#include "frontend/prelude.h"

namespace swizzle {

bool is_covered(const std::string& header) {
  const auto& accepted = accepted_headers();
  if (std::find(accepted.begin(), accepted.end(), header) != accepted.end()) return true;
  for (const char* start : {"cuda_fp16",
                            "cuda_bf16",
                            "cuda_fp8",
                            "cuda_pipeline",
                            "cooperative_groups",
                            "mma.h",
                            "helper_",
                            "cublas",
                            "curand",
                            "cudnn",
                            "nvtx",
                            "driver_types",
                            "sys/",
                            "thrust/host",
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

// Parsing need not find out one by one.
std::set<std::string> headers_elsewhere(const std::string& text, const std::vector<std::string>& include_folders) {
  std::set<std::string> found;
  for (std::size_t at = 0; (at = text.find("#include", at)) != std::string::npos; ++at) {
    const std::size_t open = text.find_first_of("<\"\n", at);
    if (open == std::string::npos || text[open] == '\n') continue;
    const std::size_t close = text.find_first_of(">\"\n", open + 1);
    if (close == std::string::npos || text[close] == '\n') continue;
    const std::string name = text.substr(open + 1, close - open - 1);
    const bool is_there = std::any_of(include_folders.begin(), include_folders.end(), [&](const std::string& folder) {
      std::error_code ignored;
      return std::filesystem::exists(std::filesystem::path(folder) / name, ignored);
    });
    if (!is_there && !name.starts_with("/") && name.find("..") == std::string::npos) found.insert(name);
  }
  return found;
}

}  // namespace swizzle
