#include "frontend/directive_parser.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/source_rewrite.h"
#include "synth/base/nearest.h"
#include "synth/base/text.h"
#include "synth/machine/wavefronts.h"

namespace swizzle {
namespace {

const std::vector<std::string> kDirectives{"launch", "instance", "check",   "extent",
                                           "range",  "assume",   "machine", "bits"};

class Line {
 public:
  Line(const SourceText& source, const Sizes& constants, std::size_t begin, std::size_t end)
      : source_(source),
        constants_(constants),
        at_(begin),
        end_(end) {}

  // Space, comments and continued lines.
  void skip() {
    while (at_ < end_) {
      const std::size_t code = std::min(skip_non_code(text(), at_), end_);
      if (std::isspace(static_cast<unsigned char>(text()[at_])) || text()[at_] == '\\') ++at_;
      else if (text()[at_] == '/' && code != at_) at_ = code;
      else return;
    }
  }
  bool done() {
    skip();
    return at_ >= end_;
  }
  bool take(char c) {
    skip();
    if (at_ >= end_ || text()[at_] != c) return false;
    ++at_;
    return true;
  }
  // A word may go on in the next line: `ext\` and `ent` is extent.
  std::string word() {
    skip();
    const auto goes_on = [&](std::size_t at) {
      return at < end_ && (std::isalnum(static_cast<unsigned char>(text()[at])) != 0 || text()[at] == '_');
    };
    std::string word;
    while (true) {
      while (goes_on(at_)) word += text()[at_++];
      const std::size_t next = behind_splice();
      if (word.empty() || next == at_ || !goes_on(next)) return word;
      at_ = next;
    }
  }
  // "<=" and its kin; empty: none stands here.
  std::string comparison() {
    skip();
    for (const char* is : {"==", "!=", "<=", ">=", "<", ">"})
      if (const std::string one = is; at_ + one.size() <= end_ && text().compare(at_, one.size(), one) == 0) {
        at_ += one.size();
        return one;
      }
    return "";
  }
  // Up to a comma, a comparison or the closing parenthesis of the list.
  SizeExpr expression() {
    skip();
    const std::size_t begin = at_;
    int depth = 0;
    while (at_ < end_ && !(depth == 0 && std::string_view(",)=<>!").find(text()[at_]) != std::string_view::npos)) {
      if (text().compare(at_, 2, "//") == 0) break;
      const std::size_t code = text()[at_] == '/' ? std::min(skip_non_code(text(), at_), end_) : at_;
      depth += text()[at_] == '(' ? 1 : text()[at_] == ')' ? -1 : 0;
      at_ = std::max(code, at_ + 1);
    }
    std::size_t end = at_;
    while (end > begin && std::isspace(static_cast<unsigned char>(text()[end - 1]))) --end;
    return {text().substr(begin, end - begin), range(begin, end), constants_};
  }
  std::size_t position() const { return at_; }
  SourceRange range(std::size_t begin, std::size_t end) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  // Of a word that was just read.
  SourceRange range_of(const std::string& word) const { return range(at_ - word.size(), at_); }
  SourceRange rest(std::size_t begin) const { return range(begin, std::max(end_, begin + 1)); }
  Diagnostic error(std::string message) const { return make_error(source_, range(at_, at_ + 1), std::move(message)); }

 private:
  // Behind the backslash and the end of line that stand here, if they do.
  std::size_t behind_splice() const {
    std::size_t at = at_;
    if (at >= end_ || text()[at] != '\\') return at_;
    ++at;
    if (at < end_ && text()[at] == '\r') ++at;
    return at < end_ && text()[at] == '\n' ? at + 1 : at_;
  }

