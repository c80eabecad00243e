#include "driver/check_launch.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "frontend/directive_parser.h"
#include "synth/base/nearest.h"

namespace swizzle {
namespace {

constexpr std::int64_t kAssumedSize = 1024;
constexpr int kAssumedBlocks = 4;

// Numbers of a parameter by name: itself, or the members of a record and the elements of a short array ("p.n[0]").
void add_numbers(const Program& program, TypeId id, const std::string& name,
                 std::vector<std::pair<std::string, Scalar>>& out) {
  const Type& type = program.type(id);
  if (type.form == Type::Form::kScalar) out.emplace_back(name, type.scalar);
  if (type.form == Type::Form::kRecord)
    for (const Field& field : type.fields) add_numbers(program, field.type, name + "." + field.name, out);
  const int element_bytes = type.form == Type::Form::kArray ? program.type(type.element).size_bytes : 0;
  const int elements = element_bytes > 0 ? type.size_bytes / element_bytes : 0;
  for (int i = 0; elements <= kMostBoundElements && i < elements; ++i)
    add_numbers(program, type.element, fmt::format("{}[{}]", name, i), out);
}

std::vector<std::pair<std::string, Scalar>> numbers_of(const Program& program) {
  std::vector<std::pair<std::string, Scalar>> out;
  for (const VariableId id : program.function(program.entry).parameters)
    add_numbers(program, program.variable(id).type, program.variable(id).name, out);
  return out;
}

bool uses(const Program& program, Builtin builtin) {
  return std::any_of(program.exprs.begin(), program.exprs.end(),
                     [&](const Expr& e) { return e.kind == ExprKind::kBuiltin && e.builtin == builtin; });
}

// By the kernel's file, `threadIdx.y` or a macro of that. What libraries ask for, and threadIdx as a whole, fit any
// shape.
bool names_rows(const Program& program) {
  const SourceText& source = program.source;
  const std::string& file = source.path_of(program.function(program.entry).range.begin);
  return std::any_of(program.exprs.begin(), program.exprs.end(), [&](const Expr& e) {
    if (e.kind != ExprKind::kBuiltin || e.builtin != Builtin::kThreadIdxY) return false;
    const std::string_view said = source.slice(e.range);
    return source.path_of(e.range.begin) == file && said != "threadIdx" && said.find('(') == std::string_view::npos;
  });
}

std::array<int, 3> assumed_grid(const Program& program) {
  return {uses(program, Builtin::kBlockIdxX) ? kAssumedBlocks : 1,
          uses(program, Builtin::kBlockIdxY) ? kAssumedBlocks : 1, uses(program, Builtin::kBlockIdxZ) ? 2 : 1};
}

bool uses_dynamic_shared(const Program& program) {
  return std::ranges::any_of(program.variables, [](const Variable& v) { return v.is_shared && v.is_extern; });
}

std::string from_line(const Program& program, SourceRange range) {
  const SourceText& source = program.source;
  const int line = source.locate(range.begin).line;
  if (source.is_in_header(range.begin)) return fmt::format("from {}:{}", source.path_of(range.begin), line);
  return fmt::format("from line {}", line);
}

// "copy" of "copy<4>".
std::string template_name(const CheckedKernel& kernel) { return kernel.name.substr(0, kernel.name.find('<')); }

// What is told of the instance, or else of the template; null: nothing.
template <typename Value>
const Value* told_of(const CheckedKernel& kernel, const std::map<std::string, Value>& told) {
  for (const std::string& name : {kernel.name, template_name(kernel)})
    if (const auto own = told.find(name); own != told.end()) return &own->second;
  return nullptr;
}

void choose_sizes(const CheckedKernel& kernel, const LaunchRequest& request, const LaunchInFile* launch,
                  CheckedLaunch& out) {
  constexpr int kNarrowestSize =
      16;  // what is narrower is a flag, and reals are none: unless told, they depend on data
  const Program& program = kernel.program;
  const Sizes* instance = program.directives.instances.empty() ? nullptr : &program.directives.instances[0].sizes;
  const auto told = [&](const std::string& name) -> std::optional<std::int64_t> {
    for (const Sizes* given : {&request.set, told_of(kernel, request.project_sizes), instance,
                               launch != nullptr ? &launch->arguments : nullptr})
      if (given != nullptr && given->contains(name)) return given->at(name);
    return std::nullopt;
  };
  for (const auto& [name, scalar] : numbers_of(program)) {
    const auto known = told(name);
    if (!known && (is_real(scalar) || bit_width(scalar) < kNarrowestSize)) continue;
    out.integers.emplace_back(name, known.value_or(kAssumedSize));
    if (!known) out.assumed.push_back(name);
  }
  for (const std::string& pointer : pointers_of(program))
    if (const auto known = told(pointer)) out.integers.emplace_back(pointer, *known);
}

// An error, or nothing.
using Refused = std::optional<Diagnostics>;

Refused evaluate_launch(const Launch& launch, const SourceText& source, CheckedLaunch& out) {
  const auto shape = evaluate(launch, out.sizes(), source);
  if (!shape.ok()) return shape.errors();
  out.shape = *shape;
  return std::nullopt;
}

// Beside the file: on the command line, or in the project's file.
struct ToldLaunch {
  std::string text;  // empty: none
  const char* by = "";
};

Refused use_told(const Program& program, const ToldLaunch& told, CheckedLaunch& out) {
  const std::string& launch = told.text;
  const bool has_grid = launch.find("grid") != std::string::npos;
  const SourceText text(told.by, "#pragma swizzle launch " + std::string(has_grid ? "" : "grid(1) ") + launch);
  const auto directives = parse_directives(text);
  if (!directives.ok()) return directives.errors();
  out.origin = fmt::format("from {}{}", told.by, has_grid ? "" : " (grid assumed)");
  if (auto errors = evaluate_launch(*directives->launch, text, out)) return errors;
  if (!has_grid) out.shape.grid = assumed_grid(program);
  return std::nullopt;
}

void use_bounds(const Program& program, int threads, CheckedLaunch& out) {
  constexpr int kRow = 32;
  const bool has_rows = names_rows(program) && threads % kRow == 0;
  out.shape.block = has_rows ? std::array{kRow, threads / kRow, 1} : std::array{threads, 1, 1};
  out.origin = has_rows ? "of __launch_bounds__ (rows of 32 assumed)" : "from __launch_bounds__";
  out.assumes_block = true;  // which may have fewer
}

// What is assumed of a block is nothing against what the kernel says itself.
bool fits(const LaunchInFile& launch, const CheckedKernel& kernel) {
  return launch.assumed_block.empty() || !kernel.launch_bounds ||
         LaunchShape{.block = *launch.block}.threads_per_block() <= *kernel.launch_bounds;
}

Refused use_code(const CheckedKernel& kernel, const LaunchInFile* launch, CheckedLaunch& out) {
  const Program& program = kernel.program;
  if (launch != nullptr && fits(*launch, kernel)) {
    out.shape.block = *launch->block;
    out.origin = from_line(program, launch->range);
    out.assumes_block = !launch->assumed_block.empty();
    if (out.assumes_block) out.origin += fmt::format(" (block '{}' assumed)", launch->assumed_block);
    if (launch->is_without_arguments) out.origin += " (an empty command line assumed)";
    if (launch->is_of_any_kernel) out.origin += " (this kernel assumed)";
    if (!launch->is_reached) out.origin += " (as if the program came there)";
    if (launch->grid) out.shape.grid = *launch->grid;
    if (launch->assumed_block.empty() && uses_dynamic_shared(program))
      out.dynamic_shared_bytes = launch->dynamic_shared_bytes;
  } else if (kernel.launch_bounds) {
    use_bounds(program, *kernel.launch_bounds, out);
  } else {
    return Diagnostics{
        make_error(program.source, program.function(program.entry).range,
                   fmt::format("nothing here tells how many threads a block of '{}' has; say it: --launch 'block(256)'",
                               kernel.name))};
  }
  if (launch == nullptr || !launch->grid) {
    out.origin += " (grid assumed)";
    out.shape.grid = assumed_grid(program);
  }
  if (std::string obstacle = launch_obstacle(out.shape); !obstacle.empty())
    return Diagnostics{
        make_error(program.source, launch != nullptr ? launch->range : SourceRange{}, std::move(obstacle))};
  return std::nullopt;
}

ToldLaunch told_launch(const CheckedKernel& kernel, const LaunchRequest& request) {
  constexpr const char* kByCommand = "--launch";
  if (const std::string* own = told_of(kernel, request.of_kernels)) return {*own, kByCommand};
  if (!request.launch.empty()) return {request.launch, kByCommand};
  const std::string* const of_project = told_of(kernel, request.project_launches);
  return of_project != nullptr ? ToldLaunch{*of_project, ".swizzle-synth.toml"} : ToldLaunch{};
}

// `in_file`: one of the kernel's, whose block is known; null: none.
Result<CheckedLaunch> launch_of(const CheckedKernel& kernel, const LaunchRequest& request,
                                const LaunchInFile* in_file) {
  CheckedLaunch out;
  choose_sizes(kernel, request, in_file, out);
  const auto& directive = kernel.program.directives.launch;
  Refused errors;
  if (const ToldLaunch told = told_launch(kernel, request); !told.text.empty()) {
    errors = use_told(kernel.program, told, out);
  } else if (directive) {
    out.origin = from_line(kernel.program, directive->range);
    errors = evaluate_launch(*directive, kernel.program.source, out);
  } else {
    errors = use_code(kernel, in_file, out);
  }
  if (errors) return *errors;
  return out;
}

// A size in .swizzle-synth.toml that a kernel of this file does not have; it may speak of kernels of other files.
std::optional<Diagnostic> unknown_name_of_project(const std::vector<CheckedKernel>& kernels,
                                                  const LaunchRequest& request) {
  for (const CheckedKernel& kernel : kernels) {
    std::vector<std::string> known = pointers_of(kernel.program);
    for (const auto& [name, scalar] : numbers_of(kernel.program)) known.push_back(name);
    const Sizes* const told = told_of(kernel, request.project_sizes);
    if (told == nullptr) continue;
    for (const auto& [name, value] : *told)
      if (std::ranges::find(known, name) == known.end())
        return make_error(
            fmt::format("sizes of '{}' in .swizzle-synth.toml: {} = {}: it has no parameter of this name "
                        "that is a number{}",
                        kernel.name, name, value, did_you_mean(name, known)));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> pointers_of(const Program& program) {
  std::vector<std::string> out;
  for (const VariableId id : program.function(program.entry).parameters)
    if (program.type(program.variable(id).type).form == Type::Form::kPointer) out.push_back(program.variable(id).name);
  return out;
}

bool is_same(const CheckedLaunch& a, const CheckedLaunch& b) {
  return a.shape.grid == b.shape.grid && a.shape.block == b.shape.block && a.integers == b.integers &&
         a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

std::optional<Diagnostic> unknown_name(const std::vector<CheckedKernel>& kernels, const LaunchRequest& request) {
  std::vector<std::string> known, names;
  for (const CheckedKernel& kernel : kernels) names.insert(names.end(), {kernel.name, template_name(kernel)});
  for (const auto& [name, launch] : request.of_kernels)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return make_error(fmt::format("--launch {}={}: there is no kernel of this name here{}", name, launch,
                                    did_you_mean(name, names)));
  for (const CheckedKernel& kernel : kernels)
    for (const auto& [name, scalar] : numbers_of(kernel.program)) known.push_back(name);
  std::set<std::string> pointers;
  for (const CheckedKernel& kernel : kernels)
    std::ranges::copy(pointers_of(kernel.program), std::inserter(pointers, pointers.end()));
  for (const auto& [name, value] : request.set) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (!pointers.contains(name))
      return make_error(fmt::format("--set {}={}: no kernel here has a parameter of this name that is a number{}", name,
                                    value, did_you_mean(name, known)));
    if (value != 0 && value != 1)
      return make_error(
          fmt::format("--set {}={}: this is a pointer; 0 says that it is null, and 1 that it is not", name, value));
  }
  return unknown_name_of_project(kernels, request);
}

KernelLaunches launches_of(const CheckedKernel& kernel, const LaunchRequest& request) {
  constexpr std::size_t kMost = 16;
  KernelLaunches out;
  const SourceText& source = kernel.program.source;
  const auto add = [&](const LaunchInFile* in_file) {
    const auto launch = launch_of(kernel, request, in_file);
    if (!launch.ok()) {
      out.unknown.push_back(launch.errors()[0]);
    } else if (std::none_of(out.known.begin(), out.known.end(),
                            [&](const CheckedLaunch& known) { return is_same(known, *launch); })) {
      if (out.known.size() < kMost) out.known.push_back(*launch);
      else
        out.unknown.push_back(make_error(
            source, in_file->range,
            fmt::format("'{}' is launched in more than {} ways: this one is not counted", kernel.name, kMost)));
    }
  };
  const auto is_known = [](const LaunchInFile& launch) { return launch.block.has_value(); };
  const bool is_told = !told_launch(kernel, request).text.empty() || kernel.program.directives.launch;
  const auto first = std::find_if(kernel.launches.begin(), kernel.launches.end(), is_known);
  if (is_told || first == kernel.launches.end()) {
    add(first != kernel.launches.end() ? &*first : nullptr);
    return out;
  }
  for (const LaunchInFile& launch : kernel.launches) {
    if (launch.block) add(&launch);
    else
      out.unknown.push_back(
          make_error(source, launch.range,
                     fmt::format("how many threads a block of '{}' has here is not known: this launch is not counted",
                                 kernel.name)));
  }
  return out;
}

}  // namespace swizzle
