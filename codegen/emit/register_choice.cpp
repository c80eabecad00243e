#include "codegen/emit/register_choice.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr std::string_view kSelectRegister =
    R"(// r[i], by selects, for an `i` that differs between threads: the registers stay registers.
template <typename T, int kCount>
__device__ __forceinline__ T {}(const T (&r)[kCount], int i) {{
  T left[kCount];
#pragma unroll
  for (int at = 0; at < kCount; at++) left[at] = r[at];
#pragma unroll
  for (int step = 1; step < kCount; step *= 2)
#pragma unroll
    for (int at = 0; at + step < kCount; at += 2 * step) left[at] = i & step ? left[at + step] : left[at];
  return left[0];
}}

)";

constexpr std::size_t kUnrolledAnyway = 8, kMostUnrolled = 64;  // iterations

bool is_select_of_constants(const IndexExpr& e) {
  if (e.is_constant()) return true;
  return e.op == IndexExpr::Op::kSelect && is_select_of_constants(e.operands[1]) &&
         is_select_of_constants(e.operands[2]);
}

// In parentheses if one of the operators stands outside of all parentheses.
std::string in_parentheses(const std::string& text, std::string_view operators) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && operators.find(c) != std::string_view::npos) return "(" + text + ")";
  }
  return text;
}

std::string chain(const std::string& index, int length, const std::function<std::string(const std::string&)>& element) {
  std::string text;
  for (int i = 0; i + 1 < length; ++i)
    text += fmt::format("{} == {} ? {} : ", index, i, in_parentheses(element(std::to_string(i)), "?"));
  return text + element(std::to_string(length - 1));
}

}  // namespace

std::string RegisterChoices::text(ExprId subscript, const std::string& base) {
  std::vector<ExprId> levels;
  for (ExprId at = subscript; program_.expr(at).kind == ExprKind::kSubscript; at = program_.expr(at).operands[0])
    levels.insert(levels.begin(), at);
  const bool is_cast = base.starts_with('(') && base.find(')') + 1 < base.size();  // (char*)&w
  return in_parentheses(level(levels, 0, is_cast ? "(" + base + ")" : base), "?");
}

std::string RegisterChoices::level(const std::vector<ExprId>& levels, std::size_t at, const std::string& prefix) {
  if (at == levels.size()) return prefix;
  const ExprId index = program_.expr(levels[at]).operands[1];
  const Element element = [&](const std::string& i) { return level(levels, at + 1, prefix + "[" + i + "]"); };
  const auto known = context_.hole_indexed.find(levels[at]);
  if (known == context_.hole_indexed.end()) return element(context_.text_of(index));
  const Expr& e = program_.expr(index);
  if (const auto hole = e.kind == ExprKind::kHole ? e.hole : only_hole_inside(e.range)) {
    const IndexExpr& chosen = context_.completion.tables[hole->value].expression;
    const Element whole = [&](const std::string& value) {
      if (const auto known = constant_of(index, *hole, value)) return element(std::to_string(*known));
      std::string text = e.kind == ExprKind::kHole ? value : context_.with(index, *hole, value);
      if (text.size() > 4 && text.ends_with(" + 0")) text.resize(text.size() - 4);
      return element(text);
    };
    if (is_select_of_constants(chosen)) return by_expression(chosen, program_.hole(*hole).argument_texts, 0, whole);
  }
  return by_index(levels, at, prefix, known->second, element);
}

std::string RegisterChoices::by_index(const std::vector<ExprId>& levels, std::size_t at, const std::string& prefix,
                                      int length, const Element& element) {
  const ExprId site = levels[at], index = program_.expr(site).operands[1];
  const Expr& e = program_.expr(index);
  const bool is_hole = e.kind == ExprKind::kHole;
  const auto text = [&]() -> std::string {
    if (!is_hole) return context_.text_of(index);
    const IndexExpr& chosen = context_.completion.tables[e.hole.value].expression;
    const auto& arguments = program_.hole(e.hole).argument_texts;
    return chosen.op == IndexExpr::Op::kArgument ? arguments[static_cast<std::size_t>(chosen.value)]
                                                 : chosen.print(arguments);
  };
  if (is_known(site)) {
    shifters_.unroll(site, {index});
    return element(text());
  }
  const auto is_only_choice =
      std::count_if(levels.begin(), levels.end(), [&](ExprId l) { return context_.hole_indexed.contains(l); }) == 1;
  if (is_only_choice && is_hole) {
    std::string behind;
    for (std::size_t l = at + 1; l < levels.size(); ++l)
      behind += fmt::format("[{}]", context_.text_of(program_.expr(levels[l]).operands[1]));
    if (auto turned = shifters_.text(site, length, prefix, behind)) return *turned;
  }
  if (at + 1 == levels.size() && length > 2 && is_register_array(program_, program_.expr(site).operands[0]) &&
      !unrolling_.is_written(site)) {
    if (select_register_.empty()) select_register_ = shifters_.fresh("select_register");
    return fmt::format("{}({}, {})", select_register_, prefix, text());
  }
  if (is_hole)
    return by_expression(context_.completion.tables[e.hole.value].expression, program_.hole(e.hole).argument_texts,
                         length, element);
  return chain(in_parentheses(text(), " +-*/&%?<>="), length, element);
}

