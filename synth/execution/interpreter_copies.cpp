// cp.async: a load, and a store that happens when the thread waits for it. Until then the destination is undefined, and
// both the copy and its arrival use it: what another thread reads must have a barrier behind the wait.
//
//   copy a, copy b, commit, copy c, commit, wait(1)     a and b are there; c is not
//   commit, wait(0)                                      c is there
//
// (PTX ISA, cp.async, cp.async.commit_group and cp.async.wait_group.)
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

bool is_width_of_copies(std::int64_t bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

}  // namespace

Lanes Interpreter::eval_copies(const Expr& e) {
  if (e.intrinsic == Intrinsic::kCopyAsync) return copy_async(e);
  reach_together(e);
  const bool waits = e.intrinsic == Intrinsic::kWaitCopies;
  const Lanes allowed = waits ? eval(e.operands[0]) : blank();
  if (failed()) return blank();
  copies_.resize(static_cast<std::size_t>(threads_));
  for_active([&](int t) {
    if (failed()) return;
    CopiesOfThread& own = copies_[at(t)];
    if (!waits) return static_cast<void>(own.committed.push_back(std::exchange(own.open, {})));
    const Value n = allowed[at(t)];
    if (!n.is_int() || n.bits < 0)
      return fail(e.range, "how many groups of copies may be under way must be known, and not depend on holes or data");
    while (!failed() && own.committed.size() > static_cast<std::size_t>(n.bits)) {
      arrive(t, own.committed.front());
      own.committed.erase(own.committed.begin());
    }
  });
  return blank();
}

Lanes Interpreter::copy_async(const Expr& e) {
  std::vector<Lanes> v;
  for (const ExprId operand : e.operands) v.push_back(eval(operand));
  if (failed()) return blank();
  const Lanes &to = v[0], &from = v[1];
  const Lanes zeros = v.size() > 3 ? v[3] : splat(Value::integer(0));
  copies_.resize(static_cast<std::size_t>(threads_));
  std::int64_t width = 0;
  for_active([&](int t) {
    const Value bytes = v[2][at(t)];
    if (!bytes.is_int() || !is_width_of_copies(bytes.bits) || (width != 0 && width != bytes.bits))
      return fail(e.range, bytes.is_int()
                               ? fmt::format("an asynchronous copy moves 4, 8 or 16 bytes, and this one {}", bytes.bits)
                               : "how many bytes are copied must be known, and not depend on holes or data");
    width = bytes.bits;
    if (!lies_in(to[at(t)], Space::kShared))
      return fail(e.range, fmt::format("thread {} copies to no address in shared memory here", t));
    if (!lies_in(from[at(t)], Space::kGlobal))
      return fail(e.range, fmt::format("thread {} copies from no address in a buffer here", t));
  });
  for_active([&](int t) {
    if (failed()) return;
    AsyncCopy copy{to[at(t)], mask_.guard[at(t)], copied(t, to[at(t)], from[at(t)], width, zeros[at(t)], e.range),
                   e.range};
    for (std::size_t s = 0; s < copy.values.size() && !failed(); ++s)
      write_slot(t, shifted(copy.to, static_cast<int>(s)), Value{}, e.range);
    copies_[at(t)].open.push_back(std::move(copy));
  });
  if (failed()) return blank();
  count_shared(to, static_cast<int>(width), static_cast<int>(width), SharedOperation::kStore, e.range);
  count_guarded(&Counts::loads);
  return blank();
}

bool Interpreter::lies_in(Value place, Space space) const {
  if (!is_address(place)) return false;
  const Value leaf = provenance_.leaves(place)[0];
  return leaf.is_pointer() && objects_[leaf.aux].space == space;
}

// What a thread copies, by slot of the destination; its last bytes are zero instead, if so many are asked for.
std::vector<Value> Interpreter::copied(int thread, Value to, Value from, std::int64_t bytes, Value zeros,
                                       SourceRange range) {
  const Object& target = objects_[provenance_.leaves(to)[0].aux];
  const Object& source = objects_[provenance_.leaves(from)[0].aux];
  const int wide = target.slot_bytes, narrow = source.slot_bytes;
  const auto refuse = [&](std::string why) {
    fail(range, std::move(why));
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
  for (std::int64_t s = 0; s < given / narrow && !failed(); ++s)
    read.push_back(read_slot(thread, shifted(from, static_cast<int>(s)), range));
  std::vector<Value> values;
  for (std::int64_t s = 0; s < given / wide && !failed(); ++s) {
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
void Interpreter::arrive(int thread, const std::vector<AsyncCopy>& group) {
  Value& guard = mask_.guard.entry(at(thread));
  const Value now = guard;
  for (const AsyncCopy& copy : group) {
    guard = copy.guard;
    for (std::size_t s = 0; s < copy.values.size() && !failed(); ++s)
      write_slot(thread, shifted(copy.to, static_cast<int>(s)), copy.values[s], copy.range);
  }
  guard = now;
}

}  // namespace swizzle
