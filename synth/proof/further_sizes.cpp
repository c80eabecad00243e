#include "synth/proof/further_sizes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "synth/program/size_tree.h"

namespace swizzle {
namespace {

constexpr std::int64_t kWarp = 32;  // threads

bool is_prime(std::int64_t v) {
  if (v < 2) return false;
  for (std::int64_t d = 2; d * d <= v; ++d)
    if (v % d == 0) return false;
  return true;
}

// The values of one parameter that are admissible with these others, up to a few times what it is; and, if there is
// one, one that is more than all threads of the launch.
std::vector<std::int64_t> admissible_values(const AdmissibleSizes& admissible, Sizes sizes, const std::string& name,
                                            std::int64_t all) {
  constexpr std::int64_t kMost = 1 << 15, kNear = 1 << 10;  // values that are looked at
  std::int64_t& value = sizes[name];
  const std::int64_t last = std::min(5 * std::max<std::int64_t>(value, 1) + 192, kMost);
  std::vector<std::int64_t> values;
  for (value = 1; value <= last; ++value)
    if (admissible.admits(sizes)) values.push_back(value);
  for (value = std::max(last, all) + 1; value <= all + kNear && (values.empty() || values.back() <= all); ++value)
    if (admissible.admits(sizes)) values.push_back(value);
  return values;
}

// Of these values in order, those behind which the launch is another one: where a grid is rounded down too far, the
// last elements have no block. The first ones, and those from the known value on.
std::vector<std::int64_t> last_values_of_launches(const Program& kernel, Sizes sizes, const std::string& name,
                                                  const std::vector<std::int64_t>& values) {
  constexpr std::size_t kMost = 2048, kFew = 2;
  std::vector<std::int64_t> first, from_known;
  std::int64_t& value = sizes[name];
  const std::int64_t known = value;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < std::min(values.size(), kMost) && from_known.size() < kFew; ++i) {
    value = values[i];
    const std::int64_t threads = threads_at(kernel, sizes);
    if (i > 0 && threads != before) {
      std::vector<std::int64_t>& of = values[i - 1] < known ? first : from_known;
      if (of.size() < kFew) of.push_back(values[i - 1]);
    }
    before = threads;
  }
  first.insert(first.begin(), from_known.begin(), from_known.end());
  return first;
}

// Of admissible values in order: `foremost`, the first ones, neighbours of the known one, multiples and primes of their
// steps; those that tell most first. `block`, `all`: threads of a block, and of the launch; is_fixed: whatever the
// sizes are.
std::vector<std::int64_t> telling_values(const std::vector<std::int64_t>& values, std::vector<std::int64_t> foremost,
                                         std::int64_t known, std::int64_t block, std::int64_t all, bool is_fixed) {
  std::vector<std::int64_t> telling = std::move(foremost);
  const auto add = [&](std::int64_t value) {
    if (std::ranges::find(telling, value) == telling.end()) telling.push_back(value);
  };
  const auto add_near = [&](std::int64_t wanted) {  // the first that is not below
    if (const auto it = std::ranges::lower_bound(values, wanted); wanted > 0 && it != values.end()) add(*it);
  };
  std::int64_t prime = known + 1;
  while (!is_prime(prime)) ++prime;
  if (is_fixed) add_near(all + 1);
  for (std::int64_t wanted : {std::int64_t{1}, known - 1, known + 1, kWarp, block + 1, block - 1, all + 1, 2 * known,
                              4 * block + 1, prime, block, known + block, 2 * known + 1, known - kWarp, 3 * known})
    add_near(wanted);
  for (std::size_t i : {1, 2, 4, 6})
    if (i < values.size()) add(values[i]);
  for (std::int64_t d : {kWarp, block - 1, block, block + 1})
    for (std::int64_t wanted : {known - d, known + d}) add_near(wanted);
  return telling;
}

// So that many elements of one parameter are not as many of each other one.
void make_others_least(const AdmissibleSizes& admissible, const std::string& name, Sizes& sizes) {
  for (auto& [other, value] : sizes) {
    const std::int64_t known = value;
    if (other == name || !admissible.varies(other)) continue;
    for (value = 1; value < known && !admissible.admits(sizes);) ++value;
  }
}

// The least operands of this one's minima of a number and what sizes decide.
void add_capped(const SizeTree& tree, std::vector<std::pair<const SizeTree*, std::int64_t>>& capped) {
  for (const SizeTree& operand : tree.operands) add_capped(operand, capped);
  if (tree.op != '<') return;
  for (const auto& [number, other] : {std::pair{0, 1}, {1, 0}})
    if (tree.operands[static_cast<std::size_t>(number)].op == '#')
      capped.emplace_back(&tree.operands[static_cast<std::size_t>(other)],
                          tree.operands[static_cast<std::size_t>(number)].value);
}

// The least value of a size from which on a count is more than `most`; nothing: none that is looked at.
std::optional<std::int64_t> first_above(const SizeTree& count, std::int64_t most, Sizes sizes,
                                        const std::string& name) {
  std::int64_t low = 0, high = std::int64_t{1} << 24;
  const auto is_above = [&](std::int64_t value) {
    sizes[name] = value;
    return value_of(count, sizes).value_or(0) > most;
  };
  if (!is_above(high)) return std::nullopt;
  while (high - low > 1) (is_above((low + high) / 2) ? high : low) = (low + high) / 2;
  return high;
}

}  // namespace

