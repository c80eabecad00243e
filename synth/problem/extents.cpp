#include "synth/problem/extents.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "synth/problem/launched_sizes.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostSteps = 2'000'000;  // of the spec, at one size
constexpr std::size_t kMostProbed = 6;          // parameters

using Samples = std::map<Sizes, std::int64_t>;

using Monomial = std::vector<std::string>;  // the names in it; none: the constant

std::int64_t product(const Monomial& monomial, const Sizes& sizes) {
  std::int64_t value = 1;
  for (const std::string& name : monomial) value *= sizes.at(name);
  return value;
}

struct Polynomial {
  std::vector<Monomial> monomials;
  std::vector<std::int64_t> coefficients;

  std::int64_t at(const Sizes& sizes) const {
    std::int64_t value = 0;
    for (std::size_t m = 0; m < monomials.size(); ++m) value += coefficients[m] * product(monomials[m], sizes);
    return value;
  }
  std::string text() const;
};

// What is added comes before what is subtracted, the constant last.
std::string Polynomial::text() const {
  std::string plus, minus;
  std::int64_t constant = 0;
  for (std::size_t m = 0; m < monomials.size(); ++m) {
    if (monomials[m].empty()) constant = coefficients[m];
    if (monomials[m].empty() || coefficients[m] == 0) continue;
    const std::int64_t factor = std::abs(coefficients[m]);
    std::string term = factor == 1 ? "" : std::to_string(factor);
    for (const std::string& name : monomials[m]) term += (term.empty() ? "" : " * ") + name;
    if (coefficients[m] < 0) minus += " - " + term;
    else plus += (plus.empty() ? "" : " + ") + term;
  }
  if (plus.empty()) return std::to_string(constant) + minus;
  if (constant > 0 && !minus.empty()) return fmt::format("{} + {}{}", plus, constant, minus);
  return plus + minus + (constant == 0 ? "" : fmt::format(" {} {}", constant > 0 ? '+' : '-', std::abs(constant)));
}

// Gauss: rows of a coefficient each, then the value. Nothing: some coefficient may be anything.
std::optional<std::vector<std::int64_t>> solved(std::vector<std::vector<long double>> rows, std::size_t unknowns) {
  constexpr long double kNothing = 1e-9L;
  for (std::size_t u = 0; u < unknowns; ++u) {
    std::size_t pivot = u;
    for (std::size_t r = u; r < rows.size(); ++r)
      if (std::fabs(rows[r][u]) > std::fabs(rows[pivot][u])) pivot = r;
    if (pivot >= rows.size() || std::fabs(rows[pivot][u]) < kNothing) return std::nullopt;
    std::swap(rows[u], rows[pivot]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == u) continue;
      const long double factor = rows[r][u] / rows[u][u];
      for (std::size_t c = u; c <= unknowns; ++c) rows[r][c] -= factor * rows[u][c];
    }
  }
  std::vector<std::int64_t> solution;
  for (std::size_t u = 0; u < unknowns; ++u) solution.push_back(std::llround(rows[u][unknowns] / rows[u][u]));
  return solution;
}

std::optional<Polynomial> through(const Samples& samples, const std::vector<Monomial>& monomials) {
  std::vector<std::vector<long double>> rows;
  for (const auto& [sizes, value] : samples) {
    rows.emplace_back();
    for (const Monomial& m : monomials) rows.back().push_back(static_cast<long double>(product(m, sizes)));
    rows.back().push_back(static_cast<long double>(value));
  }
  auto coefficients = solved(std::move(rows), monomials.size());
  if (!coefficients) return std::nullopt;
  Polynomial p{monomials, std::move(*coefficients)};
  const bool fits = std::all_of(samples.begin(), samples.end(),
                                [&](const auto& sample) { return p.at(sample.first) == sample.second; });
  return fits ? std::optional(std::move(p)) : std::nullopt;
}

std::set<std::int64_t> values_of(const std::string& name, const Samples& samples) {
  std::set<std::int64_t> values;
  for (const auto& [sizes, value] : samples) values.insert(sizes.at(name));
  return values;
}

// The simplest first: a constant, a line in one parameter, then in all, then with products, then with squares. Of more
// than two coefficients, a sample must be left that confirms them.
std::optional<Polynomial> simplest_through(const Samples& samples) {
  std::vector<std::string> names;
  for (const auto& [name, value] : samples.begin()->first)
    if (values_of(name, samples).size() > 1) names.push_back(name);
  std::vector<std::vector<Monomial>> tries{{{}}};
  for (const std::string& name : names) tries.push_back({{name}, {}});
  std::vector<Monomial> linear, products, squares;
  for (std::size_t i = 0; i < names.size(); ++i) {
    linear.push_back({names[i]});
    squares.push_back({names[i], names[i]});
    for (std::size_t j = i + 1; j < names.size(); ++j) products.push_back({names[i], names[j]});
  }
  linear.push_back({});
  tries.push_back(linear);
  products.insert(products.end(), linear.begin(), linear.end());
  tries.push_back(products);
  squares.insert(squares.end(), products.begin(), products.end());
  tries.push_back(squares);
  for (const auto& monomials : tries) {
    if (monomials.size() > std::max<std::size_t>(2, samples.size() - 1)) continue;
    if (auto found = through(samples, monomials)) return found;
  }
  return std::nullopt;
}

