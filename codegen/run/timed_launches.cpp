#include "codegen/run/timed_launches.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "codegen/run/process.h"
#include "codegen/run/toolchain.h"

namespace swizzle {
namespace {

constexpr const char* kTimingPrologue = R"(#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
static void swizzle_require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}
static void* swizzle_array(long long bytes, bool is_real) {
  void* array = nullptr;
  swizzle_require(cudaMalloc(&array, bytes));
  std::vector<float> part(1 << 20, is_real ? 0.75f : 0.0f);
  for (long long at = 0; at < bytes; at += 4ll * part.size())
    swizzle_require(cudaMemcpy((char*)array + at, part.data(), std::min<long long>(bytes - at, 4 * part.size()), cudaMemcpyHostToDevice));
  return array;
}
)";

// The kernel, the arrays and the launch go in.
constexpr const char* kTimingMain = R"(int main() {{
{}  cudaEvent_t from, to;
  swizzle_require(cudaEventCreate(&from));
  swizzle_require(cudaEventCreate(&to));
{}  std::vector<float> times;
  for (int turn = -3; turn < 21; ++turn) {{
    swizzle_require(cudaEventRecord(from));
    {}
    swizzle_require(cudaGetLastError());
    swizzle_require(cudaEventRecord(to));
    swizzle_require(cudaEventSynchronize(to));
    float milliseconds = 0;
    swizzle_require(cudaEventElapsedTime(&milliseconds, from, to));
    if (turn >= 0) times.push_back(milliseconds);
  }}
  std::sort(times.begin(), times.end());
  std::printf("%.3f\n", 1000 * times[times.size() / 2]);
}}
)";

struct TimedArguments {
  std::string arrays, call;
};

bool is_of_floats(const ItemLayout& item) {
  return std::ranges::all_of(item.slots, [](const SlotPlace& slot) { return slot.scalar == Scalar::kF32; });
}

TimedArguments timed_arguments(const TimedLaunches& launches) {
  TimedArguments text;
  for (std::size_t i = 0; i < launches.request.parameters.size(); ++i) {
    const RunParameter& parameter = launches.request.parameters[i];
    if (!std::visit([](const auto& p) { return p.symbols.of_kernel; }, parameter).empty()) continue;
    text.call += text.call.empty() ? "" : ", ";
    if (const auto* buffer = std::get_if<BufferSpec>(&parameter)) {
      text.arrays += fmt::format("  void* const swizzle_array_{} = swizzle_array({}ll, {});\n", i,
                                 launches.buffer_bytes, is_of_floats(buffer->item));
      text.call += fmt::format("({}*)swizzle_array_{}", buffer->type_spelling, i);
      continue;
    }
    const auto& scalar = std::get<ScalarParameter>(parameter);
    const auto size = launches.sizes.find(scalar.name);
    text.call += fmt::format("({})({})", scalar.type_spelling,
                             size == launches.sizes.end() ? "1" : fmt::format("{}ll", size->second));
  }
  return text;
}

}  // namespace

std::string timing_program_source(const TimedLaunches& launches, const std::string& kernel_include) {
  const TimedArguments arguments = timed_arguments(launches);
  const auto triple = [](const std::array<int, 3>& v) { return fmt::format("dim3({}, {}, {})", v[0], v[1], v[2]); };
  const std::int64_t shared = launches.dynamic_shared_bytes;
  const std::string launch =
      fmt::format("{}<<<{}, {}, {}>>>({});", launches.request.kernel_name, triple(launches.shape.grid),
                  triple(launches.shape.block), shared, arguments.call);
  const std::string attribute = shared == 0 ? ""
                                            : fmt::format(
                                                  "  swizzle_require(cudaFuncSetAttribute({}, "
                                                  "cudaFuncAttributeMaxDynamicSharedMemorySize, {}));\n",
                                                  launches.request.kernel_name, shared);
  return fmt::format("#include \"{}\"\n{}", kernel_include, kTimingPrologue) +
         fmt::format(kTimingMain, arguments.arrays, attribute, launch);
}

Result<double> median_microseconds(const TimedLaunches& launches) {
  const std::optional<std::string> nvcc = find_nvcc();
  if (!nvcc) return make_error("no nvcc to build for the GPU: install the CUDA toolkit");
  const ScratchFolder scratch;
  const Result<std::string> kernel = scratch.link("kernel.cu", launches.request.kernel_path);
  if (!kernel) return kernel.errors();
  const Result<std::string> source = scratch.write("timing.cu", timing_program_source(launches, "kernel.cu"));
  if (!source) return source.errors();
  const RunRequest& request = launches.request;
  const TestProgramBuild build{*source,
                               scratch.path() + "/timing",
                               {parent_folder(request.sketch_path.empty() ? request.kernel_path : request.sketch_path)},
                               request.flags};
  const auto built =
      run_compiler(nvcc_command(build, *nvcc, request.arch), "the emitted kernel", *kernel, request.kernel_path);
  if (!built) return built.errors();
  const Result<ProcessResult> done = run_process({build.executable_path}, kToolTimeLimit);
  if (!done) return done.errors();
  double microseconds = 0;
  const std::string& text = done->standard_output;
  const bool is_number = std::from_chars(text.data(), text.data() + text.size(), microseconds).ec == std::errc();
  if (done->succeeded() && is_number) return microseconds;
  return make_error(
      fmt::format("the launch failed: {}", done->standard_error.substr(0, done->standard_error.find('\n'))));
}

}  // namespace swizzle
