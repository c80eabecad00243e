#include "frontend/source_rewrite.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr char kSeen = '$';  // in place of `?`

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::size_t word_end(const std::string& text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

std::optional<std::string_view> operator_name(char c) {
  switch (c) {
    case '+': return "plus";
    case '*': return "times";
    case '^': return "bit_xor";
    case '&': return "bit_and";
    case '|': return "bit_or";
    default: return std::nullopt;
  }
}

bool is_accumulator_operator(std::string_view name) {
  if (name == "identity") return true;
  for (const char c : std::string_view("+*^&|"))
    if (name == operator_name(c)) return true;
  return false;
}

class Rewriter {
 public:
  explicit Rewriter(const std::string& text) : text_(text) {}

  RewrittenSource run() {
    while (at_ < text_.size()) {
      const std::size_t code = skip_non_code(text_, at_);
      if (code != at_) copy(code - at_);
      else if (text_.compare(at_, 4, "?sw_") == 0) hole();
      else if (text_.compare(at_, 4, "?sw-") == 0) dashed_hole();
      else if (text_[at_] == '?' && is_called_where_values_begin()) unknown_hole(word_end(text_, at_ + 1));
      else if (is_word(text_[at_])) word();
      else punctuation();
    }
    return std::move(out_);
  }

 private:
  // What a parenthesis belongs to.
  struct Call {
    enum Kind { kOther, kAccumulate, kCreate } kind;
  };

  void copy(std::size_t count) {
    out_.text.append(text_, at_, count);
    at_ += count;
  }

  void replace(std::size_t count, std::string_view with) {
    out_.text += with;
    at_ += count;
    if (count != with.size())
      out_.anchors.emplace_back(static_cast<std::uint32_t>(out_.text.size()), static_cast<std::uint32_t>(at_));
  }

  void hole() {
    const std::size_t end = word_end(text_, at_ + 1);
    const HoleTraits* traits = find_hole_kind(std::string_view(text_).substr(at_ + 1, end - at_ - 1));
    if (traits == nullptr || !is_open(end)) note_unknown(end);
    if (traits != nullptr && traits->is_cell())
      return replace(end - at_, fmt::format("{}{}<{}>", kSeen, traits->name, layouts_++));
    replace(1, std::string_view(&kSeen, 1));
    copy(end - at_);
  }

  // `?sw-xform(i, n)`, as Rosette writes names. `b ?sw-x : y` is C++.
  void dashed_hole() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '-')) ++end;
    std::string name = text_.substr(at_ + 1, end - at_ - 1);
    std::replace(name.begin(), name.end(), '-', '_');
    if (end < text_.size() && text_[end] == '(' && find_hole_kind(name) != nullptr) note_unknown(end);
    punctuation();
  }

  // `?xform(i, n)` behind `=`: the `?` of a conditional has a value in front of it.
  bool is_called_where_values_begin() const {
    const std::size_t end = word_end(text_, at_ + 1);
    if (end == at_ + 1 || std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) || !is_open(end)) return false;
    std::size_t before = at_;
    while (before > 0 && std::isspace(static_cast<unsigned char>(text_[before - 1]))) --before;
    return before > 0 && std::string_view("=,([{;").find(text_[before - 1]) != std::string_view::npos;
  }

  void unknown_hole(std::size_t end) {
    note_unknown(end);
    copy(end - at_);
  }

  void note_unknown(std::size_t end) {
    out_.unknown_holes.push_back(
        {{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)}, text_.substr(at_, end - at_)});
  }

  // Whether a parenthesis is next.
  bool is_open(std::size_t at) const {
    while (at < text_.size() && text_[at] != '(') {
      const std::size_t code = skip_non_code(text_, at);
      if (code == at && !std::isspace(static_cast<unsigned char>(text_[at]))) return false;
      at = std::max(code, at + 1);
    }
    return at < text_.size();
  }

  void word() {
    if (!calls_.empty() && calls_.back().kind == Call::kCreate && after_comma() && named_function()) return;
    const std::size_t end = word_end(text_, at_);
    last_word_ = text_.substr(at_, end - at_);
    const bool is_of_if = last_word_ == "constexpr" && trimmed(std::string_view(text_).substr(0, at_)).ends_with("if");
    if (last_word_ == "constexpr" && (is_of_if ? condition_depends_on_hole(end) : depends_on_constant_hole(end))) {
      out_.text += is_of_if ? "         " : "const    ";  // as long, so that nothing moves
      at_ = end;
    } else {
      copy(end - at_);
    }
    std::size_t next = at_;
    while (next < text_.size() && std::isspace(static_cast<unsigned char>(text_[next]))) ++next;
    if (next >= text_.size() || text_[next] != '(') last_word_.clear();
  }

  void punctuation() {
    const char c = text_[at_];
    if (c == '(') {
      calls_.push_back({last_word_ == "accumulate"           ? Call::kAccumulate
                        : last_word_ == "create_accumulator" ? Call::kCreate
                                                             : Call::kOther});
      last_word_.clear();
      fresh_argument_ = true;
      return copy(1);
    }
    const Call::Kind kind = calls_.empty() ? Call::kOther : calls_.back().kind;
    if (c == ')' && !calls_.empty()) calls_.pop_back();
    if (kind == Call::kAccumulate && c == '[' && after_comma() && is_tuple(at_)) {
      brackets_.push_back(true);
      return replace(1, "{");
    }
    if (c == '[') brackets_.push_back(false);
    if (c == ']' && !brackets_.empty()) {
      const bool tuple = brackets_.back();
      brackets_.pop_back();
      if (tuple) return replace(1, "}");
    }
    if (kind == Call::kCreate)
      if (const auto name = operator_name(c); name && after_comma() && before_separator()) return replace(1, *name);
    copy(1);
  }

  // Whether a `]` closes the `[` at `at`, and all within is closed by its own kind; behind that of a lambda
  // stand its parameters, or its body.
  bool is_tuple(std::size_t at) const {
    std::string open;
    while (at < text_.size()) {
      if (const std::size_t code = skip_non_code(text_, at); code != at) {
        at = code;
        continue;
      }
      const char c = text_[at++];
      if (c == '[' || c == '(' || c == '{') open += c == '[' ? ']' : c == '(' ? ')' : '}';
      if (c != ']' && c != ')' && c != '}') continue;
      if (open.back() != c) return false;
      open.pop_back();
      if (!open.empty()) continue;
      while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at]))) ++at;
      return at == text_.size() || (text_[at] != '(' && text_[at] != '{');
    }
    return false;
  }

  // `max` among the arguments of create_accumulator() may be any of several functions: what is accumulated decides.
  bool named_function() {
    std::size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || text_.compare(end, 2, "::") == 0))
      end += text_[end] == ':' ? 2 : 1;
    if (end < text_.size() && text_[end] == '<') end = template_arguments_end(end);
    std::size_t next = end;
    while (next < text_.size() && std::isspace(static_cast<unsigned char>(text_[next]))) ++next;
    const std::string name = text_.substr(at_, end - at_);
    if (next >= text_.size() || (text_[next] != ',' && text_[next] != ')') ||
        !(std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_') || is_accumulator_operator(name))
      return false;
    const auto anchor = [&] {
      out_.anchors.emplace_back(static_cast<std::uint32_t>(out_.text.size()), static_cast<std::uint32_t>(at_));
    };
    out_.text += "[&](auto swizzle_a, auto swizzle_b) { return ";
    anchor();
    copy(name.size());
    out_.text += "(swizzle_a, swizzle_b); }";
    anchor();
    return true;
  }

  std::size_t template_arguments_end(std::size_t at) const {
    int depth = 0;
    for (; at < text_.size() && text_[at] != ';'; ++at) {
      depth += text_[at] == '<' ? 1 : text_[at] == '>' ? -1 : 0;
      if (depth == 0) return at + 1;
    }
    return at;
  }

  // Of `if constexpr (…)`, behind which `at` is.
  bool condition_depends_on_hole(std::size_t at) {
    const std::size_t open = text_.find('(', at);
    const auto end = open == std::string::npos ? std::nullopt : parentheses_end(text_, open);
    bool depends = false;
    for (at = open; end && at < *end; ++at) {
      const std::size_t last = word_end(text_, at);
      depends |= (text_[at] == '?' && is_constant_hole(at)) || open_constants_.contains(text_.substr(at, last - at));
      if (last > at) at = last - 1;
    }
    return depends;
  }

  // Whether the declaration behind `at` has a constant hole in it, or a constant that has; what it declares has, too,
  // then.
  bool depends_on_constant_hole(std::size_t at) {
    std::vector<std::string> declared;
    std::string word;
    bool depends = false;
    while (at < text_.size() && text_[at] != ';' && (text_[at] != '{' || !declared.empty())) {
      if (const std::size_t code = skip_non_code(text_, at); code != at) {
        at = code;
        continue;
      }
      depends |= text_[at] == '?' && is_constant_hole(at);
      if (text_[at] == '=') declared.push_back(word);
      if (!is_word(text_[at])) {
        ++at;
        continue;
      }
      const std::size_t begin = at;
      while (at < text_.size() && is_word(text_[at])) ++at;
      word = text_.substr(begin, at - begin);
      depends |= open_constants_.contains(word);
    }
    if (depends) open_constants_.insert(declared.begin(), declared.end());
    return depends;
  }

  bool is_constant_hole(std::size_t at) const {
    const HoleTraits* traits = find_hole_kind(std::string_view(text_).substr(at + 1, word_end(text_, at + 1) - at - 1));
    return traits != nullptr && traits->is_constant();
  }

  bool after_comma() const {
    std::size_t i = at_;
    while (i > 0 && std::isspace(static_cast<unsigned char>(text_[i - 1]))) --i;
    return i > 0 && text_[i - 1] == ',';
  }
  bool before_separator() const {
    std::size_t i = at_ + 1;
    while (i < text_.size() && std::isspace(static_cast<unsigned char>(text_[i]))) ++i;
    return i < text_.size() && (text_[i] == ',' || text_[i] == ')');
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string last_word_;
  std::vector<Call> calls_;
  std::vector<bool> brackets_;
  std::set<std::string> open_constants_;
  bool fresh_argument_ = false;
  int layouts_ = 0;
  RewrittenSource out_;
};

}  // namespace

std::uint32_t RewrittenSource::original(std::uint32_t offset) const {
  const auto next = std::upper_bound(anchors.begin(), anchors.end(), offset,
                                     [](std::uint32_t o, const auto& a) { return o < a.first; });
  if (next == anchors.begin()) return offset;
  const auto& [rewritten, original] = *(next - 1);
  return original + (offset - rewritten);
}

RewrittenSource rewrite_source(const std::string& text) { return Rewriter(text).run(); }

const HoleTraits* hole_kind_seen_as(std::string_view name) {
  return name.starts_with(kSeen) ? find_hole_kind(name.substr(1)) : nullptr;
}

}  // namespace swizzle
