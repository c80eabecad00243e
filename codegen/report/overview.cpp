#include "codegen/report/overview.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "codegen/report/check_report.h"

namespace swizzle {

namespace {

// What files say that have no kernel, or none that is asked for: none of several is to be blamed for it.
constexpr const char* kNoKernelHere = "there is no __global__ function here";
constexpr const char* kNoSuchKernelHere = "there is no kernel '";

using ReadJson = nlohmann::json;

// As it is called from here, if it lies below; files of which one includes the other then agree.
std::string seen_from_here(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (path.empty() || path == shown_path("-")) return path;
  if (!fs::path(path).is_absolute()) return fs::path(path).lexically_normal().generic_string();
  const fs::path here = fs::current_path(ignored), relative = fs::path(path).lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path : relative.generic_string();
}

// "a.cu:3:12"; without a place, ":0:0".
ReportedPlace place_of(const ReadJson& j) {
  ReportedPlace at;
  const std::string text = j.value("location", "");
  const std::size_t last = text.rfind(':'), middle = last == std::string::npos ? last : text.rfind(':', last - 1);
  if (middle != std::string::npos && middle != last) {
    at.path = seen_from_here(text.substr(0, middle));
    at.line = std::atoi(text.c_str() + middle + 1);
    at.column = std::atoi(text.c_str() + last + 1);
  }
  at.end_column = at.column + 1;
  if (j.contains("columns")) at.column = j["columns"][0], at.end_column = j["columns"][1];
  at.text = j.value("text", "");
  return at;
}

std::optional<std::string> ignored_in(const ReadJson& j) {
  return j.contains("ignored") ? std::optional(j["ignored"].get<std::string>()) : std::nullopt;
}

Diagnostic diagnostic_at(Severity severity, const ReportedPlace& at, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.path = at.path;
  d.where = {at.line, at.column};
  d.width = std::max(1, at.end_column - at.column);
  d.message = std::move(message);
  return d;
}

Diagnostic diagnostic_of(const ReadJson& j) {
  const auto number = [&](const char* key) { return j[key].is_number() ? j[key].get<int>() : 0; };
  const std::string severity = j["severity"];
  ReportedPlace at{j["path"].is_string() ? seen_from_here(j["path"].get<std::string>()) : "", number("line"),
                   number("column"), number("end_column"), ""};
  return diagnostic_at(severity == "error"     ? Severity::kError
                       : severity == "warning" ? Severity::kWarning
                                               : Severity::kNote,
                       at, j["message"]);
}

using Place = std::tuple<std::string, int, int, std::string>;  // path, line, column, and what is there
Place place_key(const ReportedPlace& at, const std::string& what) { return {at.path, at.line, at.column, what}; }

class Gatherer {
 public:
  void add(const FileReport& file) {
    ++all_.files;
    const ReadJson report = ReadJson::parse(file.text, nullptr, /*allow_exceptions=*/false);
    if (!report.is_object()) return add_trouble(file);
    if (report["kernels"].empty() && report["uncounted"].empty() && says_no_kernel(report)) {
      ++all_.files_without_kernel;
      return;
    }
    add_kernels(report);
    for (const ReadJson& j : report["accesses"]) add_access(j);
    add_gaps(file, report);
    for (const ReadJson& fix : report.value("fixes", ReadJson::array())) all_.fixes.push_back(fix["said"]);
    for (const ReadJson& j : report["diagnostics"]) add_said(j);
  }

  Overview result() {
    std::erase_if(all_.not_counted,
                  [&](const ReportedGap& gap) { return counted_.contains(place_key(gap.at, gap.kernel)); });
    // What was not counted says it itself, as do rules.
    std::set<Place> gaps;
    for (const ReportedGap& gap : all_.not_counted) gaps.insert(place_key(gap.at, gap.why));
    for (const ReportedViolation& v : all_.violations) gaps.insert(place_key(v.at, v.why));
    std::erase_if(all_.said, [&](const Finding& f) {
      return f.kind == Finding::Kind::kFail && f.rule != "note" && gaps_hold(gaps, f.said);
    });
    return std::move(all_);
  }

