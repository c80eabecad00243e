#include "tools/check.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "codegen/check_report.h"
#include "codegen/report.h"
#include "codegen/toolchain.h"
#include "frontend/directive_parser.h"
#include "frontend/parse.h"
#include "frontend/parse_check.h"

namespace swizzle {
namespace {

constexpr std::int64_t kAssumedSize = 1024;
constexpr int kAssumedBlocks = 4;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int bad(const Diagnostics& errors) {
  for (const Diagnostic& d : errors) fmt::print(stderr, "{}", render(d));
  return kExitBadInput;
}

// Integers of a parameter by name: itself, or the members of a record ("p.n").
void integers_of(const Program& program, TypeId id, const std::string& name, std::vector<std::string>& out) {
  constexpr int kNarrowest = 16;
  const Type& type = program.type(id);
  if (type.form == Type::Form::kScalar && !is_real(type.scalar) && bit_width(type.scalar) >= kNarrowest)
    out.push_back(name);
  if (type.form == Type::Form::kRecord)
    for (const Field& field : type.fields) integers_of(program, field.type, name + "." + field.name, out);
}

bool uses(const Program& program, Builtin builtin) {
  return std::any_of(program.exprs.begin(), program.exprs.end(),
                     [&](const Expr& e) { return e.kind == ExprKind::kBuiltin && e.builtin == builtin; });
}

class Launcher {
 public:
  Launcher(const CheckedKernel& kernel, const CheckOptions& options)
      : kernel_(kernel),
        program_(kernel.program),
        options_(options) {}

  Result<KernelCheck> run() {
    KernelCheck out;
    out.name = kernel_.name;
    choose_sizes(out);
    if (auto errors = choose_shape(out)) return *errors;
    return out;
  }

  const Sizes& sizes() const { return sizes_; }

 private:
  void choose_sizes(KernelCheck& out) {
    std::vector<std::string> names;
    for (const VariableId id : program_.function(program_.entry).parameters)
      integers_of(program_, program_.variable(id).type, program_.variable(id).name, names);
    const Sizes* instance = program_.directives.instances.empty() ? nullptr : &program_.directives.instances[0].sizes;
    for (const std::string& name : names) {
      const Sizes* from = nullptr;
      for (const Sizes* given : {&options_.set, instance, kernel_.launch ? &kernel_.launch->arguments : nullptr})
        if (from == nullptr && given != nullptr && given->contains(name)) from = given;
      sizes_[name] = from != nullptr ? from->at(name) : kAssumedSize;
      if (from == nullptr) out.assumed.push_back(name);
      out.sizes.emplace_back(name, sizes_[name]);
    }
  }

  std::optional<Diagnostics> evaluate_launch(const Launch& launch, const SourceText& source, KernelCheck& out) {
    const auto shape = evaluate(launch, sizes_, source);
    if (!shape.ok()) return shape.errors();
    out.shape = *shape;
    return std::nullopt;
  }

  // From the command line; else the directive; else `<<<…>>>`; else __launch_bounds__.
  std::optional<Diagnostics> choose_shape(KernelCheck& out) {
    if (!options_.launch.empty()) {
      const bool has_grid = options_.launch.find("grid") != std::string::npos;
      const SourceText text("--launch",
                            "#pragma swizzle launch " + std::string(has_grid ? "" : "grid(1) ") + options_.launch);
      const auto directives = parse_directives(text);
      if (!directives.ok()) return directives.errors();
      out.shape_origin = has_grid ? "from --launch" : "from --launch (grid assumed)";
      if (auto errors = evaluate_launch(*directives->launch, text, out)) return errors;
      if (!has_grid) assume_grid(out);
      return std::nullopt;
    }
    if (program_.directives.launch) {
      out.shape_origin =
          fmt::format("from line {}", program_.source.locate(program_.directives.launch->range.begin).line);
      return evaluate_launch(*program_.directives.launch, program_.source, out);
    }
    if (kernel_.launch && kernel_.launch->block) {
      out.shape.block = *kernel_.launch->block;
      out.shape_origin = fmt::format("from line {}", program_.source.locate(kernel_.launch->range.begin).line);
      if (kernel_.launch->grid) out.shape.grid = *kernel_.launch->grid;
    } else if (kernel_.launch_bounds) {
      constexpr int kRow = 32;
      const int threads = *kernel_.launch_bounds;
      const bool has_rows = uses(program_, Builtin::kThreadIdxY) && threads % kRow == 0;
      out.shape.block = has_rows ? std::array{kRow, threads / kRow, 1} : std::array{threads, 1, 1};
      out.shape_origin = has_rows ? "of __launch_bounds__ (rows of 32 assumed)" : "from __launch_bounds__";
    } else {
      return Diagnostics{make_error(
          program_.source, program_.function(program_.entry).range,
          fmt::format("nothing here tells how many threads a block of '{}' has; say it: --launch 'block(256)'",
                      kernel_.name))};
    }
    if (!kernel_.launch || !kernel_.launch->grid) {
      out.shape_origin += " (grid assumed)";
      assume_grid(out);
    }
    if (out.shape.threads_per_block() > 1024)
      return Diagnostics{make_error(
          program_.source, kernel_.launch ? kernel_.launch->range : SourceRange{},
          fmt::format("a block of {} threads is more than the 1024 that there can be", out.shape.threads_per_block()))};
    return std::nullopt;
  }

