#include "synth/access/loop_jump.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace swizzle {
namespace {

constexpr std::int64_t kLongestPeriod = 32, kLongestOfOuterLoops = 4;  // what is in those takes its time
constexpr int kMostInVain = 2, kMostTooShort = 16;
constexpr std::int64_t kMostCopied = 1 << 20;  // cells, for what was in vain
constexpr std::int64_t kWorthIt = 16;          // rounds
constexpr std::int64_t kMostGroups = std::int64_t{1} << 40;
constexpr std::int64_t kMostSingly = 1 << 16;  // requests that are counted one by one

bool are_same(const std::unordered_map<std::int64_t, Region::Cell>& a,
              const std::unordered_map<std::int64_t, Region::Cell>& b) {
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto& cell) {
           const auto other = b.find(cell.first);
           return other != b.end() && other->second.size_bytes == cell.second.size_bytes &&
                  other->second.value == cell.second.value;
         });
}

// b - a in each thread, where that is known and c - b as well. Nothing: they differ, or are no integers.
std::optional<std::vector<std::int64_t>> common_step(const LaneValue& a, const LaneValue& b, const LaneValue& c,
                                                     int threads) {
  for (const LaneValue* v : {&a, &b, &c})
    if (!v->is_known_everywhere() || v->is_real() || v->region() != a.region()) return std::nullopt;
  std::vector<std::int64_t> steps(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) {
    std::int64_t first = 0, second = 0;
    if (__builtin_sub_overflow(b.at(t), a.at(t), &first) || __builtin_sub_overflow(c.at(t), b.at(t), &second) ||
        first != second)
      return std::nullopt;
    steps[static_cast<std::size_t>(t)] = first;
  }
  return steps;
}

bool holds_loop(const Program& program, StmtId id) {
  if (!id.valid()) return false;
  const Stmt& s = program.stmt(id);
  return is_loop(s.kind) ||
         std::any_of(s.body.begin(), s.body.end(), [&](StmtId inner) { return holds_loop(program, inner); });
}

std::vector<std::int64_t> values_of(const LaneValue& v, int threads) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) values[static_cast<std::size_t>(t)] = v.at(t);
  return values;
}

}  // namespace

LoopJump::LoopJump(AccessTracer& tracer, const Stmt& loop)
    : tracer_(tracer),
      loop_(loop),
      attempts_(tracer.attempts_[&loop]) {
  const bool is_in_vain =
      attempts_.in_vain >= kMostInVain || (attempts_.too_short >= kMostTooShort && attempts_.copied > kMostCopied);
  is_over_ = tracer.tape_ != nullptr || tracer.is_muted_ || !loop.expr.valid() || is_in_vain ||
             !tracer.options_.multiplies_loops;
  if (is_over_) return;
  const bool is_outer = holds_loop(tracer.program_, loop.body[loop.kind == StmtKind::kFor ? 2 : 0]);
  longest_period_ = is_outer ? kLongestOfOuterLoops : kLongestPeriod;
}

LoopJump::~LoopJump() {
  if (tracer_.tape_ == &tape_) tracer_.tape_ = nullptr;
  constexpr std::int64_t kSavedByRound = 1024;  // cells that are copied meanwhile
  attempts_.copied = std::max<std::int64_t>(0, attempts_.copied + copied_ - kSavedByRound * counted_);
  if (attempts_.copied == 0) attempts_.too_short = 0;
  else if (counted_ == 0) ++attempts_.too_short;
}

LoopJump::Snapshot LoopJump::snapshot() const {
  Snapshot out;
  for (int id = 0; id < tracer_.space_.count(); ++id) {
    const Region& r = tracer_.space_.region(id);
    out.parts.push_back(r.parts);
    out.cells.push_back(r.cells);
    copied_ += static_cast<std::int64_t>(r.cells.size());
  }
  out.present = tracer_.mask_.present;
  out.left = tracer_.gone_.who();
  return out;
}

void LoopJump::restore(const Snapshot& from) const {
  restore_parts(from);
  for (int id = 0; id < tracer_.space_.count(); ++id) {
    Region& r = tracer_.space_.region(id);
    const auto i = static_cast<std::size_t>(id);
    r.cells = i < from.cells.size() ? from.cells[i] : decltype(r.cells){};
    copied_ += static_cast<std::int64_t>(r.cells.size());
  }
}

void LoopJump::restore_parts(const Snapshot& from) const {
  for (int id = 0; id < tracer_.space_.count(); ++id) {
    const auto i = static_cast<std::size_t>(id);
    tracer_.space_.region(id).parts = i < from.parts.size() ? from.parts[i] : Parts{};
  }
}

