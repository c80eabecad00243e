#include "codegen/driver.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace swizzle {
namespace {

constexpr std::string_view kGpuPrologue = R"(
#include <stdio.h>
#include <stdlib.h>
static void swizzle_check(cudaError_t error, int exit_code) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  _Exit(exit_code);
}
static void* swizzle_allocate(size_t bytes) { void* p = 0; swizzle_check(cudaMalloc(&p, bytes), 1); return p; }
static void swizzle_release(void* p) { swizzle_check(cudaFree(p), 1); }
static void swizzle_to_device(void* to, const void* from, size_t bytes) {
  swizzle_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), 1);
}
static void swizzle_to_host(void* to, const void* from, size_t bytes) {
  swizzle_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), 1);
}
static const char* swizzle_device_name() {
  static char name[300] = "gpu: ";
  cudaDeviceProp properties;
  swizzle_check(cudaGetDeviceProperties(&properties, 0), 1);
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

bool is_real_spelling(const std::string& type) {
  return type == "float" || type == "double" || type == "__half" || type == "__nv_bfloat16";
}

std::string size_text(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text.empty() ? "the only size" : text;
}

// The actual arguments, from arrays `b` of buffers and `s` of scalars.
std::string call_arguments(const RunRequest& request) {
  std::string text;
  int buffers = 0;
  int scalars = 0;
  for (const RunParameter& parameter : request.parameters) {
    if (!text.empty()) text += ", ";
    if (const auto* buffer = std::get_if<BufferSpec>(&parameter)) {
      text += std::string("(") + (buffer->is_const ? "const " : "") + buffer->type_spelling + "*)b[" +
              std::to_string(buffers++) + "]";
    } else {
      const std::string& type = std::get<ScalarParameter>(parameter).type_spelling;
      text += "(" + type + ")s[" + std::to_string(scalars++) + "]." + (is_real_spelling(type) ? "real" : "integer");
    }
  }
  return text;
}

bool is_kernel_spec(const RunRequest& request) {
  return !request.sizes.empty() && request.sizes[0].spec_shape.has_value();
}

void write_calls(std::ostringstream& out, const RunRequest& request, Where where) {
  const std::string arguments = call_arguments(request);
  // Within the spec's namespace, because spec and kernel may each define the structs that they share.
  out << "namespace swizzle_driver { namespace spec {\n"
      << "static void swizzle_run(const swizzle_harness::Size& size, void* const* b, const swizzle_harness::Argument* s) {\n"
      << (is_kernel_spec(request)
              ? "  swizzle_emulation::launch({size.spec_grid[0], size.spec_grid[1], size.spec_grid[2]}, {size.spec_block[0], size.spec_block[1], size.spec_block[2]}, [&] {\n"
              : "  (void)size;\n")
      << "  swizzle_driver::spec::" << request.spec_function << "(" << arguments << ");\n"
      << (is_kernel_spec(request) ? "});\n" : "") << "}\n}\n}\n"
      << "static void swizzle_run_kernel(const swizzle_harness::Size& size, int round, void* const* b, "
         "const swizzle_harness::Argument* s) {\n"
      << "  const dim3 grid(size.grid[0], size.grid[1], size.grid[2]);\n"
      << "  const dim3 block(size.block[0], size.block[1], size.block[2]);\n";
  if (where == Where::kCpu) {
    out << "  using swizzle_emulation::Order;\n"
        << "  swizzle_emulation::launch(grid, block, [&] { " << request.kernel_name << "(" << arguments
        << "); }, round % 2 ? Order::kDescending : Order::kAscending);\n}\n";
  } else {
    const bool is_dynamic = std::any_of(request.sizes.begin(), request.sizes.end(),
                                        [](const RunSize& size) { return size.dynamic_shared_bytes > 0; });
    if (is_dynamic)
      out << "  swizzle_check(cudaFuncSetAttribute(" << request.kernel_name
          << ", cudaFuncAttributeMaxDynamicSharedMemorySize, int(size.dynamic_shared_bytes)), 1);\n";
    out << "  " << request.kernel_name
        << (is_dynamic ? "<<<grid, block, size.dynamic_shared_bytes>>>(" : "<<<grid, block>>>(") << arguments << ");\n"
        << "  swizzle_check(cudaGetLastError(), swizzle_harness::kKernelFailure);\n"
        << "  swizzle_check(cudaDeviceSynchronize(), swizzle_harness::kKernelFailure);\n}\n";
  }
}

// A trailing element keeps every array from being empty.
template <typename Values, typename Write>
void write_array(std::ostringstream& out, const std::string& declaration, const Values& values, Write write) {
  out << "static const " << declaration << "[] = {";
  for (const auto& value : values) {
    write(value);
    out << ", ";
  }
  out << "{}};\n";
}

void write_buffers(std::ostringstream& out, const RunRequest& request) {
  std::vector<BufferSpec> buffers;
  std::vector<bool> reals;
  for (const RunParameter& parameter : request.parameters) {
    if (const auto* buffer = std::get_if<BufferSpec>(&parameter)) buffers.push_back(*buffer);
    if (const auto* scalar = std::get_if<ScalarParameter>(&parameter))
      reals.push_back(is_real_spelling(scalar->type_spelling));
  }
  write_array(out, "swizzle_harness::Buffer swizzle_buffers", buffers, [&](const BufferSpec& buffer) {
    out << "{" << quoted(buffer.name) << ", swizzle_harness::Element(" << static_cast<int>(buffer.element) << "), "
        << buffer.elements_per_item << ", " << (buffer.is_const ? "true" : "false") << "}";
  });
  write_array(out, "bool swizzle_reals", reals, [&](bool real) { out << (real ? "true" : "false"); });
}

void write_sizes(std::ostringstream& out, const RunRequest& request) {
  for (std::size_t i = 0; i < request.sizes.size(); ++i) {
    const RunSize& size = request.sizes[i];
    write_array(out, "long long swizzle_extents_" + std::to_string(i), size.extents,
                [&](std::int64_t extent) { out << extent << "ll"; });
    std::vector<std::int64_t> values;
    for (const RunParameter& parameter : request.parameters) {
      if (const auto* scalar = std::get_if<ScalarParameter>(&parameter)) {
        const auto found = size.sizes.find(scalar->name);
        values.push_back(found == size.sizes.end() ? 0 : found->second);
      }
    }
    write_array(out, "long long swizzle_scalars_" + std::to_string(i), values,
                [&](std::int64_t value) { out << "(long long)" << static_cast<std::uint64_t>(value) << "ull"; });
  }
  std::size_t index = 0;
  write_array(out, "swizzle_harness::Size swizzle_sizes", request.sizes, [&](const RunSize& size) {
    const auto triple = [&](const std::array<int, 3>& v) {
      out << "{" << v[0] << ", " << v[1] << ", " << v[2] << "}, ";
    };
    out << "{" << quoted(size_text(size.sizes)) << ", ";
    triple(size.shape.grid);
    triple(size.shape.block);
    const LaunchShape none{{0, 0, 0}, {0, 0, 0}};
    out << "swizzle_extents_" << index << ", swizzle_scalars_" << index << ", ";
    triple(size.spec_shape.value_or(none).grid);
    triple(size.spec_shape.value_or(none).block);
    out << size.dynamic_shared_bytes << "}";
    ++index;
  });
}

void write_main(std::ostringstream& out, const RunRequest& request, Where where) {
  out << "int main() {\n  const swizzle_harness::Program program = {\n      "
      << (where == Where::kCpu ? "\"cpu: warp emulation\"" : "swizzle_device_name()")
      << ", swizzle_buffers, sizeof swizzle_buffers / sizeof swizzle_buffers[0] - 1,\n"
      << "      swizzle_reals, sizeof swizzle_reals / sizeof swizzle_reals[0] - 1,\n"
      << "      swizzle_sizes, sizeof swizzle_sizes / sizeof swizzle_sizes[0] - 1,\n      " << request.seed << "ull, "
      << request.rounds << ", swizzle_driver::spec::swizzle_run, swizzle_run_kernel,\n      "
      << (where == Where::kCpu ? "swizzle_harness::kHostMemory"
                               : "{swizzle_allocate, swizzle_release, swizzle_to_device, swizzle_to_host}")
      << "};\n  return swizzle_harness::check(program);\n}\n";
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

std::string driver_source(const RunRequest& request, Where where, const std::string& kernel_include) {
  const SplitSpec spec = split_includes(request.spec_text);
  const std::string spec_line = "#line 1 " + quoted(request.spec_path.empty() ? "spec" : request.spec_path) + "\n";
  std::ostringstream out;
  if (where == Where::kCpu) out << "#include \"warp_emulation.h\"\n";
  if (where == Where::kGpu) out << "#include <cuda_runtime.h>\n";
  out << "#include <initializer_list>\n#include \"harness.h\"\n";
  out << spec_line << spec.includes << "#line 1 \"driver\"\n";
  out << "#include " << quoted(kernel_include) << "\n";
  out << "namespace swizzle_driver {\n#include \"accumulators.h\"\nnamespace spec {\n"
      << spec_line << spec.rest << "\n#line 1 \"driver\"\n}\n}\n";
  if (where == Where::kGpu) out << kGpuPrologue;
  write_calls(out, request, where);
  write_buffers(out, request);
  write_sizes(out, request);
  write_main(out, request, where);
  return out.str();
}

Diagnostics check_request(const RunRequest& request, Where where) {
  Diagnostics errors;
  std::size_t buffers = 0;
  for (const RunParameter& parameter : request.parameters) {
    if (std::holds_alternative<BufferSpec>(parameter)) {
      ++buffers;
      continue;
    }
    const auto& scalar = std::get<ScalarParameter>(parameter);
    if (is_real_spelling(scalar.type_spelling)) continue;
    for (const RunSize& size : request.sizes) {
      if (size.sizes.count(scalar.name) != 0) continue;
      errors.push_back(make_error("parameter '" + scalar.name + "' has no value at " + size_text(size.sizes)));
      break;
    }
  }
  if (where == Where::kGpu && is_kernel_spec(request))
    errors.push_back(make_error("a kernel as the spec runs under the emulation only; pass --run=cpu"));
  for (const RunSize& size : request.sizes) {
    if (size.extents.size() == buffers) continue;
    errors.push_back(make_error(std::to_string(size.extents.size()) + " extents for " + std::to_string(buffers) +
                                " buffers at " + size_text(size.sizes)));
  }
  return errors;
}

}  // namespace swizzle