class Sampling {
 public:
  Sampling(const ExtentQuestion& question, std::size_t buffer)
      : question_(question),
        buffer_(buffer),
        base_(question.posed[0].sizes) {
    const Program& p = question.sketch;
    const Type& type = p.type(p.variable(p.function(p.entry).parameters[buffer]).type);
    item_ = std::max(1, p.type(type.element).slots);
    for (const Posed& at : question.posed) samples_.emplace(at.sizes, at.extents[buffer] / item_);
  }

  std::optional<Polynomial> polynomial();
  // Parameters that have one value in all samples.
  Sizes fixed() const {
    Sizes fixed = base_;
    std::erase_if(fixed, [&](const auto& size) { return values_of(size.first, samples_).size() > 1; });
    return fixed;
  }

 private:
  Samples along(const std::string& name) const;
  bool holds_below(const std::string& name, const Polynomial& p) const;
  void sample(Sizes sizes, Samples& samples) const;

  const ExtentQuestion& question_;
  std::size_t buffer_;
  Sizes base_;
  std::int64_t item_ = 1;
  Samples samples_;
};

// Where the spec can be executed; where it was, that is known.
void Sampling::sample(Sizes sizes, Samples& samples) const {
  if (const auto known = samples_.find(sizes); known != samples_.end()) samples.insert(*known);
  else if (const auto touched = touched_by(question_.spec, question_.sketch, sizes, kMostSteps); touched.ok())
    samples.emplace(std::move(sizes), (*touched)[buffer_] / item_);
}

// At one less, where the spec can be executed there.
bool Sampling::holds_below(const std::string& name, const Polynomial& p) const {
  Samples below;
  Sizes sizes = base_;
  if (--sizes[name] < 0) return true;
  sample(std::move(sizes), below);
  return std::ranges::all_of(below, [&](const auto& sample) { return p.at(sample.first) == sample.second; });
}

// One parameter by itself: where it was posed, else its neighbors, or its multiples if it only comes in such.
Samples Sampling::along(const std::string& name) const {
  const std::set<std::int64_t> posed = values_of(name, samples_);
  const std::int64_t v = base_.at(name);
  std::vector<std::vector<std::int64_t>> tries{{v, v + 1, v + 2, v + 3, 2 * v}, {v, 2 * v, 3 * v, 4 * v}};
  if (posed.size() > 1) {
    const std::vector<std::int64_t> values(posed.begin(), posed.end());
    tries = {values, values};
    tries.back().push_back(2 * values.back() - values.front());
  }
  for (const std::vector<std::int64_t>& values : tries) {
    Samples found;
    for (const std::int64_t value : values) {
      Sizes sizes = base_;
      sizes[name] = value;
      sample(std::move(sizes), found);
    }
    const auto fits = found.size() > 2 ? simplest_through(found) : std::nullopt;
    if (!fits) continue;
    // min(d, 4), posed at 4, is 4 from there on, and less below.
    const bool are_neighbors = posed.size() == 1 && values[1] == v + 1;
    return !are_neighbors || holds_below(name, *fits) ? found : Samples();
  }
  return {};
}

std::optional<Polynomial> Sampling::polynomial() {
  const Samples posed = samples_;
  std::vector<std::pair<std::string, std::int64_t>> moved;  // another value of each parameter
  for (const auto& [name, value] : base_) {
    if (moved.size() >= kMostProbed) break;
    Samples found = along(name);
    for (const auto& [sizes, extent] : found)
      if (sizes.at(name) != value && (moved.empty() || moved.back().first != name))
        moved.emplace_back(name, sizes.at(name));
    samples_.merge(found);
  }
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (std::size_t j = i + 1; j < moved.size(); ++j) {
      Sizes sizes = base_;
      sizes[moved[i].first] = moved[i].second;
      sizes[moved[j].first] = moved[j].second;
      sample(std::move(sizes), samples_);
    }
  if (auto found = simplest_through(samples_)) return found;
  samples_ = posed;
  return simplest_through(samples_);
}

}  // namespace

Result<ExtentText> extent_text(const ExtentQuestion& question, std::size_t buffer, SourceRange asked) {
  const Program& p = question.sketch;
  const std::string& name = p.variable(p.function(p.entry).parameters[buffer]).name;
  for (const Extent& e : p.directives.extents)
    if (e.buffer == name) return ExtentText{e.elements.text, {}};
  Sampling sampling(question, buffer);
  const auto found = sampling.polynomial();
  const bool is_told =
      found && std::ranges::none_of(found->monomials, [&](const Monomial& monomial) {
        return std::ranges::any_of(monomial, [&](const std::string& size) { return is_launched_size(p, size); });
      });
  if (!is_told)
    return make_error(
        p.source, asked,
        fmt::format("how long '{0}' is cannot be told from the sizes; write '#pragma swizzle extent {0}(…)'", name));
  return ExtentText{found->text(), sampling.fixed()};
}

}  // namespace swizzle
