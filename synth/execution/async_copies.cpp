#include "synth/execution/async_copies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

bool is_width_of_copies(std::int64_t bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

}  // namespace

Lanes AsyncCopies::eval_copies(const Expr& e) {
  if (e.intrinsic == Intrinsic::kCopyAsync) return copy_async(e);
  collectives_.reach_together(e);
  const bool waits = e.intrinsic == Intrinsic::kWaitCopies;
  const Lanes allowed = waits ? operands_.eval(e.operands[0]) : run_.blank();
  if (run_.failed()) return run_.blank();
  copies_.resize(static_cast<std::size_t>(run_.threads));
  run_.for_active([&](int t) {
    if (run_.failed()) return;
    CopiesOfThread& own = copies_[at(t)];
    if (!waits) return static_cast<void>(own.committed.push_back(std::exchange(own.open, {})));
    const Value n = allowed[at(t)];
    if (!n.is_int() || n.bits < 0)
      return run_.refuse(e.range,
                         "how many groups of copies may be under way must be known, and not depend on holes or data");
    while (!run_.failed() && own.committed.size() > static_cast<std::size_t>(n.bits)) {
      std::vector<Copy> group = std::move(own.committed.front());
      own.committed.erase(own.committed.begin());
      arrive(t, group);
    }
  });
  return run_.blank();
}

Lanes AsyncCopies::copy_async(const Expr& e) {
  std::vector<Lanes> v;
  for (const ExprId operand : e.operands) v.push_back(operands_.eval(operand));
  if (run_.failed()) return run_.blank();
  const Lanes &to = v[0], &from = v[1];
  const Lanes zeros = v.size() > 3 ? v[3] : run_.splat(Value::integer(0));
  copies_.resize(static_cast<std::size_t>(run_.threads));
  std::int64_t width = 0;
  run_.for_active([&](int t) {
    const Value bytes = v[2][at(t)];
    if (!bytes.is_int() || !is_width_of_copies(bytes.bits) || (width != 0 && width != bytes.bits))
      return run_.fail(e.range,
                       bytes.is_int()
                           ? fmt::format("an asynchronous copy moves 4, 8 or 16 bytes, and this one {}", bytes.bits)
                           : "how many bytes are copied must be known, and not depend on holes or data");
    width = bytes.bits;
    if (!objects_.lies_in(to[at(t)], Object::Space::kShared))
      return run_.fail(e.range, fmt::format("thread {} copies to no address in shared memory here", t));
    if (!objects_.lies_in(from[at(t)], Object::Space::kGlobal))
      return run_.fail(e.range, fmt::format("thread {} copies from no address in a buffer here", t));
  });
  if (!run_.failed()) objects_.stay_aligned(from, static_cast<int>(width), e.range);
  run_.for_active([&](int t) {
    if (run_.failed()) return;
    Copy copy{to[at(t)], run_.mask.guard[at(t)], copied(t, to[at(t)], from[at(t)], width, zeros[at(t)], e.range),
              e.range};
    for (std::size_t s = 0; s < copy.values.size() && !run_.failed(); ++s)
      cells_.write_slot(t, objects_.shifted(copy.to, static_cast<int>(s)), Value{}, e.range);
    copies_[at(t)].open.push_back(std::move(copy));
  });
  if (run_.failed()) return run_.blank();
  wavefronts_.count_shared(to, static_cast<int>(width), static_cast<int>(width), SharedOperation::kStore, e.range);
  issues_.count_guarded(&Counts::loads);
  return run_.blank();
}

