#include "driver/nvcc_ptx.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "codegen/run/process.h"
#include "codegen/run/toolchain.h"

namespace swizzle {
namespace {

constexpr std::chrono::minutes kCompileTimeLimit{20};  // libraries of templates take long

constexpr std::string_view kTargetFlags[] = {"-arch", "--gpu-architecture", "-gencode", "--generate-code"};

bool names_target(const std::string& flag) {
  return std::any_of(std::begin(kTargetFlags), std::end(kTargetFlags),
                     [&](std::string_view f) { return flag.starts_with(f); });
}

std::vector<std::string> command_for(const CheckRequest& request, const std::string& nvcc, const std::string& output) {
  std::vector<std::string> command = {nvcc, "-ptx", "-lineinfo", "-w", "-o", output, "-std=" + request.flags.standard};
  for (const std::string& macro : request.flags.macros) command.push_back("-" + macro);
  for (const std::string& folder : request.flags.include_folders) command.insert(command.end(), {"-I", folder});
  for (const std::string& header : request.flags.forced_headers) command.insert(command.end(), {"-include", header});
  command.insert(command.end(), request.nvcc_flags.begin(), request.nvcc_flags.end());
  if (std::none_of(request.nvcc_flags.begin(), request.nvcc_flags.end(), names_target))
    command.emplace_back("-arch=sm_90");
  if (!request.path.ends_with(".cu")) command.insert(command.end(), {"-x", "cu"});  // a header
  command.push_back(request.path);
  return command;
}

// The first that says an error, or the first.
std::string first_error(const std::string& text) {
  const std::size_t at = text.find("error");
  const std::size_t from = at == std::string::npos ? 0 : text.rfind('\n', at) + 1;
  return text.substr(from, std::min(text.find('\n', from), text.size()) - from);
}

}  // namespace

Result<std::string> nvcc_ptx(const CheckRequest& request) {
  const auto nvcc = find_nvcc();
  if (!nvcc)
    return make_error("nvcc is not found in $CUDA_HOME/bin, PATH and /usr/local/cuda/bin: there is no PTX to count in");
  const ScratchFolder scratch;
  const std::string output = scratch.path() + "/kernels.ptx";
  const auto done = run_process(command_for(request, *nvcc, output), kCompileTimeLimit);
  if (!done.ok()) return done.errors();
  if (!done->succeeded())
    return make_error(fmt::format("nvcc makes no PTX of '{}': {}", request.path,
                                  first_error(done->standard_error + done->standard_output)));
  std::ifstream in(output, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

}  // namespace swizzle
