// swizzle_gpu_drivers SKETCH SPEC FOLDER: check.cu, time.cu and count.cu beside FOLDER/kernel.cu, for a machine with a
// GPU.
//
// check.cu compares kernel and spec as --run=gpu does, at the sketch's sizes and at one of a few MB; time.cu measures
// the kernel at a size far larger than the caches; count.cu launches it once at the sketch's first size, for a
// profiler, and count.launch says how, as arguments of `swizzle-synth check`. All need what bench/gpu/prepare.sh puts
// beside them.
#include <cstdio>

#include <fmt/format.h>

#include "bench/gpu/growth.h"
#include "codegen/run/files.h"
#include "codegen/run/run_request.h"
#include "codegen/run/test_program.h"
#include "driver/sources.h"
#include "frontend/parse.h"

namespace swizzle::bench {
namespace {

constexpr std::int64_t kCheckBytes = std::int64_t{4} << 20;
constexpr std::int64_t kTimeBytes = std::int64_t{1} << 30;

bool report(const Diagnostics& errors) {
  for (const Diagnostic& d : errors) std::fputs(render(d).c_str(), stderr);
  return false;
}

struct BufferBytes {
  std::string name;
  std::int64_t bytes;
  bool is_const, is_real;
};

std::vector<BufferBytes> buffers_of(const Program& kernel, const Posed& at) {
  std::vector<BufferBytes> buffers;
  const auto& parameters = kernel.function(kernel.entry).parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Type& type = kernel.type(kernel.variable(parameters[i]).type);
    if (type.form != Type::Form::kPointer) continue;
    const Type& item = kernel.type(type.element);
    const std::int64_t items = (at.extents[i] + item.slots - 1) / item.slots;
    buffers.push_back({kernel.variable(parameters[i]).name, items * item.size_bytes, type.pointee_is_const,
                       item.scalar == Scalar::kF32 || item.scalar == Scalar::kF64});
  }
  return buffers;
}

std::int64_t total_bytes(const Program& kernel, const Posed& at) {
  std::int64_t total = 0;
  for (const BufferBytes& buffer : buffers_of(kernel, at)) total += buffer.bytes;
  return total;
}

// The first size, by powers of two, whose buffers hold `bytes` together, or the largest that can be launched.
Result<Posed> grown_to(std::int64_t bytes, const Growth& growth, const Program& kernel) {
  auto at = growth.grown(1);
  for (std::int64_t factor = 2; at.ok() && total_bytes(kernel, *at) < bytes; factor *= 2) {
    const auto next = growth.grown(factor);
    if (!next.ok() || total_bytes(kernel, *next) <= total_bytes(kernel, *at)) break;
    at = next;
  }
  return at;
}

// `main`: what main() returns, given the buffers' number.
template <typename Main>
std::string launcher_source(const Program& kernel, const Posed& at, Main&& main) {
  std::string buffers, arguments;
  int count = 0;
  for (const BufferBytes& b : buffers_of(kernel, at))
    buffers += fmt::format("    {{\"{}\", {}ll, {}, {}}},\n", b.name, b.bytes, b.is_const, b.is_real);
  for (const RunParameter& parameter : run_request(kernel, {}).parameters) {
    if (!arguments.empty()) arguments += ", ";
    if (const auto* buffer = std::get_if<BufferSpec>(&parameter)) {
      arguments += fmt::format("({})b[{}]", buffer->pointer(&Symbols::of_kernel), count++);
    } else {
      const auto& scalar = std::get<ScalarParameter>(parameter);
      const auto value = at.sizes.find(scalar.name);
      arguments += fmt::format("({}){}", scalar.type_spelling, value == at.sizes.end() ? 1 : value->second);
    }
  }
  const auto triple = [](const std::array<int, 3>& v) { return fmt::format("dim3({}, {}, {})", v[0], v[1], v[2]); };
  return fmt::format(
      "#include \"kernel.cu\"\n#include \"timing.h\"\n\n"
      "static const swizzle_timing::Buffer buffers[] = {{\n{}}};\n\n"
      "static void launch(void* const* b) {{\n  {}<<<{}, {}>>>({});\n}}\n\n"
      "int main() {{ return {}; }}\n",
      buffers, kernel.function(kernel.entry).name, triple(at.shape.grid), triple(at.shape.block), arguments,
      main(count));
}

// The arguments, one a line.
std::string check_arguments(const Program& kernel, const Posed& at) {
  const auto triple = [](const std::array<int, 3>& v) { return fmt::format("({}, {}, {})", v[0], v[1], v[2]); };
  std::string text = fmt::format("--kernel\n{}\n--launch\ngrid{} block{}\n", kernel.function(kernel.entry).name,
                                 triple(at.shape.grid), triple(at.shape.block));
  for (const auto& [name, value] : at.sizes) text += fmt::format("--set\n{}={}\n", name, value);
  return text;
}

Result<std::vector<Posed>> measured_at(const Pair& pair, const PairSizes& asked) {
  std::vector<Posed> posed;
  for (const auto* lines : {&asked.instances, &asked.checks})
    for (const Sizes& sizes : *lines) {
      const auto at = measure(pair.sketch, pair.spec, sizes);
      if (!at.ok()) return at.errors();
      posed.push_back(*at);
    }
  return posed;
}

bool write(const std::string& sketch_path, const std::string& spec_path, const std::string& folder) {
  const auto pair = load_pair({sketch_path, spec_path});
  if (!pair.ok()) return report(pair.errors());
  const auto asked = sizes_of(*pair);
  if (!asked.ok()) return report(asked.errors());
  auto measured = measured_at(*pair, *asked);
  if (!measured.ok()) return report(measured.errors());
  std::vector<Posed>& posed = *measured;
  Posed timed = posed.back();
  const auto growth = Growth::learn(*pair, posed);
  if (growth.ok()) {
    const auto middle = grown_to(kCheckBytes, *growth, pair->sketch),
               large = grown_to(kTimeBytes, *growth, pair->sketch);
    if (!middle.ok()) return report(middle.errors());
    if (!large.ok()) return report(large.errors());
    posed.push_back(*middle);
    timed = *large;
  } else {
    std::fprintf(stderr, "%s: timed at its last size only: %s\n", sketch_path.c_str(),
                 growth.errors()[0].message.c_str());
  }
  RunRequest request = run_request(pair->sketch, posed);
  name_symbols(pair->spec, request);
  name_shared_functions(pair->sketch, pair->spec, request);
  request.spec_function = pair->spec.function(pair->spec.entry).name;
  request.spec_text = desugar(pair->spec.source.text());
  request.spec_path = request.spec_function + ".cpp";
  if (const Diagnostics errors = check_request(request, Where::kGpu); !errors.empty()) return report(errors);
  const Posed& first = posed.front();
  const std::pair<const char*, std::string> files[] = {
      {"check.cu", test_program_source(request, Where::kGpu, "kernel.cu")},
      {"time.cu", launcher_source(pair->sketch, timed,
                                  [&](int count) {
                                    return fmt::format("swizzle_timing::measure(\"{}\", buffers, {}, launch)",
                                                       sizes_text(timed.sizes), count);
                                  })},
      {"count.cu", launcher_source(pair->sketch, first,
                                   [](int count) {
                                     return fmt::format("swizzle_timing::launch_once(buffers, {}, launch)", count);
                                   })},
      {"count.launch", check_arguments(pair->sketch, first)}};
  for (const auto& [name, text] : files)
    if (const auto written = write_file_atomically(folder + "/" + name, text); !written.ok())
      return report(written.errors());
  return true;
}

}  // namespace
}  // namespace swizzle::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: swizzle_gpu_drivers SKETCH SPEC FOLDER\n", stderr);
    return 2;
  }
  return swizzle::bench::write(argv[1], argv[2], argv[3]) ? 0 : 1;
}
