#include "codegen/run/test_program.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace swizzle {
namespace {

// Between the user's text and the text here stand macros of the user's, which may have any name. What this text defines
// begins with swizzle_test_; these are the other names that it uses.
constexpr std::array kNamesUsed = {"Argument",       "Buffer",  "Element",    "Order",       "Program",
                                   "Size",           "Slot",    "block",      "check",       "dynamic_shared_bytes",
                                   "grid",           "integer", "kAscending", "kDescending", "kHostMemory",
                                   "kKernelFailure", "launch",  "real",       "spec_block",  "spec_grid"};

constexpr std::string_view kGpuPrologue = R"(
#include <stdio.h>
#include <stdlib.h>
static void swizzle_test_check(cudaError_t error, int exit_code) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  _Exit(exit_code);
}
static void* swizzle_test_allocate(size_t bytes) { void* p = 0; swizzle_test_check(cudaMalloc(&p, bytes), 1); return p; }
static void swizzle_test_release(void* p) { swizzle_test_check(cudaFree(p), 1); }
static void swizzle_test_to_device(void* to, const void* from, size_t bytes) {
  swizzle_test_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), 1);
}
static void swizzle_test_to_host(void* to, const void* from, size_t bytes) {
  swizzle_test_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), 1);
}
static const char* swizzle_test_device_name() {
  static char name[300] = "gpu: ";
  cudaDeviceProp properties;
  swizzle_test_check(cudaGetDeviceProperties(&properties, 0), 1);
  snprintf(name, sizeof name, "gpu: %s", properties.name);
  return name;
}
)";

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

// From arrays `swizzle_test_buffer` and `swizzle_test_scalar`: the actual arguments, and what fills the symbols.
struct Inputs {
  std::string arguments, fills;
};

// `fill`: takes a symbol, and the address of what it gets.
Inputs inputs_of(const RunRequest& request, std::string Symbols::* symbol_of, std::string_view fill) {
  std::vector<std::string> arguments;
  Inputs inputs;
  int buffers = 0, scalars = 0;
  for (const RunParameter& parameter : request.parameters) {
    const auto* buffer = std::get_if<BufferSpec>(&parameter);
    const auto* scalar = std::get_if<ScalarParameter>(&parameter);
    const std::string& symbol = (buffer != nullptr ? buffer->symbols : scalar->symbols).*symbol_of;
    std::string from, argument;
    if (buffer != nullptr) {
      from = fmt::format("swizzle_test_buffer[{}]", buffers++);
      argument = fmt::format("({}){}", buffer->pointer(symbol_of), from);
    } else {
      const std::string& type = scalar->type_spelling;
      argument =
          fmt::format("({})swizzle_test_scalar[{}].{}", type, scalars, is_real_spelling(type) ? "real" : "integer");
      from = fmt::format("&swizzle_test_filled_{}", scalars++);
      if (!symbol.empty()) inputs.fills += fmt::format("  const {} {} = {};\n", type, from.substr(1), argument);
    }
    const auto other = symbol_of == &Symbols::of_kernel ? ScalarParameter::Of::kSpec : ScalarParameter::Of::kKernel;
    if (scalar != nullptr && scalar->of == other) continue;
    if (symbol.empty()) arguments.push_back(std::move(argument));
    else inputs.fills += fmt::format(fmt::runtime(fill), symbol, from);
  }
  inputs.arguments = fmt::format("{}", fmt::join(arguments, ", "));
  return inputs;
}

constexpr std::string_view kFillOnHost = "  memcpy((void*)&{0}, {1}, sizeof {0});\n";
constexpr std::string_view kFillOnDevice =
    "  swizzle_test_check(cudaMemcpyToSymbol({0}, {1}, sizeof {0}, 0, cudaMemcpyDefault), 1);\n";

// What is launched, as the members of a size say.
std::string dim3s(std::string_view grid, std::string_view block) {
  constexpr std::string_view kDim3 =
      "  const dim3 swizzle_test_{0}(swizzle_test_size.{1}[0], swizzle_test_size.{1}[1], swizzle_test_size.{1}[2]);\n";
  return fmt::format(kDim3, "grid", grid) + fmt::format(kDim3, "block", block);
}

// Within the spec's namespace, because spec and kernel may each define the structs that they share.
std::string spec_call(const RunRequest& request) {
  const bool is_launched = has_kernel_as_spec(request);
  const Inputs inputs = inputs_of(request, &Symbols::of_spec, kFillOnHost);
  return fmt::format(
      R"(namespace swizzle_test_program {{ namespace swizzle_test_spec {{
static void swizzle_test_run(const swizzle_harness::Size& swizzle_test_size, void* const* swizzle_test_buffer, const swizzle_harness::Argument* swizzle_test_scalar) {{
{}{}  ::swizzle_test_program::swizzle_test_spec::{}({});
{}}}
}}
}}
)",
      inputs.fills,
      is_launched ? dim3s("spec_grid", "spec_block") +
                        "  swizzle_emulation::launch(swizzle_test_grid, swizzle_test_block, [&] {\n"
                  : "  (void)swizzle_test_size;\n",
      request.spec_function, inputs.arguments,
      is_launched ? fmt::format("}}, swizzle_emulation::Order::kAscending, {});\n", request.warp_lanes) : "");
}

