#include "synth/problem/pose.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/problem/bit_equations.h"
#include "synth/problem/doubts.h"
#include "synth/problem/element_ranges.h"
#include "synth/problem/functions_as_elements.h"
#include "synth/problem/launched_memory.h"
#include "synth/problem/open_arguments.h"
#include "synth/problem/repetitions.h"
#include "synth/problem/settled_equations.h"
#include "synth/problem/stores.h"
#include "synth/problem/stray_stores.h"
#include "synth/provenance/data_places.h"

namespace swizzle {
namespace {

constexpr std::int64_t kSlotsOfIdleSpec = 1 << 20;  // of a buffer, where the spec stores nothing

const Variable& parameter(const Program& program, std::size_t i) {
  return program.variable(program.function(program.entry).parameters[i]);
}

// The kernel's sizes under the names that the spec gives to its parameters.
Sizes renamed(const Program& kernel, const Program& spec, const Sizes& sizes) {
  Sizes result;
  for (std::size_t i = 0; i < kernel.function(kernel.entry).parameters.size(); ++i)
    if (auto it = sizes.find(parameter(kernel, i).name); it != sizes.end())
      result[parameter(spec, i).name] = it->second;
  return result;
}

Result<std::monostate> sizes_are_complete(const Program& kernel, const Sizes& sizes) {
  for (VariableId id : kernel.function(kernel.entry).parameters) {
    const Variable& v = kernel.variable(id);
    const Type& t = kernel.type(v.type);
    if (t.form == Type::Form::kScalar && !is_real(t.scalar) && !sizes.contains(v.name))
      return make_error(kernel.source, v.range,
                        fmt::format("no size is given for '{}'; write '#pragma swizzle instance {} = …' or --set {}=…",
                                    v.name, v.name, v.name));
  }
  return std::monostate{};
}

// The spec may have smaller types for them than the kernel.
Result<std::monostate> sizes_fit(const Program& spec, const Sizes& sizes) {
  for (VariableId id : spec.function(spec.entry).parameters) {
    const Variable& v = spec.variable(id);
    const auto size = sizes.find(v.name);
    if (const Type& t = spec.type(v.type); size != sizes.end() && wrap(t.scalar, size->second) != size->second)
      return make_error(spec.source, v.range, fmt::format("{} does not fit in '{}'", size->second, t.spelling));
  }
  return std::monostate{};
}

// What is touched, by buffer: of an item that is touched in part, all slots.
std::vector<std::int64_t> whole_items(const Trace& spec) {
  std::vector<std::int64_t> slots = spec.touched;
  for (std::size_t b = 0; b < spec.buffers.size(); ++b) {
    const std::int64_t item = spec.buffers[b].slots_per_item();
    slots[b] = (slots[b] + item - 1) / item * item;
  }
  return slots;
}

Result<std::vector<std::int64_t>> extents_of(const Program& kernel, const Trace& spec, const Sizes& sizes) {
  std::vector<std::int64_t> extents = whole_items(spec);
  for (const Extent& extent : kernel.directives.extents) {
    const auto elements = evaluate(extent.elements, sizes, kernel.source);
    if (!elements.ok()) return elements.errors();
    if (std::none_of(spec.buffers.begin(), spec.buffers.end(), [&, i = std::size_t{0}](const Buffer& b) mutable {
          return parameter(kernel, i++).name == extent.buffer && b.is_pointer;
        }))
      return make_error(kernel.source, extent.named, fmt::format("the kernel has no buffer '{}'", extent.buffer));
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
      if (parameter(kernel, i).name != extent.buffer) continue;
      const std::int64_t slots = *elements * spec.buffers[i].slots_per_item();
      if (slots < extents[i])
        return make_error(
            kernel.source, extent.elements.range,
            fmt::format("the spec uses {} elements of '{}', and the extent is {}", extents[i], extent.buffer, slots));
      extents[i] = slots;
    }
  }
  return extents;
}

struct Measured {
  Trace spec;
  Posed posed;
};

Result<LaunchShape> shape_of_kernel(const Program& kernel, const Sizes& sizes) {
  if (!kernel.directives.launch)
    return make_error(kernel.source, kernel.function(kernel.entry).range,
                      "no launch shape is given; write '#pragma swizzle launch grid(…) block(…)'");
  auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
  if (!shape.ok()) return shape.errors();
  if (const int threads = shape->threads_per_block(); threads > kernel.launch_bounds.value_or(threads))
    return make_error(kernel.source, kernel.directives.launch->range,
                      fmt::format("a block has {} threads{}, and __launch_bounds__ allows {}", threads, at_sizes(sizes),
                                  *kernel.launch_bounds));
  return *shape;
}

// Nothing for a sequential spec.
Result<std::optional<LaunchShape>> shape_of_spec(const Program& spec, const Sizes& sizes) {
  if (!spec.is_kernel) return std::optional<LaunchShape>();
  if (!spec.directives.launch)
    return make_error(
        spec.source, spec.function(spec.entry).range,
        "a kernel as the spec needs its own launch shape; write '#pragma swizzle launch grid(…) block(…)'");
  const auto shape = evaluate(*spec.directives.launch, sizes, spec.source);
  if (!shape.ok()) return shape.errors();
  return std::optional(*shape);
}

Result<std::monostate> stores_values(const Program& spec, const Trace& expected, const Sizes& sizes) {
  for (std::size_t b = 0; b < expected.cells.size(); ++b)
    for (const auto& [slot, cell] : expected.cells[b])
      if (cell.value.is_undefined())
        return make_error(spec.source, cell.range,
                          fmt::format("the spec stores an undefined value in '{}[{}]'{}", expected.buffers[b].name,
                                      slot, at_sizes(sizes)));
  return std::monostate{};
}

Result<Measured> execute_spec(const Program& kernel, const Program& spec, const Sizes& sizes, Provenance& provenance,
                              PointTable& points, const Deadline& deadline, Groups groups, bool extents_only = false,
                              Stores stores = Stores::kSome) {
  if (const auto complete = sizes_are_complete(kernel, sizes); !complete.ok()) return complete.errors();
  const auto shape = shape_of_kernel(kernel, sizes);
  if (!shape.ok()) return shape.errors();
  auto ranges = element_ranges(kernel, sizes);
  if (!ranges.ok()) return ranges.errors();
  const Sizes spec_sizes = renamed(kernel, spec, sizes);
  if (const auto fit = sizes_fit(spec, spec_sizes); !fit.ok()) return fit.errors();
  const auto spec_shape = shape_of_spec(spec, spec_sizes);
  if (!spec_shape.ok()) return spec_shape.errors();
  auto has_bits = buffers_with_bits(kernel);
  if (!has_bits.ok()) return has_bits.errors();
  auto expected = execute(spec,
                          {.sizes = spec_sizes,
                           .shape = *spec_shape,
                           .has_bits = std::move(*has_bits),
                           .ranges = std::move(*ranges),
                           .groups = may_repeat(kernel, *shape) ? groups : Groups::kEach,
                           .extents_only = extents_only,
                           .deadline = deadline,
                           .memory = {}},
                          provenance, points);
  if (!expected.ok()) return expected.errors();
  const bool is_idle = std::ranges::all_of(expected->cells, [](const auto& cells) { return cells.empty(); });
  if (is_idle && stores == Stores::kSome)
    return make_error(spec.source, spec.function(spec.entry).range,
                      fmt::format("the spec stores nothing{}", at_sizes(sizes)));
  if (const auto defined = stores_values(spec, *expected, sizes); !extents_only && !defined.ok()) {
    if (expected->repetitions.empty()) return defined.errors();
    return execute_spec(kernel, spec, sizes, provenance, points, deadline, Groups::kEach);  // which names the first
  }
  auto extents = extents_of(kernel, *expected, sizes);
  if (!extents.ok()) return extents.errors();
  if (const auto held = hold_distinct(kernel, sizes, *extents); !held.ok()) return held.errors();
  for (std::size_t i = 0; is_idle && i < extents->size(); ++i)
    if (expected->buffers[i].is_pointer) (*extents)[i] = std::max((*extents)[i], kSlotsOfIdleSpec);
  return Measured{std::move(*expected), {sizes, *shape, *extents, *spec_shape, 0}};
}

Result<Trace> execute_kernel(const Program& kernel, SpecTrace& spec, const Posed& posed, Provenance& provenance,
                             PointTable& points, const Deadline& deadline, bool counts_issues = true) {
  auto ranges = element_ranges(kernel, posed.sizes);
  if (!ranges.ok()) return ranges.errors();
  const Execution how{.sizes = posed.sizes,
                      .shape = posed.shape,
                      .extents = posed.extents,
                      .has_bits = *buffers_with_bits(kernel),
                      .ranges = std::move(*ranges),
                      .counts_issues = counts_issues,
                      .deadline = deadline,
                      .memory = memory_of(kernel)};
  auto actual = execute_beside(kernel, how, spec, provenance, points);
  if (!actual.ok() || !(*spec).repetitions.empty()) return actual;
  if (auto stray = stray_store(kernel, *spec, *actual, provenance)) return *std::move(stray);
  return actual;
}

std::vector<Equation> equations_of(const Trace& sketch, const Trace& spec, Provenance& provenance,
                                   std::size_t instance) {
  if (!spec.repetitions.empty())
    return settled_by_cases(repeated_equations(sketch, spec, provenance, instance), provenance);
  std::vector<Equation> equations;
  for (std::size_t b = 0; b < spec.cells.size(); ++b)
    for (const auto& [slot, cell] : spec.cells[b]) {
      Equation e{{}, cell.value, BufferId(b), slot, 0, instance, true, spec.buffers[b].scalar_at(slot)};
      const auto it = sketch.cells[b].find(slot);
      e.stored = it != sketch.cells[b].end();
      e.actual = e.stored ? it->second.value : provenance.input(BufferId(b), slot, e.scalar);
      for (Value* side : {&e.actual, &e.expected}) *side = trimmed(provenance, e.scalar, provenance.normalize(*side));
      if (e.stored) e.thread = it->second.thread;
      if (e.stored || !(e.actual == e.expected)) equations.push_back(e);  // else it is as it was
    }
  return settled_by_cases(std::move(equations), provenance);
}

// The sketch, executed, is compared with the spec.
Result<std::monostate> pose_beside(const Program& sketch, const Trace& given, const Posed& posed, Problem& problem,
                                   const Deadline& deadline) {
  SpecTrace spec_trace(given);
  auto run = execute_kernel(sketch, spec_trace, posed, problem.provenance, problem.points, deadline);
  if (!run.ok()) return run.errors();
  const Trace& spec = *spec_trace;
  const std::size_t instance = problem.equations.empty() ? 0 : problem.equations.back().instance + 1;
  for (Equation& e : equations_of(*run, spec, problem.provenance, instance)) problem.equations.push_back(e);
  for (Requirement& r : run->requirements) problem.requirements.push_back(std::move(r));
  problem.executions.resize(sketch.holes.size(), 0);
  for (const auto& [hole, count] : run->hole_executions) problem.executions[hole.value] = count;
  problem.hole_indexed.insert(run->hole_indexed.begin(), run->hole_indexed.end());
  problem.counts = run->counts;
  problem.guarded = std::move(run->guarded);
  for (SharedAccess& access : problem.shared_accesses) access.count = 0;
  for (SharedAccess& access : run->shared_accesses) {
    access.instance = problem.shared_objects.size();
    problem.shared_accesses.push_back(std::move(access));
  }
  problem.shared_objects.push_back(std::move(run->shared_objects));
  problem.buffer_names = names_of(run->buffers);
  pose_stores(*run, spec, instance, problem);
  return std::monostate{};
}

}  // namespace

