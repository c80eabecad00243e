#include "codegen/report/about.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace swizzle {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json known(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json diagnostic_object(const Diagnostic& d) {
  const bool has_place = d.where.line > 0;
  const Columns columns = columns_of(d);
  return {{"severity", name_of(d.severity)},
          {"path", d.path.empty() ? Json(nullptr) : Json(d.path)},
          {"line", has_place ? Json(d.where.line) : Json(nullptr)},
          {"column", has_place ? Json(columns.begin) : Json(nullptr)},
          {"end_column", has_place ? Json(columns.end) : Json(nullptr)},
          {"message", d.message}};
}

}  // namespace

Columns columns_of(const Diagnostic& d) {
  const auto characters = [&](int bytes) {
    const auto end = d.excerpt.begin() + std::clamp<std::ptrdiff_t>(bytes, 0, std::ssize(d.excerpt));
    return static_cast<int>(
        std::count_if(d.excerpt.begin(), end, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  };
  if (d.excerpt.empty()) return {d.where.column, d.where.column + d.width};
  const int begin = characters(d.where.column - 1) + 1;
  return {begin, std::max(begin + 1, characters(d.where.column - 1 + d.width) + 1)};
}

std::vector<Finding> findings_of(const Diagnostics& diagnostics) {
  std::vector<Finding> found;
  for (const Diagnostic& d : diagnostics) {
    if (d.severity == Severity::kNote && !found.empty()) found.back().notes.push_back(d);
    else found.push_back({name_of(d.severity), Finding::Kind::kFail, d});
  }
  return found;
}

Json findings_json(const std::vector<Finding>& findings) {
  Json all = Json::array();
  for (const Finding& finding : findings) {
    Json one = diagnostic_object(finding.said);
    one["rule"] = finding.rule;
    if (finding.ignored) one["ignored"] = *finding.ignored;
    if (finding.is_known) one["known"] = true;
    one["notes"] = Json::array();
    for (const Diagnostic& note : finding.notes) one["notes"].push_back(diagnostic_object(note));
    all.push_back(std::move(one));
  }
  return all;
}

void add_about(const About& about, Json& report) {
  report["tool"] = {
      {"name", "swizzle-synth"}, {"version", about.version}, {"llvm", about.llvm}, {"z3", known(about.z3)}};
  report["command"] = {{"arguments", about.arguments}, {"folder", about.folder}};
  report["files"] = Json::array();
  for (const SourceFile& file : about.files)
    report["files"].push_back({{"role", file.role}, {"path", file.path}, {"sha256", known(file.sha256)}});
  report["exit_code"] = known(about.exit_code);
  report["peak_memory_bytes"] = known(about.peak_memory_bytes);
  std::vector<Finding> amiss = about.findings;
  std::erase_if(amiss, [](const Finding& f) { return f.kind == Finding::Kind::kPass; });
  report["diagnostics"] = findings_json(amiss);
}

}  // namespace swizzle
