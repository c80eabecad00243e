// Constants for each value of the arguments: every table is one.
#include <algorithm>
#include <cmath>

#include "synth/tables/constant_rows.h"
#include "synth/tables/tables.h"

namespace swizzle {
namespace {

class ConstantsGrammar : public TableGrammar {
 public:
  explicit ConstantsGrammar(const HoleSpace& space) : space_(space) {}

  Enumeration within(const Domains& domains, int, std::size_t limit) const override {
    constexpr std::size_t kMost = 1 << 18;  // tables, whose expressions are large
    Enumeration all;
    std::vector<std::int16_t> values;
    list(domains, std::min(limit, kMost), values, all);
    return all;
  }

  double settings() const override { return std::pow(10.0, raw_space_log10(space_)); }
  int most_ops() const override { return 0; }
  std::optional<double> distinct_log10(const Deadline&) const override { return raw_space_log10(space_); }

 private:
  void list(const Domains& domains, std::size_t limit, std::vector<std::int16_t>& values, Enumeration& all) const {
    if (values.size() == space_.points.size()) {
      all.complete = all.tables.size() < limit;
      if (all.complete) all.tables.push_back(constant_table(space_, values));
      return;
    }
    const auto go_on = [&](std::int64_t v) {
      if (!all.complete || !domains.allows(space_.points[values.size()], static_cast<int>(v))) return;
      values.push_back(static_cast<std::int16_t>(v));
      list(domains, limit, values, all);
      values.pop_back();
    };
    // An argument itself reads best.
    const std::vector<std::int64_t>& arguments = space_.arguments[values.size()];
    const std::int64_t own = arguments.empty() ? -1 : arguments[0] - space_.least;
    const bool is_there = own >= 0 && own < space_.domain;
    if (is_there) go_on(own);
    for (int v = 0; v < space_.domain; ++v)
      if (!is_there || v != own) go_on(v);
  }

  const HoleSpace& space_;
};

}  // namespace

HoleTable constant_table(const HoleSpace& space, std::vector<std::int16_t> values) {
  ConstantRows rows;
  for (std::size_t i = 0; i < values.size(); ++i) rows[space.arguments[i]] = space.least + values[i];
  HoleTable table{std::move(values), expression_of(rows), 0};
  return table;
}

std::unique_ptr<TableGrammar> constants_grammar(const HoleSpace& space) {
  return std::make_unique<ConstantsGrammar>(space);
}

}  // namespace swizzle
