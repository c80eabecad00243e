#include "synth/execution/lockstep.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/program/places.h"

namespace swizzle {

Lockstep::Lockstep(const Program& of, const Execution& how, Provenance& values, PointTable& asked, GroupBox* groups)
    : program(of),
      execution(how),
      provenance(values),
      points(asked),
      box(groups) {
  if (!execution.shape) return;
  shape = *execution.shape;
  threads = box != nullptr && box->by_warps ? kWarpSize : shape.threads_per_block();
}

void Lockstep::start_threads() {
  mask.on.assign(static_cast<std::size_t>(threads), 1);
  mask.guard = Lanes(at(threads), Value::integer(1));
  exited.assign(static_cast<std::size_t>(threads), 0);
}

void Lockstep::fail(SourceRange range, std::string message, std::string note) {
  if (failed()) return;
  errors.push_back(make_error(program.source, range, std::move(message)));
  if (note.empty()) return;
  errors.push_back(make_error(std::move(note)));
  errors.back().severity = Severity::kNote;
}

void Lockstep::refuse(SourceRange range, std::string message, std::string note) {
  const bool is_first = !failed();
  fail(range, std::move(message), std::move(note));
  if (is_first) errors.front().is_refused = true;
}

void Lockstep::break_rule(SourceRange range, std::string message, std::string note) {
  const bool is_first = !failed();
  fail(range, std::move(message), std::move(note));
  if (is_first) errors.front().breaks_rule = true;
}

void Lockstep::lack_lanes(SourceRange range, std::string message) {
  const bool is_first = !failed();
  break_rule(range, std::move(message));
  if (is_first) errors.front().lacks_lanes = true;
}

void Lockstep::violate(Value violation, std::string message, SourceRange range, std::string note) {
  if (truth(violation) == false) return;
  if (truth(violation) == true) return break_rule(range, std::move(message), std::move(note));
  require(violation, std::move(message), range);
}

void Lockstep::require(Value violation, std::string message, SourceRange range) {
  if (truth(violation) == false) return;
  if (!provenance.is_index(violation)) return refuse(range, message + ", unless data rule that out");
  if (!violation.is_node() || required_.insert(violation.aux).second)
    trace.requirements.push_back({violation, std::move(message), range, {}});
}

void Lockstep::charge(SourceRange range) {
  constexpr std::int64_t kSeldom = 4096;  // steps
  const bool ask = steps == 0 || steps % kSeldom + threads >= kSeldom;
  steps += threads;
  if (steps > execution.step_limit && !failed()) {
    fail(range,
         fmt::format("execution passed the limit of {} steps; does a loop here never end? A smaller size takes fewer",
                     execution.step_limit));
    errors.front().is_too_long = true;
  }
  if (ask) mind_deadline(range);
}

void Lockstep::mind_deadline(SourceRange range) {
  if (execution.deadline.passed()) fail(range, "the time limit ended the execution here");
}

Scalar Lockstep::scalar_of(TypeId type) const {
  const Type& t = innermost(program, type);
  return t.form == Type::Form::kPointer ? Scalar::kI64 : t.scalar;
}

std::uint32_t Lockstep::number_of(int thread) const {
  return static_cast<std::uint32_t>(block * shape.threads_per_block() + first_thread + thread);
}

Value Lockstep::without_stride(Value v) { return v.stride == 0 ? v : box->strides.lose(); }

bool Lockstep::tells_registers_of(int thread) const {
  return execution.register_writes != nullptr && block == 0 && thread < std::min(kWarpSize, execution.memory.lanes);
}

Lanes Lockstep::splat(Value v) const {
  if (mask.all()) return Lanes(at(threads), v);
  Lanes lanes = blank();
  for_active([&](int t) { lanes.entry(at(t)) = v; });
  return lanes;
}

void Lockstep::count_per_warp(double& counter, double amount) const {
  for (int w = 0; w * kWarpSize < threads; ++w) {
    const int end = std::min(threads, (w + 1) * kWarpSize);
    for (int t = w * kWarpSize; t < end; ++t)
      if (mask.on[static_cast<std::size_t>(t)]) {
        counter += amount;
        break;
      }
  }
}

}  // namespace swizzle
