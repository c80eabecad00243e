#include "codegen/report/baseline.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

namespace swizzle {
namespace {

constexpr int kBaselineSchema = 1;

std::string file_from(const std::string& folder, const std::string& path) {
  if (path.empty()) return path;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path base = fs::weakly_canonical(folder.empty() ? "." : folder, ignored);
  return fs::weakly_canonical(path, ignored).lexically_proximate(base).generic_string();
}

// Spaces may change with the line's depth.
std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

KnownConflict known_of(const Overview& overview, const ReportedConflict& c, const std::string& folder) {
  return {file_from(folder, c.at.path),
          overview.kernels[c.kernel].name,
          c.access,
          c.array,
          c.at.text,
          c.bits,
          c.worst - c.ideal};
}

KnownGap known_of(const ReportedGap& gap, const std::string& folder) {
  return {file_from(folder, gap.at.path), gap.kernel, gap.why, gap.at.text};
}

auto key_of(const KnownConflict& c) {
  return std::tuple(c.file, c.kernel, c.access, c.array, without_spaces(c.text), c.bits);
}
auto key_of(const KnownGap& g) { return std::tuple(g.file, g.kernel, g.why, without_spaces(g.text)); }

}  // namespace

Baseline baseline_of(const Overview& overview, const std::string& folder) {
  Baseline baseline;
  for (const ReportedConflict& c : overview.conflicts)
    if (!c.ignored) baseline.conflicts.push_back(known_of(overview, c, folder));
  for (const ReportedGap& gap : overview.not_counted)
    if (!gap.ignored) baseline.not_counted.push_back(known_of(gap, folder));
  std::stable_sort(baseline.conflicts.begin(), baseline.conflicts.end(),
                   [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  std::stable_sort(baseline.not_counted.begin(), baseline.not_counted.end(),
                   [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  return baseline;
}

std::string to_json(const Baseline& baseline) {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", kBaselineSchema}, {"conflicts", Json::array()}, {"not_counted", Json::array()}};
  for (const KnownConflict& c : baseline.conflicts)
    out["conflicts"].push_back({{"file", c.file},
                                {"kernel", c.kernel},
                                {"access", c.access},
                                {"array", c.array},
                                {"bits", c.bits},
                                {"text", c.text},
                                {"excess", c.excess}});
  for (const KnownGap& g : baseline.not_counted)
    out["not_counted"].push_back({{"file", g.file}, {"kernel", g.kernel}, {"text", g.text}, {"why", g.why}});
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Baseline> read_baseline(const std::string& path, const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    Diagnostic d = make_error("is no baseline: " + what);
    d.path = path;
    return d;
  };
  const nlohmann::json in = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!in.is_object()) return wrong("not an object in JSON");
  if (in.value("schema", nlohmann::json()) != kBaselineSchema) return wrong("its schema is not 1");
  Baseline out;
  try {
    for (const nlohmann::json& c : in.at("conflicts"))
      out.conflicts.push_back(
          {c.at("file"), c.at("kernel"), c.at("access"), c.at("array"), c.at("text"), c.at("bits"), c.at("excess")});
    for (const nlohmann::json& g : in.at("not_counted"))
      out.not_counted.push_back({g.at("file"), g.at("kernel"), g.at("why"), g.at("text")});
  } catch (const nlohmann::json::exception& e) {
    return wrong(e.what());
  }
  return out;
}

std::size_t mark_known(const Baseline& baseline, const std::string& folder, Overview& overview) {
  std::map<decltype(key_of(KnownConflict{})), std::vector<std::int64_t>> known;
  for (const KnownConflict& c : baseline.conflicts) known[key_of(c)].push_back(c.excess);
  for (auto& [key, excesses] : known) std::sort(excesses.begin(), excesses.end());
  // The least that will do, so that as many as possible are known; the worst first.
  std::vector<ReportedConflict*> found;
  for (ReportedConflict& c : overview.conflicts)
    if (!c.ignored) found.push_back(&c);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto* a, const auto* b) { return a->worst - a->ideal > b->worst - b->ideal; });
  for (ReportedConflict* c : found) {
    const KnownConflict now = known_of(overview, *c, folder);
    std::vector<std::int64_t>& left = known[key_of(now)];
    const auto match = std::lower_bound(left.begin(), left.end(), now.excess);
    c->is_known = match != left.end();
    if (c->is_known) left.erase(match);
  }
  std::map<decltype(key_of(KnownGap{})), std::size_t> gaps;
  for (const KnownGap& g : baseline.not_counted) ++gaps[key_of(g)];
  for (ReportedGap& gap : overview.not_counted) {
    if (gap.ignored) continue;
    std::size_t& left = gaps[key_of(known_of(gap, folder))];
    gap.is_known = left > 0;
    left -= gap.is_known;
  }
  std::size_t gone = 0;
  for (const auto& [key, left] : known) gone += left.size();
  for (const auto& [key, left] : gaps) gone += left;
  return gone;
}

}  // namespace swizzle
