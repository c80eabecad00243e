#include "synth/program/device_headers.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr const char* kCooperativeGroups =
#define SWIZZLE_SOURCE(...) #__VA_ARGS__
#include "emulation/cooperative_groups.inc"
    ;

constexpr const char* kCopies = R"(#pragma once
void __pipeline_memcpy_async(void*, const void*, unsigned long, unsigned long = 0);
void __pipeline_commit();
void __pipeline_wait_prior(unsigned long);
)";

}  // namespace

const std::vector<std::string>& device_headers() {
  static const std::vector<std::string> names = {"cooperative_groups.h",
                                                 "cuda_pipeline.h",
                                                 "cuda_pipeline_primitives.h",
                                                 "cooperative_groups/reduce.h",
                                                 "cooperative_groups/scan.h",
                                                 "cooperative_groups/memcpy_async.h",
                                                 "cuda/pipeline",
                                                 "cuda/barrier"};
  return names;
}

std::optional<std::string> device_header(const std::string& name) {
  if (std::find(device_headers().begin(), device_headers().end(), name) == device_headers().end()) return std::nullopt;
  if (name == "cooperative_groups.h")
    return std::string("#pragma once\n#include <cuda_pipeline_primitives.h>\n") + kCooperativeGroups + "\n";
  if (name == "cuda_pipeline_primitives.h") return kCopies;
  if (name == "cuda_pipeline.h") return "#pragma once\n#include <cuda_pipeline_primitives.h>\n";
  return "#pragma once\n#include <cooperative_groups.h>\n";
}

}  // namespace swizzle
