#include "synth/oracle/encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "synth/bounds/guarded_issues.h"
#include "synth/oracle/equation_encoder.h"
#include "synth/tables/linear_space.h"

namespace swizzle {

// Prices are rational numbers with small denominators: whole issue slots, averaged over the warps of a launch.
static constexpr int kLargestDenominator = 10'000;

bool Encoding::encode() {
  values_.resize(problem_.points.size());
  for (const HoleSpace& space : problem_.holes) {
    if (space.points.empty()) {
      holes_.emplace_back();
      continue;
    }
    HoleEncoder encoder(space, formula_);
    auto hole = encoder.encode();
    if (!hole) {
      why_ = encoder.why();
      return false;
    }
    take(space, *std::move(hole));
  }
  return encode_equations({}, std::numeric_limits<std::size_t>::max());
}

bool Encoding::encode(const LeftOpen& left, const Deadline& deadline, std::size_t most_clauses) {
  values_.resize(problem_.points.size());
  for (const HoleSpace& space : problem_.holes) {
    const std::vector<HoleTable>& tables = left.tables[space.id.value];
    take(space, space.points.empty() ? EncodedHole() : tables.empty() ? unlisted(space) : listed(space, tables));
  }
  for (std::size_t p = 0; p < values_.size(); ++p)
    for (std::size_t v = 0; v < values_[p].size(); ++v)
      if (!left.values.allows(PointId(p), static_cast<int>(v))) formula_.add({!values_[p][v]});
  return encode_equations(deadline, most_clauses);
}

void Encoding::take(const HoleSpace& space, EncodedHole hole) {
  for (std::size_t p = 0; p < space.points.size(); ++p) values_[space.points[p].value] = hole.values[p];
  holes_.push_back(std::move(hole));
}

// Tables differ somewhere, where there is one value: no two of them are chosen.
EncodedHole Encoding::listed(const HoleSpace& space, const std::vector<HoleTable>& tables) {
  EncodedHole hole = encoded_values(space, formula_);
  const Literals chosen = formula_.fresh(tables.size());
  formula_.add(chosen);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t p = 0; p < hole.values.size(); ++p)
      formula_.add({!chosen[t], hole.values[p][static_cast<std::size_t>(tables[t].values[p])]});
    if (tables[t].integer_ops > 0) hole.ops.push_back({chosen[t], tables[t].integer_ops});
  }
  return hole;
}

// Any values, but where what has them is a linear map.
EncodedHole Encoding::unlisted(const HoleSpace& space) {
  const HoleGrammar grammar = space.traits().grammar;
  EncodedHole hole = encoded_values(space, formula_);
  is_priced_ = is_priced_ && grammar == HoleGrammar::kConstants;
  if (grammar == HoleGrammar::kLinear || grammar == HoleGrammar::kXor) add_linear(space, hole);
  return hole;
}

// Each bit of a value is the sum of that bit of the values at some points.
void Encoding::add_linear(const HoleSpace& space, const EncodedHole& hole) {
  const LinearSpace linear(space, 0);
  if (linear.is_too_wide()) return;
  std::vector<std::size_t> order(space.points.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  const LinearSpace::Basis basis = linear.basis(order);
  const int width = std::bit_width(static_cast<unsigned>(space.domain - 1));
  for (int bit = 0; bit < width; ++bit) {
    const auto is_set = [&](std::size_t p) {
      Literals with;
      for (std::size_t v = 0; v < hole.values[p].size(); ++v)
        if ((v >> bit & 1) != 0) with.push_back(hole.values[p][v]);
      return formula_.any_of(std::move(with));
    };
    Literals units;
    for (const std::size_t p : basis.points) units.push_back(is_set(p));
    for (std::size_t p = 0; p < hole.values.size(); ++p) {
      if (std::ranges::find(basis.points, p) != basis.points.end()) continue;
      Literals sum{is_set(p)};
      for (std::size_t u = 0; u < units.size(); ++u)
        if ((basis.sums[p] >> u & 1) != 0) sum.push_back(units[u]);
      formula_.parity(std::move(sum), false);
    }
  }
}

bool Encoding::encode_equations(const Deadline& deadline, std::size_t most_clauses) {
  EquationEncoder equations(problem_, values_, formula_, deadline, most_clauses);
  why_ = equations.encode() ? "" : equations.why();
  return why_.empty() && price();
}

Literals Encoding::choice_of(const std::vector<HoleTable>& tables) const {
  Literals chosen;
  for (std::size_t h = 0; h < holes_.size(); ++h)
    for (std::size_t p = 0; p < holes_[h].values.size(); ++p)
      chosen.push_back(holes_[h].values[p][static_cast<std::size_t>(tables[h].values[p])]);
  return chosen;
}

std::int64_t Encoding::left_of(double cost) const {
  return static_cast<std::int64_t>(
      std::floor((cost - cost_of(problem_.counts, machine_) + kCostTolerance) * denominator_));
}

std::int64_t Encoding::left_below(double cost) const {
  return static_cast<std::int64_t>(
             std::ceil((cost - cost_of(problem_.counts, machine_) - kCostTolerance) * denominator_)) -
         1;
}

double Encoding::cost_in(const Z3Answer& answer) const {
  return cost_of(problem_.counts, machine_) + static_cast<double>(answer.objective) / denominator_;
}

std::vector<std::vector<std::int16_t>> Encoding::tables_in(const Z3Answer& answer) const {
  std::vector<std::vector<std::int16_t>> tables;
  for (const EncodedHole& hole : holes_) {
    tables.emplace_back();
    for (const Literals& point : hole.values)
      for (std::size_t v = 0; v < point.size(); ++v)
        if (answer.holds(point[v])) tables.back().push_back(static_cast<std::int16_t>(v));
  }
  return tables;
}

// Operations cost what they are executed; what a guard lets through is issued.
bool Encoding::price() {
  std::vector<std::pair<Literal, double>> prices;
  for (std::size_t h = 0; h < holes_.size(); ++h)
    for (const auto& [literal, ops] : holes_[h].ops)
      prices.emplace_back(literal, static_cast<double>(ops) * problem_.executions[h] * machine_.integer_op);
  for (const GuardedIssue& issue : problem_.guarded) {
    const double cost = cost_of(issue.counts, machine_);
    if (cost == 0) continue;
    const Literal issued = formula_.fresh();
    for (const Value& guard : issue.guards) issue_where(guard, {issued});
    prices.emplace_back(issued, cost);
  }
  const auto is_whole = [&](double price) {
    return std::abs(price * denominator_ - std::round(price * denominator_)) < 1e-6;
  };
  while (denominator_ < kLargestDenominator &&
         !std::all_of(prices.begin(), prices.end(), [&](const auto& p) { return is_whole(p.second); }))
    ++denominator_;
  if (denominator_ == kLargestDenominator) why_ = "prices without a common denominator";
  for (const auto& [literal, price] : prices)
    if (price > 0) formula_.minimize(literal, std::llround(price * denominator_));
  return why_.empty();
}

// A clause for each way to a leaf that is not 0: some point on it is another, or the first literal holds.
void Encoding::issue_where(Value guard, const Literals& clause) {
  if (!guard.is_node() || problem_.provenance.node(guard).kind != Node::Kind::kChoice) {
    if (truth(guard) != false) formula_.add(clause);
    return;
  }
  const Node& node = problem_.provenance.node(guard);
  for (std::size_t v = 0; v < node.children().size(); ++v) {
    Literals more = clause;
    more.push_back(!values_[node.tag][v]);
    issue_where(node.children()[v], more);
  }
}

}  // namespace swizzle
