#include "driver/check.h"

#include <algorithm>
#include <filesystem>

#include "codegen/picture/check_picture.h"
#include "codegen/run/files.h"
#include "codegen/run/toolchain.h"
#include "driver/assumed_sizes.h"
#include "driver/recorded_launches.h"
#include "driver/step_budget.h"
#include "frontend/directive_parser.h"
#include "frontend/parse.h"
#include "synth/access/telling_blocks.h"
#include "synth/problem/pose.h"

namespace swizzle {
namespace {

void tell(const Diagnostics& diagnostics, Observer& observer) {
  for (const Diagnostic& d : diagnostics) observer.tell(d);
}

// Clang does not parse the toolkit's headers as they are, and the prelude stands for them.
bool is_of_toolkit(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / "crt" / "host_defines.h", ignored);
}

TraceOptions options_of(const CheckedKernel& kernel, const CheckedLaunch& launch, const CheckRequest& request,
                        std::int64_t step_limit) {
  TraceOptions how;
  how.sizes = launch.sizes();
  how.shape = launch.shape;
  how.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  how.memory = memory_of(kernel.program);
  how.all_blocks = request.all_blocks;
  how.step_limit = step_limit;
  how.follows_history = request.follows_history;
  return how;
}

KernelCheck traced(const CheckedKernel& kernel, CheckedLaunch launch, const CheckRequest& request,
                   std::int64_t step_limit) {
  TraceOptions how = options_of(kernel, launch, request, step_limit);
  KernelCheck check;
  check.name = kernel.name;
  check.name_range = kernel.program.function(kernel.program.entry).range;
  check.shape = launch.shape;
  check.lanes = how.memory.lanes;
  check.shape_origin = std::move(launch.origin);
  check.recorded = std::move(launch.recorded);
  check.sizes = std::move(launch.integers);
  check.assumed = std::move(launch.assumed);
  const bool has_shared = std::ranges::any_of(kernel.program.variables, &Variable::is_shared);
  const auto trace = [&](const TraceOptions& options) { return trace_accesses(kernel.program, options); };
  check.trace =
      has_shared ? traced_with_telling_blocks(how, numbers_compared(kernel.program, how.sizes), trace) : trace(how);
  const auto trace_in = [&](const LaunchShape& shape, const Sizes& sizes, bool follows_history) {
    TraceOptions there = how;
    there.shape = shape;
    there.sizes = sizes;
    there.follows_history = follows_history;
    return trace_accesses(kernel.program, there);
  };
  const auto trace_at = [&](const Sizes& sizes) { return trace_in(how.shape, sizes, false); };
  assume_fewer([&](const Sizes& sizes) { return trace_in(how.shape, sizes, request.follows_history); }, check);
  std::function<AccessTrace(const std::array<int, 3>&)> in_block;
  if (launch.assumes_block)
    in_block = [&](const std::array<int, 3>& block) {
      LaunchShape shape = how.shape;
      shape.block = block;
      return trace_in(shape, Sizes(check.sizes.begin(), check.sizes.end()), request.follows_history);
    };
  doubt_violations(trace_at, in_block, check);
  if (has_shared) doubt_assumed_sizes(kernel.program.source, trace_at, other_arguments(kernel.program), check);
  check.skipped = kernel.program.skipped;
  check.assumed_of_file = kernel.remarks;
  return check;
}

void leave_aside(const std::vector<std::string>& only, ParsedKernels& kernels) {
  const auto is_other = [&](const auto& kernel) { return std::ranges::find(only, kernel.name) == only.end(); };
  std::erase_if(kernels.kernels, is_other);
  std::erase_if(kernels.left_out, is_other);
}

bool is_asked_for(const std::string& kernel, const CheckRequest& request) {
  return request.recording == nullptr || is_recorded(kernel, *request.recording);
}

KernelLaunches launches_asked_for(const CheckedKernel& kernel, const CheckRequest& request) {
  if (request.recording == nullptr) return launches_of(kernel, request.launch);
  const Program& program = kernel.program;
  return recorded_launches(kernel, numbers_among(program), program.function(program.entry).parameters.size(),
                           *request.recording);
}

std::int64_t known_among(const std::vector<KernelLaunches>& launches) {
  std::int64_t count = 0;
  for (const KernelLaunches& of_kernel : launches) count += static_cast<std::int64_t>(of_kernel.known.size());
  return count;
}

}  // namespace

Result<ParsedKernels> parse_kernels(const SourceText& source, const CheckRequest& request) {
  CompileFlags flags = request.flags;
  std::erase_if(flags.include_folders, is_of_toolkit);
  flags.include_folders.insert(flags.include_folders.begin(), parent_folder(request.path));
  flags.library_folder = find_cub();
  auto kernels = parse_for_check(source, request.kernel, flags, request.instances);
  if (!kernels.ok()) return kernels;
  for (CheckedKernel& kernel : kernels->kernels)
    if (const auto used = use_machine(request.machine, kernel.program.source, kernel.program.directives); !used.ok())
      return used.errors();
  return kernels;
}

Result<CheckedFile> check_kernels(const CheckRequest& request, Observer& observer) {
  const Stopwatch watch;
  auto source = request.text ? SourceText(shown_path(request.path), *request.text) : read_source(request.path);
  if (!source.ok()) return source.errors();
  auto kernels = parse_kernels(*source, request);
  if (!kernels.ok()) return kernels.errors();
  if (!request.names_may_be_elsewhere && !kernels->kernels.empty())
    if (const auto wrong = unknown_name(kernels->kernels, request.launch)) return *wrong;
  if (!request.only.empty()) leave_aside(request.only, *kernels);
  CheckedFile file{{std::move(kernels->source), {}, {}, watch.seconds(), 0}, std::move(kernels->kernels)};
  const auto leave_out = [&](const std::string& kernel, const Diagnostic& why) {
    tell({why}, observer);
    file.report.left_out.push_back({kernel, why});
  };
  for (const KernelLeftOut& kernel : kernels->left_out)
    if (is_asked_for(kernel.name, request)) leave_out(kernel.name, kernel.why);
  std::vector<KernelLaunches> launches;
  for (const CheckedKernel& kernel : file.kernels) launches.push_back(launches_asked_for(kernel, request));
  StepBudget budget(request.step_limit, known_among(launches));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const CheckedKernel& kernel = file.kernels[i];
    for (const Diagnostic& why : launches[i].unknown) leave_out(kernel.name, why);
    for (CheckedLaunch& launch : launches[i].known) {
      file.report.kernels.push_back(traced(kernel, std::move(launch), request, budget.next()));
      budget.spent(file.report.kernels.back().trace.steps);
      tell(remarks_of(file.report.kernels.back()), observer);
    }
  }
  if (const auto nothing = finish_recorded(request.recording.get(), file.report)) return *nothing;
  file.report.check_seconds = watch.seconds() - file.report.parse_seconds;
  return file;
}

Result<TilePicture> worst_picture(const CheckedFile& file) {
  const auto worst = worst_access(file.report);
  if (!worst) return make_error("there is no access to shared memory to draw");
  const auto kernel = std::find_if(file.kernels.begin(), file.kernels.end(),
                                   [&](const CheckedKernel& k) { return k.name == worst->kernel->name; });
  return picture_of(*worst, kernel->program, memory_of(kernel->program));
}

}  // namespace swizzle