  const std::string& text() const { return source_.text(); }
  const SourceText& source_;
  const Sizes& constants_;
  std::size_t at_, end_;
};

Result<std::vector<SizeExpr>> list(Line& line) {
  std::vector<SizeExpr> values;
  if (!line.take('(')) return line.error("expected '('");
  do values.push_back(line.expression());
  while (line.take(','));
  if (!line.take(')')) return line.error("expected ')'");
  for (const SizeExpr& e : values)
    if (e.text.empty()) return line.error("expected an expression");
  return values;
}

Result<Launch> launch(Line& line, SourceRange range) {
  Launch result;
  result.range = range;
  while (!line.done()) {
    const std::string word = line.word();
    if (word != "grid" && word != "block") return line.error("expected grid(…) and block(…)");
    auto values = list(line);
    if (!values.ok()) return values.errors();
    if (values->size() > 3) return line.error("a launch has three dimensions at most");
    (word == "grid" ? result.grid : result.block) = *values;
  }
  if (result.grid.empty() || result.block.empty()) return make_error("");
  return result;
}

Result<SizeLine> sizes(Line& line, SourceRange range, const SourceText& source) {
  SizeLine result;
  result.range = range;
  do {
    const std::string name = line.word();
    const SourceRange named = line.range_of(name);
    if (name.empty() || !line.take('=')) return line.error("expected 'name = value'");
    const SizeExpr value = line.expression();
    const auto number = evaluate(value, {}, source);
    if (!number.ok()) return number.errors();
    if (!result.sizes.emplace(name, *number).second)
      return make_error(source, named,
                        fmt::format("'{}' has a value already; sizes of their own stand on lines of their own", name));
    result.values[name] = {named.begin, value.range.end};
  } while (line.take(','));
  if (!line.done()) return line.error("expected ',' or the end of the line");
  return result;
}

// n % 64 == 0, n < 4096
Result<std::vector<Assumption>> assumptions(Line& line) {
  std::vector<Assumption> all;
  do {
    Assumption one;
    one.left = line.expression();
    one.comparison = line.comparison();
    one.right = line.expression();
    if (one.left.text.empty() || one.comparison.empty() || one.right.text.empty())
      return line.error("expected a comparison of sizes: n % 64 == 0");
    all.push_back(std::move(one));
  } while (line.take(','));
  if (!line.done()) return line.error("expected ',' or the end of the line");
  return all;
}

std::optional<Diagnostics> launch_directive(Line& line, SourceRange whole, const SourceText& source, Directives& out) {
  auto l = launch(line, whole);
  if (!l.ok())
    return l.errors()[0].message.empty()
               ? Diagnostics{make_error(source, whole, "a launch needs both grid(…) and block(…)")}
               : l.errors();
  if (out.launch)
    return Diagnostics{make_error(source, whole, "a second launch directive"),
                       make_note(source, out.launch->range, "the first is here")};
  out.launch = *l;
  return std::nullopt;
}

std::optional<Diagnostics> extent_directive(Line& line, SourceRange whole, const SourceText& source, Directives& out) {
  do {
    Extent extent;
    extent.range = whole;
    extent.buffer = line.word();
    extent.named = line.range_of(extent.buffer);
    auto value = list(line);
    if (extent.buffer.empty() || !value.ok() || value->size() != 1)
      return Diagnostics{make_error(source, whole, "expected 'extent buffer(elements)'")};
    extent.elements = value->front();
    out.extents.push_back(extent);
    line.take(',');
  } while (!line.done());
  return std::nullopt;
}

// range idx(0, n) distinct
std::optional<Diagnostics> range_directive(Line& line, SourceRange whole, const SourceText& source, Directives& out) {
  ElementRange one;
  one.range = whole;
  one.buffer = line.word();
  const auto values = list(line);
  if (one.buffer.empty() || !values.ok() || values->size() != 2)
    return Diagnostics{make_error(source, whole, "expected 'range buffer(low, high)'")};
  one.low = (*values)[0], one.high = (*values)[1];
  if (!line.done()) {
    const std::size_t at = line.position();
    one.is_distinct = line.word() == "distinct" && line.done();
    if (!one.is_distinct)
      return Diagnostics{make_error(source, line.range(at, at + 1), "expected 'distinct' or the end of the line")};
  }
  out.ranges.push_back(std::move(one));
  return std::nullopt;
}

std::optional<Diagnostics> machine_directive(Line& line, SourceRange whole, const SourceText& source, Directives& out) {
  const std::size_t name_at = line.position();
  out.machine = MachineName{line.word(), whole};
  if (!shared_memory_of(out.machine->name))
    return Diagnostics{make_error(
        source, line.range(name_at, line.position()),
        fmt::format("unknown machine '{}'; there are {}", out.machine->name, fmt::join(kMachineNames, ", ")))};
  if (!line.done()) return Diagnostics{line.error("expected the end of the line")};
  return std::nullopt;
}

Diagnostics unknown_directive(const SourceText& source, SourceRange where, const std::string& word, SourceRange whole) {
  return {make_error(source, where, fmt::format("unknown directive '{}'{}", word, did_you_mean(word, kDirectives))),
          make_note(source, whole, "there are launch, instance, check, extent, range, assume, machine and bits")};
}

std::optional<Diagnostics> directive(Line& line, std::size_t begin, const SourceText& source, Directives& out) {
  const SourceRange whole = line.rest(begin);
  const std::size_t word_at = line.position();
  const std::string word = line.word();
  if (word == "launch") {
    return launch_directive(line, whole, source, out);
  } else if (word == "instance" || word == "check") {
    auto s = sizes(line, whole, source);
    if (!s.ok()) return s.errors();
    (word == "instance" ? out.instances : out.checks).push_back(*s);
  } else if (word == "extent") {
    return extent_directive(line, whole, source, out);
  } else if (word == "range") {
    return range_directive(line, whole, source, out);
  } else if (word == "assume") {
    auto assumed = assumptions(line);
    if (!assumed.ok()) return assumed.errors();
    out.assumptions.insert(out.assumptions.end(), assumed->begin(), assumed->end());
  } else if (word == "machine") {
    return machine_directive(line, whole, source, out);
  } else if (word == "bits") {
    const auto names = list(line);
    if (!names.ok()) return names.errors();
    for (const SizeExpr& name : *names) out.bits.push_back({name.text, name.range, whole});
    if (!line.done()) return Diagnostics{line.error("expected the end of the line")};
  } else {
    return unknown_directive(source, line.range(word_at, line.position() + (word.empty() ? 1 : 0)), word, whole);
  }
  return std::nullopt;
}

// "n = …", or "n 64" and "n: 64" up to the end: of prose a number is seldom the second and last word.
bool begins_as_size(const std::string& name, Line line) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  if (line.take('=')) return true;
  line.take(':');
  const std::string value = line.word();
  const bool is_number = std::ranges::all_of(value, [](unsigned char c) { return std::isdigit(c) != 0; });
  return !value.empty() && is_number && (line.done() || line.take(','));
}

// Whether this could stand behind the name: prose does not look like it.
bool begins_as(const std::string& name, Line line) {
  const auto opens = [&] {
    const std::size_t at = line.position();
    return line.take('(') && line.position() == at + 1;
  };
  if (name == "bits") return opens();
  if (name == "assume") {
    line.expression();
    return !line.comparison().empty() && !line.done();
  }
  const std::string first = line.word();
  if (name == "machine")
    return (shared_memory_of(first) || !did_you_mean(first, {kMachineNames.begin(), kMachineNames.end()}).empty()) &&
           line.done();
  if (name == "launch") return (first == "grid" || first == "block") && opens();
  if ((name == "extent" || name == "range") && opens()) return true;
  return begins_as_size(first, line);
}

// What a comment says, if it is meant as a directive: `// swizzle chek n = 64` is, `// swizzle checks the lanes` is
// not.
std::optional<Diagnostics> directive_in_comment(Line line, std::size_t begin, const SourceText& source,
                                                Directives& out) {
  Line after = line;
  const std::size_t word_at = line.position();
  const std::string word = after.word();
  if (word == "launch" && out.launch) return std::nullopt;  // what was said before counts over a comment
  if (std::ranges::find(kDirectives, word) != kDirectives.end()) {
    Directives more = out;
    auto errors = directive(line, begin, source, more);
    if (!errors) out = std::move(more);
    return begins_as(word, after) ? errors : std::nullopt;
  }
  const bool is_meant = std::ranges::any_of(kDirectives, [&](const std::string& name) {
    return !did_you_mean(word, {name}).empty() && begins_as(name, after);
  });
  if (!is_meant) return std::nullopt;
  return unknown_directive(source, line.range(word_at, after.position()), word, line.rest(begin));
}

// Behind the last of the lines that a backslash joins.
std::size_t end_of_directive(const std::string& text, std::size_t at) {
  while (true) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end == text.size() || !goes_on_behind(text, end)) return end;
    at = end + 1;
  }
}

}  // namespace