// The expression with the hole at this value, if it has nothing else but numbers.
std::optional<std::int64_t> RegisterChoices::constant_of(ExprId id, HoleId hole, const std::string& value) const {
  const Expr& e = program_.expr(id);
  switch (e.kind) {
    case ExprKind::kIntLiteral: return e.int_value;
    case ExprKind::kHole:
      return e.hole == hole && value.find_first_not_of("0123456789") == std::string::npos
                 ? std::optional(std::stoll(value))
                 : std::nullopt;
    case ExprKind::kCast:
      return program_.type(e.type).scalar == program_.type(program_.expr(e.operands[0]).type).scalar
                 ? constant_of(e.operands[0], hole, value)
                 : std::nullopt;
    case ExprKind::kBinary: break;
    default: return std::nullopt;
  }
  const auto a = constant_of(e.operands[0], hole, value), b = constant_of(e.operands[1], hole, value);
  if (!a || !b) return std::nullopt;
  bool defined = true;
  const std::int64_t result = apply(e.op, program_.type(e.type).scalar, *a, *b, defined);
  return defined ? std::optional(result) : std::nullopt;
}

std::optional<HoleId> RegisterChoices::only_hole_inside(SourceRange range) const {
  std::optional<HoleId> found;
  for (std::size_t h = 0; h < program_.holes.size(); ++h) {
    const SourceRange r = program_.holes[h].range;
    if (r.begin < range.begin || r.end > range.end) continue;
    if (found) return std::nullopt;
    found = HoleId(h);
  }
  return found;
}

std::string RegisterChoices::by_expression(const IndexExpr& e, const std::vector<std::string>& arguments, int length,
                                           const Element& element) const {
  if (e.is_constant()) return element(std::to_string(e.value));
  if (e.is_comparison() && length == 2)
    return fmt::format("{} ? {} : {}", e.print(arguments), in_parentheses(element("1"), "?"), element("0"));
  if (e.op != IndexExpr::Op::kSelect) return chain(e.print_primary(arguments), length, element);
  const std::string then = by_expression(e.operands[1], arguments, length, element);
  return fmt::format("{} ? {} : {}", e.operands[0].print(arguments), in_parentheses(then, "?"),
                     by_expression(e.operands[2], arguments, length, element));
}

void RegisterChoices::unroll_around(ExprId hole) {
  const Expr& e = program_.expr(hole);
  std::set<std::size_t> read;
  collect_arguments(context_.completion.tables[e.hole.value].expression, read);
  std::vector<ExprId> known;
  for (const std::size_t argument : read)
    if (unrolling_.knows(hole, e.operands[argument])) known.push_back(e.operands[argument]);
  const std::size_t iterations = unrolling_.iterations(hole, known).size();
  if (iterations > kUnrolledAnyway && iterations <= kMostUnrolled) shifters_.unroll(hole, known);
}

// In all that the text stands for: the instances of a template share it.
bool RegisterChoices::is_known(ExprId site) const {
  const SourceRange range = program_.expr(site).range;
  for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
    const Expr& e = program_.exprs[n];
    if (e.kind == ExprKind::kSubscript && e.range == range && !unrolling_.knows(ExprId(n), e.operands[1])) return false;
  }
  return true;
}

std::string RegisterChoices::functions() const {
  return select_register_.empty() ? "" : fmt::format(fmt::runtime(kSelectRegister), select_register_);
}

}  // namespace swizzle