// A loop's condition may change more than set_state() does.
static bool has_effects(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kCall ||
      e.kind == ExprKind::kIntrinsic)
    return true;
  return std::ranges::any_of(e.operands, [&](ExprId operand) { return has_effects(program, operand); });
}

void LoopJump::restore_after_condition() const {
  has_effects(tracer_.program_, loop_.expr) ? restore(now_) : restore_parts(now_);
}

// Nobody came or went, and nothing that is known of shared memory changed.
bool LoopJump::is_steady() const {
  if (before_.left != now_.left || tracer_.gone_.innermost().is_passed) return false;
  if (before_.present != between_.present || between_.present != now_.present) return false;
  if (before_.cells.size() != now_.cells.size()) return false;
  for (std::size_t i = 0; i < now_.cells.size(); ++i)
    if (!are_same(before_.cells[i], now_.cells[i])) return false;
  return true;
}

LoopJump::Courses LoopJump::courses() const {
  Courses out(now_.parts.size());
  for (std::size_t i = 0; i < now_.parts.size(); ++i)
    for (const auto& [offset, part] : now_.parts[i]) {
      const auto part_in = [&, at = offset, size = part.size_bytes](const Snapshot& s) -> const LaneValue* {
        if (i >= s.parts.size()) return nullptr;
        const auto found = s.parts[i].find(at);
        return found != s.parts[i].end() && found->second.size_bytes == size ? &found->second.value : nullptr;
      };
      const LaneValue *a = part_in(before_), *b = part_in(between_);
      if (a == nullptr || b == nullptr) continue;
      if (a->is_same(*b) && b->is_same(part.value)) {
        out[i][offset] = {part, {}};
      } else if (auto steps = common_step(*a, *b, part.value, tracer_.threads_)) {
        out[i][offset] = {part, std::move(*steps)};
      }
    }
  return out;
}

// What each variable holds in the q-th group, for all q below `rounds`; or, with one round, in that of q = at.
void LoopJump::set_state(const Courses& courses, std::int64_t rounds, std::int64_t at) const {
  for (std::size_t i = 0; i < courses.size(); ++i) {
    Region& r = tracer_.space_.region(static_cast<int>(i));
    r.parts.clear();
    for (const auto& [offset, course] : courses[i]) {
      LaneValue value = course.from.value;
      if (!course.slopes.empty()) {
        value = LaneValue::affine(values_of(value, tracer_.threads_), course.slopes, rounds);
        if (rounds == 1) value = value.in_round(at);
        value = value.with_region(course.from.value.region());
      }
      r.parts[offset] = {course.from.size_bytes, value};
    }
  }
}

// Whether all who are in the loop begin the q-th group.
bool LoopJump::goes_on(const Courses& courses, std::int64_t q) const {
  set_state(courses, 1, q);
  const LaneValue condition = tracer_.value_of(loop_.expr);
  bool all = !condition.is_unknown();
  for (std::size_t t = 0; all && t < now_.present.size(); ++t) {
    if (now_.present[t] == Presence::kOut) continue;
    const auto known = condition.find(static_cast<int>(t));
    all = known && *known != 0;
  }
  return all;
}

bool LoopJump::is_worth_it(const Courses& courses) const {
  const bool outer_muted = std::exchange(tracer_.is_muted_, true);
  const bool is = goes_on(courses, std::max<std::int64_t>(2, kWorthIt / period_));
  tracer_.is_muted_ = outer_muted;
  restore_after_condition();
  return is;
}

// The last of them is left to be walked.
std::int64_t LoopJump::groups_left(const Courses& courses) const {
  const bool outer_muted = std::exchange(tracer_.is_muted_, true);
  std::int64_t known = 0, beyond = 1;
  while (beyond < kMostGroups && goes_on(courses, beyond)) known = std::exchange(beyond, beyond * 2);
  while (beyond - known > 1) {
    const std::int64_t middle = known + (beyond - known) / 2;
    (goes_on(courses, middle) ? known : beyond) = middle;
  }
  tracer_.is_muted_ = outer_muted;
  restore_after_condition();
  return known;
}

