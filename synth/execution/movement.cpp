#include "synth/execution/movement.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>

#include "synth/base/text.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

// A register: a variable's slot.
using Place = std::pair<std::string, std::int64_t>;
using Lanewise = std::vector<Value>;
using Rows = std::vector<std::pair<Place, Lanewise>>;

constexpr std::size_t kSmallArray =
    8;  // which is shown whole; of a larger one, the registers that something comes from

bool encloses(SourceRange outer, SourceRange inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

// Writes of one execution of one statement, or what one shuffle gives.
struct Group {
  const RegisterWrite* first = nullptr;
  std::size_t count = 0;
  std::span<const RegisterWrite> writes() const { return {first, count}; }
  bool is_shuffle() const { return first->variable.empty(); }
};

// What is assigned is told where it goes to; here, with what comes there.
void widen_to_assignments(const Program& kernel, std::vector<RegisterWrite>& writes) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, SourceRange> assignments;
  for (const Expr& e : kernel.exprs)
    if (e.kind == ExprKind::kAssign) {
      const SourceRange to = kernel.expr(e.operands[0]).range;
      assignments.emplace(std::pair(to.begin, to.end), e.range);
    }
  for (RegisterWrite& w : writes)
    if (const auto found = assignments.find({w.range.begin, w.range.end}); found != assignments.end())
      w.range = found->second;
}

std::vector<Group> groups_of(const std::vector<RegisterWrite>& writes) {
  std::vector<Group> groups;
  for (const RegisterWrite& w : writes) {
    const auto belongs = [&](const Group& g) {
      return g.first->range == w.range && g.first->variable == w.variable &&
             std::none_of(g.first, g.first + g.count,
                          [&](const RegisterWrite& other) { return other.lane == w.lane && other.slot == w.slot; });
    };
    if (groups.empty() || !belongs(groups.back())) groups.push_back({&w, 0});
    ++groups.back().count;
  }
  return groups;
}

// A step while it may still be added to.
struct OpenStep {
  SourceRange range;
  bool is_shuffle = false;
  std::vector<std::pair<std::string, std::int64_t>> loops;
  Rows before, after;
  std::vector<LaneMove> moves;
};

class MovementReader {
 public:
  MovementReader(const Program& kernel, Provenance& provenance, int lanes)
      : kernel_(kernel),
        provenance_(provenance),
        lanes_(lanes) {}

