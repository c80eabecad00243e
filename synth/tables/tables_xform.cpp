// Transformation swizzles as a grammar: what was asked about last is kept.
#include <algorithm>
#include <list>

#include "synth/tables/tables.h"
#include "synth/tables/xform_space.h"
#include "synth/tables/xform_walk.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostKeptSets = 2'000'000;
constexpr std::size_t kMostKeptTables = 50'000;
constexpr int kOpsAhead = 1;
constexpr std::size_t kManyPoints = 256;

// Of some domains: the shapes that fit, and all tables up to some cost.
struct XformMemo {
  std::vector<Domains::Word> domains;  // by point
  std::vector<Fitting<WordSet>> fitting;
  std::vector<HoleTable> tables;
  int ops = -1;

  Enumeration within(int max_ops, std::size_t limit) const {
    Enumeration result;
    for (const HoleTable& table : tables) {
      if (table.integer_ops > max_ops) break;
      result.complete = result.tables.size() < limit;
      if (!result.complete) break;
      result.tables.push_back(table);
    }
    return result;
  }
};

}  // namespace

// What holes that are asked with the same arguments have in common.
class SharedXform {
 public:
  explicit SharedXform(const HoleSpace& first) : space_(std::make_shared<XformSpace>(first)) {}

  const std::shared_ptr<const XformSpace>& space() const { return space_; }
  void add_hole() { ++holes_; }
  void remove_hole() { --holes_; }
  // What is known of these domains; null if that is nothing.
  XformMemo* find(const std::vector<Domains::Word>& domains) {
    const auto it =
        std::find_if(memos_.begin(), memos_.end(), [&](const XformMemo& memo) { return memo.domains == domains; });
    if (it == memos_.end()) return nullptr;
    memos_.splice(memos_.begin(), memos_, it);
    return &memos_.front();
  }
  // As many are kept as there are holes: those that were asked about last.
  void keep(XformMemo memo) {
    memos_.push_front(std::move(memo));
    if (memos_.size() > holes_) memos_.pop_back();
  }

 private:
  std::shared_ptr<const XformSpace> space_;
  std::size_t holes_ = 0;
  std::list<XformMemo> memos_;
};

namespace {

class XformGrammar : public TableGrammar {
 public:
  XformGrammar(const HoleSpace& space, std::shared_ptr<SharedXform> shared, const Deadline& deadline)
      : space_(space),
        shared_(std::move(shared)),
        xform_(*shared_->space()),
        keys_(space, shared_->space()),
        deadline_(deadline) {
    shared_->add_hole();
  }
  ~XformGrammar() override { shared_->remove_hole(); }

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override;
  std::optional<Enumeration> passing(const Domains& domains, TableTest& test, std::size_t limit) const override;

  // i mod g twice, a fan, a quotient, two mods, the base; and for each variable a product, a quotient and two sums
  int most_ops() const override {
    return (40 + 8 * static_cast<int>(xform_.arity())) * (space_.traits().swaps_digits ? 2 : 1);
  }
  std::optional<double> distinct_log10(const Deadline& deadline) const override {
    return xform_.distinct_log10(deadline);
  }
  double settings() const override { return xform_.settings(); }
  std::shared_ptr<const TransformFamilies> families() const override {
    return space_.domain > 64 ? nullptr : xform_.families();
  }

 private:
  std::optional<std::vector<Fitting<WordSet>>> fitting(const XformWalk<WordSet>& walk) const;

  const HoleSpace& space_;
  std::shared_ptr<SharedXform> shared_;
  const XformSpace& xform_;
  XformKeys keys_;
  const Deadline deadline_;
};

// Nothing: there is too much to keep, or no time.
std::optional<std::vector<Fitting<WordSet>>> XformGrammar::fitting(const XformWalk<WordSet>& walk) const {
  std::vector<Fitting<WordSet>> fitting;
  std::size_t sets = 0;
  std::vector<WordSet> ok;
  for (const XformShape& shape : xform_.shapes()) {
    if (!walk.fits(shape, ok)) continue;
    sets += ok.size();
    if (sets > kMostKeptSets || deadline_.passed()) return std::nullopt;
    fitting.push_back({&shape, ok});
  }
  return fitting;
}

// A search that asks about the same domains again asks for ever dearer tables.
Enumeration XformGrammar::within(const Domains& domains, int max_ops, std::size_t limit) const {
  if (space_.domain > 64) return XformWalk<WideSet>(keys_, domains, max_ops, limit, deadline_).run();
  std::vector<Domains::Word> asked;
  for (PointId p : space_.points) asked.push_back(*domains.values(p));
  XformMemo* const memo = shared_->find(asked);
  if (!memo) {
    XformWalk<WordSet> walk(keys_, domains, max_ops, limit, deadline_);
    auto shapes = fitting(walk);
    if (!shapes) return walk.run();
    Enumeration found = walk.run(*shapes);
    const bool whole = found.complete && found.tables.size() <= kMostKeptTables;
    shared_->keep(
        {std::move(asked), std::move(*shapes), whole ? found.tables : std::vector<HoleTable>(), whole ? max_ops : -1});
    return found;
  }
  if (max_ops <= memo->ops) return memo->within(max_ops, limit);
  const bool large = space_.points.size() > kManyPoints;  // tables of many points cost more to list than to find again
  const int ahead = max_ops < most_ops() && !large ? max_ops + kOpsAhead : max_ops;
  Enumeration more =
      XformWalk<WordSet>(keys_, domains, ahead, std::min(limit, kMostKeptTables), deadline_).run(memo->fitting);
  if (!more.complete)
    return ahead == max_ops && limit <= kMostKeptTables
               ? more
               : XformWalk<WordSet>(keys_, domains, max_ops, limit, deadline_).run(memo->fitting);
  memo->tables = std::move(more.tables);
  memo->ops = ahead;
  return memo->within(max_ops, limit);
}

std::optional<Enumeration> XformGrammar::passing(const Domains& domains, TableTest& test, std::size_t limit) const {
  if (space_.domain > 64) return XformWalk<WideSet>(keys_, domains, kAnyCost, limit, deadline_).run(test);
  return XformWalk<WordSet>(keys_, domains, kAnyCost, limit, deadline_).run(test);
}

}  // namespace

std::shared_ptr<SharedXform> shared_xform(const HoleSpace& first) { return std::make_shared<SharedXform>(first); }

std::unique_ptr<TableGrammar> xform_grammar(const HoleSpace& space, std::shared_ptr<SharedXform> shared,
                                            const Deadline& deadline) {
  return std::make_unique<XformGrammar>(space, std::move(shared), deadline);
}

}  // namespace swizzle
