// Constants for each value of the arguments: every table is one.
#include <cmath>

#include "synth/tables/constant_rows.h"
#include "synth/tables/tables.h"

namespace swizzle {
namespace {

class ConstantsGrammar : public TableGrammar {
 public:
  explicit ConstantsGrammar(const HoleSpace& space) : space_(space) {}

  Enumeration within(const Domains& domains, int, std::size_t limit) const override {
    Enumeration all;
    std::vector<std::int16_t> values;
    list(domains, limit, values, all);
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
    for (int v = 0; v < space_.domain && all.complete; ++v) {
      if (!domains.allows(space_.points[values.size()], v)) continue;
      values.push_back(static_cast<std::int16_t>(v));
      list(domains, limit, values, all);
      values.pop_back();
    }
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