SharedMemoryModel memory_of(const Program& kernel) {
  const auto named = kernel.directives.machine ? shared_memory_of(kernel.directives.machine->name) : std::nullopt;
  return named.value_or(SharedMemoryModel{});
}

Result<Posed> pose(const Program& sketch, const Program& spec, const Sizes& sizes, Problem& problem,
                   const Deadline& deadline, Groups groups) {
  auto measured = execute_spec(sketch, spec, sizes, problem.provenance, problem.points, deadline, groups);
  if (!measured.ok()) return measured.errors();
  if (const auto posed = pose_beside(sketch, measured->spec, measured->posed, problem, deadline); !posed.ok())
    return posed.errors();
  return std::move(measured->posed);
}

Result<SpecRuns> SpecRuns::of(const Program& sketch, const Program& spec, const std::vector<Sizes>& sizes,
                              const Deadline& deadline, Groups groups) {
  SpecRuns all;
  for (const Sizes& one : sizes) {
    auto measured = execute_spec(sketch, spec, one, all.provenance_, all.points_, deadline, groups);
    if (!measured.ok()) return measured.errors();
    all.runs_.push_back({std::move(measured->spec), std::move(measured->posed)});
  }
  return all;
}

Result<std::vector<Posed>> SpecRuns::pose(const Program& sketch, Problem& problem, const Deadline& deadline) const {
  problem.provenance = provenance_;
  problem.points = points_;
  std::vector<Posed> all;
  for (const Run& run : runs_) {
    if (const auto posed = pose_beside(sketch, run.spec, run.posed, problem, deadline); !posed.ok())
      return posed.errors();
    all.push_back(run.posed);
  }
  return all;
}