 private:
  static bool gaps_hold(const std::set<Place>& gaps, const Diagnostic& d) {
    return gaps.contains({d.path, d.where.line, d.where.column, d.message});
  }

  static bool says_no_kernel(const ReadJson& report) {
    return std::any_of(report["diagnostics"].begin(), report["diagnostics"].end(), [&](const ReadJson& d) {
      const std::string message = d["message"];
      return message == kNoKernelHere || message == kNothingRecordedHere || message.starts_with(kNoSuchKernelHere);
    });
  }

  void add_trouble(const FileReport& file) {
    ReportedGap gap;
    gap.at.path = file.path;
    gap.why = file.trouble.empty() ? "there is no report of this file" : file.trouble;
    all_.not_counted.push_back(std::move(gap));
  }

  void add_kernels(const ReadJson& report) {
    number_.clear();
    for (const ReadJson& j : report["kernels"]) {
      const ReportedPlace at = place_of(j);
      ReportedKernel kernel;
      kernel.name = j["name"];
      kernel.path = at.path;
      kernel.line = at.line;
      kernel.grid = j["grid"];
      kernel.block = j["block"];
      kernel.launch = j["launch"];
      if (j.contains("recorded")) all_.recorded.push_back(j["recorded"]["kernel"]);
      for (const auto& [size, value] : j["sizes"].items()) kernel.sizes.emplace_back(size, value.get<std::int64_t>());
      kernel.assumed = j["assumed"].get<std::vector<std::string>>();
      for (const std::string& name : {kernel.name, kernel.name.substr(0, kernel.name.find('<'))})
        counted_.insert(place_key(at, name));
      const std::string launch = j["grid"].dump() + j["block"].dump() + j["sizes"].dump() + kernel.name;
      const bool is_new = launches_.insert(place_key(at, launch)).second;
      number_.push_back(is_new ? std::optional(all_.kernels.size()) : std::nullopt);
      if (!is_new) continue;
      add_violations(j, all_.kernels.size());
      all_.kernels.push_back(std::move(kernel));
    }
  }

  void add_violations(const ReadJson& kernel, std::size_t number) {
    for (const ReadJson& j : kernel["violations"])
      all_.violations.push_back({j["rule"], place_of(j), number, j["message"], ignored_in(j)});
  }

  void add_sectors(const ReadJson& j, std::size_t number) {
    const std::int64_t total = j["sectors"]["total"], ideal = j["ideal_total"];
    if (total == ideal) return;
    all_.violations.push_back(
        {"uncoalesced", place_of(j), number,
         fmt::format("this {} takes {} sectors at worst where {} would do, {} in all where {} would",
                     j["operation"].get<std::string>(), j["sectors"]["worst"].get<int>(), j["ideal"].get<int>(), total,
                     ideal),
         ignored_in(j)});
  }

  void add_access(const ReadJson& j) {
    const auto number = number_.at(j["kernel_number"].get<std::size_t>());
    if (number && j.contains("sectors")) add_sectors(j, *number);
    if (!number || j["space"] != "shared" || !j.contains("wavefronts")) return;
    ReportedConflict c;
    c.at = place_of(j);
    c.kernel = *number;
    c.access = fmt::format("shared {}", j["operation"].get<std::string>());
    c.array = j["array"];
    c.bits = j["bits"];
    c.worst = j["wavefronts"]["worst"];
    c.total = j["wavefronts"]["total"];
    c.ideal = j["ideal"];
    c.total_ideal = j["ideal_total"];
    c.ignored = ignored_in(j);
    all_.kernels[*number].wavefronts += c.total;
    all_.kernels[*number].lost += c.lost();
    if (c.lost() > 0) all_.conflicts.push_back(std::move(c));
  }