  void read(const std::vector<RegisterWrite>& writes) {
    const std::vector<Group> groups = groups_of(writes);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Group* next = g + 1 < groups.size() ? &groups[g + 1] : nullptr;
      if (groups[g].is_shuffle()) shuffle(groups[g], next != nullptr && receives(*next, groups[g]) ? next : nullptr);
      else if (g == 0 || !receives(groups[g], groups[g - 1])) copy(groups[g]);
      if (!groups[g].is_shuffle()) keep(groups[g]);
    }
  }

  // What lane 0's words were, and what it stored at the end.
  std::vector<WordState> words(const Trace& trace, const std::vector<std::string>& inputs) {
    for (std::size_t b = 0; b < trace.buffers.size(); ++b)
      for (const auto& [slot, cell] : trace.cells[b])
        if (cell.thread == 0 && is_word(provenance_, cell.value))
          words_.push_back({cell.range, fmt::format("{}[{}]", inputs[b], slot), {}, cell.value});
    tell_bits(provenance_, inputs, words_);
    return std::move(words_);
  }

  // `inputs`: the buffers' names.
  std::vector<MovementStep> steps(const std::vector<std::string>& inputs) {
    std::vector<MovementStep> shown;
    const bool is_one = inputs_met() <= 1;
    for (OpenStep& step : steps_) {
      const std::vector<int> from = sorted(step.before), to = sorted(step.after);
      MovementStep& s = shown.emplace_back(step.range, step.is_shuffle, step.loops);
      for (const auto& [place, holds] : step.before) s.before.push_back(row(place, holds, "sent", inputs, is_one));
      for (const auto& [place, holds] : step.after) s.after.push_back(row(place, holds, "received", inputs, is_one));
      for (const LaneMove& m : step.moves)
        s.moves.push_back({from[static_cast<std::size_t>(m.from_row)], m.from_lane,
                           to[static_cast<std::size_t>(m.to_row)], m.to_lane});
    }
    return shown;
  }

 private:
  // Whether these writes do nothing but keep what the shuffle gives.
  static bool receives(const Group& writes, const Group& shuffle) {
    if (writes.is_shuffle() || !shuffle.is_shuffle() || !encloses(writes.first->range, shuffle.first->range) ||
        writes.count != shuffle.count)
      return false;
    return std::ranges::equal(writes.writes(), shuffle.writes(), [](const RegisterWrite& w, const RegisterWrite& s) {
      return w.lane == s.lane && w.value == s.value;
    });
  }

  void shuffle(const Group& group, const Group* kept) {
    OpenStep step{group.first->range, group.is_shuffle(), loops_around(group.first->range), {}, {}, {}};
    for (std::size_t i = 0; i < group.count; ++i) {
      const RegisterWrite& given = group.first[i];
      const Place to = kept != nullptr ? Place(kept->first[i].variable, kept->first[i].slot) : Place("", given.slot);
      put(step.after, to, given.lane) = given.value;
      if (!given.value.is_node()) continue;
      const int from = *given.from_lane;
      if (!source(given.value, from, given.range)) put(step.before, {"", given.slot}, from) = given.value;
      add_move(step, source(given.value, from, given.range).value_or(Place("", given.slot)), from, to, given.lane);
    }
    if (!step.moves.empty()) add(std::move(step));
  }

  // What each lane has in a register already comes to another one, and not the same way in all lanes, or in an array.
  void copy(const Group& group) {
    OpenStep step{group.first->range, group.is_shuffle(), loops_around(group.first->range), {}, {}, {}};
    bool changes_place = false;
    std::optional<Place> common;
    for (const RegisterWrite& w : group.writes()) {
      const auto from = w.value.is_node() ? source(w.value, w.lane, w.range) : std::nullopt;
      if (!from || *from == Place(w.variable, w.slot)) return;
      changes_place = changes_place || (common && *common != *from) || (w.slots > 1 && from->second != w.slot);
      common = from;
      const Place to(w.variable, w.slot);
      put(step.after, to, w.lane) = w.value;
      add_move(step, *from, w.lane, to, w.lane);
    }
    if (changes_place) add(std::move(step));
  }

  void keep(const Group& group) {
    for (const RegisterWrite& w : group.writes()) {
      Value& held = put(registers_, {w.variable, w.slot}, w.lane);
      if (w.lane == 0 && is_word(provenance_, w.value) && !(held == w.value))
        words_.push_back({w.range, w.slots > 1 ? fmt::format("{}[{}]", w.variable, w.slot) : w.variable,
                          loops_around(w.range), w.value});
      held = w.value;
      if (w.lane == 0 && w.value.is_int()) integers_[w.variable] = w.value.bits;
    }
  }

  // The register of a lane that holds it; of several, one that the statement names.
  std::optional<Place> source(Value value, int lane, SourceRange range) const {
    const std::string_view text = kernel_.source.slice(range);
    std::optional<Place> found;
    for (const auto& [place, holds] : registers_) {
      if (!(holds[static_cast<std::size_t>(lane)] == value)) continue;
      if (contains_word(text, place.first)) return place;
      if (!found) found = place;
    }
    return found;
  }

  Value& put(Rows& rows, const Place& place, int lane) const {
    auto at = std::ranges::find(rows, place, &Rows::value_type::first);
    if (at == rows.end()) at = rows.insert(rows.end(), {place, Lanewise(static_cast<std::size_t>(lanes_))});
    return at->second[static_cast<std::size_t>(lane)];
  }

  static bool is_row(const Rows& rows, const Place& place) {
    return std::ranges::find(rows, place, &Rows::value_type::first) != rows.end();
  }

  static int row_of(const Rows& rows, const Place& place) {
    return static_cast<int>(std::ranges::find(rows, place, &Rows::value_type::first) - rows.begin());
  }

  Rows array_of(const std::string& variable) const {
    Rows registers;
    std::ranges::copy_if(registers_, std::back_inserter(registers),
                         [&](const auto& r) { return r.first.first == variable; });
    return registers;
  }

  void add_move(OpenStep& step, const Place& from, int from_lane, const Place& to, int to_lane) const {
    if (!is_row(step.before, from)) {
      const Rows array = array_of(from.first);
      for (const auto& [place, holds] : array)
        if (place == from || array.size() <= kSmallArray) step.before.emplace_back(place, holds);
    }
    step.moves.push_back({row_of(step.before, from), from_lane, row_of(step.after, to), to_lane});
  }

  // As a step of its own, or to the last one.
  void add(OpenStep step) {
    if (steps_.empty() || !continues(step, steps_.back())) return steps_.push_back(std::move(step));
    OpenStep& last = steps_.back();
    std::erase_if(last.loops,
                  [&](const auto& loop) { return std::ranges::find(step.loops, loop) == step.loops.end(); });
    for (const LaneMove& move : step.moves) {
      const auto& [from, held] = step.before[static_cast<std::size_t>(move.from_row)];
      const auto& [to, given] = step.after[static_cast<std::size_t>(move.to_row)];
      if (!is_row(last.before, from)) last.before.emplace_back(from, held);
      put(last.after, to, move.to_lane) = given[static_cast<std::size_t>(move.to_lane)];
      last.moves.push_back({row_of(last.before, from), move.from_lane, row_of(last.after, to), move.to_lane});
    }
  }

  static bool continues(const OpenStep& step, const OpenStep& last) {
    if (!(step.range == last.range)) return false;
    for (const auto& [place, given] : step.after)
      if (place.first.empty() || is_row(last.after, place)) return false;
    for (const auto& [place, held] : step.before) {
      if (place.first.empty() || is_row(last.after, place)) return false;
      for (const auto& [known, before] : last.before)
        if (known == place && before != held) return false;
    }
    return true;
  }

  std::vector<std::pair<std::string, std::int64_t>> loops_around(SourceRange range) const {
    std::vector<std::pair<std::uint32_t, std::pair<std::string, std::int64_t>>> found;
    for (const Stmt& stmt : kernel_.stmts) {
      if (stmt.kind != StmtKind::kFor || !stmt.body[0].valid() || !encloses(stmt.range, range)) continue;
      const Stmt& start = kernel_.stmt(stmt.body[0]);
      if (start.kind != StmtKind::kDeclare) continue;
      const auto value = integers_.find(kernel_.variable(start.variable).name);
      if (value != integers_.end()) found.emplace_back(stmt.range.begin, *value);
    }
    std::ranges::sort(found);
    std::vector<std::pair<std::string, std::int64_t>> loops;
    for (auto& [begin, loop] : found) loops.push_back(std::move(loop));
    return loops;
  }

  // Of an element, or of the bits of a word.
  void add_inputs(Value v, std::set<std::uint32_t>& met) const {
    if (!v.is_node()) return;
    const Node& node = provenance_.node(v);
    if (node.kind == Node::Kind::kInput || node.kind == Node::Kind::kBit) met.insert(node.tag);
    if (node.kind == Node::Kind::kWord)
      for (const Value& bit : node.children()) add_inputs(bit, met);
  }

  // How many buffers the values that are shown come from.
  std::size_t inputs_met() const {
    std::set<std::uint32_t> met;
    for (const OpenStep& step : steps_)
      for (const Rows* rows : {&step.before, &step.after})
        for (const auto& [place, holds] : *rows)
          for (const Value v : holds) add_inputs(v, met);
    return met.size();
  }

  // Puts rows into the order in which registers were first written; returns where each one went.
  std::vector<int> sorted(Rows& rows) const {
    std::vector<int> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {},
                             [&](int i) { return row_of(registers_, rows[static_cast<std::size_t>(i)].first); });
    Rows moved;
    std::vector<int> went(rows.size());
    for (const int i : order) {
      went[static_cast<std::size_t>(i)] = static_cast<int>(moved.size());
      moved.push_back(std::move(rows[static_cast<std::size_t>(i)]));
    }
    rows = std::move(moved);
    return went;
  }

  Held held(Value v, const std::vector<std::string>& inputs, bool is_one_input) {
    if (!v.is_node()) return {};
    v = provenance_.normalize(v);
    if (!v.is_node()) return {};
    if (is_word(provenance_, v)) return held_word(provenance_, v, inputs, is_one_input);
    const Node& node = provenance_.node(v);
    Held held{provenance_.describe(v, inputs), "."};
    if (node.kind == Node::Kind::kInput)
      held.brief = fmt::format("{}{}", is_one_input ? "" : inputs[node.tag], node.index());
    if (node.kind == Node::Kind::kRing)
      held.brief = fmt::format("{}{}", "+^<>|"[static_cast<int>(node.ring)], node.terms().size());
    return held;
  }

  RegisterRow row(const Place& place, const Lanewise& holds, const char* unnamed,
                  const std::vector<std::string>& inputs, bool is_one_input) {
    RegisterRow row{place.first.empty()                ? unnamed
                    : array_of(place.first).size() > 1 ? fmt::format("{}[{}]", place.first, place.second)
                                                       : place.first,
                    {}};
    for (const Value v : holds) row.holds.push_back(held(v, inputs, is_one_input));
    return row;
  }

  const Program& kernel_;
  Provenance& provenance_;
  int lanes_;
  Rows registers_;                                // in the order in which they were first written
  std::map<std::string, std::int64_t> integers_;  // of lane 0
  std::vector<OpenStep> steps_;
  std::vector<WordState> words_;  // of lane 0
};

}  // namespace

Result<Movement> movement_of(const Program& kernel, Execution execution) {
  std::vector<RegisterWrite> writes;
  execution.register_writes = &writes;
  Provenance provenance;
  PointTable points;
  const Result<Trace> trace = execute(kernel, execution, provenance, points);
  if (!trace.ok()) return trace.errors();
  Movement movement{execution.memory.lanes, {}};
  MovementReader reader(kernel, provenance, movement.lanes);
  widen_to_assignments(kernel, writes);
  reader.read(writes);
  std::vector<std::string> inputs;
  for (const Buffer& buffer : trace->buffers) inputs.push_back(buffer.name);
  movement.steps = reader.steps(inputs);
  movement.words = reader.words(*trace, inputs);
  return movement;
}

}  // namespace swizzle
