#include "synth/synthesis/mirror_images.h"

#include <algorithm>
#include <map>
#include <set>

#include "synth/tables/shared_tables.h"

namespace swizzle {
namespace {

using Table = std::vector<std::int16_t>;
using Key = std::vector<std::int64_t>;

constexpr std::size_t kMostVariables = 6;

// Keys of completions: mirror images have one in common.
class Symmetries {
 public:
  Symmetries(const std::vector<HoleSpace>& holes, const std::vector<std::vector<std::string>>& variables)
      : holes_(holes),
        variables_(variables) {
    std::map<GrammarKey, std::size_t> known;
    for (std::size_t h = 0; h < holes.size(); ++h) {
      kind_.push_back(known.try_emplace(grammar_key(holes[h]), known.size()).first->second);
      position_.emplace_back();
      for (std::size_t p = 0; p < holes[h].arguments.size(); ++p) position_[h].emplace(holes[h].arguments[p], p);
      for (std::size_t i = 0; i < variables[h].size(); ++i)
        for (const Arguments& a : holes[h].arguments)
          if (!variables[h][i].empty()) values_[variables[h][i]].insert(a[i]);
    }
  }

  std::vector<Key> keys(const std::vector<Table>& tables) const {
    std::vector<Key> keys{reversed_key(tables)};
    for (const auto& [name, values] : values_) {
      if (const auto key = renumbered_key(name, holes_.size(), tables)) keys.push_back(*key);
      for (std::size_t h = 0; h < holes_.size(); ++h)
        if (const auto key = renumbered_key(name, h, tables)) keys.push_back(*key);
    }
    return keys;
  }

  // With two tables changing places, too.
  std::vector<Key> keys_after_swaps(std::vector<Table> tables) const {
    std::vector<Key> all = keys(tables);
    for (std::size_t g = 0; g < holes_.size(); ++g)
      for (std::size_t h = g + 1; h < holes_.size(); ++h) {
        if (kind_[g] != kind_[h]) continue;
        std::swap(tables[g], tables[h]);
        const std::vector<Key> more = keys(tables);
        all.insert(all.end(), more.begin(), more.end());
        std::swap(tables[g], tables[h]);
      }
    return all;
  }

 private:
  // The least of what reversing variables, and handing tables round, can make of them.
  Key reversed_key(const std::vector<Table>& tables) const {
    std::vector<std::string> names;
    for (const auto& [name, values] : values_)
      if (values.size() > 1 && names.size() < kMostVariables) names.push_back(name);
    Key least;
    for (std::size_t chosen = 0; chosen < std::size_t{1} << names.size(); ++chosen) {
      std::map<std::string, std::map<std::int64_t, std::int64_t>> by;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if ((chosen >> i & 1) == 0) continue;
        const std::set<std::int64_t>& values = values_.at(names[i]);
        auto last = values.rbegin();
        for (std::int64_t v : values) by[names[i]][v] = *last++;
      }
      const auto turned = renumbered(tables, by);
      if (!turned) continue;
      Key key = handed_round(*turned);
      if (least.empty() || key < least) least = std::move(key);
    }
    return least;
  }

  // Nothing: that would ask a hole with arguments it is not asked with.
  std::optional<std::vector<Table>> renumbered(
      const std::vector<Table>& tables, const std::map<std::string, std::map<std::int64_t, std::int64_t>>& by) const {
    std::vector<Table> result = tables;
    for (std::size_t h = 0; h < holes_.size(); ++h)
      for (std::size_t p = 0; p < holes_[h].arguments.size(); ++p) {
        Arguments from = holes_[h].arguments[p];
        for (std::size_t i = 0; i < from.size(); ++i)
          if (const auto it = by.find(variables_[h][i]); it != by.end()) from[i] = it->second.at(from[i]);
        const auto at = position_[h].find(from);
        if (at == position_[h].end()) return std::nullopt;
        result[h][p] = tables[h][at->second];
      }
    return result;
  }

  Key handed_round(const std::vector<Table>& tables) const {
    std::vector<std::pair<std::size_t, Table>> all;
    for (std::size_t h = 0; h < tables.size(); ++h) all.emplace_back(kind_[h], tables[h]);
    std::sort(all.begin(), all.end());
    Key key{-1};
    for (const auto& [kind, table] : all) key.insert(key.end(), table.begin(), table.end());
    return key;
  }