  // A file that is not read, or has nothing that is counted, was not counted.
  void add_gaps(const FileReport& file, const ReadJson& report) {
    const auto add = [&](ReportedGap gap) {
      if (seen_.insert(place_key(gap.at, gap.kernel + "\n" + gap.why)).second)
        all_.not_counted.push_back(std::move(gap));
    };
    for (const ReadJson& j : report["uncounted"]) add({j["kernel"], place_of(j), j["message"], ignored_in(j)});
    if (!report["kernels"].empty() || !report["uncounted"].empty()) return;
    for (const ReadJson& j : report["diagnostics"]) {
      if (j["severity"] != "error") continue;
      const Diagnostic d = diagnostic_of(j);
      return add({"", {d.path, d.where.line, d.where.column, d.where.column + d.width, ""}, d.message, std::nullopt});
    }
    add_trouble(file);
  }

  void add_said(const ReadJson& j) {
    const std::string rule = j["rule"];
    if (rule == "bank-conflict" || rule == "not-counted") return;
    Finding finding{rule, Finding::Kind::kFail, diagnostic_of(j)};
    for (const ReadJson& note : j["notes"]) finding.notes.push_back(diagnostic_of(note));
    const Diagnostic& d = finding.said;
    if (told_.insert({d.path, d.where.line, d.where.column, rule + d.message}).second)
      all_.said.push_back(std::move(finding));
  }

  Overview all_;
  std::set<Place> launches_, counted_, seen_, told_;
  std::vector<std::optional<std::size_t>> number_;  // of this file's kernels, in all_; nothing: counted before
};

}  // namespace

Overview overview_of(const std::vector<FileReport>& files) {
  Gatherer gatherer;
  for (const FileReport& file : files) gatherer.add(file);
  return gatherer.result();
}

std::vector<Finding> findings_of(const Overview& overview) {
  std::vector<Finding> found = overview.said;
  for (const ReportedConflict& c : overview.conflicts)
    found.push_back(
        {"bank-conflict",
         Finding::Kind::kFail,
         diagnostic_at(Severity::kWarning, c.at,
                       fmt::format("bank conflicts in {}: {} wavefronts at worst where {} would do, "
                                   "{} in all where {} would",
                                   overview.kernels[c.kernel].name, c.worst, c.ideal, c.total, c.total_ideal)),
         {},
         c.ignored,
         c.is_known});
  for (const ReportedViolation& v : overview.violations)
    found.push_back(
        {v.rule,
         Finding::Kind::kFail,
         diagnostic_at(Severity::kWarning, v.at, fmt::format("{}: {}", overview.kernels[v.kernel].name, v.why)),
         {},
         v.ignored,
         v.is_known});
  for (const ReportedGap& gap : overview.not_counted) {
    // One that is not about a place of a kernel is about a file.
    const std::string who = gap.kernel.empty() ? "" : fmt::format("not counted of {}: ", gap.kernel);
    found.push_back({"not-counted",
                     Finding::Kind::kOpen,
                     diagnostic_at(Severity::kWarning, gap.at, who.empty() ? "not counted: " + gap.why : who + gap.why),
                     {},
                     gap.ignored,
                     gap.is_known});
  }
  return found;
}

void keep_rules(const std::set<std::string>& rules, Overview& overview) {
  std::erase_if(overview.violations, [&](const ReportedViolation& v) { return !rules.contains(v.rule); });
  if (!rules.contains("bank-conflict")) overview.conflicts.clear();
}

bool has_open(const Overview& overview, const std::set<std::string>& rules) {
  const bool wants_conflicts = rules.contains("bank-conflict");
  return std::any_of(overview.violations.begin(), overview.violations.end(),
                     [&](const ReportedViolation& v) { return rules.contains(v.rule) && !v.is_accepted(); }) ||
         std::any_of(overview.conflicts.begin(), overview.conflicts.end(),
                     [&](const ReportedConflict& c) { return wants_conflicts && !c.is_accepted(); });
}

std::size_t open_gaps(const Overview& overview) {
  return static_cast<std::size_t>(std::count_if(overview.not_counted.begin(), overview.not_counted.end(),
                                                [](const ReportedGap& g) { return !g.is_accepted(); }));
}

}  // namespace swizzle
