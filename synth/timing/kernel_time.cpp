#include "synth/timing/kernel_time.h"

#include <algorithm>
#include <set>

#include "synth/program/places.h"

namespace swizzle {
namespace {

constexpr int kMostTracedWarps = 8;  // of a block
constexpr double kKilobyte = 1024;

// Bytes from and to device memory for each byte that is stored.
double bytes_moved_for_one(const Program& kernel, const TimedLaunch& launch, const std::set<int>& read,
                           const std::set<int>& written) {
  double moved = 0, stored = 0;
  const Function& entry = kernel.function(kernel.entry);
  for (std::size_t i = 0; i < entry.parameters.size() && i < launch.extents.size(); ++i) {
    const Type& type = kernel.type(kernel.variable(entry.parameters[i]).type);
    if (type.form != Type::Form::kPointer) continue;
    const Type& item = kernel.type(type.element);
    const double bytes = static_cast<double>(launch.extents[i]) * item.size_bytes / std::max(1, item.slots);
    const int parameter = static_cast<int>(i);
    moved += bytes * (static_cast<double>(read.count(parameter)) + static_cast<double>(written.count(parameter)));
    stored += written.count(parameter) > 0 ? bytes : 0;
  }
  return stored > 0 ? moved / stored : 0;
}

}  // namespace

PredictedKernel predict_kernel(const Program& kernel, const std::vector<TimedLaunch>& launches,
                               const Throughput& machine) {
  const auto most = std::max_element(launches.begin(), launches.end(),
                                     [](const auto& a, const auto& b) { return a.shape.blocks() < b.shape.blocks(); });
  if (most == launches.end()) return "it is launched at no size";
  KernelTime result;
  result.at = most->sizes;
  result.warps = (most->shape.threads_per_block() + kTimedLanes - 1) / kTimedLanes;
  WarpToTrace one{most->sizes, most->shape};
  for (std::size_t d = 0; d < one.block.size(); ++d) one.block[d] = (most->shape.grid[d] - 1) / 2;
  std::set<int> read, written;
  const int traced = std::min(result.warps, kMostTracedWarps);
  for (int w = 0; w < traced; ++w) {
    one.warp = w * result.warps / traced;
    TracedWarp warp = trace_warp(kernel, one);
    if (auto* why = std::get_if<std::string>(&warp)) return std::move(*why);
    const WarpTrace& trace = std::get<WarpTrace>(warp);
    result.mix += instructions_of(trace);
    for (const MemoryInstruction& m : trace.memory)
      if (m.space == MemoryInstruction::Space::kGlobal) (m.is_store ? written : read).insert(m.parameter);
  }
  result.mix *= 1.0 / traced;
  const double ratio = bytes_moved_for_one(kernel, *most, read, written);
  result.moved_bytes = ratio > 0 ? ratio * result.mix.stored_bytes : result.mix.read_bytes + result.mix.written_bytes;
  result.time = predicted_time(load_of(result.mix, result.moved_bytes, result.warps), machine);
  if (result.mix.stored_bytes > 0)
    result.cycles_per_kilobyte = result.time.cycles * kKilobyte / result.mix.stored_bytes;
  return result;
}

}  // namespace swizzle