std::int64_t LoopJump::after_round(std::int64_t done) {
  if (is_over_ || tracer_.stopped_) return 0;
  if (done == 2) before_ = snapshot();
  if (done == 3 * period_) {
    between_ = snapshot();
    tape_ = {};
    tracer_.tape_ = &tape_;
  }
  if (done != 4 * period_) return 0;
  tracer_.tape_ = nullptr;
  now_ = snapshot();
  const std::int64_t counted = attempt();
  counted_ += counted;
  if (counted == 0 && period_ == longest_period_) ++attempts_.in_vain;
  is_over_ |= counted > 0 || period_ == longest_period_ || tracer_.stopped_;
  period_ *= 2;  // of which two have been walked
  if (!is_over_) before_ = std::move(now_);
  return counted;
}

std::int64_t LoopJump::attempt() {
  if (!is_steady()) return 0;
  Courses courses = this->courses();
  if (!is_worth_it(courses)) {
    is_over_ = true;
    if (period_ == 1) ++attempts_.in_vain;
    return 0;
  }
  // Two rounds tell nearly as much as all of them.
  if (try_rounds(courses, 2, false) != Outcome::kHolds) return 0;
  const std::int64_t left = groups_left(courses);
  // The last rounds may do otherwise, as those that load nothing for a next one.
  for (const std::int64_t fewer : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, left / 2}) {
    if (left - fewer < 2 || tracer_.stopped_) break;
    const Outcome outcome = try_rounds(courses, left - fewer, true);
    if (outcome == Outcome::kHolds) return (left - fewer) * period_;
    if (outcome == Outcome::kOtherwise) break;
  }
  return 0;
}

LoopJump::Outcome LoopJump::try_rounds(Courses& courses, std::int64_t rounds, bool counts) {
  constexpr int kMostTries = 4;
  for (int tries = 0; tries < kMostTries; ++tries) {
    Outcome outcome = walk_all(courses, rounds);
    bool has_changed = false;
    if (outcome == Outcome::kHolds && !ends_where_next_begins(courses, rounds, has_changed))
      outcome = Outcome::kOtherwise;
    if (outcome == Outcome::kHolds && !has_changed && !can_count(rounds)) outcome = Outcome::kOtherwise;
    if (outcome != Outcome::kHolds) return restore(now_), outcome;
    if (has_changed) continue;
    if (!counts) return restore(now_), Outcome::kHolds;
    for (int id = 0; id < tracer_.space_.count(); ++id) {
      Region& r = tracer_.space_.region(id);
      for (auto& [offset, part] : r.parts) part.value = part.value.in_round(rounds - 1);
    }
    count_all(rounds);
    return Outcome::kHolds;
  }
  restore(now_);
  return Outcome::kOtherwise;
}

// Leaves what the variables hold at the end; all else is as it was.
LoopJump::Outcome LoopJump::walk_all(const Courses& courses, std::int64_t rounds) {
  AccessTracer& t = tracer_;
  restore(now_);
  set_state(courses, rounds, 0);
  all_ = {};
  all_.is_of_all_rounds = true;
  const auto mask = t.mask_;
  const auto departures = t.departures_, said = t.said_, recorded = t.recorded_, shared = t.recorded_shared_;
  const Departures gone = t.gone_;
  const bool is_complete = t.trace_.is_complete;
  t.tape_ = &all_;
  bool goes_on_always = true;
  for (std::int64_t round = 0; round < period_ && goes_on_always && !all_.is_odd && !t.stopped_; ++round) {
    t.mask_ = t.narrowed(t.value_of(loop_.expr), true);
    goes_on_always = t.mask_.present == now_.present;
    if (!goes_on_always) break;
    t.run_round(loop_);
  }
  t.tape_ = nullptr;
  const bool stayed = t.gone_.who() == now_.left && t.mask_.present == now_.present && !t.gone_.innermost().is_passed;
  t.mask_ = mask;
  t.departures_ = departures, t.said_ = said, t.recorded_ = recorded, t.recorded_shared_ = shared;
  t.gone_ = gone;
  if (t.stopped_) return Outcome::kOtherwise;
  t.trace_.is_complete = is_complete;
  if (!goes_on_always || !stayed || all_.is_odd || !are_alike(tape_.requests, all_.requests)) return Outcome::kTooFar;
  for (int id = 0; id < t.space_.count(); ++id) {
    const auto i = static_cast<std::size_t>(id);
    if (!are_same(t.space_.region(id).cells, i < now_.cells.size() ? now_.cells[i] : decltype(Region::cells){}))
      return Outcome::kOtherwise;
  }
  return Outcome::kHolds;
}

