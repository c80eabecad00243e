#include "codegen/register_choice.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "codegen/emit_support.h"

namespace swizzle {
namespace {

constexpr std::string_view kSelectRegister = R"(// r[i], by selects, for an `i` that differs between threads: the registers stay registers.
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

bool is_select_of_constants(const IndexExpr& e) {
  if (e.is_constant()) return true;
  return e.op == IndexExpr::Op::kSelect && is_select_of_constants(e.operands[1]) && is_select_of_constants(e.operands[2]);
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
  for (int i = 0; i + 1 < length; ++i) text += fmt::format("{} == {} ? {} : ", index, i, in_parentheses(element(std::to_string(i)), "?"));
  return text + element(std::to_string(length - 1));
}

bool is_power_of_two(std::int64_t v) { return std::has_single_bit(static_cast<std::uint64_t>(v)); }

}  // namespace

// r[f(j, lane)], where f is a rotation.
struct RegisterChoices::Use {
  ExprId site;
  HoleId hole;
  std::int64_t registers = 0;
  Rotation rotation;
  std::vector<ExprId> known, turning;               // the hole's arguments that have a say
  std::vector<std::vector<std::int64_t>> iterations;  // the values of all arguments; 0 if not known
};

// Registers of one array, or their neighbours in another digit: `bit ? from[…] : from[…]`.
struct RegisterChoices::Step {
  std::size_t digit = 0;
  std::int64_t shift = 0;
  std::string bit, from;
};

std::string RegisterChoices::text(ExprId subscript, const std::string& base) {
  std::vector<ExprId> levels;
  for (ExprId at = subscript; program_.expr(at).kind == ExprKind::kSubscript; at = program_.expr(at).operands[0]) levels.insert(levels.begin(), at);
  return in_parentheses(level(levels, 0, base), "?");
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
      std::string text = e.kind == ExprKind::kHole ? value : context_.with(index, *hole, value);
      if (text.size() > 4 && text.ends_with(" + 0")) text.resize(text.size() - 4);
      return element(text);
    };
    if (is_select_of_constants(chosen)) return by_expression(chosen, program_.hole(*hole).argument_texts, 0, whole);
  }
  return by_index(levels, at, prefix, known->second, element);
}

