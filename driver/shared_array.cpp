#include "driver/shared_array.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

#include "driver/address_uses.h"
#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

// Where `name` stands as a word, outside of comments and strings.
std::set<std::uint32_t> places_of_word(const std::string& text, const std::string& name) {
  std::set<std::uint32_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = skip_non_code(text, at);
    if (next != at) {
      at = next;
    } else if (is_of_word(text[at])) {
      std::size_t end = at;
      while (end < text.size() && is_of_word(text[end])) ++end;
      if (text.compare(at, end - at, name) == 0) found.insert(static_cast<std::uint32_t>(at));
      at = end;
    } else {
      ++at;
    }
  }
  return found;
}

// The bracket that closes the one at `at`, or the end of the text.
std::size_t closing_bracket(const std::string& text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    if (const std::size_t next = skip_non_code(text, at); next != at) {
      at = next;
      continue;
    }
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (depth == 0) return at;
    ++at;
  }
  return at;
}

// The brackets behind `at`: what stands in each.
std::vector<SourceRange> brackets_behind(const std::string& text, std::size_t at) {
  std::vector<SourceRange> found;
  while (true) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at >= text.size() || text[at] != '[') return found;
    const std::size_t close = closing_bracket(text, at);
    found.push_back({static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(close)});
    at = close + 1;
  }
}

class Reader {
 public:
  Reader(const Program& program, VariableId variable) : program_(program), variable_(variable), addresses_(program) {}

  std::optional<SharedArray> found() {
    const Variable& v = program_.variable(variable_);
    const SourceText& source = program_.source;
    if (v.is_extern || source.is_in_header(v.range.begin)) return std::nullopt;
    out_.name = v.name;
    out_.declared = v.range;
    out_.declaration_end = v.declaration.end;
    if (!read_shape(v) || !read_uses()) return std::nullopt;
    // Every place that names it is one of those.
    std::set<std::uint32_t> named = places_of_word(source.text(), v.name);
    std::erase_if(named, [&](std::uint32_t at) { return at <= v.range.begin || at > end_of_function(); });
    if (named != places_) return std::nullopt;
    read_indices();
    return out_;
  }

 private:
  std::uint32_t end_of_function() const {
    std::uint32_t end = 0;
    for (const Stmt& s : program_.stmts)
      if (!program_.source.is_in_header(s.range.end)) end = std::max(end, s.range.end);
    return end;
  }

  bool read_shape(const Variable& v) {
    const Type* type = &program_.type(v.type);
    for (; type->form == Type::Form::kArray; type = &program_.type(type->element)) out_.extents.push_back(type->count);
    if (out_.extents.empty() || std::count(out_.extents.begin(), out_.extents.end(), 0) > 0) return false;
    out_.element_bytes = type->size_bytes;
    out_.pitch = out_.is_flat() ? 0 : out_.extents.back();
    out_.written = brackets_behind(program_.source.text(), v.range.end);
    return out_.written.size() == out_.extents.size() && out_.element_bytes > 0;
  }

  bool read_uses() {
    for (std::uint32_t e = 0; e < program_.exprs.size(); ++e) {
      const Expr& use = program_.exprs[e];
      if (use.kind != ExprKind::kVariable || use.variable != variable_) continue;
      places_.insert(use.range.begin);
      const auto element = element_of(ExprId(e));
      if (!element || !follow(*element)) return false;
    }
    if (!has_pitch_) out_.pitches.clear();
    if (out_.is_flat() && !has_pitch_) out_.pitch = 0;
    return !places_.empty();
  }

  // tile ─► tile[r] ─► tile[r][c]. Nothing: the whole, or a row, is used in another way.
  std::optional<ExprId> element_of(ExprId at) {
    for (std::size_t level = 0; level < out_.extents.size();) {
      if (addresses_.parents(at).size() != 1) return std::nullopt;
      const ExprId up = addresses_.parents(at)[0];
      const Expr& parent = program_.expr(up);
      const bool is_decay = parent.kind == ExprKind::kCast && program_.type(parent.type).form == Type::Form::kPointer;
      if (!is_decay) {
        if (parent.kind != ExprKind::kSubscript || parent.operands[0] != at) return std::nullopt;
        read_index(parent.operands[1], level++);
      }
      at = up;
    }
    return at;
  }

