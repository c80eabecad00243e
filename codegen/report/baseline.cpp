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
KnownViolation known_of(const Overview& overview, const ReportedViolation& v, const std::string& folder) {
  return {file_from(folder, v.at.path), overview.kernels[v.kernel].name, v.rule, v.at.text};
}

auto key_of(const KnownViolation& v) { return std::tuple(v.file, v.kernel, v.rule, without_spaces(v.text)); }
auto key_of(const KnownGap& g) { return std::tuple(g.file, g.kernel, g.why, without_spaces(g.text)); }

// As many are known as there are of the same key. Returns how many are left over.
template <typename Known, typename Found, typename KnownOf>
std::size_t mark_as_many(const std::vector<Known>& baseline, std::vector<Found>& found, const KnownOf& of) {
  std::map<decltype(key_of(Known{})), std::size_t> counts;
  for (const Known& k : baseline) ++counts[key_of(k)];
  for (Found& f : found) {
    if (f.ignored) continue;
    std::size_t& left = counts[key_of(of(f))];
    f.is_known = left > 0;
    left -= f.is_known;
  }
  std::size_t over = 0;
  for (const auto& [key, left] : counts) over += left;
  return over;
}

}  // namespace

Baseline baseline_of(const Overview& overview, const std::string& folder) {
  Baseline baseline;
  for (const ReportedConflict& c : overview.conflicts)
    if (!c.ignored) baseline.conflicts.push_back(known_of(overview, c, folder));
  for (const ReportedGap& gap : overview.not_counted)
    if (!gap.ignored) baseline.not_counted.push_back(known_of(gap, folder));
  for (const ReportedViolation& v : overview.violations)
    if (!v.ignored) baseline.violations.push_back(known_of(overview, v, folder));
  std::stable_sort(baseline.violations.begin(), baseline.violations.end(),
                   [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  std::stable_sort(baseline.conflicts.begin(), baseline.conflicts.end(),
                   [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  std::stable_sort(baseline.not_counted.begin(), baseline.not_counted.end(),
                   [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  return baseline;
}

std::string to_json(const Baseline& baseline) {
  using Json = nlohmann::ordered_json;
  Json out{{"schema", kBaselineSchema},
           {"conflicts", Json::array()},
           {"not_counted", Json::array()},
           {"violations", Json::array()}};
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
  for (const KnownViolation& v : baseline.violations)
    out["violations"].push_back({{"file", v.file}, {"kernel", v.kernel}, {"rule", v.rule}, {"text", v.text}});
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
    for (const nlohmann::json& v : in.value("violations", nlohmann::json::array()))
      out.violations.push_back({v.at("file"), v.at("kernel"), v.at("rule"), v.at("text")});
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
  std::size_t gone = 0;
  for (const auto& [key, left] : known) gone += left.size();
  gone += mark_as_many(baseline.not_counted, overview.not_counted,
                       [&](const ReportedGap& gap) { return known_of(gap, folder); });
  gone += mark_as_many(baseline.violations, overview.violations,
                       [&](const ReportedViolation& v) { return known_of(overview, v, folder); });
  return gone;
}

}  // namespace swizzle