Result<Posed> measure(const Program& sketch, const Program& spec, const Sizes& sizes, const Deadline& deadline) {
  Provenance provenance;
  PointTable points;
  auto measured = execute_spec(sketch, spec, sizes, provenance, points, deadline, Groups::kEach, true);
  if (!measured.ok()) return measured.errors();
  return std::move(measured->posed);
}

Result<std::vector<std::int64_t>> touched_by(const Program& spec, const Program& kernel, const Sizes& sizes,
                                             std::int64_t step_limit) {
  const Sizes spec_sizes = renamed(kernel, spec, sizes);
  const auto shape = shape_of_spec(spec, spec_sizes);
  if (!shape.ok()) return shape.errors();
  auto ranges = element_ranges(kernel, sizes);
  if (!ranges.ok()) return ranges.errors();
  Provenance provenance;
  PointTable points;
  const auto run = execute(spec,
                           {.sizes = spec_sizes,
                            .shape = *shape,
                            .ranges = std::move(*ranges),
                            .extents_only = true,
                            .step_limit = step_limit,
                            .deadline = {},
                            .memory = {}},
                           provenance, points);
  if (!run.ok()) return run.errors();
  return whole_items(*run);
}

void collect_holes(const Program& sketch, Problem& problem) {
  problem.holes.assign(sketch.holes.size(), {});
  const std::vector<std::vector<OpenArgument>> open = open_arguments(sketch);
  for (std::size_t h = 0; h < sketch.holes.size(); ++h) {
    problem.holes[h].id = HoleId(h);
    problem.holes[h].kind = sketch.holes[h].kind;
    const LineColumn at = sketch.source.locate(sketch.holes[h].range.begin);
    problem.holes[h].name = fmt::format("the ?{} at {}:{}", name_of(sketch.holes[h]), at.line, at.column);
    problem.holes[h].first_argument = sketch.holes[h].traits().first_key;
    problem.holes[h].open = open[h];
    if (sketch.holes[h].traits().has_bounds()) problem.holes[h].least = sketch.holes[h].low;
  }
  for (std::size_t p = 0; p < problem.points.size(); ++p) {
    const Point& point = problem.points[PointId(p)];
    HoleSpace& space = problem.holes[point.hole.value];
    space.domain = point.domain;
    space.points.push_back(PointId(p));
  }
  for (HoleSpace& space : problem.holes)  // whatever is open, an index is in [0, n)
    for (OpenArgument& argument : space.open)
      if (space.traits().index == argument.argument) argument.bounds = {0, std::max(0, space.domain - 1)};
  std::map<std::vector<std::uint32_t>, ArgumentList> lists;  // by the numbers of the arguments
  for (HoleSpace& space : problem.holes) {
    std::vector<std::uint32_t> numbers;
    for (PointId p : space.points) numbers.push_back(problem.points[p].arguments);
    const auto [known, fresh] = lists.try_emplace(std::move(numbers));
    if (fresh) {
      std::vector<Arguments> list;
      for (PointId p : space.points) list.push_back(problem.points.arguments(p));
      known->second = ArgumentList(std::move(list));
    }
    space.arguments = known->second;
  }
}

