#include "synth/proof/multiple_sizes.h"

#include <cctype>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "synth/proof/size_edit.h"

namespace swizzle {
namespace {

// By their positions among the parameters.
struct Quotient {
  std::size_t dividend = 0, divisor = 0;
  auto operator<=>(const Quotient&) const = default;
};

class Multiples : public SizeEdit {
 public:
  using SizeEdit::SizeEdit;

  std::set<Quotient> quotients() const {
    std::set<Quotient> all;
    for (std::size_t i = 0; i < program_.exprs.size(); ++i)
      if (const auto quotient = quotient_in(ExprId(i))) all.insert(*quotient);
    return all;
  }

  bool may_replace(const Quotient& quotient) const { return is_size(quotient.dividend) && is_size(quotient.divisor); }

  Program replaced(const Quotient& quotient, const std::string& name) && {
    const VariableId v = parameters()[quotient.dividend], divisor = parameters()[quotient.divisor];
    const std::string size = program_.variable(v).name;
    const std::size_t nodes = program_.exprs.size();
    std::vector<ExprId> divided;
    for (std::size_t i = 0; i < nodes; ++i)
      if (quotient_in(ExprId(i)) == quotient) divided.emplace_back(i);
    replace_reads(v, [&](const Expr& read) {
      const ExprId by = as(read.type, read_of(divisor, read.range));
      return binary(Operator::kMul, read_of(v, read.range), by);
    });
    for (const ExprId id : divided) {
      const ExprId read = as(expr(id).type, read_of(v, expr(id).range));
      program_.exprs[id.value] = Expr(expr(read));
    }
    program_.variables[v.value].name = name;
    replace_quotients(size, program_.variable(divisor).name, name);
    return std::move(program_);
  }

 private:
  std::optional<std::size_t> parameter_read(ExprId id) const {
    for (id = value_of(id); widens(id); id = value_of(expr(id).operands[0])) {}
    if (expr(id).kind != ExprKind::kVariable) return std::nullopt;
    const auto at = std::ranges::find(parameters(), expr(id).variable);
    if (at == parameters().end()) return std::nullopt;
    return static_cast<std::size_t>(at - parameters().begin());
  }

  std::optional<Quotient> quotient_in(ExprId id) const {
    const Expr& e = expr(id);
    if (e.kind != ExprKind::kBinary || e.op != Operator::kDiv || !is_integer(id)) return std::nullopt;
    const auto dividend = parameter_read(e.operands[0]), divisor = parameter_read(e.operands[1]);
    if (!dividend || !divisor || dividend == divisor) return std::nullopt;
    return Quotient{*dividend, *divisor};
  }

  void replace_quotients(const std::string& size, const std::string& divisor, const std::string& quotient) {
    const SizeTree of_quotient{'$', 0, quotient, {}}, product{'*', 0, "", {SizeTree{'$', 0, divisor, {}}, of_quotient}};
    const auto is_name = [](const SizeTree& tree, const std::string& name) {
      return tree.op == '$' && tree.name == name;
    };
    std::erase_if(program_.directives.assumptions, [&](const Assumption& a) {
      const auto left = parse_size(a.left, program_.source);
      return left.ok() && left->op == '%' && is_name(left->operands[0], size) && is_name(left->operands[1], divisor) &&
             a.comparison == "==" && a.right.text == "0";
    });
    const std::function<SizeTree(const SizeTree&)> in_tree = [&](SizeTree tree) {
      if (is_name(tree, size)) return product;
      if (tree.op == '/' && is_name(tree.operands[0], size) && is_name(tree.operands[1], divisor)) return of_quotient;
      for (SizeTree& operand : tree.operands) operand = in_tree(operand);
      return tree;
    };
    replace_in_directives(size, in_tree);
  }
};

// At all of them the one is a multiple of the other.
bool divides(const Quotient& quotient, const Multiples& kernel, const std::vector<Sizes>& known) {
  const std::string size = kernel.name_of(quotient.dividend), by = kernel.name_of(quotient.divisor);
  return std::ranges::all_of(known, [&](const Sizes& sizes) {
    const auto a = sizes.find(size), b = sizes.find(by);
    return a != sizes.end() && b != sizes.end() && b->second > 0 && a->second > 0 && a->second % b->second == 0;
  });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(replaced(replaced(text, "(", "( "), ")", " )"));
  return {std::istream_iterator<std::string>(in), {}};
}

// A condition on a quotient as one on the size: each product of both is a part of the size.
class TextOfMultiples {
 public:
  explicit TextOfMultiples(const MultipleSizes& of) : of_(of) {}

  std::string text(const std::string& condition) && {
    for (const std::string& word : words_of(condition)) {
      const bool is_factor = std::isalnum(static_cast<unsigned char>(word[0])) != 0 || word[0] == '_';
      if (is_factor) {
        product_.push_back(word);
        is_multiplied_ = false;
      } else if (word == "*" && !product_.empty()) {
        is_multiplied_ = true;
      } else {
        tell_product();
        told_.push_back(word);
      }
    }
    tell_product();
    const std::string text = replaced(replaced(fmt::format("{}", fmt::join(told_, " ")), "( ", "("), " )", ")");
    return replaced(text, fmt::format("({})", of_.size), of_.size);
  }

 private:
  void tell_product() {
    const auto quotient = std::ranges::find(product_, of_.quotient), by = std::ranges::find(product_, of_.divisor);
    if (quotient != product_.end() && by != product_.end()) {
      *quotient = of_.size;
      product_.erase(by);
    } else if (quotient != product_.end()) {
      const std::string division = fmt::format("{} / {}", of_.size, of_.divisor);
      *quotient = product_.size() > 1 ? fmt::format("({})", division) : division;
    }
    if (!product_.empty()) told_.push_back(fmt::format("{}", fmt::join(product_, " * ")));
    if (is_multiplied_) told_.emplace_back("*");
    product_.clear();
    is_multiplied_ = false;
  }

  const MultipleSizes& of_;
  std::vector<std::string> told_, product_;
  bool is_multiplied_ = false;
};

}  // namespace

std::vector<std::string> MultipleSizes::conditions(const std::vector<std::string>& of_quotient) const {
  std::vector<std::string> all{fmt::format("{} % {} == 0", size, divisor)};
  for (const std::string& condition : of_quotient)
    if (std::string text = TextOfMultiples(*this).text(condition); std::ranges::find(all, text) == all.end())
      all.push_back(std::move(text));
  return all;
}

std::optional<MultipleSizes> with_multiple_sizes(const Program& kernel, const Program& spec,
                                                 const std::vector<Sizes>& known) {
  Multiples ours(kernel), theirs(spec);
  std::set<Quotient> quotients = ours.quotients();
  quotients.merge(theirs.quotients());
  for (const Quotient& quotient : quotients) {
    const std::string size = ours.name_of(quotient.dividend), divisor = ours.name_of(quotient.divisor),
                      name = fmt::format("{}_by_{}", size, divisor);
    if (!divides(quotient, ours, known) || !ours.may_replace(quotient) || !theirs.may_replace(quotient) ||
        ours.has_variable(name) || theirs.has_variable(name))
      continue;
    std::vector<Sizes> of_quotient = known;
    for (Sizes& sizes : of_quotient) {
      sizes[name] = sizes.at(size) / sizes.at(divisor);
      sizes.erase(size);
    }
    return MultipleSizes{std::move(ours).replaced(quotient, name),
                         std::move(theirs).replaced(quotient, name),
                         std::move(of_quotient),
                         size,
                         divisor,
                         name};
  }
  return std::nullopt;
}

}  // namespace swizzle