  void assume_grid(KernelCheck& out) const {
    out.shape.grid = {uses(program_, Builtin::kBlockIdxX) ? kAssumedBlocks : 1,
                      uses(program_, Builtin::kBlockIdxY) ? kAssumedBlocks : 1,
                      uses(program_, Builtin::kBlockIdxZ) ? 2 : 1};
  }

  const CheckedKernel& kernel_;
  const Program& program_;
  const CheckOptions& options_;
  Sizes sizes_;
};

SharedMemoryModel machine_of(const Program& program) {
  return program.directives.machine ? *shared_memory_of(program.directives.machine->name) : SharedMemoryModel{};
}

Result<std::monostate> draw(const CheckReport& report, const std::vector<CheckedKernel>& kernels,
                            const CheckOptions& options, std::string& text) {
  const auto worst = worst_access(report);
  if (!worst) return make_error("there is no access to shared memory to draw");
  const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                   [&](const CheckedKernel& k) { return k.name == worst->kernel->name; });
  const TilePicture picture = picture_of(*worst, kernel->program, machine_of(kernel->program));
  if (options.draw != "-") return write_file_atomically(options.draw, to_svg({{picture}}));
  if (options.json != "-") text += "\n" + lanes_text(picture);
  return std::monostate{};
}

}  // namespace

int check(const CheckOptions& options) {
  const double started = now();
  auto source = read_source(options.file);
  if (!source.ok()) return bad(source.errors());
  CheckReport report;
  report.source = *source;
  std::vector<std::string> include_folders = {parent_folder(options.file)};
  include_folders.insert(include_folders.end(), options.include_folders.begin(), options.include_folders.end());
  auto kernels = parse_for_check(std::move(*source), options.kernel, include_folders);
  if (!kernels.ok()) return bad(kernels.errors());
  for (CheckedKernel& kernel : *kernels)
    if (const auto used = use_machine(options.issue_costs, kernel.program.source, kernel.program.directives);
        !used.ok())
      return bad(used.errors());
  report.parse_seconds = now() - started;
  for (const CheckedKernel& kernel : *kernels) {
    Launcher launcher(kernel, options);
    auto checked = launcher.run();
    if (!checked.ok()) {
      bad(checked.errors());
      continue;
    }
    TraceOptions how;
    how.sizes = launcher.sizes();
    how.shape = checked->shape;
    how.memory = machine_of(kernel.program);
    how.all_blocks = options.all_blocks;
    how.step_limit = std::max<std::int64_t>(1, options.step_limit / static_cast<std::int64_t>(kernels->size()));
    checked->lanes = how.memory.lanes;
    checked->trace = trace_accesses(kernel.program, how);
    checked->skipped = kernel.program.skipped;
    for (const Diagnostic& d : remarks_of(*checked)) fmt::print(stderr, "{}", render(d));
    report.kernels.push_back(std::move(*checked));
  }
  report.check_seconds = now() - started - report.parse_seconds;
  if (report.kernels.empty()) return kExitBadInput;
  if (!options.json.empty() && options.json != "-")
    if (const auto written = write_file_atomically(options.json, to_json(report)); !written.ok())
      return bad(written.errors());
  std::string text = options.json == "-" ? to_json(report) : to_text(report);
  if (!options.draw.empty())
    if (const auto drawn = draw(report, *kernels, options, text); !drawn.ok()) return bad(drawn.errors());
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return bad({make_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)))});
  return options.fail_on_conflicts && has_conflicts(report) ? static_cast<int>(kExitConflicts) : 0;
}

}  // namespace swizzle