// False: something that is known now would not be. `has_changed`: what was taken to go on does not, and is unknown from
// now on where a group begins.
bool LoopJump::ends_where_next_begins(Courses& courses, std::int64_t rounds, bool& has_changed) const {
  for (std::size_t i = 0; i < now_.parts.size(); ++i)
    for (const auto& [offset, part] : now_.parts[i]) {
      const Parts& parts = tracer_.space_.region(static_cast<int>(i)).parts;
      const auto end = parts.find(offset);
      const bool is_there = end != parts.end() && end->second.size_bytes == part.size_bytes;
      const auto course = courses[i].find(offset);
      if (course == courses[i].end()) {
        if (!is_there || !(end->second.value.is_affine() || end->second.value.is_known_everywhere())) return false;
        continue;
      }
      const std::vector<std::int64_t>& slopes = course->second.slopes;
      LaneValue next = course->second.from.value;
      if (!slopes.empty()) {
        std::vector<std::int64_t> values = values_of(next, tracer_.threads_);
        for (std::size_t t = 0; t < values.size(); ++t) values[t] += slopes[t];
        next = LaneValue::affine(std::move(values), slopes, rounds).with_region(next.region());
      }
      if (is_there && end->second.value.is_same(next)) continue;
      courses[i].erase(course);
      has_changed = true;
    }
  return true;
}

bool LoopJump::are_alike(const std::vector<TapedRequest>& before, const std::vector<TapedRequest>& all) const {
  return std::equal(before.begin(), before.end(), all.begin(), all.end(),
                    [](const TapedRequest& a, const TapedRequest& b) {
                      if (a.site != b.site || a.region != b.region || a.first != b.first || a.matrices != b.matrices ||
                          a.is_known != b.is_known || a.is_alone != b.is_alone || a.is_perhaps != b.is_perhaps ||
                          a.all_sure != b.all_sure)
                        return false;
                      if (!a.is_known) return true;
                      for (std::size_t l = 0; l < a.addresses.size(); ++l) {
                        if (a.addresses[l].has_value() != b.addresses[l].has_value()) return false;
                        if (a.addresses[l] && *a.addresses[l] != *b.addresses[l] - b.slopes[l]) return false;
                      }
                      return true;
                    });
}

// How many rounds it takes until a request costs what it did; 0: its lanes go different ways.
std::int64_t LoopJump::shifts_of(const TapedRequest& request) const {
  const std::int64_t unit =
      request.site->space == MemorySpace::kShared ? tracer_.options_.memory.bank_bytes : kSectorBytes;
  std::optional<std::int64_t> slope;
  for (std::size_t l = 0; l < request.addresses.size(); ++l) {
    if (!request.addresses[l]) continue;
    if (slope && *slope != request.slopes[l]) return 0;
    slope = request.slopes[l];
  }
  return unit / std::gcd(unit, slope.value_or(0));
}

bool LoopJump::can_count(std::int64_t rounds) const {
  std::int64_t singly = 0;
  for (const TapedRequest& request : all_.requests)
    if (request.is_known && shifts_of(request) == 0) ++singly;
  return singly == 0 || rounds <= kMostSingly / singly;
}

void LoopJump::count_one(const TapedRequest& request, std::int64_t q, std::int64_t times) {
  AccessTracer& t = tracer_;
  const Region& region = t.space_.region(request.region);
  t.lane_addresses_ = request.addresses;
  for (std::size_t l = 0; l < request.addresses.size(); ++l)
    if (auto& at = t.lane_addresses_[l]) *at += q * request.slopes[l];
  if (request.all_sure) t.check_places(*request.site, region, request.first);
  t.recorder_.count(*request.site, {region.name, t.block_index_, request.first / t.options_.memory.lanes},
                    t.lane_addresses_, request.matrices, times);
}

void LoopJump::count_all(std::int64_t rounds) {
  for (const TapedRequest& request : all_.requests) {
    AccessTracer& t = tracer_;
    t.recorded_ += rounds;
    if (t.history_ && request.site->operation != MemoryOperation::kLoad) t.history_->write_anywhere();
    if (request.site->space == MemorySpace::kShared) t.recorded_shared_ += rounds;
    if (!request.is_known) {
      if (request.is_alone) AccessRecorder::count_alone(*request.site, rounds);
      else request.site->not_counted += rounds;
      continue;
    }
    const std::int64_t shifts = shifts_of(request), different = shifts == 0 ? rounds : std::min(shifts, rounds);
    for (std::int64_t q = 0; q < different; ++q) {
      t.charge(request.site->range);
      count_one(request, q, (rounds - q + different - 1) / different);
    }
    // Where it may leave its array first.
    if (request.all_sure) count_one(request, rounds - 1, 0);
  }
}

}  // namespace swizzle
