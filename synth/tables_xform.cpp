// Transformation swizzles as a grammar: what was asked about last is kept.
#include "synth/tables.h"
#include "synth/xform_space.h"
#include "synth/xform_walk.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostKeptSets = 2'000'000;
constexpr std::size_t kMostKeptTables = 50'000;
constexpr int kOpsAhead = 1;
constexpr std::size_t kManyPoints = 256;

class XformGrammar : public TableGrammar {
 public:
  XformGrammar(const HoleSpace& space, std::shared_ptr<const XformSpace> xform) : space_(space), xform_(std::move(xform)), keys_(space, xform_) {}

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override;
  std::optional<Enumeration> passing(const Domains& domains, TableTest& test, std::size_t limit) const override;

  // i mod g twice, a fan, a quotient, two mods, the base; and for each variable a product, a quotient and two sums
  int most_ops() const override { return (40 + 8 * static_cast<int>(xform_->arity())) * (space_.extra ? 2 : 1); }
  double distinct_log10() const override { return xform_->distinct_log10(); }
  double settings() const override { return xform_->settings(); }
  std::shared_ptr<const TransformFamilies> families() const override { return space_.domain > 64 ? nullptr : xform_->families(); }

 private:
  bool refit(std::vector<Domains::Word> asked, const XformWalk<WordSet>& walk) const;
  Enumeration kept_within(int max_ops, std::size_t limit) const;

  const HoleSpace& space_;
  std::shared_ptr<const XformSpace> xform_;
  XformKeys keys_;
  // Of the domains that were asked about last: the shapes that fit, and all tables up to some cost.
  mutable std::vector<Domains::Word> fitting_to_;
  mutable std::vector<Fitting<WordSet>> fitting_;
  mutable std::vector<HoleTable> kept_;
  mutable int kept_ops_ = -1;
};

// False: there is too much to keep.
bool XformGrammar::refit(std::vector<Domains::Word> asked, const XformWalk<WordSet>& walk) const {
  fitting_to_.clear();
  fitting_.clear();
  kept_ops_ = -1;
  std::size_t sets = 0;
  std::vector<WordSet> ok;
  for (const XformShape& shape : xform_->shapes()) {
    if (!walk.fits(shape, ok)) continue;
    sets += ok.size();
    if (sets > kMostKeptSets) return false;
    fitting_.push_back({&shape, ok});
  }
  fitting_to_ = std::move(asked);
  return true;
}

Enumeration XformGrammar::kept_within(int max_ops, std::size_t limit) const {
  Enumeration result;
  for (const HoleTable& table : kept_) {
    if (table.integer_ops > max_ops) break;
    result.complete = result.tables.size() < limit;
    if (!result.complete) break;
    result.tables.push_back(table);
  }
  return result;
}

// A search that asks about the same domains again asks for ever dearer tables.
Enumeration XformGrammar::within(const Domains& domains, int max_ops, std::size_t limit) const {
  if (space_.domain > 64) return XformWalk<WideSet>(keys_, domains, max_ops, limit).run();
  std::vector<Domains::Word> asked;
  for (PointId p : space_.points) asked.push_back(*domains.values(p));
  if (asked != fitting_to_) {
    XformWalk<WordSet> walk(keys_, domains, max_ops, limit);
    return refit(std::move(asked), walk) ? walk.run(fitting_) : walk.run();
  }
  if (max_ops <= kept_ops_) return kept_within(max_ops, limit);
  const bool large = space_.points.size() > kManyPoints;  // tables of many points cost more to list than to find again
  const int ahead = max_ops < most_ops() && !large ? max_ops + kOpsAhead : max_ops;
  Enumeration more = XformWalk<WordSet>(keys_, domains, ahead, std::min(limit, kMostKeptTables)).run(fitting_);
  if (!more.complete) return ahead == max_ops && limit <= kMostKeptTables ? more : XformWalk<WordSet>(keys_, domains, max_ops, limit).run(fitting_);
  kept_ = std::move(more.tables);
  kept_ops_ = ahead;
  return kept_within(max_ops, limit);
}

std::optional<Enumeration> XformGrammar::passing(const Domains& domains, TableTest& test, std::size_t limit) const {
  if (space_.domain > 64) return XformWalk<WideSet>(keys_, domains, kAnyCost, limit).run(test);
  return XformWalk<WordSet>(keys_, domains, kAnyCost, limit).run(test);
}

}  // namespace

std::shared_ptr<const XformSpace> xform_space(const HoleSpace& space) { return std::make_shared<XformSpace>(space); }

std::unique_ptr<TableGrammar> xform_grammar(const HoleSpace& space, std::shared_ptr<const XformSpace> xform) {
  return std::make_unique<XformGrammar>(space, std::move(xform));
}

}  // namespace swizzle
