#include "codegen/report/sarif.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace swizzle {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

struct Rule {
  const char *id, *means;
};

constexpr Rule kRules[] = {
    {"error", "The input cannot be worked on as it is."},
    {"warning", "The input is worked on, and may not say what was meant."},
    {"note", "A remark."},
    {"found", "The sketch has a completion, and the kernel was verified."},
    {"equal", "The kernel equals its spec."},
    {"infeasible", "The sketch has no completion that equals its spec."},
    {"failed-verification", "The kernel does not equal its spec."},
    {"unknown", "A limit was reached before the question was decided."},
    {"bank-conflict", "Lanes of a warp ask one bank of shared memory for several words at once."},
    {"uncoalesced", "A warp's access to global memory touches more sectors than its bytes fill."},
    {"misaligned", "An access is at no multiple of its width."},
    {"out-of-bounds", "An access is outside of its array."},
    {"race", "A warp reads what another writes, and no barrier stands between."},
    {"warp-race", "A lane reads what another of its warp writes, and no __syncwarp stands between."},
    {"read-before-write", "Shared memory is read where nothing has been written."},
    {"barrier", "A thread waits at a barrier of its block that another one does not reach."},
    {"not-counted", "Bank conflicts of an access are not known."},
};

std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json location_of(const Diagnostic& d) {
  Json place = {{"artifactLocation", {{"uri", uri_of(d.path)}}}};
  const Columns columns = columns_of(d);
  if (d.where.line > 0)
    place["region"] = {{"startLine", d.where.line}, {"startColumn", columns.begin}, {"endColumn", columns.end}};
  return {{"physicalLocation", std::move(place)}};
}

// A level other than "none" is for what fails alone.
const char* level_of(const Finding& finding) {
  return finding.kind == Finding::Kind::kFail ? name_of(finding.said.severity) : "none";
}

Json result_of(const Finding& finding) {
  static constexpr const char* kKinds[] = {"fail", "open", "pass"};
  const auto* rule =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.id == finding.rule; });
  Json result = {{"ruleId", finding.rule},
                 {"ruleIndex", rule - std::begin(kRules)},
                 {"kind", kKinds[static_cast<int>(finding.kind)]},
                 {"level", level_of(finding)},
                 {"message", {{"text", finding.said.message}}},
                 {"locations", Json::array()}};
  if (!finding.said.path.empty()) result["locations"].push_back(location_of(finding.said));
  if (finding.is_accepted()) {
    Json suppression = {{"kind", finding.ignored ? "inSource" : "external"},
                        {"justification", finding.ignored.value_or("it is in the baseline")}};
    result["suppressions"] = Json::array({std::move(suppression)});
  }
  for (const Diagnostic& note : finding.notes) {
    Json related = note.path.empty() ? Json::object() : location_of(note);
    related["message"] = {{"text", note.message}};
    result["relatedLocations"].push_back(std::move(related));
  }
  return result;
}

Json invocation_of(const About& about) {
  Json invocation = {{"commandLine", fmt::format("swizzle-synth {}", fmt::join(about.arguments, " "))},
                     {"arguments", about.arguments},
                     {"workingDirectory", {{"uri", uri_of(about.folder + "/")}}}};
  if (about.exit_code) invocation["exitCode"] = *about.exit_code;
  // Of the program, not of what it was asked: infeasible is an answer.
  invocation["executionSuccessful"] =
      std::none_of(about.findings.begin(), about.findings.end(), [](const Finding& f) { return f.rule == "error"; });
  return invocation;
}

}  // namespace

std::string to_sarif(const About& about) {
  Json driver = {{"name", "swizzle-synth"}, {"version", about.version}, {"rules", Json::array()}};
  for (const Rule& rule : kRules)
    driver["rules"].push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.means}}}});
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"invocations", Json::array({invocation_of(about)})},
              {"artifacts", Json::array()},
              {"results", Json::array()}};
  for (const SourceFile& file : about.files) {
    Json artifact = {{"location", {{"uri", uri_of(file.path)}}}};
    if (file.sha256) artifact["hashes"] = {{"sha-256", *file.sha256}};
    run["artifacts"].push_back(std::move(artifact));
  }
  for (const Finding& finding : about.findings) run["results"].push_back(result_of(finding));
  const Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return log.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

}  // namespace swizzle
