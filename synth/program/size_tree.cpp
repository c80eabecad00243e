#include "synth/program/size_tree.h"

#include <fmt/format.h>
#include <algorithm>

#include "synth/program/size_parser.h"

namespace swizzle {
namespace {

bool is_number(const SizeTree& tree) { return tree.op == '#'; }

// Numbers are computed: n + 2 * 256 - 1 is n + 511.
SizeTree folded(SizeTree tree) {
  if (const auto value = value_of(tree, {})) return {'#', *value, {}, {}};
  const SizeTree &sum = tree.operands[0], &more = tree.operands[1];
  const bool adds = (tree.op == '+' || tree.op == '-') && (sum.op == '+' || sum.op == '-') && is_number(more) &&
                    is_number(sum.operands[1]);
  if (!adds) return tree;
  const SizeTree both{tree.op == sum.op ? '+' : '-', 0, {}, {sum.operands[1], more}};
  const auto value = value_of(both, {});
  if (!value || *value == INT64_MIN) return tree;
  const char op = (*value < 0) == (sum.op == '+') ? '-' : '+';
  const std::int64_t before = sum.op == '+' ? sum.operands[1].value : -sum.operands[1].value,
                     after = op == '+' ? std::abs(*value) : -std::abs(*value);
  const std::int64_t above = std::max<std::int64_t>(0, before + sum.above - after);
  return {op, 0, {}, {sum.operands[0], {'#', std::abs(*value), {}, {}}}, above};
}

struct Trees {
  using Value = SizeTree;

  Value number(std::int64_t value) const { return {'#', value, {}, {}}; }
  std::optional<Value> name(const std::string& word) const { return Value{'$', 0, word, {}}; }
  std::variant<Value, const char*> apply(char op, Value lhs, Value rhs) const {
    Value tree{op, 0, {}, {}};
    tree.operands.push_back(std::move(lhs));
    tree.operands.push_back(std::move(rhs));
    return folded(std::move(tree));
  }
};

int precedence_of(const SizeTree& tree) { return tree.op == '+' || tree.op == '-' ? 1 : tree.operands.empty() ? 3 : 2; }

std::string wrapped(const SizeTree& tree, int at_least) {
  const std::string text = text_of(tree);
  return precedence_of(tree) < at_least ? "(" + text + ")" : text;
}

// The numbers in a sum, added.
std::int64_t constant_part(const SizeTree& tree) {
  if (is_number(tree)) return tree.value;
  if (tree.op == '+') return constant_part(tree.operands[0]) + constant_part(tree.operands[1]);
  if (tree.op == '-') return constant_part(tree.operands[0]) - constant_part(tree.operands[1]);
  return 0;
}

// (n + 63) / 64: a divisor less one, or more, is added to what there is.
bool rounds_up(const SizeTree& division) {
  const SizeTree& divisor = division.operands[1];
  return is_number(divisor) && !is_number(division.operands[0]) &&
         constant_part(division.operands[0]) >= divisor.value - 1;
}

void collect(const SizeTree& tree, bool is_rounded, std::vector<Divides>& all) {
  if (tree.op == '/' && !is_rounded && !rounds_up(tree)) all.push_back({tree.operands[0], tree.operands[1]});
  for (std::size_t i = 0; i < tree.operands.size(); ++i) {
    const bool has_more = tree.op == '+' && constant_part(tree.operands[1 - i]) > 0;
    collect(tree.operands[i], has_more || (is_rounded && tree.op != '/'), all);
  }
}

}  // namespace

Result<SizeTree> parse_size(const SizeExpr& expr, const SourceText& source) {
  return SizeParser(expr, Trees{}, source).run();
}

std::optional<std::int64_t> value_of(const SizeTree& tree, const Sizes& sizes) {
  if (is_number(tree)) return tree.value;
  if (tree.op == '$') {
    const auto it = sizes.find(tree.name);
    return it != sizes.end() ? std::optional(it->second) : std::nullopt;
  }
  const auto a = value_of(tree.operands[0], sizes), b = value_of(tree.operands[1], sizes);
  std::int64_t value = 0;
  if (!a || !b) return std::nullopt;
  switch (tree.op) {
    case '+': return __builtin_add_overflow(*a, *b, &value) ? std::nullopt : std::optional(value);
    case '-': return __builtin_sub_overflow(*a, *b, &value) ? std::nullopt : std::optional(value);
    case '*': return __builtin_mul_overflow(*a, *b, &value) ? std::nullopt : std::optional(value);
    case '<': return std::min(*a, *b);
    case '>': return std::max(*a, *b);
    default: break;
  }
  if (*b == 0 || (*a == INT64_MIN && *b == -1)) return std::nullopt;
  return tree.op == '/' ? *a / *b : *a % *b;
}

std::string text_of(const SizeTree& tree) {
  if (is_number(tree)) return fmt::format("{}", tree.value);
  if (tree.op == '$') return tree.name;
  const SizeTree &a = tree.operands[0], &b = tree.operands[1];
  if (tree.op == '<' || tree.op == '>')
    return fmt::format("{}({}, {})", tree.op == '<' ? "min" : "max", text_of(a), text_of(b));
  const int precedence = precedence_of(tree);
  return fmt::format("{} {} {}", wrapped(a, precedence), tree.op, wrapped(b, precedence + 1));
}

std::set<std::string> names_in(const SizeTree& tree) {
  std::set<std::string> names;
  if (tree.op == '$') names.insert(tree.name);
  for (const SizeTree& operand : tree.operands) names.merge(names_in(operand));
  return names;
}

bool is_fixed(const std::vector<SizeExpr>& extents, const SourceText& source) {
  return std::ranges::all_of(extents, [&](const SizeExpr& extent) {
    const auto tree = parse_size(extent, source);
    return tree.ok() && names_in(*tree).empty();
  });
}

std::vector<Divides> exact_divisions(const SizeTree& tree) {
  std::vector<Divides> all;
  collect(tree, false, all);
  return all;
}

}  // namespace swizzle
