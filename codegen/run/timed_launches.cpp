#include "codegen/run/timed_launches.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "codegen/run/process.h"
#include "codegen/run/toolchain.h"

namespace swizzle {
namespace {

// Before the kernel, whose macros may have any name, as its functions may: what is defined here and below begins with
// swizzle_test_.
constexpr const char* kTimingPrologue = R"(#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
static void swizzle_test_require(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}
static void* swizzle_test_array(long long bytes, bool is_real) {
  static float part[1 << 20];
  for (float& value : part) value = is_real ? 0.75f : 0.0f;
  void* array = nullptr;
  swizzle_test_require(cudaMalloc(&array, bytes));
  for (long long at = 0; at < bytes; at += sizeof part) {
    const size_t rest = bytes - at < (long long)sizeof part ? bytes - at : sizeof part;
    swizzle_test_require(cudaMemcpy((char*)array + at, part, rest, cudaMemcpyHostToDevice));
  }
  return array;
}
static int swizzle_test_order(const void* a, const void* b) {
  return (*(const float*)a > *(const float*)b) - (*(const float*)a < *(const float*)b);
}
static int swizzle_test_median(void (*launch)()) {
  cudaEvent_t from, to;
  swizzle_test_require(cudaEventCreate(&from));
  swizzle_test_require(cudaEventCreate(&to));
  float times[21], milliseconds = 0;
  for (int turn = -3; turn < 21; ++turn) {
    swizzle_test_require(cudaEventRecord(from));
    launch();
    swizzle_test_require(cudaGetLastError());
    swizzle_test_require(cudaEventRecord(to));
    swizzle_test_require(cudaEventSynchronize(to));
    swizzle_test_require(cudaEventElapsedTime(&milliseconds, from, to));
    if (turn >= 0) times[turn] = milliseconds;
  }
  qsort(times, 21, sizeof *times, swizzle_test_order);
  printf("%.3f\n", 1000 * times[10]);
  return 0;
}
)";

// The arrays, the attribute and the launch go in.
constexpr const char* kTimingMain = R"({}static void swizzle_test_launch() {{
  {}
}}
int main() {{
{}{}  return swizzle_test_median(swizzle_test_launch);
}}
)";

struct TimedArguments {
  std::string declared, filled, call;
};

bool is_of_floats(const ItemLayout& item) {
  return std::ranges::all_of(item.slots, [](const SlotPlace& slot) { return slot.scalar == Scalar::kF32; });
}

TimedArguments timed_arguments(const TimedLaunches& launches) {
  TimedArguments text;
  for (std::size_t i = 0; i < launches.request.parameters.size(); ++i) {
    const RunParameter& parameter = launches.request.parameters[i];
    if (!std::visit([](const auto& p) { return p.symbols.of_kernel; }, parameter).empty()) continue;
    if (const auto* scalar = std::get_if<ScalarParameter>(&parameter);
        scalar != nullptr && scalar->of == ScalarParameter::Of::kSpec)
      continue;
    text.call += text.call.empty() ? "" : ", ";
    if (const auto* buffer = std::get_if<BufferSpec>(&parameter)) {
      text.declared += fmt::format("static void* swizzle_test_array_{};\n", i);
      text.filled += fmt::format("  swizzle_test_array_{} = swizzle_test_array({}ll, {});\n", i, launches.buffer_bytes,
                                 is_of_floats(buffer->item));
      text.call += fmt::format("({})swizzle_test_array_{}", buffer->pointer(&Symbols::of_kernel), i);
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
      fmt::format("::{}<<<{}, {}, {}>>>({});", launches.request.kernel_name, triple(launches.shape.grid),
                  triple(launches.shape.block), shared, arguments.call);
  const std::string attribute = shared == 0 ? ""
                                            : fmt::format(
                                                  "  swizzle_test_require(cudaFuncSetAttribute(::{}, "
                                                  "cudaFuncAttributeMaxDynamicSharedMemorySize, {}));\n",
                                                  launches.request.kernel_name, shared);
  return fmt::format("{}#include \"{}\"\n", kTimingPrologue, kernel_include) +
         fmt::format(kTimingMain, arguments.declared, launch, arguments.filled, attribute);
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