// One more than min((n + 255) / 256, 8) blocks have threads for; and as many as threads of whole blocks, of a product.
std::vector<Sizes> sizes_at_caps(const AdmissibleSizes& admissible, const Program& kernel, const Sizes& known) {
  std::vector<Sizes> found;
  const auto add = [&](const SizeTree& count, std::int64_t most, const std::string& name) {
    Sizes sizes = known;
    make_others_least(admissible, name, sizes);
    const auto value = first_above(count, most, sizes, name);
    if (!value) return;
    for (sizes[name] = *value; sizes[name] < *value + kWarp; ++sizes[name])
      if (admissible.admits(sizes)) return found.push_back(sizes);
  };
  for (const SizeExpr& along : kernel.directives.launch->grid) {
    const auto tree = parse_size(along, kernel.source);
    if (!tree.ok()) continue;
    std::vector<std::pair<const SizeTree*, std::int64_t>> capped;
    add_capped(*tree, capped);
    const std::set<std::string> names = names_in(*tree);
    for (const std::string& name : names) {
      if (!admissible.varies(name)) continue;
      for (const auto& [count, most] : capped) add(*count, most, name);
      if (tree->op != '/' || tree->operands[1].op != '#' || names.size() < 2) continue;
      Sizes sizes = known;
      make_others_least(admissible, name, sizes);
      const auto second = first_above(*tree, 1, sizes, name), first = first_above(*tree, 0, sizes, name);
      for (const std::int64_t whole : {second.value_or(0) - 1, first.value_or(0)}) {
        sizes[name] = whole;
        if (whole < 1 || !admissible.admits(sizes)) continue;
        found.push_back(sizes);
        break;
      }
    }
  }
  return found;
}

