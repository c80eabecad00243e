#include "synth/ptx/executor.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/machine/residency.h"
#include "synth/ptx/names.h"

namespace swizzle::ptx {
namespace {

constexpr std::int64_t kBufferBytes = std::int64_t{1} << 34;

RegionKind kind_of(Space space) {
  switch (space) {
    case Space::kShared: return RegionKind::kShared;
    case Space::kLocal: return RegionKind::kLocal;
    case Space::kConst:
    case Space::kParam: return RegionKind::kConstant;
    default: return RegionKind::kGlobal;
  }
}

// Variables that its instructions name, and its parameters.
std::set<int> variables_of(const Function& function) {
  std::set<int> used(function.parameters.begin(), function.parameters.end());
  const std::function<void(const Operand&)> look = [&](const Operand& operand) {
    if (operand.kind == Operand::Kind::kVariable) used.insert(operand.id);
    for (const Operand& part : operand.parts) look(part);
  };
  for (const Instruction& i : function.instructions)
    for (const Operand& operand : i.operands) look(operand);
  return used;
}

// What it holds from the start, as words of 1, 2, 4 and 8 bytes are read: by the element's size alone.
Parts initial_parts(const Variable& variable) {
  Parts parts;
  const int size = std::max(1, variable.element.bytes());
  constexpr int kWidestWord = 8;
  if (size > kWidestWord) return parts;
  for (std::size_t at = 0; at + static_cast<std::size_t>(size) <= variable.initial.size();
       at += static_cast<std::size_t>(size)) {
    std::uint64_t value = 0;
    for (int b = 0; b < size; ++b)
      value |= std::uint64_t{variable.initial[at + static_cast<std::size_t>(b)]} << (8 * b);
    parts[static_cast<std::int64_t>(at)] = {size, LaneValue::uniform(static_cast<std::int64_t>(value))};
  }
  return parts;
}

}  // namespace

Executor::Executor(const KernelRun& run, const TraceOptions& how)
    : kernel_(run),
      code_(run.kernel.instructions),
      options_(how),
      flow_(run.kernel),
      recorder_(how.memory),
      threads_(how.shape.threads_per_block()) {
  declare_variables();
  bind_parameters();
}

void Executor::declare_variables() {
  variable_region_.assign(kernel_.module.variables.size(), kNoRegion);
  for (const int id : variables_of(kernel_.kernel)) {
    const Variable& variable = kernel_.module.variables[static_cast<std::size_t>(id)];
    const bool is_open = variable.size_bytes == 0;
    const std::int64_t size = !is_open                           ? variable.size_bytes
                              : variable.space == Space::kShared ? kMostSharedBytes
                                                                 : kBufferBytes;
    const int region = space_.allocate(kind_of(variable.space), short_name(variable.name), size,
                                       is_open && variable.space == Space::kShared);
    variable_region_[static_cast<std::size_t>(id)] = region;
    if (variable.space == Space::kConst) space_.region(region).parts = initial_parts(variable);
  }
}

// Pointers are buffers of their own.
void Executor::bind_parameters() {
  const std::vector<int>& parameters = kernel_.kernel.parameters;
  for (std::size_t p = 0; p < parameters.size() && p < kernel_.arguments.size(); ++p) {
    Parts parts;
    for (const ArgumentPart& part : kernel_.arguments[p]) {
      LaneValue value;
      if (part.kind == ArgumentPart::Kind::kBuffer)
        value = space_.address_of(space_.allocate(RegionKind::kGlobal, part.name, kBufferBytes));
      else if (part.value) value = LaneValue::uniform(*part.value);
      if (value.says_something()) parts[part.offset_bytes] = {part.size_bytes, value};
    }
    space_.region(region_of_variable(parameters[p])).parts = std::move(parts);
  }
}

const PlaceInSource& Executor::place_of(const Instruction& i) const {
  const auto line = static_cast<std::size_t>(i.line);
  if (i.place >= 0) return kernel_.places[static_cast<std::size_t>(i.place)];
  return line < kernel_.lines.size() ? kernel_.lines[line] : kernel_.kernel_place;
}

void Executor::remark(const Instruction& i, std::string message) {
  const PlaceInSource& place = place_of(i);
  const SourceRange range = place.call_site.end > 0 ? place.call_site : place.range;
  if (!remarked_.insert({range.begin, message}).second) return;
  trace_.remarks.push_back(make_diagnostic(Severity::kWarning, kernel_.source, range, std::move(message)));
}

void Executor::remark_uncounted(const Instruction& i, std::string message) {
  const std::size_t before = trace_.remarks.size();
  remark(i, std::move(message));
  if (trace_.remarks.size() != before) trace_.uncounted.push_back(trace_.remarks.back());
}

void Executor::not_counted(const Instruction& i, MemorySpace space) {
  constexpr const char* kWhy = "this depends on data, or on what is not followed: the access is not counted";
  if (space == MemorySpace::kShared) remark_uncounted(i, kWhy);
  else remark(i, kWhy);
}

// False once the walk has to stop.
bool Executor::charge(const Instruction& i, std::int64_t steps) {
  steps_ += steps;
  if (steps_ > allowance_ && !stopped_) {
    stopped_ = true;
    trace_.is_complete = false;
    remark_uncounted(i, fmt::format("stopped here after {} instructions and requests of block ({}, {}, {}): what comes "
                                    "later is not counted; smaller sizes (--set) or --step-limit go on",
                                    steps_, block_index_[0], block_index_[1], block_index_[2]));
  }
  return !stopped_;
}

void Executor::step() {
  const Instruction& i = code_[static_cast<std::size_t>(at_)];
  if (!charge(i)) return;
  switch (i.opcode) {
    case Opcode::kBra: return branch(i);
    case Opcode::kBrx: return branch_by_index(i);
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap: leave_kernel(i); break;
    default: execute(i);
  }
  ++at_;
}

void Executor::run_block(std::int64_t block) {
  const auto& grid = options_.shape.grid;
  block_index_ = {static_cast<int>(block % grid[0]), static_cast<int>(block / grid[0] % grid[1]),
                  static_cast<int>(block / grid[0] / grid[1])};
  trace_.blocks.push_back(block_index_);
  registers_.assign(kernel_.kernel.register_bits.size(), LaneValue());
  mask_ = make_mask(Presences(threads(), Presence::kIn));
  perhaps_gone_.assign(threads(), 0);
  forks_.clear();
  forget_memory(Space::kShared);
  forget_memory(Space::kLocal);
  const int end = static_cast<int>(code_.size());
  for (at_ = 0; !stopped_;) {
    if (!forks_.empty() && (!mask_.any || at_ == forks_.back().join)) arrive();
    else if (!mask_.any || at_ >= end) break;
    else step();
  }
}

AccessTrace Executor::run() {
  const std::set<std::int64_t> walked = blocks_to_walk(options_);
  // Each block has its share of the steps that are left.
  std::int64_t left = static_cast<std::int64_t>(walked.size());
  for (const std::int64_t block : walked) {
    allowance_ = steps_ + std::max<std::int64_t>(1, (options_.step_limit - steps_) / left--);
    stopped_ = false;
    run_block(block);
  }
  trace_.sites = recorder_.in_source_order();
  trace_.steps = steps_;
  return std::move(trace_);
}

AccessTrace trace_accesses(const KernelRun& run, const TraceOptions& how) { return Executor(run, how).run(); }

}  // namespace swizzle::ptx
