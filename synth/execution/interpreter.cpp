#include "synth/execution/interpreter.h"
#include "synth/execution/repeated_execution.h"
#include "synth/program/places.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {

Interpreter::Interpreter(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points,
                         GroupBox* box)
    : program_(program),
      execution_(execution),
      box_(box),
      provenance_(provenance),
      points_(points) {
  if (execution.shape) {
    shape_ = *execution.shape;
    threads_ = box != nullptr && box->by_warps ? kWarpSize : shape_.threads_per_block();
  }
  variable_object_.assign(program.variables.size(), ~0u);
  calling_.assign(program.functions.size(), 0);
  if (std::ranges::any_of(execution.has_bits, [](bool has) { return has; })) logic_ = logic_instructions(program);
}

void Interpreter::fail(SourceRange range, std::string message, std::string note) {
  if (failed()) return;
  errors_.push_back(make_error(program_.source, range, std::move(message)));
  if (note.empty()) return;
  errors_.push_back(make_error(std::move(note)));
  errors_.back().severity = Severity::kNote;
}

void Interpreter::break_rule(SourceRange range, std::string message, std::string note) {
  const bool is_first = !failed();
  fail(range, std::move(message), std::move(note));
  if (is_first) errors_.front().breaks_rule = true;
}

void Interpreter::charge(SourceRange range) {
  constexpr std::int64_t kSeldom = 4096;  // steps
  const bool ask = steps_ == 0 || steps_ % kSeldom + threads_ >= kSeldom;
  steps_ += threads_;
  if (steps_ > execution_.step_limit && !failed()) {
    fail(range,
         fmt::format("execution passed the limit of {} steps; does a loop here never end?", execution_.step_limit));
    errors_.front().is_too_long = true;
  }
  if (ask) mind_deadline(range);
}

void Interpreter::mind_deadline(SourceRange range) {
  if (execution_.deadline.passed()) fail(range, "the time limit ended the execution here");
}

Scalar Interpreter::scalar_of(TypeId type) const {
  const Type& t = innermost(program_, type);
  return t.form == Type::Form::kPointer ? Scalar::kI64 : t.scalar;
}

Lanes Interpreter::splat(Value v) {
  if (mask_.all()) return Lanes(at(threads_), v);
  Lanes lanes = blank();
  for_active([&](int t) { lanes.entry(at(t)) = v; });
  return lanes;
}

void Interpreter::count_per_warp(double& counter, double amount) {
  for (int w = 0; w * kWarpSize < threads_; ++w) {
    const int end = std::min(threads_, (w + 1) * kWarpSize);
    for (int t = w * kWarpSize; t < end; ++t)
      if (mask_.on[static_cast<std::size_t>(t)]) {
        counter += amount;
        break;
      }
  }
}

// NOLINTNEXTLINE(readability-function-size): one parameter after the other
void Interpreter::bind_parameters() {
  const Function& entry = program_.function(program_.entry);
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const Variable& variable = program_.variable(entry.parameters[i]);
    const Type& type = program_.type(variable.type);
    Buffer buffer;
    buffer.name = variable.name;
    Object object;
    object.name = variable.name;
    object.slots = 1;
    object.cells = blank();
    Value value;
    if (type.form == Type::Form::kPointer) {
      const Type& item = program_.type(type.element);
      buffer.is_pointer = true;
      buffer.is_const = type.pointee_is_const;
      buffer.scalars.clear();
      for (const SlotPlace& slot : item_layout(program_, type.element).slots) buffer.scalars.push_back(slot.scalar);
      buffer.has_bits = i < execution_.has_bits.size() && execution_.has_bits[i];
      Object global;
      global.space = Space::kGlobal;
      global.name = variable.name;
      global.buffer = BufferId(i);
      global.slots = execution_.extents ? (*execution_.extents)[i] : std::int64_t{1} << 40;
      global.slot_bytes = std::max(1, item.size_bytes / static_cast<int>(buffer.scalars.size()));
      global.scalar = packed_scalar(item);
      objects_.push_back(std::move(global));
      if (box_ != nullptr) box_->strides.let_grow(static_cast<std::uint32_t>(objects_.size() - 1));
      value = Value::pointer(static_cast<std::uint32_t>(objects_.size() - 1), 0);
    } else if (auto it = execution_.sizes.find(variable.name); it != execution_.sizes.end()) {
      value = Value::integer(wrap(type.scalar, it->second));
    } else if (type.form == Type::Form::kScalar) {
      buffer.scalars = {type.scalar};
      value = provenance_.input(BufferId(i), 0, type.scalar);
    } else {
      fail(variable.range, fmt::format("parameter '{}' of type '{}' is not supported", variable.name, type.spelling));
    }
    arguments_.push_back(value);
    objects_.push_back(std::move(object));
    variable_object_[entry.parameters[i].value] = static_cast<std::uint32_t>(objects_.size() - 1);
    trace_.buffers.push_back(std::move(buffer));
  }
  trace_.cells.resize(trace_.buffers.size());
  trace_.touched.assign(trace_.buffers.size(), 0);
}