  // What holes have under each value of a variable, the values themselves forgotten. Those of `valued`, if it is a
  // hole, are values of the variable: its arguments stay, and its values are told by what stands under them.
  std::optional<Key> renumbered_key(const std::string& name, std::size_t valued,
                                    const std::vector<Table>& tables) const {
    std::map<std::int64_t, Key> slices;
    for (std::int64_t v : values_.at(name)) slices[v];
    Key key{static_cast<std::int64_t>(std::distance(values_.begin(), values_.find(name))),
            static_cast<std::int64_t>(valued)};
    for (std::size_t h = 0; h < holes_.size(); ++h) {
      if (h == valued) continue;
      const auto times = std::count(variables_[h].begin(), variables_[h].end(), name);
      if (times > 1) return std::nullopt;
      if (times == 0) key.insert(key.end(), tables[h].begin(), tables[h].end());
      else add_slices(name, h, tables[h], slices);
    }
    std::vector<std::pair<Key, std::int64_t>> sorted;
    for (auto& [v, slice] : slices) sorted.emplace_back(std::move(slice), v);
    std::sort(sorted.begin(), sorted.end());
    std::map<std::int64_t, std::int64_t> rank;
    for (const auto& [slice, v] : sorted) {
      rank.emplace(v, static_cast<std::int64_t>(rank.size()));
      key.push_back(static_cast<std::int64_t>(slice.size()));
      key.insert(key.end(), slice.begin(), slice.end());
    }
    for (std::size_t p = 0; valued < holes_.size() && p < tables[valued].size(); ++p) {
      const auto it = rank.find(tables[valued][p]);
      if (it == rank.end()) return std::nullopt;
      key.push_back(it->second);
    }
    return key;
  }

  // By value of the variable: hole, the other arguments and the value, in the order of the other arguments.
  void add_slices(const std::string& name, std::size_t h, const Table& table,
                  std::map<std::int64_t, Key>& slices) const {
    const auto of = std::find(variables_[h].begin(), variables_[h].end(), name) - variables_[h].begin();
    std::map<std::int64_t, std::map<Arguments, std::int64_t>> by_value;
    for (std::size_t p = 0; p < table.size(); ++p) {
      Arguments others = holes_[h].arguments[p];
      others.erase(others.begin() + of);
      by_value[holes_[h].arguments[p][static_cast<std::size_t>(of)]].emplace(std::move(others), table[p]);
    }
    for (const auto& [v, values] : by_value)
      for (const auto& [others, value] : values) {
        Key& slice = slices[v];
        slice.push_back(static_cast<std::int64_t>(h));
        slice.insert(slice.end(), others.begin(), others.end());
        slice.push_back(value);
      }
  }

  const std::vector<HoleSpace>& holes_;
  const std::vector<std::vector<std::string>>& variables_;
  std::vector<std::size_t> kind_;  // by hole: equal for those that are asked with the same arguments
  std::vector<std::map<Arguments, std::size_t>> position_;
  std::map<std::string, std::set<std::int64_t>> values_;  // by variable
};

void add_declared(const Program& sketch, StmtId id, std::set<VariableId>& declared) {
  if (!id.valid()) return;
  const Stmt& s = sketch.stmt(id);
  if (s.kind == StmtKind::kDeclare) declared.insert(s.variable);
  for (StmtId inner : s.body) add_declared(sketch, inner, declared);
}

}  // namespace

std::vector<std::vector<std::string>> loop_variables(const Program& sketch) {
  std::set<VariableId> declared;
  for (const Stmt& s : sketch.stmts)
    if (s.kind == StmtKind::kFor) add_declared(sketch, s.body[0], declared);
  std::vector<std::vector<std::string>> all;
  for (const Hole& hole : sketch.holes) {
    all.emplace_back();
    for (std::size_t i = 0; i < hole.arguments.size(); ++i) {
      if (i == hole.traits().modulus) continue;
      const Expr* e = &sketch.expr(hole.arguments[i]);
      while (e->kind == ExprKind::kCast) e = &sketch.expr(e->operands[0]);
      all.back().push_back(
          e->kind == ExprKind::kVariable && declared.contains(e->variable) ? sketch.variable(e->variable).name : "");
    }
    if (hole.traits().is_word()) all.back().emplace_back();  // the digit
  }
  return all;
}

std::vector<std::optional<std::size_t>> mirror_images(const std::vector<HoleSpace>& holes,
                                                      const std::vector<std::vector<std::string>>& variables,
                                                      const std::vector<Completion>& completions) {
  const Symmetries symmetries(holes, variables);
  std::vector<std::optional<std::size_t>> first(completions.size());
  std::map<Key, std::size_t> originals;
  for (std::size_t c = 0; c < completions.size(); ++c) {
    std::vector<Table> tables;
    for (const HoleTable& table : completions[c].tables) tables.push_back(table.values);
    for (const Key& key : symmetries.keys_after_swaps(tables))
      if (const auto it = originals.find(key); it != originals.end() && (!first[c] || it->second < *first[c]))
        first[c] = it->second;
    if (first[c]) continue;
    for (Key& key : symmetries.keys(tables)) originals.emplace(std::move(key), c);
  }
  return first;
}

}  // namespace swizzle
