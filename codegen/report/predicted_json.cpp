#include "codegen/report/predicted_json.h"

#include <nlohmann/json.hpp>

namespace swizzle {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson instructions_json(const InstructionMix& mix) {
  OrderedJson json;
  for (std::size_t k = 0; k < kInstructionKinds; ++k) json[name_of(static_cast<InstructionKind>(k))] = mix.counts[k];
  return json;
}

OrderedJson cycles_json(const PredictedTime& time) {
  OrderedJson json;
  for (std::size_t p = 0; p < kMachineParts; ++p) json[name_of(static_cast<MachinePart>(p))] = time.parts[p];
  json["total"] = time.cycles;
  return json;
}

OrderedJson figures_json(const Throughput& machine) {
  return {{"of", machine.arch},
          {"known", machine.known == Throughput::Known::kMeasured ? "measured" : "published"},
          {"date", machine.date},
          {"source", machine.source}};
}

}  // namespace

nlohmann::ordered_json to_json(const std::optional<Report::Predicted>& predicted) {
  if (!predicted) return nullptr;
  OrderedJson json = {{"reason", predicted->reason}, {"figures", figures_json(predicted->machine)}};
  for (const char* key : {"at", "warps", "instructions", "shared_wavefronts", "global_wavefronts", "stored_bytes",
                          "moved_bytes", "cycles", "busiest", "cycles_per_kilobyte"})
    json[key] = nullptr;
  if (!predicted->time) return json;
  const KernelTime& time = *predicted->time;
  json["at"] = OrderedJson::object();
  for (const auto& [name, value] : time.at) json["at"][name] = value;
  json["warps"] = time.warps;
  json["instructions"] = instructions_json(time.mix);
  json["shared_wavefronts"] = time.mix.shared_wavefronts;
  json["global_wavefronts"] = time.mix.global_wavefronts;
  json["stored_bytes"] = time.mix.stored_bytes;
  json["moved_bytes"] = time.moved_bytes;
  json["cycles"] = cycles_json(time.time);
  json["busiest"] = name_of(time.time.busiest);
  if (time.cycles_per_kilobyte > 0) json["cycles_per_kilobyte"] = time.cycles_per_kilobyte;
  return json;
}

nlohmann::ordered_json to_json(const Report::Variant& variant) {
  const auto number = [](const std::optional<double>& n) { return n ? OrderedJson(*n) : OrderedJson(nullptr); };
  return {{"choice", variant.choice},
          {"completion", variant.completion},
          {"outcome", variant.outcome},
          {"reason", variant.reason},
          {"cost", number(variant.cost)},
          {"optimality", variant.optimality ? OrderedJson(name_of(*variant.optimality)) : OrderedJson(nullptr)},
          {"cycles_per_kilobyte", number(variant.cycles_per_kilobyte)},
          {"microseconds", number(variant.microseconds)},
          {"chosen", variant.is_chosen}};
}

}  // namespace swizzle
