#include "driver/check_launch.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/directive_parser.h"

namespace swizzle {
namespace {

constexpr std::int64_t kAssumedSize = 1024;
constexpr int kAssumedBlocks = 4;
constexpr int kMostThreads = 1024;

// Integers of a parameter by name: itself, or the members of a record ("p.n").
void add_integers(const Program& program, TypeId id, const std::string& name, std::vector<std::string>& out) {
  constexpr int kNarrowest = 16;
  const Type& type = program.type(id);
  if (type.form == Type::Form::kScalar && !is_real(type.scalar) && bit_width(type.scalar) >= kNarrowest)
    out.push_back(name);
  if (type.form == Type::Form::kRecord)
    for (const Field& field : type.fields) add_integers(program, field.type, name + "." + field.name, out);
}

bool uses(const Program& program, Builtin builtin) {
  return std::any_of(program.exprs.begin(), program.exprs.end(),
                     [&](const Expr& e) { return e.kind == ExprKind::kBuiltin && e.builtin == builtin; });
}

std::array<int, 3> assumed_grid(const Program& program) {
  return {uses(program, Builtin::kBlockIdxX) ? kAssumedBlocks : 1,
          uses(program, Builtin::kBlockIdxY) ? kAssumedBlocks : 1, uses(program, Builtin::kBlockIdxZ) ? 2 : 1};
}

std::string from_line(const Program& program, SourceRange range) {
  return fmt::format("from line {}", program.source.locate(range.begin).line);
}

void choose_sizes(const CheckedKernel& kernel, const Sizes& set, CheckedLaunch& out) {
  const Program& program = kernel.program;
  std::vector<std::string> names;
  for (const VariableId id : program.function(program.entry).parameters)
    add_integers(program, program.variable(id).type, program.variable(id).name, names);
  const Sizes* instance = program.directives.instances.empty() ? nullptr : &program.directives.instances[0].sizes;
  for (const std::string& name : names) {
    const Sizes* from = nullptr;
    for (const Sizes* given : {&set, instance, kernel.launch ? &kernel.launch->arguments : nullptr})
      if (from == nullptr && given != nullptr && given->contains(name)) from = given;
    out.integers.emplace_back(name, from != nullptr ? from->at(name) : kAssumedSize);
    if (from == nullptr) out.assumed.push_back(name);
  }
}

// An error, or nothing.
using Refused = std::optional<Diagnostics>;

Refused evaluate_launch(const Launch& launch, const SourceText& source, CheckedLaunch& out) {
  const auto shape = evaluate(launch, out.sizes(), source);
  if (!shape.ok()) return shape.errors();
  out.shape = *shape;
  return std::nullopt;
}

Refused use_command_line(const Program& program, const std::string& launch, CheckedLaunch& out) {
  const bool has_grid = launch.find("grid") != std::string::npos;
  const SourceText text("--launch", "#pragma swizzle launch " + std::string(has_grid ? "" : "grid(1) ") + launch);
  const auto directives = parse_directives(text);
  if (!directives.ok()) return directives.errors();
  out.origin = has_grid ? "from --launch" : "from --launch (grid assumed)";
  if (auto errors = evaluate_launch(*directives->launch, text, out)) return errors;
  if (!has_grid) out.shape.grid = assumed_grid(program);
  return std::nullopt;
}

void use_bounds(const Program& program, int threads, CheckedLaunch& out) {
  constexpr int kRow = 32;
  const bool has_rows = uses(program, Builtin::kThreadIdxY) && threads % kRow == 0;
  out.shape.block = has_rows ? std::array{kRow, threads / kRow, 1} : std::array{threads, 1, 1};
  out.origin = has_rows ? "of __launch_bounds__ (rows of 32 assumed)" : "from __launch_bounds__";
}

Refused use_code(const CheckedKernel& kernel, CheckedLaunch& out) {
  const Program& program = kernel.program;
  if (kernel.launch && kernel.launch->block) {
    out.shape.block = *kernel.launch->block;
    out.origin = from_line(program, kernel.launch->range);
    if (kernel.launch->grid) out.shape.grid = *kernel.launch->grid;
  } else if (kernel.launch_bounds) {
    use_bounds(program, *kernel.launch_bounds, out);
  } else {
    return Diagnostics{
        make_error(program.source, program.function(program.entry).range,
                   fmt::format("nothing here tells how many threads a block of '{}' has; say it: --launch 'block(256)'",
                               kernel.name))};
  }
  if (!kernel.launch || !kernel.launch->grid) {
    out.origin += " (grid assumed)";
    out.shape.grid = assumed_grid(program);
  }
  if (out.shape.threads_per_block() > kMostThreads)
    return Diagnostics{make_error(
        program.source, kernel.launch ? kernel.launch->range : SourceRange{},
        fmt::format("a block of {} threads is more than the 1024 that there can be", out.shape.threads_per_block()))};
  return std::nullopt;
}

}  // namespace

Result<CheckedLaunch> launch_of(const CheckedKernel& kernel, const LaunchRequest& request) {
  CheckedLaunch out;
  choose_sizes(kernel, request.set, out);
  const auto& directive = kernel.program.directives.launch;
  Refused errors;
  if (!request.launch.empty()) {
    errors = use_command_line(kernel.program, request.launch, out);
  } else if (directive) {
    out.origin = from_line(kernel.program, directive->range);
    errors = evaluate_launch(*directive, kernel.program.source, out);
  } else {
    errors = use_code(kernel, out);
  }
  if (errors) return *errors;
  return out;
}

}  // namespace swizzle