  // Of an element's address, or a part's, what is accessed through it is known.
  bool follow(ExprId item) {
    for (const ExprId up : addresses_.parents(item)) {
      const Expr& use = program_.expr(up);
      if (use.kind == ExprKind::kTouch || use.kind == ExprKind::kUnknown) return false;
      if (use.kind == ExprKind::kMember && !addresses_.stays_inside(up)) return false;
      if (use.kind != ExprKind::kAddressOf) continue;
      const auto bytes = addresses_.accessed_bytes(up);
      if (!bytes) return false;
      if (*bytes > out_.element_bytes && *bytes % out_.element_bytes != 0) return false;
      out_.together = std::max(out_.together, *bytes / out_.element_bytes);
    }
    return true;
  }

  void read_index(ExprId index, std::size_t level) {
    const bool is_last = level + 1 == out_.extents.size();
    if (out_.is_flat()) has_pitch_ = read_pitch(program_.expr(index)) && has_pitch_;
    out_.can_repeat = out_.can_repeat && is_quiet(index, is_last && !out_.is_flat());
  }

  // It changes nothing and asks nobody, so that it may be written twice, and no place in it is edited; or, of what is
  // written once, reads elsewhere at most.
  bool is_quiet(ExprId id, bool may_read) const {
    const Expr& e = program_.expr(id);
    const bool is_plain = e.kind == ExprKind::kIntLiteral || e.kind == ExprKind::kBuiltin ||
                          e.kind == ExprKind::kUnary || e.kind == ExprKind::kBinary || e.kind == ExprKind::kCast ||
                          e.kind == ExprKind::kConditional || e.kind == ExprKind::kMember;
    const bool reads = e.kind == ExprKind::kSubscript || e.kind == ExprKind::kDereference;
    const bool is_variable = e.kind == ExprKind::kVariable && e.variable != variable_ &&
                             (may_read || !program_.variable(e.variable).is_shared);
    if (!is_plain && !is_variable && !(may_read && reads)) return false;
    return std::all_of(e.operands.begin(), e.operands.end(), [&](ExprId o) { return is_quiet(o, may_read); });
  }

  const Expr& without_casts(const Expr& e) const {
    return e.kind == ExprKind::kCast ? without_casts(program_.expr(e.operands[0])) : e;
  }

  void add_addends(const Expr& e, std::vector<const Expr*>& out) const {
    const Expr& sum = without_casts(e);
    if (sum.kind != ExprKind::kBinary || sum.op != Operator::kAdd) return out.push_back(&sum);
    for (const ExprId side : sum.operands) add_addends(program_.expr(side), out);
  }

  // r * C + c or c + r * C, the same C in all of them.
  bool read_pitch(const Expr& index) {
    std::vector<const Expr*> addends;
    add_addends(index, addends);
    for (const Expr* product : addends) {
      if (product->kind != ExprKind::kBinary || product->op != Operator::kMul) continue;
      for (const ExprId factor : product->operands) {
        const Expr& pitch = without_casts(program_.expr(factor));
        const bool is_other = out_.pitch != 0 && out_.pitch != pitch.int_value;
        if (pitch.kind != ExprKind::kIntLiteral || is_other || pitch.int_value <= 1) continue;
        if (program_.source.is_in_header(pitch.range.begin) || out_.elements() % pitch.int_value != 0) continue;
        out_.pitch = pitch.int_value;
        out_.pitches.push_back(pitch.range);
        return true;
      }
    }
    return false;
  }

  void read_indices() {
    const std::string& text = program_.source.text();
    for (const std::uint32_t at : places_) {
      std::vector<SourceRange> indices = brackets_behind(text, at + out_.name.size());
      out_.can_repeat = out_.can_repeat && indices.size() >= out_.extents.size();
      indices.resize(std::min(indices.size(), out_.extents.size()));
      for (const SourceRange index : indices)  // a comment would hide what comes behind it
        out_.can_repeat = out_.can_repeat && program_.source.slice(index).find("//") == std::string_view::npos;
      out_.uses.push_back(std::move(indices));
    }
  }

  const Program& program_;
  VariableId variable_;
  AddressUses addresses_;
  SharedArray out_;
  bool has_pitch_ = true;
  std::set<std::uint32_t> places_;
};

}  // namespace

std::int64_t SharedArray::elements() const {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::optional<SharedArray> shared_array(const Program& program, VariableId variable) {
  return Reader(program, variable).found();
}

}  // namespace swizzle
