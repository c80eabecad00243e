#include "synth/access/access_tracer.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/access/loop_jump.h"

namespace swizzle {
namespace {

// Whether nothing here lets warps wait for each other but barriers of the block, and all of the kernel is followed.
bool has_plain_barriers(const Program& program) {
  const auto is_of_library = [](const Type& t) {
    return t.spelling.find("cuda::") != std::string::npos || t.spelling.find("barrier") != std::string::npos;
  };
  return program.skipped.empty() && std::none_of(program.types.begin(), program.types.end(), is_of_library) &&
         std::none_of(program.exprs.begin(), program.exprs.end(),
                      [](const Expr& e) { return e.kind == ExprKind::kUnknown || e.kind == ExprKind::kTouch; }) &&
         std::none_of(program.stmts.begin(), program.stmts.end(),  // PTX that accesses nothing
                      [](const Stmt& s) { return s.kind == StmtKind::kBlock && s.body.empty(); });
}

}  // namespace

AccessTracer::AccessTracer(const Program& program, const TraceOptions& options)
    : program_(program),
      options_(options),
      recorder_(options.memory),
      threads_(options.shape.threads_per_block()),
      allowance_(options.step_limit) {
  variable_region_.assign(program.variables.size(), kNoRegion);
  calling_.assign(program.functions.size(), 0);
}

void AccessTracer::remark(SourceRange range, std::string message) {
  if (tape_ != nullptr && tape_->is_of_all_rounds && !stopped_) {
    tape_->is_odd |= !remarked_.contains({range.begin, message});
    return;
  }
  if (is_muted_ || !remarked_.insert({range.begin, message}).second) return;
  trace_.remarks.push_back(make_diagnostic(Severity::kWarning, program_.source, range, std::move(message)));
}

void AccessTracer::remark_uncounted(SourceRange range, std::string message) {
  const std::size_t before = trace_.remarks.size();
  remark(range, std::move(message));
  if (trace_.remarks.size() != before) trace_.uncounted.push_back(trace_.remarks.back());
}

void AccessTracer::violate(SourceRange range, const char* rule, std::string message) {
  const std::size_t before = trace_.remarks.size();
  remark(range, std::move(message));
  if (trace_.remarks.size() != before) trace_.violations.push_back({rule, trace_.remarks.back()});
}

// False once the walk has to stop: loops are left at the limit, and what is behind them mostly fits into as much again.
bool AccessTracer::charge(SourceRange range, std::int64_t steps) {
  constexpr std::int64_t kAtMost = 3;
  steps_ += steps;
  if (steps_ > kAtMost * options_.step_limit && !stopped_) {
    stopped_ = true;
    trace_.is_complete = false;
    is_muted_ = false;
    remark_uncounted(
        range,
        fmt::format(
            "stopped here after {} steps: what comes later is not counted; smaller sizes (--set) or --step-limit go on",
            kAtMost * options_.step_limit));
  }
  return !stopped_;
}

Scalar AccessTracer::scalar_of(TypeId id) const {
  const Type& type = program_.type(id);
  return type.form == Type::Form::kPointer ? Scalar::kI64 : type.scalar;
}

bool AccessTracer::is_scalar(TypeId id) const {
  const Type::Form form = program_.type(id).form;
  return form == Type::Form::kScalar || form == Type::Form::kPointer;
}

// Pointers are buffers of their own, also those within a record; numbers have the size that was set.
void AccessTracer::bind(const Type& type, std::int64_t offset, const std::string& name, Parts& parts) {
  constexpr std::int64_t kBufferBytes = std::int64_t{1} << 34;
  if (type.form == Type::Form::kPointer) {
    const int region = space_.allocate(RegionKind::kGlobal, name, kBufferBytes);
    const auto null = options_.sizes.find(name);
    if (null != options_.sizes.end() && null->second == 0) space_.region(region).base = 0;
    parts[offset] = {8, space_.address_of(region)};
  } else if (const auto it = options_.sizes.find(name);
             type.form == Type::Form::kScalar && it != options_.sizes.end()) {
    parts[offset] = {type.size_bytes, is_real(type.scalar) ? LaneValue::uniform_real(
                                                                 nearest(type.scalar, static_cast<double>(it->second)))
                                                           : LaneValue::uniform(wrap(type.scalar, it->second))};
  } else if (type.form == Type::Form::kRecord) {
    for (const Field& field : type.fields)
      bind(program_.type(field.type), offset + field.offset_bytes, fmt::format("{}.{}", name, field.name), parts);
  } else if (const Type* element = type.form == Type::Form::kArray ? &program_.type(type.element) : nullptr;
             element != nullptr && element->size_bytes > 0 &&
             type.size_bytes / element->size_bytes <= kMostBoundElements) {
    for (std::int64_t i = 0; i < type.size_bytes / element->size_bytes; ++i)
      bind(*element, offset + i * element->size_bytes, fmt::format("{}[{}]", name, i), parts);
  }
}

void AccessTracer::bind_parameters() {
  for (const VariableId id : program_.function(program_.entry).parameters) {
    const Variable& variable = program_.variable(id);
    const Type& type = program_.type(variable.type);
    Parts parts;
    bind(type, 0, variable.name, parts);
    const int region = space_.allocate(RegionKind::kLocal, variable.name, std::max(8, type.size_bytes));
    space_.region(region).parts = std::move(parts);
    space_.region(region).is_parameter = true;
    variable_region_[id.value] = region;
  }
}

std::array<int, 3> AccessTracer::block_index(std::int64_t block) const {
  const auto& grid = options_.shape.grid;
  return {static_cast<int>(block % grid[0]), static_cast<int>(block / grid[0] % grid[1]),
          static_cast<int>(block / grid[0] / grid[1])};
}

void AccessTracer::walk_block(std::int64_t block) {
  block_ = block;
  block_index_ = block_index(block);
  gone_.reset(static_cast<std::size_t>(threads_));
  mask_ = make_mask(Presences(static_cast<std::size_t>(threads_), Presence::kIn), 0);
  space_.forget_shared();
  exec(program_.function(program_.entry).body);
}

AccessTrace AccessTracer::run() {
  bind_parameters();
  gone_.reset(static_cast<std::size_t>(threads_));
  space_.on_change(
      [this](int region, std::int64_t offset, const Part* old) { gone_.note_change(region, offset, old); });
  mask_ = make_mask(Presences(static_cast<std::size_t>(threads_), Presence::kIn), 0);
  for (const StmtId global : program_.globals) exec(global);
  std::vector<Parts> arguments;
  for (const VariableId id : program_.function(program_.entry).parameters)
    arguments.push_back(space_.region(variable_region_[id.value]).parts);
  const std::set<std::int64_t> walked = blocks_to_walk(options_);
  for (const std::int64_t block : walked) {
    if (stopped_) break;
    // The blocks that are still to come have their share of the steps that are left.
    const auto left = static_cast<std::int64_t>(walked.size() - trace_.blocks.size());
    allowance_ = steps_ + std::max<std::int64_t>(0, options_.step_limit - steps_) / left;
    std::size_t next = 0;
    for (const VariableId id : program_.function(program_.entry).parameters)
      space_.region(variable_region_[id.value]).parts = arguments[next++];
    trace_.blocks.push_back(block_index(block));
    if (options_.follows_history && trace_.blocks.size() == 1 && has_plain_barriers(program_)) history_.emplace();
    walk_block(block);
    history_.reset();
  }
  trace_.sites = recorder_.in_source_order();
  trace_.steps = steps_;
  return std::move(trace_);
}

std::set<std::int64_t> blocks_to_walk(const TraceOptions& options) {
  const std::int64_t blocks = options.shape.blocks();
  std::set<std::int64_t> walked = options.blocks.empty() ? sampled_blocks(blocks) : options.blocks;
  const std::int64_t followed = options.all_blocks ? std::min(blocks, options.step_limit) : 0;  // a step each, at least
  for (std::int64_t block = 0; block < followed; ++block) walked.insert(block);
  return walked;
}

std::set<std::int64_t> sampled_blocks(std::int64_t blocks) {
  const std::int64_t middle = blocks / 2, last = blocks - 1;
  const bool are_even = middle % 2 == 0 && last % 2 == 0;
  return {0, are_even && middle + 1 < last ? middle + 1 : middle, last};
}

AccessTrace trace_accesses(const Program& program, const TraceOptions& options) {
  return AccessTracer(program, options).run();
}

}  // namespace swizzle
