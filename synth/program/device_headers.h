// What CUDA's headers of cooperative groups and asynchronous copies declare.
//
//   device_header("cooperative_groups.h")          emulation/cooperative_groups.inc, as text
//   device_header("cooperative_groups/reduce.h")   includes that
//   device_header("cuda_pipeline.h")               void __pipeline_commit(); …
//   device_header("vector")                        nothing: it is none of them
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace swizzle {

std::optional<std::string> device_header(const std::string& name);
const std::vector<std::string>& device_headers();  // their names

}  // namespace swizzle