std::string RegisterChoices::by_index(const std::vector<ExprId>& levels, std::size_t at, const std::string& prefix, int length, const Element& element) {
  const ExprId site = levels[at], index = program_.expr(site).operands[1];
  const Expr& e = program_.expr(index);
  const bool is_hole = e.kind == ExprKind::kHole;
  const auto text = [&]() -> std::string {
    if (!is_hole) return context_.text_of(index);
    const IndexExpr& chosen = context_.completion.tables[e.hole.value].expression;
    const auto& arguments = program_.hole(e.hole).argument_texts;
    return chosen.op == IndexExpr::Op::kArgument ? arguments[static_cast<std::size_t>(chosen.value)] : chosen.print(arguments);
  };
  if (is_known(site)) {
    unroll(site, {index});
    return element(text());
  }
  if (levels.size() == 1 && is_hole)
    if (auto turned = rotated(site, length)) return *turned;
  if (at + 1 == levels.size() && length > 2 && is_array(program_.expr(site).operands[0]) && !unrolling_.is_written(site)) {
    if (select_register_.empty()) select_register_ = fresh("select_register");
    return fmt::format("{}({}, {})", select_register_, prefix, text());
  }
  if (is_hole) return by_expression(context_.completion.tables[e.hole.value].expression, program_.hole(e.hole).argument_texts, length, element);
  return chain(in_parentheses(text(), " +-*/&%?<>="), length, element);
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

std::string RegisterChoices::by_expression(const IndexExpr& e, const std::vector<std::string>& arguments, int length, const Element& element) const {
  if (e.is_constant()) return element(std::to_string(e.value));
  if (e.op != IndexExpr::Op::kSelect) return chain(e.print_primary(arguments), length, element);
  const std::string then = by_expression(e.operands[1], arguments, length, element);
  return fmt::format("{} ? {} : {}", e.operands[0].print(arguments), in_parentheses(then, "?"), by_expression(e.operands[2], arguments, length, element));
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

// An array by name, so that a function can take a reference to it; load() becomes one.
bool RegisterChoices::is_array(ExprId place) const {
  const Expr& e = program_.expr(place);
  const Type& type = program_.type(e.type);
  if (type.form == Type::Form::kArray) return program_.type(type.element).form != Type::Form::kArray;
  if (e.kind != ExprKind::kVariable) return false;
  return std::any_of(program_.stmts.begin(), program_.stmts.end(), [&](const Stmt& s) {
    return s.kind == StmtKind::kDeclare && s.variable == e.variable && s.expr.valid() && program_.expr(s.expr).kind == ExprKind::kIntrinsic &&
           program_.expr(s.expr).intrinsic == Intrinsic::kLoad;
  });
}

std::optional<RegisterChoices::Use> RegisterChoices::as_use(ExprId site, int length) const {
  const Expr& subscript = program_.expr(site);
  const Expr& root = program_.expr(subscript.operands[0]);
  if (root.kind != ExprKind::kVariable || program_.variable(root.variable).is_reference || !is_array(subscript.operands[0]) || !unrolling_.is_plain_array(root.variable) || unrolling_.is_written(site)) return std::nullopt;
  if (std::count_if(program_.exprs.begin(), program_.exprs.end(), [&](const Expr& e) { return e.kind == ExprKind::kSubscript && e.range == subscript.range; }) > 1) return std::nullopt;
  const Expr& e = program_.expr(subscript.operands[1]);
  Use use{site, e.hole, length, {}, {}, {}, {}};
  const IndexExpr& index = context_.completion.tables[e.hole.value].expression;
  std::set<std::size_t> used;
  collect_arguments(index, used);
  std::vector<bool> is_known(e.operands.size(), false);
  for (std::size_t a : used) {
    is_known[a] = unrolling_.knows(site, e.operands[a]);
    (is_known[a] ? use.known : use.turning).push_back(e.operands[a]);
  }
  auto rotation = as_rotation(index, is_known);
  if (!rotation) return std::nullopt;
  use.rotation = std::move(*rotation);
  for (const Unrolling::Bindings& bindings : unrolling_.iterations(site, use.known)) {
    std::vector<std::int64_t> values(e.operands.size(), 0);
    for (std::size_t a : used)
      if (is_known[a]) values[a] = *unrolling_.value(e.operands[a], bindings);
    use.iterations.push_back(std::move(values));
  }
  keep_turns_positive(use);
  const bool turns = std::all_of(use.iterations.begin(), use.iterations.end(), [&](const auto& values) { return use.rotation.turns_registers(values, length); });
  return turns && !use.iterations.empty() ? std::optional(std::move(use)) : std::nullopt;
}

// C's % truncates; at all points that the search met, an amount is not negative.
void RegisterChoices::keep_turns_positive(Use& use) const {
  const std::size_t operands = program_.expr(program_.expr(use.site).operands[1]).operands.size();
  std::vector<std::vector<std::int64_t>> met;
  for (std::size_t n = 0; n < context_.points.size(); ++n) {
    const Point& point = context_.points[PointId(n)];
    if (point.hole != use.hole || point.arguments.size() + 1 != operands) continue;
    met.push_back(point.arguments);  // the modulus is none of them
    met.back().insert(met.back().begin() + (program_.hole(use.hole).kind == HoleKind::kXform ? 1 : 0), point.domain);
  }
  for (Digit& digit : use.rotation.digits) {
    std::int64_t least = 0;
    for (const auto& arguments : met) least = std::min(least, digit.turn.evaluate(arguments));
    if (least < 0 && !is_power_of_two(digit.modulus))
      digit.turn = IndexExpr::add(digit.turn, IndexExpr::constant((-least + digit.modulus - 1) / digit.modulus * digit.modulus));
  }
}

// The outermost loop before which the registers can be turned already.
StmtId RegisterChoices::loop_to_leave(const Use& use) const {
  const std::vector<StmtId> path = unrolling_.around(use.site);
  for (std::size_t n = 1; n < path.size(); ++n) {
    const StmtKind kind = program_.stmt(path[n]).kind;
    if (kind != StmtKind::kFor && kind != StmtKind::kWhile && kind != StmtKind::kDoWhile) continue;
    if (program_.stmt(path[n - 1]).kind != StmtKind::kBlock || !unrolling_.is_invariant(path[n], program_.expr(use.site).operands[0])) continue;
    if (std::all_of(use.turning.begin(), use.turning.end(), [&](ExprId e) { return unrolling_.is_invariant(path[n], e); })) return path[n];
  }
  return {};
}

// The steps of all digits; lines that name an amount where its bits cannot be read off one of the user's variables.
std::vector<RegisterChoices::Step> RegisterChoices::steps_of(const Use& use, const std::string& array, std::string& lines) {
  std::vector<Step> steps;
  const auto& arguments = program_.hole(use.hole).argument_texts;
  for (std::size_t d = 0; d < use.rotation.digits.size(); ++d) {
    const Digit& digit = use.rotation.digits[d];
    const IndexExpr* amount = &digit.turn;
    std::int64_t scale = 1;
    if (amount->op == IndexExpr::Op::kDiv && is_power_of_two(amount->operands[1].value)) scale = amount->operands[1].value, amount = &amount->operands[0];
    std::string name;
    if (is_power_of_two(digit.modulus) && amount->op == IndexExpr::Op::kArgument) {
      name = amount->print_primary(arguments);
    } else if (digit.modulus == 2) {
      name = digit.turn.print_primary(arguments), scale = 1;
    } else {
      name = fresh(array + "_turn"), scale = 1;
      lines += fmt::format("const int {} = {};\n", name, (is_power_of_two(digit.modulus) ? digit.turn : IndexExpr::mod(digit.turn, digit.modulus)).print(arguments));
    }
    for (std::int64_t bit = 1; bit < digit.modulus; bit *= 2) steps.push_back({d, digit.shift(bit), fmt::format("{} & {}", name, bit * scale), array});
  }
  return steps;
}

// As short as it can be written: `j` or `j ^ 1` where that is the index in all iterations.
std::string RegisterChoices::known_index(const Use& use, std::size_t digit, std::int64_t shift) const {
  const IndexExpr index = use.rotation.known(digit, shift, use.iterations);
  std::set<std::size_t> used;
  collect_arguments(index, used);
  const auto& arguments = program_.hole(use.hole).argument_texts;
  if (used.size() != 1) return index.print(arguments);
  const std::size_t only = *used.begin();
  const auto flipped_by = [&](const std::vector<std::int64_t>& values) { return index.evaluate(values) ^ values[only]; };
  const std::int64_t flipped = flipped_by(use.iterations[0]);
  const bool same = std::all_of(use.iterations.begin(), use.iterations.end(), [&](const auto& values) { return flipped_by(values) == flipped; });
  if (same && flipped == 0) return arguments[only];
  if (!same || use.rotation.digits[digit].modulus != 2 || !is_power_of_two(flipped)) return index.print(arguments);
  return fmt::format("{} ^ {}", IndexExpr::argument(only).print(arguments), flipped);
}

std::optional<std::string> RegisterChoices::rotated(ExprId site, int length) {
  const auto use = as_use(site, length);
  if (!use) return std::nullopt;
  const Variable& registers = program_.variable(program_.expr(program_.expr(site).operands[0]).variable);
  const Type& type = program_.type(registers.type);
  std::string lines;
  std::vector<Step> steps = steps_of(*use, registers.name, lines);
  const StmtId loop = loop_to_leave(*use);
  if (!loop.valid() && (steps.size() > 1 || !lines.empty())) return std::nullopt;
  std::string element = program_.type(type.element).spelling;
  if (element.starts_with("const ")) element.erase(0, 6);
  const bool taken = std::any_of(steps.begin(), steps.end(), [](const Step& s) { return contains_word(s.bit, "i"); });
  const std::string i = taken || registers.name == "i" ? fresh("at") : "i";
  if (steps.size() > 1) lines = fmt::format("// A barrel shifter turns {}: a step for each bit of the amount, the last where it is read.\n", registers.name) + lines;
  for (std::size_t n = 0; n + 1 < steps.size(); ++n) {
    const Step& s = steps[n];
    const std::string to = fresh(fmt::format("{}_turned{}", registers.name, n + 1));
    const Digit& digit = use->rotation.digits[s.digit];
    const bool flips = digit.modulus == 2 && is_power_of_two(digit.weight);
    const std::string further = flips ? fmt::format("{} ^ {}", i, digit.weight) : digit.turned(IndexExpr::argument(0), s.shift, length).print({i});
    lines += fmt::format("{0} {1}[{2}];\n#pragma unroll\nfor (int {3} = 0; {3} < {2}; {3}++) {1}[{3}] = {4} ? {5}[{6}] : {5}[{3}];\n", element, to, length, i, s.bit, s.from, further);
    steps[n + 1].from = to;
  }
  if (loop.valid()) before_[loop] += lines;
  unroll(site, use->known);
  const Step& last = steps.back();
  return fmt::format("{} ? {}[{}] : {}[{}]", last.bit, last.from, known_index(*use, last.digit, last.shift), last.from,
                     known_index(*use, last.digit, 0));
}

void RegisterChoices::unroll(ExprId site, const std::vector<ExprId>& values) {
  for (StmtId loop : unrolling_.loops(site, values))
    if (!unrolling_.is_marked(loop)) to_unroll_.insert(loop);
}

std::string RegisterChoices::fresh(std::string name) {
  while (program_.source.text().find(name) != std::string::npos || !names_.insert(name).second) name += '_';
  return name;
}

std::map<std::uint32_t, std::string> RegisterChoices::insertions() const {
  std::map<std::uint32_t, std::string> found;
  const std::string& source = program_.source.text();
  const auto insert = [&](StmtId loop, const std::string& lines) {
    const std::uint32_t begin = unrolling_.begin(loop);
    const std::size_t line = begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1;
    const std::string indent = indentation(program_.source, program_.stmt(loop).range.begin);
    std::string text;
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = lines.find('\n', at);
      text += (lines[at] == '#' ? "" : indent) + lines.substr(at, end + 1 - at);
      at = end + 1;
    }
    const bool starts_line = source.find_first_not_of(" \t", line) == begin;
    found[starts_line ? static_cast<std::uint32_t>(line) : begin] += starts_line ? text : "\n" + text + indent;
  };
  for (const auto& [loop, lines] : before_) insert(loop, lines);
  for (StmtId loop : to_unroll_) insert(loop, "#pragma unroll\n");
  return found;
}

std::string RegisterChoices::functions() const { return select_register_.empty() ? "" : fmt::format(fmt::runtime(kSelectRegister), select_register_); }

}  // namespace swizzle
