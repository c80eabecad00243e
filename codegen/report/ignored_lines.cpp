#include "codegen/report/ignored_lines.h"

#include <algorithm>

#include "synth/base/non_code.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr std::string_view kIgnore = "swizzle-ignore";

// Where the comment begins; npos: there is none.
std::size_t ignore_comment(std::string_view line) {
  if (line.find(kIgnore) == std::string_view::npos) return std::string_view::npos;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t behind = skip_non_code(line, at);
    if (behind != at && line.substr(at, 2) == "//")
      return trimmed(line.substr(at + 2)).starts_with(kIgnore) ? at : std::string_view::npos;
    at = std::max(behind, at + 1);
  }
  return std::string_view::npos;
}

// Nothing: no comment, or no reason.
std::optional<std::string> reason_in(std::string_view line) {
  const std::size_t comment = ignore_comment(line);
  if (comment == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trimmed(trimmed(line.substr(comment + 2)).substr(kIgnore.size()));
  const std::string_view reason = rest.starts_with(":") ? trimmed(rest.substr(1)) : "";
  return reason.empty() ? std::nullopt : std::optional(std::string(reason));
}

}  // namespace

std::optional<std::string> ignore_reason(const SourceText& source, const std::string& path, int line) {
  if (auto reason = reason_in(source.line_at(path, line))) return reason;
  const std::string_view above = source.line_at(path, line - 1);
  const bool is_alone = trimmed(above).starts_with("//");
  return is_alone ? reason_in(above) : std::nullopt;
}

std::optional<std::string> ignore_reason(const SourceText& source, const Diagnostic& d) {
  return ignore_reason(source, d.path, d.where.line);
}

std::optional<std::string> ignore_reason(const SourceText& source, const AccessSite& site) {
  for (const SourceRange range : {site.range, site.call_site})
    if (range.end > 0)
      if (auto reason = ignore_reason(source, source.path_of(range.begin), source.locate(range.begin).line))
        return reason;
  return std::nullopt;
}

Diagnostics ignores_without_reason(const SourceText& source) {
  Diagnostics found;
  const std::string& text = source.text();
  for (std::size_t at = 0; (at = text.find(kIgnore, at)) != std::string::npos; at += kIgnore.size()) {
    const auto offset = static_cast<std::uint32_t>(at);
    const std::string_view line = source.line_of(offset);
    if (ignore_comment(line) == std::string_view::npos || reason_in(line)) continue;
    found.push_back(make_diagnostic(Severity::kWarning, source,
                                    {offset, offset + static_cast<std::uint32_t>(kIgnore.size())},
                                    "this ignores nothing, since it gives no reason: // swizzle-ignore: REASON"));
  }
  return found;
}

}  // namespace swizzle