std::vector<Sizes> sizes_above_numbers(const AdmissibleSizes& admissible, const Program& kernel, const Sizes& known) {
  constexpr std::int64_t kLeast = 48, kMost = 1 << 17, kNear = 1 << 8;
  constexpr std::int64_t kLeastSmall = 5;               // what is less is tried anyway
  constexpr std::int64_t kLeastSquareTooLarge = 46341;  // of 32 bits
  constexpr std::size_t kFew = 8, kFewSmall = 3;
  std::set<std::int64_t> numbers, small;
  const auto add = [&](std::int64_t number) {
    if (number >= kLeast && number <= kMost) numbers.insert(number);
    if (number >= kLeastSmall && number < kLeast) small.insert(number);
  };
  const auto is_literal = [&](ExprId id) { return kernel.expr(id).kind == ExprKind::kIntLiteral; };
  for (const Expr& e : kernel.exprs) {
    if (e.kind == ExprKind::kIntLiteral) add(e.int_value);
    const bool is_product = e.kind == ExprKind::kBinary && e.op == Operator::kMul &&
                            kernel.type(e.type).scalar == Scalar::kI32 && std::ranges::none_of(e.operands, is_literal);
    if (is_product) add(kLeastSquareTooLarge - 1);
  }
  for (const Type& type : kernel.types) {
    if (type.form == Type::Form::kArray) add(type.count);
    if (type.form != Type::Form::kScalar) continue;
    if (type.scalar == Scalar::kI16) add(std::numeric_limits<std::int16_t>::max());
    if (type.scalar == Scalar::kU16) add(std::numeric_limits<std::uint16_t>::max());
  }
  while (numbers.size() > kFew) numbers.erase(std::prev(numbers.end()));
  while (small.size() > kFewSmall) small.erase(std::prev(small.end()));
  numbers.merge(small);
  std::vector<Sizes> found;
  for (const std::int64_t number : numbers)
    for (const auto& [name, value] : known) {
      if (!admissible.varies(name)) continue;
      Sizes sizes = known;
      make_others_least(admissible, name, sizes);
      for (sizes[name] = number + 2; sizes[name] < number + kNear; ++sizes[name]) {
        if (!admissible.admits(sizes)) continue;
        found.push_back(std::move(sizes));
        break;
      }
    }
  return found;
}

std::int64_t threads_at(const Program& kernel, const Sizes& sizes) {
  const auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
  return shape.ok() ? shape->blocks() * shape->threads_per_block() : 0;
}

std::vector<Sizes> further_sizes(const AdmissibleSizes& admissible, const Program& kernel,
                                 const std::vector<Sizes>& known, std::int64_t threads) {
  std::map<Sizes, std::size_t> candidates;  // and how many tell more
  const bool is_same_launch = is_fixed(kernel.directives.launch->grid, kernel.source);
  for (const Sizes& at : known) {
    const auto shape = evaluate(*kernel.directives.launch, at, kernel.source);
    if (!shape.ok()) continue;
    std::vector<Sizes> together{at, at, at};  // the second, third and fifth value of all parameters at a time
    for (const auto& [name, value] : at) {
      if (!admissible.varies(name)) continue;
      const std::int64_t block = shape->threads_per_block(), all = block * shape->blocks();
      const std::vector<std::int64_t> values = admissible_values(admissible, at, name, all);
      std::size_t before = 0, next = 0;
      std::vector<std::int64_t> last = last_values_of_launches(kernel, at, name, values);
      for (std::int64_t v : telling_values(values, std::move(last), value, block, all, is_same_launch)) {
        Sizes sizes = at;
        sizes[name] = v;
        if (v > all && v > 2 * value) make_others_least(admissible, name, sizes);
        candidates.try_emplace(std::move(sizes), before++);
      }
      for (std::size_t i : {1, 2, 4})
        if (Sizes& sizes = together[next++]; i < values.size()) sizes[name] = values[i];
    }
    for (const Sizes& sizes : together) candidates.try_emplace(sizes, is_same_launch ? 1 : 0);
  }
  std::map<std::int64_t, std::set<std::pair<std::size_t, Sizes>>> by_threads;
  for (const auto& [sizes, before] : candidates)
    if (std::ranges::find(known, sizes) == known.end() && admissible.admits(sizes))
      by_threads[threads_at(kernel, sizes)].emplace(before, sizes);
  std::vector<Sizes> further;
  for (bool any = true; any;) {  // one of each launch, then a second one of each
    any = false;
    for (auto& [count, sizes] : by_threads) {
      if (count > threads) break;
      if (sizes.empty()) continue;
      any = true;
      threads -= count;
      further.push_back(std::move(sizes.extract(sizes.begin()).value().second));
    }
  }
  return further;
}

}  // namespace swizzle
