#include "synth/diagnostic.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {

SourceText::SourceText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
}

std::string_view SourceText::slice(SourceRange range) const {
  const std::size_t begin = std::min<std::size_t>(range.begin, text_.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, text_.size());
  return std::string_view(text_).substr(begin, end - begin);
}

LineColumn SourceText::locate(std::uint32_t offset) const {
  if (line_starts_.empty()) return {};
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto index = static_cast<std::size_t>(next - line_starts_.begin()) - 1;
  return {static_cast<int>(index) + 1, static_cast<int>(offset - line_starts_[index]) + 1};
}

std::string_view SourceText::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(number) - 1];
  std::size_t end = text_.find('\n', begin);
  if (end == std::string::npos) end = text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

Diagnostic make_error(std::string message) {
  Diagnostic d;
  d.message = std::move(message);
  return d;
}

Diagnostic make_diagnostic(Severity severity, const SourceText& source, SourceRange range, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.path = source.path();
  d.where = source.locate(range.begin);
  d.excerpt = std::string(source.line(d.where.line));
  const LineColumn last = source.locate(range.end);
  const int end_column = last.line == d.where.line ? last.column : static_cast<int>(d.excerpt.size()) + 1;
  d.width = std::max(1, end_column - d.where.column);
  d.message = std::move(message);
  return d;
}

Diagnostic make_error(const SourceText& source, SourceRange range, std::string message) {
  return make_diagnostic(Severity::kError, source, range, std::move(message));
}

Diagnostic make_note(const SourceText& source, SourceRange range, std::string message) {
  return make_diagnostic(Severity::kNote, source, range, std::move(message));
}

std::string render(const Diagnostic& d) {
  static constexpr const char* kNames[] = {"error", "warning", "note"};
  std::string text;
  if (!d.path.empty()) text = d.where.line > 0 ? fmt::format("{}:{}:{}: ", d.path, d.where.line, d.where.column) : d.path + ": ";
  text += fmt::format("{}: {}\n", kNames[static_cast<int>(d.severity)], d.message);
  if (d.where.line > 0 && !d.excerpt.empty()) {
    text += "  " + d.excerpt + "\n  ";
    for (int c = 0; c + 1 < d.where.column; ++c)
      text += static_cast<std::size_t>(c) < d.excerpt.size() && d.excerpt[static_cast<std::size_t>(c)] == '\t' ? '\t' : ' ';
    text += "^" + std::string(static_cast<std::size_t>(d.width - 1), '~') + "\n";
  }
  return text;
}

}  // namespace swizzle