std::string emulated_launch(const RunRequest& request) {
  const Inputs inputs = inputs_of(request, &Symbols::of_kernel, kFillOnHost);
  return fmt::format(R"({}  swizzle_emulation::launch(swizzle_test_grid, swizzle_test_block, [&] {{ ::{}({}); }},
      swizzle_test_round % 2 ? swizzle_emulation::Order::kDescending : swizzle_emulation::Order::kAscending, {});
)",
                     inputs.fills, request.kernel_name, inputs.arguments, request.warp_lanes);
}

std::string gpu_launch(const RunRequest& request) {
  const Inputs inputs = inputs_of(request, &Symbols::of_kernel, kFillOnDevice);
  const bool is_dynamic = std::any_of(request.sizes.begin(), request.sizes.end(),
                                      [](const RunSize& size) { return size.dynamic_shared_bytes > 0; });
  const std::string asked = fmt::format(
      "  swizzle_test_check(cudaFuncSetAttribute(::{}, cudaFuncAttributeMaxDynamicSharedMemorySize, int(swizzle_test_size.dynamic_shared_bytes)), 1);\n",
      request.kernel_name);
  return fmt::format(R"({}{}  ::{}<<<swizzle_test_grid, swizzle_test_block{}>>>({});
  swizzle_test_check(cudaGetLastError(), swizzle_harness::kKernelFailure);
  swizzle_test_check(cudaDeviceSynchronize(), swizzle_harness::kKernelFailure);
)",
                     inputs.fills, is_dynamic ? asked : "", request.kernel_name,
                     is_dynamic ? ", swizzle_test_size.dynamic_shared_bytes" : "", inputs.arguments);
}

std::string calls(const RunRequest& request, Where where) {
  return fmt::format(
      R"({}static void swizzle_test_run_kernel(const swizzle_harness::Size& swizzle_test_size, int swizzle_test_round, void* const* swizzle_test_buffer, const swizzle_harness::Argument* swizzle_test_scalar) {{
{}{}}}
)",
      spec_call(request), dim3s("grid", "block"),
      where == Where::kCpu ? emulated_launch(request) : gpu_launch(request));
}

// A trailing element keeps every array from being empty.
template <typename Values, typename Print>
std::string array(const std::string& declaration, const Values& values, Print print) {
  std::string text = fmt::format("static const {}[] = {{", declaration);
  for (const auto& value : values) text += print(value) + ", ";
  return text + "{}};\n";
}

std::string parameter_arrays(const RunRequest& request) {
  std::vector<BufferSpec> buffers;
  std::vector<bool> reals;
  for (const RunParameter& parameter : request.parameters) {
    if (const auto* buffer = std::get_if<BufferSpec>(&parameter)) buffers.push_back(*buffer);
    if (const auto* scalar = std::get_if<ScalarParameter>(&parameter))
      reals.push_back(is_real_spelling(scalar->type_spelling));
  }
  std::string slots;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    slots += array(fmt::format("swizzle_harness::Slot swizzle_test_slots_{}", i), buffers[i].item.slots,
                   [](const SlotPlace& slot) {
                     return fmt::format("{{swizzle_harness::Element({}), {}}}", static_cast<int>(slot.scalar),
                                        slot.offset_bytes);
                   });
  std::size_t index = 0;
  return slots +
         array("swizzle_harness::Buffer swizzle_test_buffers", buffers,
               [&](const BufferSpec& buffer) {
                 return fmt::format("{{{}, swizzle_test_slots_{}, {}, {}, {}}}", quoted(buffer.name), index++,
                                    buffer.item.slots.size(), buffer.item.size_bytes, buffer.is_const);
               }) +
         array("bool swizzle_test_reals", reals, [](bool real) { return fmt::format("{}", real); });
}

std::vector<std::int64_t> scalars_at(const RunRequest& request, const Sizes& sizes) {
  std::vector<std::int64_t> values;
  for (const RunParameter& parameter : request.parameters) {
    const auto* scalar = std::get_if<ScalarParameter>(&parameter);
    if (scalar == nullptr) continue;
    const auto found = sizes.find(scalar->name);
    values.push_back(found == sizes.end() ? 0 : found->second);
  }
  return values;
}

std::vector<InputRange> ranges_of(const RunSize& size) {
  std::vector<InputRange> ranges = size.ranges;
  ranges.resize(size.extents.size());
  return ranges;
}

std::string range_text(const InputRange& range) {
  return fmt::format("{{{}ll, {}ull, {}}}", range.low, range.count, range.is_distinct);
}

