#include "synth/propagation/sum_propagator.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "synth/propagation/literals.h"

namespace swizzle {
namespace {

constexpr double kAmountTolerance = 1e-9;

double brought(const Option& option, std::uint32_t monomial) {
  double amount = 0;
  for (const Contribution& c : option.brings)
    if (c.monomial == monomial) amount += c.amount;
  return amount;
}

bool same_contribution(const Option& a, const Option& b) {
  return std::equal(
      a.brings.begin(), a.brings.end(), b.brings.begin(), b.brings.end(),
      [](const Contribution& x, const Contribution& y) { return x.monomial == y.monomial && x.amount == y.amount; });
}

}  // namespace

std::uint32_t SumPropagator::extend() {
  const auto first = static_cast<std::uint32_t>(list_of_.size());
  for (std::size_t index = first; index < network_.sums.size(); ++index) {
    list_of_.push_back(lists_.size());
    for (const Summand& term : network_.sums[index].terms) {
      LiveList list;
      list.live = term.options.size();
      list.order.resize(term.options.size());
      std::iota(list.order.begin(), list.order.end(), 0u);
      lists_.push_back(std::move(list));
    }
  }
  return first;
}

void SumPropagator::undo(std::size_t mark) {
  assert(mark <= trail_.size());
  for (; trail_.size() > mark; trail_.pop_back()) lists_[trail_.back().first].live = trail_.back().second;
}

std::span<const std::uint32_t> SumPropagator::live_options(std::size_t index, std::size_t term) const {
  const LiveList& list = lists_[list_of_[index] + term];
  return {list.order.data(), list.live};
}

bool SumPropagator::is_consistent() const {
  return std::all_of(lists_.begin(), lists_.end(), [](const LiveList& list) { return list.live <= list.order.size(); });
}

void SumPropagator::shrink(std::size_t list, std::size_t live) {
  if (lists_[list].live == live) return;
  assert(live < lists_[list].live);
  trail_.emplace_back(static_cast<std::uint32_t>(list), lists_[list].live);
  lists_[list].live = live;
}

template <typename Keep>
void SumPropagator::filter(std::size_t list, Keep&& keep) {
  LiveList& items = lists_[list];
  std::size_t live = items.live;
  for (std::size_t i = 0; i < live;) {
    if (keep(items.order[i])) ++i;
    else std::swap(items.order[i], items.order[--live]);
  }
  shrink(list, live);
}

std::optional<Conflict> SumPropagator::visit(std::size_t index) {
  const SumConstraint& sum = network_.sums[index];
  if (!sum.asked.empty()) return visit_mdd(sum);
  const std::size_t first = list_of_[index];
  const Conflict conflict{sum.equation, sum.requirement, {}, 0, 0, SumConstraint::npos, false, {}};
  bool any_open = false;
  for (std::size_t t = 0; t < sum.terms.size(); ++t) {
    any_open |= sum.terms[t].open;
    filter(first + t, [&](std::uint32_t o) { return holds(sum.terms[t].options[o].path, domains_); });
    if (lists_[first + t].live == 0 && !sum.terms[t].open) return conflict;
  }
  if (sum.cancel_free && !sum.is_set && !any_open) {
    std::vector<double> rest = sum.need;
    std::vector<bool> decided(sum.terms.size(), false);
    if (!use_up(sum, first, rest, decided)) return conflict;
    if (auto short_of = meet_needs(sum, first, rest, decided))
      return Conflict{sum.equation, sum.requirement, sum.names[*short_of], 0, 0, SumConstraint::npos, false, {}};
  }
  for (std::size_t t = 0; t < sum.terms.size(); ++t)
    if (!sum.terms[t].open && !remove_unsupported(sum.terms[t], first + t)) return conflict;
  return std::nullopt;
}

// Terms that can bring one thing only use up the need for it; the others must do with the rest. False: one can bring
// nothing.
bool SumPropagator::use_up(const SumConstraint& sum, std::size_t first_list, std::vector<double>& rest,
                           std::vector<bool>& decided) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t t = 0; t < sum.terms.size(); ++t) {
      if (decided[t]) continue;
      const std::vector<Option>& options = sum.terms[t].options;
      filter(first_list + t, [&](std::uint32_t o) {
        return std::none_of(options[o].brings.begin(), options[o].brings.end(), [&](const Contribution& c) {
          return brought(options[o], c.monomial) > rest[c.monomial] + kAmountTolerance;
        });
      });
      const LiveList& list = lists_[first_list + t];
      if (list.live == 0) return false;
      const Option& one = options[list.order[0]];
      bool same = true;
      for (std::size_t i = 1; i < list.live && same; ++i) same = same_contribution(options[list.order[i]], one);
      if (!same) continue;
      decided[t] = again = true;
      for (const Contribution& c : one.brings) rest[c.monomial] -= c.amount;
    }
  }
  return true;
}