Result<Expectation> expect(const Program& sketch, const Program& spec, const Sizes& sizes, const Deadline& deadline,
                           Groups groups, Stores stores) {
  Expectation result;
  auto measured = execute_spec(sketch, spec, sizes, result.provenance, result.points, deadline, groups, false, stores);
  if (!measured.ok()) return measured.errors();
  result.posed = std::move(measured->posed);
  result.spec = std::move(measured->spec);
  return result;
}

namespace {

Result<Refutation> first_refuted(const Trace& run, const Trace& spec, Provenance& provenance,
                                 const Deadline& deadline) {
  const std::vector<Equation> equations = equations_of(run, spec, provenance, 0);
  const std::vector<std::string> names = names_of(run.buffers);
  const auto where = [&](const Equation& e) {
    return fmt::format("{}[{}]", names[e.buffer.value], slot_text(provenance, e.slot, names));
  };
  const auto missing = std::ranges::find(equations, false, &Equation::stored);
  std::optional<std::vector<Equation>> of_elements;
  // Whatever the functions of data in it are.
  auto holds_anyway = [&, others = names](std::ptrdiff_t at) mutable {
    if (!of_elements) of_elements = with_functions_as_elements(equations, provenance, others).value_or(equations);
    const Equation& e = (*of_elements)[static_cast<std::size_t>(at)];
    return e.holds(e.actual);
  };
  Refutation doubted;
  for (auto e = equations.begin(); e != equations.end(); ++e) {
    if (e->stored && e->holds(e->actual)) continue;
    if (missing != equations.end() && (e == missing || doubted.doubt))
      return Refutation{fmt::format("{} is never stored", where(*missing)), {}, where(*missing), {}};
    if (deadline.passed()) return make_error("the time limit ended the comparison of outputs");
    Refutation found{difference(*e, provenance, names), doubt_of(*e, provenance), where(*e), e->thread};
    if (!found.doubt) return found;
    if (holds_anyway(e - equations.begin())) continue;
    if (!doubted.doubt) doubted = std::move(found);
  }
  return doubted;
}

}  // namespace

// What is wrong is looked for among all groups once it is known that something is: it is told the same way then.
Result<Refutation> refute(const Program& kernel, Expectation expectation, const Deadline& deadline,
                          std::int64_t* dynamic_shared_bytes) {
  Provenance& provenance = expectation.provenance;
  SpecTrace spec(expectation.spec);
  while (true) {
    const auto run = execute_kernel(kernel, spec, expectation.posed, provenance, expectation.points, deadline, false);
    if (!run.ok()) return run.errors();
    if (dynamic_shared_bytes != nullptr) *dynamic_shared_bytes = run->dynamic_shared_bytes;
    if (auto lacks = lacking_shared_memory(kernel, expectation.posed.sizes, run->dynamic_shared_bytes))
      return *std::move(lacks);
    const auto difference = first_refuted(*run, *spec, provenance, deadline);
    if (!difference.ok() || (difference->text.empty() && !difference->doubt) || (*spec).repetitions.empty())
      return difference;
    if (const auto expanded = spec.expand(provenance, deadline); !expanded.ok()) return expanded.errors();
  }
}

}  // namespace swizzle
