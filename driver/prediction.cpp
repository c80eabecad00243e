#include "driver/prediction.h"

#include <fmt/format.h>

namespace swizzle {

std::optional<Report::Predicted> predict(const RereadKernel& reread, const std::string& arch) {
  const auto machine = throughput_of(arch);
  if (!machine || !reread.kernel) return std::nullopt;
  std::vector<TimedLaunch> launches;
  for (const Posed& posed : reread.posed) launches.push_back({posed.sizes, posed.shape, posed.extents});
  PredictedKernel predicted = predict_kernel(*reread.kernel, launches, *machine);
  if (auto* why = std::get_if<std::string>(&predicted)) return Report::Predicted{{}, std::move(*why), *machine};
  return Report::Predicted{std::get<KernelTime>(std::move(predicted)), "", *machine};
}

std::string predicted_text(const Report::Predicted& predicted) {
  const std::string figures = fmt::format(
      "{} figures of {}", predicted.machine.known == Throughput::Known::kMeasured ? "measured" : "published",
      predicted.machine.arch);
  if (!predicted.time) return fmt::format("no time is predicted: {}", predicted.reason);
  return fmt::format("predicted {:.1f} cycles of a multiprocessor a warp, most for {} ({})",
                     predicted.time->time.cycles, name_of(predicted.time->time.busiest), figures);
}

}  // namespace swizzle
