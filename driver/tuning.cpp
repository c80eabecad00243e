#include "driver/tuning.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/run/files.h"
#include "codegen/run/timed_launches.h"

namespace swizzle {
namespace {

constexpr double kTimedBytes = 256e6;           // that a launch moves
constexpr std::int64_t kSpareBytes = 64 << 20;  // of an array, besides twice what all of them move
constexpr std::int64_t kLargestSize = 1 << 30;

double bytes_of_launch(const LaunchShape& shape, const KernelTime& time) {
  return static_cast<double>(shape.blocks()) * time.warps * time.moved_bytes;
}

bool fits_assumptions(const Program& kernel, const Sizes& sizes) {
  return std::ranges::all_of(kernel.directives.assumptions, [&](const Assumption& assumption) {
    const auto is = holds(assumption, sizes, kernel.source);
    return is.ok() && *is;
  });
}

// Nothing: they do not fit.
std::optional<LaunchShape> launch_at(const Program& kernel, const Sizes& sizes) {
  if (!kernel.directives.launch || !fits_assumptions(kernel, sizes)) return std::nullopt;
  const auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
  return shape.ok() ? std::optional(*shape) : std::nullopt;
}

}  // namespace

std::string tuned_lines(const Pair& pair) {
  std::string text;
  for (std::size_t i = 0; i < pair.tunes.size(); ++i) {
    const LineColumn at = pair.sketch_text.locate(pair.tunes[i].range.begin);
    text += fmt::format("  sw_tune at {}:{} = {}\n", at.line, at.column, pair.tuned[i]);
  }
  return text;
}

std::string choice_text(const std::vector<std::int64_t>& choice) { return fmt::format("{}", fmt::join(choice, ", ")); }

bool is_better(const Report::Variant& a, const Report::Variant& b) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const auto key = [&](const Report::Variant& v) {
    return std::array{v.outcome == "found" ? 0.0 : 1.0, v.microseconds.value_or(kNever),
                      v.cycles_per_kilobyte.value_or(kNever), v.cost.value_or(kNever)};
  };
  return key(a) < key(b);
}

std::string variant_text(const Report::Variant& variant) {
  std::string name = variant.choice.empty() ? "" : "variant " + choice_text(variant.choice);
  if (variant.completion > 1 || name.empty())
    name += fmt::format("{}completion {}", name.empty() ? "" : ", ", variant.completion);
  std::string text = name + ": ";
  if (variant.outcome != "found") return text + variant.outcome + ": " + variant.reason;
  text += fmt::format("cost {:g}", variant.cost.value_or(0));
  if (variant.cycles_per_kilobyte)
    text += fmt::format(", predicted {:.1f} cycles of a multiprocessor a kilobyte", *variant.cycles_per_kilobyte);
  if (variant.microseconds) text += fmt::format(", measured {:.1f} us", *variant.microseconds);
  return text;
}

std::optional<SizesToTime> sizes_to_time(const RereadKernel& kernel, const KernelTime& time) {
  std::optional<SizesToTime> found;
  for (std::int64_t factor = 1;; factor *= 2) {
    Sizes sizes = time.at;
    for (auto& [name, size] : sizes) size *= factor;
    const bool is_too_large = std::ranges::any_of(sizes, [](const auto& size) { return size.second > kLargestSize; });
    const auto shape = is_too_large ? std::nullopt : launch_at(*kernel.kernel, sizes);
    if (!shape) return found;
    const double bytes = bytes_of_launch(*shape, time);
    found = SizesToTime{sizes, kSpareBytes + 2 * static_cast<std::int64_t>(bytes)};
    if (bytes >= kTimedBytes || sizes.empty()) return found;
  }
}

Result<double> time_variant(const EmittedKernel& emitted, const RereadKernel& kernel, const SizesToTime& at,
                            const CompletionRequest& request) {
  const auto shape = launch_at(*kernel.kernel, at.sizes);
  if (!shape) return make_error(fmt::format("{} does not fit its launch", sizes_text(at.sizes)));
  const ScratchFolder scratch;
  const auto path = scratch.write("kernel.cu", emitted.text);
  if (!path.ok()) return path.errors();
  RunRequest run = run_request(*kernel.kernel, kernel.posed);
  run.kernel_path = *path;
  run.sketch_path = request.sketch_path;
  run.arch = request.arch;
  run.flags = kernel.kernel->flags;
  std::int64_t dynamic_shared_bytes = 0;
  for (const Posed& posed : kernel.posed)
    dynamic_shared_bytes = std::max(dynamic_shared_bytes, posed.dynamic_shared_bytes);
  return median_microseconds({run, at.sizes, *shape, at.buffer_bytes, dynamic_shared_bytes});
}

}  // namespace swizzle