// Where all that undecided terms can bring is just enough, each of them must bring its share. Returns a monomial
// that cannot be served at all.
std::optional<std::uint32_t> SumPropagator::meet_needs(const SumConstraint& sum, std::size_t first_list,
                                                       const std::vector<double>& rest,
                                                       const std::vector<bool>& decided) {
  std::vector<double> capacity(rest.size(), 0), most(rest.size(), 0);
  std::vector<std::vector<Contribution>> best(
      sum.terms.size());  // by term: the most that it can bring of each monomial
  for (std::size_t t = 0; t < sum.terms.size(); ++t) {
    if (decided[t]) continue;
    const LiveList& list = lists_[first_list + t];
    for (std::size_t i = 0; i < list.live; ++i) {
      const Option& option = sum.terms[t].options[list.order[i]];
      for (const Contribution& c : option.brings) {
        if (most[c.monomial] == 0) best[t].push_back({c.monomial, 0});
        most[c.monomial] = std::max(most[c.monomial], brought(option, c.monomial));
      }
    }
    for (Contribution& c : best[t]) {
      c.amount = std::exchange(most[c.monomial], 0);
      capacity[c.monomial] += c.amount;
    }
  }
  for (std::uint32_t m = 0; m < rest.size(); ++m)
    if (capacity[m] < rest[m] - kAmountTolerance) return m;
  for (std::size_t t = 0; t < sum.terms.size(); ++t)
    for (const Contribution& c : best[t])
      if (rest[c.monomial] > kAmountTolerance && capacity[c.monomial] - c.amount < rest[c.monomial] - kAmountTolerance)
        filter(first_list + t, [&](std::uint32_t o) { return brought(sum.terms[t].options[o], c.monomial) != 0; });
  return std::nullopt;
}

bool SumPropagator::remove_unsupported(const Summand& term, std::size_t list_id) {
  const LiveList& list = lists_[list_id];
  if (list.live == 0) return false;
  std::vector<Domains::Word> supported, others;
  for (const auto& [point, unused] : term.options[list.order[0]].path) {
    supported.assign(domains_.words(), 0);
    bool always = true;
    for (std::size_t i = 0; i < list.live && always; ++i) {
      always = false;
      others.clear();
      for (const auto& [p, value] : term.options[list.order[i]].path) {
        if (p != point) continue;
        always = true;
        if (value < 0 && others.empty()) others.assign(domains_.words(), ~Domains::Word{0});
        if (value < 0) others[static_cast<std::size_t>(~value) / 64] &= ~(Domains::Word{1} << (~value % 64));
        else supported[static_cast<std::size_t>(value) / 64] |= Domains::Word{1} << (value % 64);
      }
      for (std::size_t w = 0; w < others.size(); ++w) supported[w] |= others[w];
    }
    if (always && !domains_.keep(point, supported.data())) return false;
  }
  return true;
}

std::optional<Conflict> SumPropagator::visit_mdd(const SumConstraint& sum) {
  const bool is_told =
      std::any_of(sum.asked.begin(), sum.asked.end(), [&](PointId p) { return domains_.count(p) <= sum.telling; });
  if (!is_told || walk_.keep_safe(sum.mdd, sum.asked)) return std::nullopt;
  return Conflict{sum.equation, sum.requirement, {}, 0, 0, SumConstraint::npos, false, {}};
}

}  // namespace swizzle
