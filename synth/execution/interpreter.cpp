#include "synth/execution/interpreter.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/repeated_execution.h"
#include "synth/program/places.h"

namespace swizzle {

Interpreter::Interpreter(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points,
                         GroupBox* box)
    : run_(program, execution, provenance, points, box),
      program_(program),
      provenance_(provenance),
      calling_(program.functions.size(), 0) {}

// NOLINTNEXTLINE(readability-function-size): one parameter after the other
void Interpreter::bind_parameters() {
  const Function& entry = program_.function(program_.entry);
  provenance_.value_ranges().set(run_.execution.ranges);
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const Variable& variable = program_.variable(entry.parameters[i]);
    const Type& type = program_.type(variable.type);
    Buffer buffer;
    buffer.name = variable.declared.valid()
                      ? fmt::format("(({}*){})", spelling(program_.type(type.element).scalar), variable.name)
                      : variable.name;
    Object object;
    object.name = variable.name;
    object.slots = 1;
    object.cells = run_.blank();
    Value value;
    if (type.form == Type::Form::kPointer) {
      const Type& item = program_.type(type.element);
      buffer.is_pointer = true;
      buffer.is_const = type.pointee_is_const;
      buffer.scalars.clear();
      for (const SlotPlace& slot : item_layout(program_, type.element).slots) buffer.scalars.push_back(slot.scalar);
      buffer.has_bits = i < run_.execution.has_bits.size() && run_.execution.has_bits[i];
      Object global;
      global.space = Object::Space::kGlobal;
      global.name = variable.name;
      global.buffer = BufferId(i);
      global.slots = run_.execution.extents ? (*run_.execution.extents)[i] : std::int64_t{1} << 40;
      global.slot_bytes = std::max(1, item.size_bytes / static_cast<int>(buffer.scalars.size()));
      global.scalar = packed_scalar(item);
      const std::uint32_t id = objects_.add(std::move(global));
      if (run_.box != nullptr) run_.box->strides.let_grow(id);
      value = Value::pointer(id, 0);
    } else if (auto it = run_.execution.sizes.find(variable.name); it != run_.execution.sizes.end()) {
      value = Value::integer(wrap(type.scalar, it->second));
    } else if (type.form == Type::Form::kScalar) {
      buffer.scalars = {type.scalar};
      value = provenance_.input(BufferId(i), 0, type.scalar);
    } else {
      run_.refuse(variable.range,
                  fmt::format("parameter '{}' of type '{}' is not supported", variable.name, type.spelling));
    }
    arguments_.push_back(value);
    objects_.bind(entry.parameters[i], objects_.add(std::move(object)));
    run_.trace.buffers.push_back(std::move(buffer));
  }
  run_.trace.cells.resize(run_.trace.buffers.size());
  run_.trace.touched.assign(run_.trace.buffers.size(), 0);
}

void Interpreter::pass_arguments() {
  const Function& entry = program_.function(program_.entry);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    Lanes& parameter = objects_[objects_.object_of(entry.parameters[i])].cells;
    parameter = Lanes(parameter.size(), arguments_[i]);
  }
}

void Interpreter::start_threads() {
  run_.start_threads();
  returned_ = broken_ = continued_ = run_.exited;
}

void Interpreter::run_block(int block) {
  run_.block = block;
  copies_.start_block();
  races_.start_block();
  start_threads();
  // Every block has its own variables, and each of its threads its own parameters; buffers and globals stay.
  pass_arguments();
  objects_.start_block();
  const Lanes entered = run_.mask.guard;
  call_guard_ = &entered;
  exec(program_.function(program_.entry).body);
  races_.end_block();
}

Result<Trace> Interpreter::run() {
  bind_parameters();
  start_threads();
  for (StmtId global : program_.globals)
    if (!run_.failed()) exec(global);
  const std::int64_t blocks = run_.shape.blocks();
  for (std::int64_t b = 0; b < blocks && !run_.failed(); ++b) run_block(static_cast<int>(b));
  if (run_.failed()) return run_.errors;
  issues_.finish();
  cells_.settle_unwritten();
  take_averages(run_.trace, run_.shape);
  return std::move(run_.trace);
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
  Execution each = execution;
  while (true) {
    Interpreter interpreter(program, each, provenance, points);
    Result<Trace> trace = interpreter.run();
    if (const auto buffer = interpreter.wants_cases()) each.by_cases.insert(buffer->value);
    else return trace;
  }
}

}  // namespace swizzle
