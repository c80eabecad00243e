#include "synth/search/cost_classes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "synth/machine/machine.h"

namespace swizzle {
namespace {

// That cost so much, at `unit` each.
int fewest_ops(double cost, double unit) { return static_cast<int>(std::ceil(cost / std::max(unit, kCostTolerance))); }

constexpr double kListedTables = 4'000;  // parameter settings of a hole whose tables are listed once and for all
constexpr double kListedMaps = 40'000;   // of a linear one: each cost is listed anew otherwise, with those below
constexpr double kFewSettings = 1'000;   // that are listed without further ado
constexpr std::size_t kFewTables = 256;

// Of a hole with many points, fewer tables are worth listing.
std::size_t most_listed(const HoleSpace& space) {
  constexpr std::size_t kMostValues = 1'000'000, kLeast = 256;
  return std::clamp(kMostValues / space.points.size(), kLeast, static_cast<std::size_t>(kListedTables));
}

// By what they cost: what is 0 everywhere guards nothing.
std::shared_ptr<const TableList> listed(const HoleSpace& space, Enumeration all) {
  if (const auto zero = std::find_if_not(all.tables.begin(), all.tables.end(), is_active);
      zero != all.tables.end() && zero->integer_ops == 0)
    std::rotate(all.tables.begin(), zero, zero + 1);
  return std::make_shared<TableList>(std::move(all.tables), space.points.size(), space.domain);
}

double most_settings(const HoleSpace& space) {
  return space.traits().grammar == HoleGrammar::kLinear ? kListedMaps : kListedTables;
}

bool has_none(const TableGrammar& grammar, const Domains& domains, const BinaryNogoods& excluded) {
  const Enumeration any = grammar.within(domains, excluded, kAnyCost, 1);
  return any.complete && any.tables.empty();
}

std::vector<HoleTable> inactive(std::vector<HoleTable> tables) {
  std::erase_if(tables, is_active);
  return tables;
}

}  // namespace

// Of a transformation that forces something elsewhere, the families join first: few of its tables may be left to list.
void CostClasses::join(Propagator& propagator, const Deadline& deadline) const {
  const std::vector<bool> forcing = propagator.forcing();
  for (const HoleSpace& space : problem_.holes) {
    if (deadline.passed()) return;
    if (space.points.empty()) continue;
    const TableGrammar& grammar = *grammars_[space.id.value];
    if (grammar.is_dear_to_list()) continue;
    if (grammar.settings() > (forcing[space.id.value] ? kFewSettings : most_settings(space))) {
      auto& families = shared_.families[grammar_key(space)];
      if (!families) families = grammar.families();
      if (families) propagator.add_table(space, families);
      if (families || grammar.settings() > most_settings(space)) continue;
    }
    auto& list = shared_.lists[grammar_key(space)];
    if (!list) list = listed(space, grammar.within(Domains(problem_.points), kAnyCost, kMostTables));
    propagator.add_table(space, list);
  }
}

std::optional<Conflict> CostClasses::sharpen(Propagator& propagator, const Deadline& deadline) const {
  for (const HoleSpace& space : problem_.holes) {
    if (deadline.passed()) break;
    if (!propagator.has_families(space)) continue;
    const TableGrammar& grammar = *grammars_[space.id.value];
    std::optional<Enumeration> left;
    if (const std::unique_ptr<ImpliedLiterals> test = propagator.implied_literals(space))
      left = grammar.passing(domains_, *test, most_listed(space));
    if ((!left || !left->complete) && grammar.settings() <= kListedTables)
      left = grammar.within(domains_, kAnyCost, kMostTables);
    if (!left || !left->complete) continue;
    propagator.list_table(space, listed(space, std::move(*left)));
    if (auto conflict = propagator.propagate()) return conflict;
  }
  return std::nullopt;
}

CostClass CostClasses::next(std::size_t hole, double from, double budget, std::size_t limit,
                            const Propagator& propagator) {
  if (const CompactTable* listed = propagator.table_of(problem_.holes[hole])) return next_listed(hole, *listed, from);
  const TableGrammar& grammar = *grammars_[hole];
  const HoleSpace& space = problem_.holes[hole];
  const BinaryNogoods excluded =
      grammar.heeds_excluded_pairs() ? propagator.binary_nogoods(space) : BinaryNogoods(0, 0);
  const double unit = costs_.unit(hole);
  const std::optional<int> exhausted = grammar.exhausted_ops();
  if (unit == 0 || (is_narrow(hole) && !exhausted)) {
    Enumeration all = grammar.within(domains_, excluded, kAnyCost, unit == 0 ? kMostTables : kFewTables);
    if (all.complete) return lowest(hole, std::move(all.tables), from);
    if (unit == 0) truncated_ = hole;
  }
  const double guarded = costs_.rank(hole, 0, true);  // on top of any table but those that are 0 everywhere
  if (guarded > 0 && from <= kCostTolerance) {
    auto tables = inactive(grammar.within(domains_, excluded, 0, kMostTables).tables);
    if (!tables.empty()) return of_rank(hole, 0, std::move(tables));
  }
  int ops = std::max(0, fewest_ops(from - guarded - kCostTolerance, unit));
  const auto rank = [&] { return costs_.rank(hole, ops, true); };
  for (; ops <= grammar.most_ops() && costs_.least_price(hole, rank()) <= budget + kCostTolerance; ++ops) {
    Enumeration found = grammar.within(domains_, excluded, ops, limit);
    const bool unlisted = exhausted && ops > *exhausted;
    if (!unlisted && !found.complete && limit < kMostTables) return bound(hole, rank(), {.many = true});
    if (!unlisted && !found.complete) truncated_ = hole;
    std::erase_if(found.tables,
                  [&](const HoleTable& t) { return t.integer_ops < ops || (guarded > 0 && !is_active(t)); });
    if (found.tables.empty()) continue;
    CostClass result = of_rank(hole, rank(), std::move(found.tables));
    return unlisted ? beside_unlisted(hole, *exhausted + 1, std::move(result)) : result;
  }
  if (ops > grammar.most_ops() && exhausted) {
    if (is_decided(hole) && !grammar.within(domains_, excluded, *exhausted, 1).tables.empty())
      return {};  // it is known
    ops = std::max(*exhausted + 1, fewest_ops(from - guarded, unit));
    return beside_unlisted(hole, *exhausted + 1, bound(hole, rank(), {.beyond = true, .is_last = true}));
  }
  if (ops > grammar.most_ops() || (!exhausted && has_none(grammar, domains_, excluded))) return {};
  CostClass beyond = bound(hole, rank(), {.beyond = true});
  return exhausted && ops > *exhausted + 1 ? beside_unlisted(hole, *exhausted + 1, std::move(beyond)) : beyond;
}

// Of those that no list has, some may have no more operations than that.
CostClass CostClasses::beside_unlisted(std::size_t hole, int operations, CostClass listed) const {
  listed.unlisted = true;
  listed.spared = costs_.least_price(hole, listed.rank) - costs_.least_price(hole, costs_.rank(hole, operations, true));
  return listed;
}

std::optional<CostClass> CostClasses::passing(std::size_t hole, TableTest& test, std::size_t limit) const {
  std::optional<Enumeration> left = grammars_[hole]->passing(domains_, test, limit);
  if (!left || !left->complete) return std::nullopt;
  CostClass result = of_rank(hole, 0, std::move(left->tables));
  result.forced = true;
  return result;
}

std::optional<std::vector<HoleTable>> CostClasses::fitting(std::size_t hole, const Domains& domains,
                                                           std::size_t limit) const {
  if (grammars_[hole]->exhausted_ops()) return std::nullopt;
  Enumeration all = grammars_[hole]->within(domains, kAnyCost, limit);
  if (!all.complete) return std::nullopt;
  return std::move(all.tables);
}

CostClass CostClasses::bound(std::size_t hole, double rank, CostClass why) const {
  why.rank = rank;
  why.price = costs_.least_price(hole, rank);
  return why;
}

CostClass CostClasses::of_rank(std::size_t hole, double rank, std::vector<HoleTable> tables) const {
  CostClass result{.rank = rank};
  for (const HoleTable& t : tables) result.price = std::min(result.price, costs_.price(hole, t));
  result.tables = std::move(tables);
  return result;
}

// So few values are left that all tables can be listed, whatever they cost.
bool CostClasses::is_narrow(std::size_t hole) const {
  std::size_t values = 0;
  for (PointId p : problem_.holes[hole].points) values += static_cast<std::size_t>(domains_.count(p));
  return values < 2 * problem_.holes[hole].points.size();
}

bool CostClasses::is_decided(std::size_t hole) const {
  return std::ranges::all_of(problem_.holes[hole].points, [&](PointId p) { return domains_.count(p) == 1; });
}

CostClass CostClasses::next_listed(std::size_t hole, const CompactTable& table, double from) const {
  CostClass result;
  std::size_t live = 0;
  std::vector<std::size_t> lowest;
  for (std::size_t t = 0; t < table.list().tables.size(); ++t) {
    if (!table.is_live(t) || issued(hole, table.list(), t) < costs_.least_issued(hole) - kCostTolerance) continue;
    ++live;
    const double rank = costs_.rank(hole, table.list(), t);
    if (rank < from - kCostTolerance || rank > result.rank + kCostTolerance) continue;
    if (rank < result.rank - kCostTolerance) lowest.clear();
    result.rank = std::min(result.rank, rank);
    lowest.push_back(t);
  }
  assert(result.rank > from - kCostTolerance);
  for (std::size_t t : lowest) {
    result.tables.push_back(table.list().tables[t]);
    result.price = std::min(result.price, price(hole, table.list(), t));
  }
  result.forced = live == 1;
  return result;
}

CostClass CostClasses::lowest(std::size_t hole, std::vector<HoleTable> tables, double from) const {
  double least = std::numeric_limits<double>::infinity();
  for (const HoleTable& t : tables)
    if (const double rank = costs_.rank(hole, t); rank > from - kCostTolerance) least = std::min(least, rank);
  const bool forced = tables.size() == 1;
  std::erase_if(tables, [&](const HoleTable& t) { return std::abs(costs_.rank(hole, t) - least) > kCostTolerance; });
  CostClass result = of_rank(hole, least, std::move(tables));
  result.forced = forced;
  return result;
}

// Tables are listed by operations, whose price alone ends the walk.
double CostClasses::least_price(std::size_t hole, double rank, const Propagator& propagator) const {
  const CompactTable* const table = propagator.table_of(problem_.holes[hole]);
  if (!table) return costs_.least_price(hole, rank);
  const TableList& list = table->list();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t t = table->next_live(0); t < list.tables.size(); t = table->next_live(t + 1)) {
    if (costs_.unit(hole) * list.tables[t].integer_ops >= least) break;
    if (rank > 0 && costs_.rank(hole, list, t) <= rank - kCostTolerance) continue;
    if (issued(hole, list, t) >= costs_.least_issued(hole) - kCostTolerance)
      least = std::min(least, price(hole, list, t));
  }
  return least;
}

double CostClasses::price(std::size_t hole, const TableList& list, std::size_t table) const {
  return costs_.unit(hole) * list.tables[table].integer_ops + issued(hole, list, table);
}

double CostClasses::issued(std::size_t hole, const TableList& list, std::size_t table) const {
  const std::uint32_t shape = costs_.issues().shape(hole);
  if (shape == 0) return 0;
  std::vector<double>& issued = issued_[{&list, shape}];
  if (issued.empty())
    for (const HoleTable& t : list.tables) issued.push_back(costs_.issues().of(hole, t.values));
  return issued[table];
}

}  // namespace swizzle