void Interpreter::pass_arguments() {
  const Function& entry = program_.function(program_.entry);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    Lanes& parameter = objects_[variable_object_[entry.parameters[i].value]].cells;
    parameter = Lanes(parameter.size(), arguments_[i]);
  }
}

void Interpreter::start_threads() {
  mask_.on.assign(static_cast<std::size_t>(threads_), 1);
  mask_.guard = Lanes(at(threads_), Value::integer(1));
  returned_.assign(static_cast<std::size_t>(threads_), 0);
  broken_ = continued_ = exited_ = returned_;
}

void Interpreter::run_block(int block) {
  block_ = block;
  epoch_ = 0;
  copies_.clear();
  warp_epoch_.assign(static_cast<std::size_t>((threads_ + kWarpSize - 1) / kWarpSize), 0);
  start_threads();
  // Every block has its own variables, and each of its threads its own parameters; buffers and globals stay.
  pass_arguments();
  for (Object& object : objects_) {
    if (object.space != Space::kShared) continue;
    object.cells = Lanes(object.cells.size());
    for (SharedSlot& slot : object.uses) slot = {};
  }
  const Lanes entered = mask_.guard;
  call_guard_ = &entered;
  exec(program_.function(program_.entry).body);
}

Result<Trace> Interpreter::run() {
  bind_parameters();
  start_threads();
  for (StmtId global : program_.globals)
    if (!failed()) exec(global);
  const std::int64_t blocks = shape_.blocks();
  for (std::int64_t b = 0; b < blocks && !failed(); ++b) run_block(static_cast<int>(b));
  if (failed()) return errors_;
  finish_counts();
  take_averages(trace_, shape_);
  return std::move(trace_);
}

void Interpreter::finish_counts() {
  for (auto& [guards, counts] : guarded_) {
    GuardedIssue issue{{}, counts};
    for (std::uint32_t guard : guards) issue.guards.push_back(Value::node(NodeId(guard)));
    trace_.guarded.push_back(std::move(issue));
  }
}

void take_averages(Trace& trace, const LaunchShape& shape) {
  const std::int64_t warps_of_block = (shape.threads_per_block() + kWarpSize - 1) / kWarpSize;
  const double warps = static_cast<double>(shape.blocks() * warps_of_block);
  const auto average = [&](Counts& counts) {
    for (double* c :
         {&counts.shuffles, &counts.accumulates, &counts.multiplies, &counts.shared_wavefronts, &counts.loads})
      *c /= warps;
  };
  average(trace.counts);
  for (GuardedIssue& issue : trace.guarded) average(issue.counts);
  for (auto& [hole, count] : trace.hole_executions) count /= warps;
  for (SharedAccess& access : trace.shared_accesses) access.count /= warps;
}

Result<Trace> execute(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points) {
  const bool has_bits = std::ranges::any_of(execution.has_bits, [](bool each) { return each; });
  if (execution.groups == Groups::kAlike && !has_bits)
    if (auto repeated = execute_repeatedly(program, execution, provenance, points)) return std::move(*repeated);
  return Interpreter(program, execution, provenance, points).run();
}

}  // namespace swizzle
