#include "synth/base/diagnostic.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr std::size_t kExcerptBytes = 160, kBeforeCaret = 80;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // UTF-8

// A line and the bytes [begin, end) of it to underline. Of a long line, what surrounds the caret is kept.
struct Excerpt {
  std::string text;
  std::size_t begin = 0, end = 0;

  explicit Excerpt(const Diagnostic& d) : text(d.excerpt) {
    begin = std::min(static_cast<std::size_t>(d.where.column - 1), text.size());
    end = begin + static_cast<std::size_t>(d.width);
    if (text.size() <= kExcerptBytes) return;
    std::size_t first = begin > kBeforeCaret ? begin - kBeforeCaret : 0,
                last = std::min(first + kExcerptBytes, text.size());
    while (first > 0 && continues_character(text[first])) --first;
    while (last < text.size() && continues_character(text[last])) ++last;
    const std::string before = first > 0 ? "..." : "", after = last < text.size() ? "..." : "";
    text = before + text.substr(first, last - first) + after;
    begin = begin - first + before.size();
    end = std::min(end - first + before.size(), text.size() - after.size());
  }

  // Spaces and tabs up to the caret, then one mark for each character.
  std::string underline() const {
    std::string marks;
    for (std::size_t i = 0; i < begin; ++i)
      if (!continues_character(text[i])) marks += text[i] == '\t' ? '\t' : ' ';
    marks += '^';
    for (std::size_t i = begin + 1; i < end; ++i)
      if (i >= text.size() || !continues_character(text[i])) marks += '~';
    return marks;
  }
};

}  // namespace

std::string shown_path(const std::string& path) { return path == "-" ? "<stdin>" : path; }

SourceText::SourceText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
}

const SourceText::Header* SourceText::header_of(std::uint32_t offset) const {
  if (headers_ == nullptr || !is_in_header(offset)) return nullptr;
  const auto next = std::upper_bound(headers_->begin(), headers_->end(), offset,
                                     [](std::uint32_t o, const Header& h) { return o < h.begin; });
  return next == headers_->begin() ? nullptr : &*(next - 1);
}

std::uint32_t SourceText::add_header(SourceText header) {
  auto headers =
      headers_ == nullptr ? std::make_shared<std::vector<Header>>() : std::make_shared<std::vector<Header>>(*headers_);
  const auto end = headers->empty() ? text_.size() : headers->back().begin + headers->back().file.text_.size();
  const auto begin = static_cast<std::uint32_t>(end + 1);  // so that the end of a file is in it
  headers->push_back({begin, std::move(header)});
  headers_ = std::move(headers);
  return begin;
}

const std::string& SourceText::path_of(std::uint32_t offset) const {
  const Header* header = header_of(offset);
  return header != nullptr ? header->file.path_ : path_;
}

std::string_view SourceText::slice(SourceRange range) const {
  if (const Header* header = header_of(range.begin))
    return header->file.slice({range.begin - header->begin, range.end - header->begin});
  const std::size_t begin = std::min<std::size_t>(range.begin, text_.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, text_.size());
  return std::string_view(text_).substr(begin, end - begin);
}

LineColumn SourceText::locate(std::uint32_t offset) const {
  if (const Header* header = header_of(offset)) return header->file.locate(offset - header->begin);
  if (line_starts_.empty()) return {};
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto index = static_cast<std::size_t>(next - line_starts_.begin()) - 1;
  return {static_cast<int>(index) + 1, static_cast<int>(offset - line_starts_[index]) + 1};
}

std::string_view SourceText::line_of(std::uint32_t offset) const {
  if (const Header* header = header_of(offset)) return header->file.line_of(offset - header->begin);
  if (line_starts_.empty()) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(locate(offset).line) - 1];
  std::size_t end = text_.find('\n', begin);
  if (end == std::string::npos) end = text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string_view SourceText::line_at(const std::string& path, int line) const {
  if (path != path_) {
    for (std::size_t h = 0; headers_ != nullptr && h < headers_->size(); ++h)
      if ((*headers_)[h].file.path_ == path) return (*headers_)[h].file.line_at(path, line);
    return {};
  }
  if (line < 1 || line > std::ssize(line_starts_)) return {};
  return line_of(line_starts_[static_cast<std::size_t>(line) - 1]);
}

Diagnostic make_error(std::string message) {
  Diagnostic d;
  d.message = std::move(message);
  return d;
}

Diagnostic make_diagnostic(Severity severity, const SourceText& source, SourceRange range, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.path = source.path_of(range.begin);
  d.where = source.locate(range.begin);
  d.excerpt = std::string(source.line_of(range.begin));
  std::ranges::replace(d.excerpt, '\v', ' ');
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

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "";
}

std::string painted(const std::string& text, const char* color, Colors colors) {
  return colors == Colors::kAnsi && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : text;
}

std::string render(const Diagnostic& d, Colors colors) {
  static constexpr const char* kOfSeverity[] = {"1;31", "1;35", "1;36"};  // red, magenta, cyan, as compilers have it
  std::string place;
  if (!d.path.empty())
    place = d.where.line > 0 ? fmt::format("{}:{}:{}: ", d.path, d.where.line, d.where.column) : d.path + ": ";
  const std::string severity = fmt::format("{}: ", name_of(d.severity));
  std::string text = painted(place, "1", colors) +
                     painted(severity, kOfSeverity[static_cast<int>(d.severity)], colors) + d.message + "\n";
  if (d.where.line > 0 && !d.excerpt.empty()) {
    const Excerpt excerpt(d);
    text += "  " + excerpt.text + "\n  " + painted(excerpt.underline(), "1;32", colors) + "\n";
  }
  return text;
}

}  // namespace swizzle
