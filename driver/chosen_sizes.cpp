#include "driver/chosen_sizes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/program/size_tree.h"
#include "synth/proof/admissible_sizes.h"

namespace swizzle {
namespace {

// Elements, of one size and of a size alone; threads of a block.
constexpr std::int64_t kFirst = 3, kMostOfOne = 1 << 14, kMostAlone = 1 << 20, kMostOfTwo = 1 << 20;
constexpr std::int64_t kMoreThanAWarp = 33, kFew = 33;

class Choice {
 public:
  Choice(const Program& kernel, ChosenElements elements) : kernel_(kernel), elements_(elements) {
    if (!kernel.directives.launch) return;
    grid_ = trees(kernel.directives.launch->grid);
    block_ = trees(kernel.directives.launch->block);
  }

  std::optional<Sizes> completed(Sizes sizes) const {
    std::vector<std::string> launched, others;
    for (const std::string& name : open_in(sizes)) (is_launched(name) ? launched : others).push_back(name);
    if (launched.empty() && others.empty()) return sizes;
    std::set<std::string> open(launched.begin(), launched.end());
    for (const std::string& name : launched) sizes[name] = kFirst;
    for (const std::string& name : launched) {
      open.erase(name);
      // Sizes that are alike would hide which of them a kernel means.
      const auto is_another = [&] {
        return std::ranges::none_of(sizes, [&](const auto& other) {
          return other.first != name && !open.contains(other.first) && other.second == sizes.at(name);
        });
      };
      const auto fits = [&](std::int64_t blocks, bool is_other) {
        return choose(name, sizes, kFirst, open,
                      [&] { return (!is_other || is_another()) && has_blocks_of(name, blocks, sizes); });
      };
      if (!fits(2, true) && !fits(2, false) && !fits(1, false)) return std::nullopt;
    }
    const std::int64_t first = others.size() < 3 ? elements_of(sizes, others.size()) : others.size() == 3 ? 16 : 4;
    for (const std::string& name : others) {
      const std::int64_t elements = divides_reals(name) ? first + first / 2 : first;
      if (!choose(name, sizes, is_truth(kernel_, name) ? 1 : elements, {}, [] { return true; })) return std::nullopt;
    }
    return kernel_.directives.launch && is_assumed(sizes) ? std::optional(sizes) : std::nullopt;
  }

 private:
  std::vector<SizeTree> trees(const std::vector<SizeExpr>& exprs) const {
    std::vector<SizeTree> trees;
    for (const SizeExpr& expr : exprs)
      if (auto tree = parse_size(expr, kernel_.source); tree.ok()) trees.push_back(*std::move(tree));
    return trees;
  }

  std::vector<std::string> open_in(const Sizes& sizes) const {
    std::vector<std::string> open;
    for (const VariableId id : kernel_.function(kernel_.entry).parameters) {
      const Variable& v = kernel_.variable(id);
      const Type& type = kernel_.type(v.type);
      if (type.form == Type::Form::kScalar && !is_real(type.scalar) && !sizes.contains(v.name)) open.push_back(v.name);
    }
    return open;
  }

  bool is_launched(const std::string& name) const {
    const auto names_it = [&](const SizeTree& tree) { return names_in(tree).contains(name); };
    return std::ranges::any_of(grid_, names_it) || std::ranges::any_of(block_, names_it);
  }

  // As a mean's count does. A power of two has an exact reciprocal, with which the squares of (x - sum / 256) are
  // multiplied out.
  bool divides_reals(const std::string& name) const {
    const std::function<bool(ExprId)> names_it = [&](ExprId id) {
      const Expr& e = kernel_.expr(id);
      return (e.kind == ExprKind::kVariable && kernel_.variable(e.variable).name == name) ||
             std::ranges::any_of(e.operands, names_it);
    };
    return std::ranges::any_of(kernel_.exprs, [&](const Expr& e) {
      return e.kind == ExprKind::kBinary && e.op == Operator::kDiv && is_real(kernel_.type(e.type).scalar) &&
             names_it(e.operands[1]);
    });
  }

  // Twice as many elements as there are threads to step over them: along x, or in the launch, if no size says how many.
  std::int64_t more_than_threads(const Sizes& sizes, std::size_t among) const {
    constexpr std::int64_t kLeast = 64;
    if (!kernel_.directives.launch) return kLeast;
    const auto shape = evaluate(*kernel_.directives.launch, sizes, kernel_.source);
    if (!shape.ok()) return kLeast;
    const bool is_same = is_fixed(kernel_.directives.launch->grid, kernel_.source);
    const std::int64_t threads = is_same ? shape->blocks() * shape->threads_per_block() : shape->block[0];
    if (among == 2 && 4 * threads * threads > kMostOfTwo)  // in the product of both
      return std::max(kLeast, static_cast<std::int64_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(threads)))));
    return 2 * threads <= (among == 1 ? kMostAlone : kMostOfOne) ? std::max(kLeast, 2 * threads) : kLeast;
  }

  std::int64_t elements_of(const Sizes& sizes, std::size_t among) const {
    const std::int64_t most = more_than_threads(sizes, among);
    return elements_ == ChosenElements::kFew ? std::min(most, kFew) : most;
  }

  // With or without a rest, as is meant: n / 64 is for multiples of 64, (n + 29) / 32 for any n.
  bool has_blocks_of(const std::string& name, std::int64_t blocks, const Sizes& sizes) const {
    const std::int64_t threads = block_.size() == 1 ? kMoreThanAWarp : 1;
    const auto is_least = [&](std::int64_t least) {
      return [&, least](const SizeTree& tree) {
        return !names_in(tree).contains(name) || (value_of(tree, sizes).value_or(0) >= least && is_meant(tree, sizes));
      };
    };
    return std::ranges::all_of(grid_, is_least(blocks)) && std::ranges::all_of(block_, is_least(threads));
  }
  static bool is_meant(const SizeTree& tree, const Sizes& sizes) {
    return std::ranges::all_of(exact_divisions(tree), [&](const Divides& division) {
      const auto dividend = value_of(division.dividend, sizes), divisor = value_of(division.divisor, sizes);
      const bool is_sum = division.dividend.op == '+' || division.dividend.op == '-';
      return !dividend || !divisor || *divisor == 0 || (*dividend % *divisor != 0) == is_sum;
    });
  }

  // As far as the sizes are known.
  bool is_assumed(const Sizes& sizes) const {
    return std::ranges::all_of(kernel_.directives.assumptions, [&](const Assumption& assumption) {
      const auto is = holds(assumption, sizes, kernel_.source);
      return !is.ok() || *is;
    });
  }

  // `open`: those whose values are no choice yet.
  template <typename Fits>
  bool choose(const std::string& name, Sizes& sizes, std::int64_t first, const std::set<std::string>& open,
              Fits&& fits) const {
    std::int64_t& size = sizes[name];
    const auto serves = [&] {
      Sizes chosen = sizes;
      std::erase_if(chosen, [&](const auto& one) { return open.contains(one.first); });
      return fits() && is_assumed(chosen);
    };
    for (size = first; size <= std::max(kMostOfOne, first); ++size)
      if (serves()) return true;
    for (size = 1; size < first; ++size)
      if (serves()) return true;
    return false;
  }

  const Program& kernel_;
  const ChosenElements elements_;
  std::vector<SizeTree> grid_, block_;
};

}  // namespace

Sizes with_chosen_sizes(const Program& kernel, const Sizes& given, ChosenElements elements) {
  return Choice(kernel, elements).completed(given).value_or(given);
}

}  // namespace swizzle