// What a thread copies, by slot of the destination; its last bytes are zero instead, if so many are asked for.
std::vector<Value> AsyncCopies::copied(int thread, Value to, Value from, std::int64_t bytes, Value zeros,
                                       SourceRange range) {
  const Object& target = objects_[provenance_.leaves(to)[0].aux];
  const Object& source = objects_[provenance_.leaves(from)[0].aux];
  const int wide = target.slot_bytes, narrow = source.slot_bytes;
  const auto refuse = [&](std::string why) {
    run_.fail(range, std::move(why));
    return std::vector<Value>{};
  };
  if (!zeros.is_int() || zeros.bits < 0 || zeros.bits > bytes)
    return refuse("how many bytes are zero must be known, and not depend on holes or data");
  const std::int64_t given = bytes - zeros.bits;
  if (!target.scalar || !source.scalar || bytes % wide != 0 || bytes % narrow != 0 || given % wide != 0 ||
      given % narrow != 0)
    return refuse(fmt::format("a copy of {} bytes moves parts of elements here, which is not supported", given));
  if (wide == narrow && *target.scalar != *source.scalar && (is_real(*target.scalar) || is_real(*source.scalar)))
    return refuse("a copy between elements of different types is not supported");
  std::vector<Value> read;
  for (std::int64_t s = 0; s < given / narrow && !run_.failed(); ++s)
    read.push_back(cells_.read_slot(thread, objects_.shifted(from, static_cast<int>(s)), range));
  std::vector<Value> values;
  for (std::int64_t s = 0; s < given / wide && !run_.failed(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    if (wide == narrow) values.push_back(provenance_.convert(read[i], *source.scalar, *target.scalar));
    else if (wide < narrow) {
      const int parts = narrow / wide;
      values.push_back(provenance_.part(*target.scalar, read[i / static_cast<std::size_t>(parts)],
                                        static_cast<int>(s % parts), parts));
    } else {
      const auto first = read.begin() + static_cast<std::ptrdiff_t>(s * (wide / narrow));
      values.push_back(provenance_.join(*target.scalar, {first, first + wide / narrow}));
    }
  }
  const Value zero = is_real(*target.scalar) ? Value::real(0) : Value::integer(0);
  values.resize(static_cast<std::size_t>(bytes / wide), zero);
  return values;
}

// The copies of a group, as the thread waits for them: under the conditions that they were made.
void AsyncCopies::arrive(int thread, std::vector<Copy>& group) {
  Value& guard = run_.mask.guard.entry(at(thread));
  const Value now = guard;
  for (Copy& copy : group) {
    guard = copy.guard;
    for (std::size_t s = 0; s < copy.values.size() && !run_.failed(); ++s) {
      const Value to = objects_.shifted(copy.to, static_cast<int>(s));
      if (is_overwritten(copy, to))
        run_.violate(copy.guard,
                     fmt::format("something else is stored to '{}[{}]' while this copy to it is under way: a race",
                                 objects_[to.aux].name, to.bits),
                     copy.range);
      cells_.write_slot(thread, to, copy.values[s], copy.range);
    }
    for (Copy& other : copies_[at(thread)].open) meet(thread, copy, other);
    for (std::vector<Copy>& others : copies_[at(thread)].committed)
      for (Copy& other : others) meet(thread, copy, other);
  }
  guard = now;
}

bool AsyncCopies::is_fixed(const Copy& copy) const { return copy.to.is_pointer() && !cells_.has_cases(copy.to); }

// Something was stored since the copy began, whatever holes are: who knows what comes last.
bool AsyncCopies::is_overwritten(const Copy& copy, Value to) const {
  if (!copy.guard.is_int() || !is_fixed(copy) || !objects_.in_range(objects_[to.aux], to)) return false;
  const Value there = objects_[to.aux].cells[static_cast<std::size_t>(to.bits)];
  return std::ranges::none_of(provenance_.leaves(there), [](Value leaf) { return leaf.is_undefined(); });
}

// One that is there, and one under way: where both go to one place, what is there is lost, and the other one may have
// come before.
void AsyncCopies::meet(int thread, const Copy& there, Copy& other) {
  const auto count = static_cast<std::int64_t>(other.values.size());
  for (std::int64_t s = 0; s < count && !run_.failed(); ++s) {
    const Value to = objects_.shifted(other.to, static_cast<int>(s));
    const bool are_fixed = is_fixed(there) && is_fixed(other);
    const bool is_apart = are_fixed && (to.aux != there.to.aux || to.bits < there.to.bits ||
                                        to.bits >= there.to.bits + static_cast<std::int64_t>(there.values.size()));
    if (is_apart) continue;
    if (are_fixed && there.guard.is_int() && other.guard.is_int()) other.values[static_cast<std::size_t>(s)] = Value{};
    run_.mask.guard.entry(at(thread)) = other.guard;
    cells_.write_slot(thread, to, Value{}, other.range);
  }
}

}  // namespace swizzle