std::string size_arrays(const RunRequest& request) {
  std::string text;
  for (std::size_t i = 0; i < request.sizes.size(); ++i) {
    const RunSize& size = request.sizes[i];
    text += array(fmt::format("long long swizzle_test_extents_{}", i), size.extents,
                  [](std::int64_t extent) { return fmt::format("{}ll", extent); });
    text += array(fmt::format("swizzle_harness::Range swizzle_test_ranges_{}", i), ranges_of(size), range_text);
    text +=
        array(fmt::format("long long swizzle_test_scalars_{}", i), scalars_at(request, size.sizes),
              [](std::int64_t value) { return fmt::format("(long long){}ull", static_cast<std::uint64_t>(value)); });
  }
  const auto triple = [](const std::array<int, 3>& v) { return fmt::format("{{{}, {}, {}}}", v[0], v[1], v[2]); };
  std::size_t index = 0;
  text += array("swizzle_harness::Size swizzle_test_sizes", request.sizes, [&](const RunSize& size) {
    const LaunchShape spec = size.spec_shape.value_or(LaunchShape{{0, 0, 0}, {0, 0, 0}});
    const std::size_t i = index++;
    return fmt::format(
        "{{{}, {}, {}, swizzle_test_extents_{}, swizzle_test_scalars_{}, {}, {}, {}, swizzle_test_ranges_{}}}",
        quoted(sizes_text(size.sizes)), triple(size.shape.grid), triple(size.shape.block), i, i, triple(spec.grid),
        triple(spec.block), size.dynamic_shared_bytes, i);
  });
  return text;
}

std::string main_function(const RunRequest& request, Where where) {
  return fmt::format(
      R"(int main() {{
  const swizzle_harness::Program swizzle_test = {{
      {}, swizzle_test_buffers, sizeof swizzle_test_buffers / sizeof swizzle_test_buffers[0] - 1,
      swizzle_test_reals, sizeof swizzle_test_reals / sizeof swizzle_test_reals[0] - 1,
      swizzle_test_sizes, sizeof swizzle_test_sizes / sizeof swizzle_test_sizes[0] - 1,
      {}ull, {}, swizzle_test_program::swizzle_test_spec::swizzle_test_run, swizzle_test_run_kernel,
      {}}};
  return swizzle_harness::check(swizzle_test);
}}
)",
      where == Where::kCpu ? "\"cpu: warp emulation\"" : "swizzle_test_device_name()", request.seed, request.rounds,
      where == Where::kCpu
          ? "swizzle_harness::kHostMemory"
          : "{swizzle_test_allocate, swizzle_test_release, swizzle_test_to_device, swizzle_test_to_host}");
}

bool begins_directive(std::string_view line, std::initializer_list<std::string_view> names) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != '#') return false;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string_view::npos) return false;
  const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at);
  const std::string_view name = line.substr(at, end == std::string_view::npos ? end : end - at);
  for (const std::string_view candidate : names) {
    if (name == candidate) return true;
  }
  return false;
}

}  // namespace

SplitSpec split_includes(const std::string& spec_text) {
  SplitSpec split;
  std::istringstream lines(spec_text);
  bool hoisting = false;  // the previous line was hoisted and ends in a backslash
  for (std::string line; std::getline(lines, line);) {
    const bool is_include = begins_directive(line, {"include"});
    hoisting = hoisting || is_include || begins_directive(line, {"if", "ifdef", "ifndef", "elif", "else", "endif"});
    split.includes += (hoisting ? line : "") + "\n";
    split.rest += (is_include ? "" : line) + "\n";
    hoisting = hoisting && !line.empty() && line.back() == '\\';
  }
  return split;
}

std::string test_program_source(const RunRequest& request, Where where, const std::string& kernel_include) {
  const SplitSpec spec = split_includes(request.spec_text);
  const std::string spec_line =
      fmt::format("#line 1 {}\n", quoted(request.spec_path.empty() ? "spec" : request.spec_path));
  // Before the user's text, which may define any macro; in <>, because headers in "" are looked for in the user's
  // folders first.
  std::string text = where == Where::kCpu ? "#include <warp_emulation.h>\n" : "#include <cuda_runtime.h>\n";
  text += "#include <string.h>\n#include <initializer_list>\n#include <harness.h>\n";
  text += "namespace swizzle_test_program {\n#include <accumulators.h>\n}\n";
  if (where == Where::kGpu) text += kGpuPrologue;
  text += "#line 1 \"command line\"\n" + preamble(request.flags);
  text += spec_line + spec.includes + "#line 1 \"test program\"\n";
  for (const std::string& macro : request.kernel_macros) text += fmt::format("#pragma push_macro(\"{}\")\n", macro);
  text += fmt::format("#include {}\n", quoted(kernel_include));
  for (const std::string& macro : request.kernel_macros) text += fmt::format("#pragma pop_macro(\"{}\")\n", macro);
  for (const std::string& name : request.shared_names) text += fmt::format("#define {0} swizzle_test_spec_{0}\n", name);
  text += "namespace swizzle_test_program {\nnamespace swizzle_test_spec {\n" + spec_line + spec.rest +
          "\n#line 1 \"test program\"\n}\n}\n";
  for (const std::string& name : request.shared_names) text += fmt::format("#undef {}\n", name);
  for (const std::string_view name : kNamesUsed) text += fmt::format("#undef {}\n", name);
  return text + calls(request, where) + parameter_arrays(request) + size_arrays(request) +
         main_function(request, where);
}

}  // namespace swizzle