Result<Directives> parse_directives(const SourceText& source, const Sizes& constants) {
  Directives out;
  const std::string& text = source.text();
  bool line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t code = skip_non_code(text, at);
    if (code != at) {
      at = code;
      continue;
    }
    if (line_start && text[at] == '#') {
      const std::size_t end = end_of_directive(text, at);
      Line line(source, constants, at + 1, end);
      if (line.word() == "pragma") {
        line.skip();
        const std::size_t name_at = line.position();
        const std::string name = line.word();
        line.skip();
        if (name == "swizzle") {
          if (auto errors = directive(line, at, source, out)) return *errors;
        } else if (const std::string meant = did_you_mean(name, {"swizzle"}); !meant.empty()) {
          return make_error(source, line.range(name_at, name_at + name.size()),
                            fmt::format("unknown pragma '{}'{}", name, meant));
        }
      }
      at = end;
      continue;
    }
    line_start = text[at] == '\n' || (line_start && std::isspace(static_cast<unsigned char>(text[at])));
    ++at;
  }
  return out;
}

Result<Directives> parse_directives_in_comments(const SourceText& source, const Sizes& constants) {
  auto out = parse_directives(source, constants);
  if (!out.ok()) return out;
  const std::string& text = source.text();
  bool line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t code = skip_non_code(text, at);
    if (line_start && text.compare(at, 2, "//") == 0) {
      Line line(source, constants, at + 2, code);
      line.skip();
      const bool is_ours = line.word() == "swizzle";
      line.skip();
      if (const auto errors = is_ours ? directive_in_comment(line, at, source, *out) : std::nullopt) return *errors;
    }
    line_start = code == at && (text[at] == '\n' || (line_start && std::isspace(static_cast<unsigned char>(text[at]))));
    at = std::max(code, at + 1);
  }
  return out;
}

Result<std::monostate> use_machine(const std::string& name, const SourceText& source, Directives& directives) {
  if (name.empty()) return std::monostate{};
  const auto asked = shared_memory_of(name);
  if (!asked)
    return make_error(fmt::format("unknown machine '{}'; there are {}", name, fmt::join(kMachineNames, ", ")));
  if (!directives.machine) directives.machine = MachineName{name, {}};
  else if (shared_memory_of(directives.machine->name)->name != asked->name)
    return make_error(
        source, directives.machine->range,
        fmt::format("this is for the machine '{}', and --machine says '{}'", directives.machine->name, name));
  return std::monostate{};
}

}  // namespace swizzle
