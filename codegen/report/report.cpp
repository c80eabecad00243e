#include "codegen/report/report.h"

#include <nlohmann/json.hpp>

#include "codegen/report/predicted_json.h"

namespace swizzle {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRefuted = 3;  // the exit code

Json run_json(const std::optional<RunOutcome>& run) {
  if (!run) return nullptr;
  Json json = {{"where", run->where}, {"inputs", run->inputs}, {"mismatches", run->mismatches}};
  if (run->mismatches != 0) json["first_mismatch"] = run->first_mismatch;
  return json;
}

Json optional_json(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json cost_json(const std::optional<Cost>& cost) {
  if (!cost) return nullptr;
  return {{"shuffles", cost->shuffles},
          {"accumulates", cost->accumulates},
          {"multiplies", cost->multiplies},
          {"shared_wavefronts", cost->shared_wavefronts},
          {"loads", cost->loads},
          {"integer_ops", cost->integer_ops},
          {"total", cost->total}};
}

Json access_json(const Report::Access& access) {
  Json json = {{"location", access.location},
               {"space", "shared"},
               {"operation", access.operation},
               {"bits", access.bits},
               {"executions", access.executions},
               {"wavefronts", {{"worst", access.worst}, {"total", access.wavefronts}}},
               {"ideal", {{"worst", access.worst_ideal}, {"total", access.ideal}}}};
  json["witness"] = nullptr;
  if (const auto& w = access.witness)
    json["witness"] = {{"bank", w->bank}, {"lanes", w->lanes}, {"addresses", w->word_addresses}};
  return json;
}

Json counterexample_json(const std::optional<Report::Counterexample>& c) {
  if (!c) return nullptr;
  Json example = c->sizes;
  example["block"] = c->block ? Json(*c->block) : Json(nullptr);
  example["thread"] = c->thread ? Json(*c->thread) : Json(nullptr);
  example["output"] = c->output.empty() ? Json(nullptr) : Json(c->output);
  return example;
}

Json all_sizes_json(const std::optional<Report::AllSizes>& all) {
  if (!all) return nullptr;
  Json json = {{"outcome", Report::name_of(all->outcome)},
               {"holds_for", all->holds_for.empty() ? Json(nullptr) : Json(all->holds_for)},
               {"reason", all->reason},
               {"counterexample", nullptr},
               {"tried", all->tried},
               {"queries", all->queries},
               {"seconds", all->seconds}};
  json["counterexample"] = counterexample_json(all->counterexample);
  return json;
}

Json certified_json(const std::optional<Report::Certified>& certified) {
  if (!certified) return nullptr;
  return {{"claim", Report::name_of(certified->claim)},
          {"reason", certified->reason},
          {"queries", certified->queries},
          {"seconds", certified->seconds}};
}

Json layout_json(const Report::Layout& l) {
  return {{"name", l.name},
          {"location", l.location},
          {"rows", l.rows},
          {"columns", l.columns},
          {"expression", l.expression},
          {"elements", l.elements},
          {"wavefronts", l.wavefronts},
          {"ideal", l.ideal},
          {"members", l.members},
          {"cute", optional_json(l.cute)},
          {"triton", optional_json(l.triton)},
          {"tma", optional_json(l.tma)}};
}

Json seconds_json(const Report::Seconds& s) {
  const auto time = [](const std::optional<double>& seconds) { return seconds ? Json(*seconds) : Json(nullptr); };
  return {{"parse", time(s.parse)},   {"pose", time(s.pose)},   {"search", time(s.search)}, {"emit", time(s.emit)},
          {"reread", time(s.reread)}, {"prove", time(s.prove)}, {"run", time(s.run)},       {"total", s.total}};
}

}  // namespace

std::string Report::outcome_name() const {
  if (is_error) return "error";
  if (!is_verification) return swizzle::name_of(outcome);
  if (outcome == Outcome::kFound) return "equal";
  return about.exit_code == kRefuted ? "refuted" : "unknown";
}

const char* Report::name_of(AllSizes::Outcome outcome) {
  switch (outcome) {
    case AllSizes::Outcome::kProved: return "proved";
    case AllSizes::Outcome::kRefuted: return "refuted";
    case AllSizes::Outcome::kNotProved: return "not_proved";
  }
  return "";
}

const char* Report::name_of(Certified::Claim claim) {
  switch (claim) {
    case Certified::Claim::kNothing: return "nothing";
    case Certified::Claim::kFeasibility: return "feasibility";
    case Certified::Claim::kCost: return "cost";
  }
  return "";
}

namespace {

// What an earlier run found, told by this one.
Json repeated(const Report& report) {
  Json json = Json::parse(report.cached, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) json = Json::object();
  add_about(report.about, json);
  json["cached"] = true;
  json["seconds"]["total"] = report.seconds.total;
  return json;
}

}  // namespace

std::string to_json(const Report& report) {
  if (!report.cached.empty()) return repeated(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  Json json;
  json["schema"] = Report::kSchema;
  add_about(report.about, json);
  json["outcome"] = report.outcome_name();
  json["reason"] = report.reason;
  json["arch"] = {{"target", report.arch}, {"costs_of", report.costs_of}};
  json["machine"] = optional_json(report.machine);
  json["holes"] = Json::array();
  for (const Report::Hole& hole : report.holes) {
    json["holes"].push_back(
        {{"id", hole.id}, {"kind", hole.kind}, {"location", hole.location}, {"expression", hole.expression}});
  }
  for (const Report::Layout& l : report.layouts) json["layouts"].push_back(layout_json(l));
  for (const Report::Access& a : report.accesses) json["accesses"].push_back(access_json(a));
  for (const Report::Completion& c : report.completions)
    json["completions"].push_back({{"cost", c.cost},
                                   {"expressions", c.expressions},
                                   {"mirror_of", c.mirror_of ? Json(*c.mirror_of) : Json(nullptr)}});
  for (const Report::Variant& v : report.variants) json["variants"].push_back(to_json(v));
  json["cost"] = cost_json(report.cost);
  json["optimality"] = report.optimality ? Json(swizzle::name_of(*report.optimality)) : Json(nullptr);
  json["at_least"] = report.at_least ? Json(*report.at_least) : Json(nullptr);
  json["search_space"] = nullptr;
  if (const auto& space = report.search_space)
    json["search_space"] = {{"raw", space->raw},
                            {"distinct", space->distinct ? Json(*space->distinct) : Json(nullptr)}};
  if (report.is_verification) json["counterexample"] = counterexample_json(report.counterexample);
  json["checked"]["posed"] = report.checked.posed;
  json["checked"]["reread"] = report.checked.reread;
  if (report.is_verification) json["checked"]["assumed_extents"] = report.checked.assumed_extents;
  json["checked"]["all_sizes"] = all_sizes_json(report.checked.all_sizes);
  json["checked"]["run"] = run_json(report.checked.run);
  json["certified"] = certified_json(report.certified);
  json["predicted"] = to_json(report.predicted);
  json["seconds"] = seconds_json(report.seconds);
  // A compiler's message may hold bytes that are not UTF-8; they must not end the run.
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

}  // namespace swizzle
