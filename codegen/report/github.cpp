#include "codegen/report/github.h"

#include <fmt/format.h>

namespace swizzle {
namespace {

// As the runner's own toolkit does it.
std::string escaped_for_github(const std::string& text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out;
}

const char* command_of(const Finding& finding, bool fails) {
  if (finding.kind == Finding::Kind::kOpen) return fails ? "warning" : "notice";
  if (finding.rule == "error") return "error";
  if (finding.rule == "warning") return "warning";
  return finding.rule == "note" ? "notice" : fails ? "error" : "warning";
}

std::string place_of_annotation(const Diagnostic& d) {
  std::string text;
  if (!d.path.empty()) text += fmt::format("file={},", escaped_for_github(d.path, true));
  if (d.where.line > 0) {
    const Columns columns = columns_of(d);
    text += fmt::format("line={},endLine={},col={},endColumn={},", d.where.line, d.where.line, columns.begin,
                        columns.end - 1);
  }
  return text;
}

}  // namespace

std::string to_github(const std::vector<Finding>& findings, bool fails) {
  std::string text;
  for (const Finding& finding : findings)
    if (finding.kind != Finding::Kind::kPass && !finding.is_accepted())
      text += fmt::format("::{} {}title=swizzle-synth {}::{}\n", command_of(finding, fails),
                          place_of_annotation(finding.said), escaped_for_github(finding.rule, true),
                          escaped_for_github(finding.said.message, false));
  return text;
}

}  // namespace swizzle
