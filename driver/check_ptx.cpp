#include "driver/check_ptx.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/run/toolchain.h"
#include "driver/assumed_sizes.h"
#include "driver/nvcc_ptx.h"
#include "driver/ptx_kernels.h"
#include "driver/recorded_launches.h"
#include "frontend/directive_parser.h"
#include "frontend/parse.h"
#include "synth/access/telling_blocks.h"
#include "synth/problem/pose.h"
#include "synth/ptx/reader.h"

namespace swizzle {
namespace {

SourceRange name_range_of(const CheckedKernel& kernel) { return kernel.program.function(kernel.program.entry).range; }

void give(const Sizes& sizes, std::vector<ptx::Argument>& arguments) {
  for (ptx::Argument& argument : arguments)
    for (ptx::ArgumentPart& part : argument)
      if (const auto size = sizes.find(part.name);
          size != sizes.end() && part.kind == ptx::ArgumentPart::Kind::kInteger)
        part.value = size->second;
}

KernelCheck traced(const PtxSources& sources, PtxKernel& kernel, CheckedLaunch launch, const CheckRequest& request) {
  const Sizes sizes = launch.sizes();
  TraceOptions how;
  how.shape = launch.shape;
  how.memory = memory_of(kernel.checked.program);
  how.all_blocks = request.all_blocks;
  how.step_limit = request.step_limit;
  KernelCheck check;
  check.name = kernel.checked.name;
  check.name_range = name_range_of(kernel.checked);
  check.shape = launch.shape;
  check.lanes = how.memory.lanes;
  check.shape_origin = std::move(launch.origin);
  check.recorded = std::move(launch.recorded);
  check.sizes = std::move(launch.integers);
  check.assumed = std::move(launch.assumed);
  const auto trace = [&](const TraceOptions& options) {
    return ptx::trace_accesses({sources.module,
                                *kernel.function,
                                sources.source,
                                sources.places,
                                sources.lines,
                                {check.name_range, {}, {}},
                                kernel.arguments},
                               options);
  };
  const auto trace_at = [&](const Sizes& given) {
    give(given, kernel.arguments);
    return trace(how);
  };
  give(sizes, kernel.arguments);
  const bool has_shared = std::ranges::any_of(sources.module.variables,
                                              [](const ptx::Variable& v) { return v.space == ptx::Space::kShared; });
  check.trace = has_shared ? traced_with_telling_blocks(how, {}, trace) : trace(how);
  doubt_assumed_sizes(sources.source, trace_at, {}, check);
  return check;
}

KernelLaunches launches_asked_for(const PtxKernel& kernel, const CheckRequest& request) {
  if (request.recording == nullptr) return launches_of(kernel.checked, request.launch);
  return recorded_launches(kernel.checked, numbers_among(kernel.arguments), kernel.arguments.size(),
                           *request.recording);
}

// `known`: as Clang reads them.
Result<CheckedFile> checked(const PtxSources& sources, const std::vector<CheckedKernel>& known,
                            const CheckRequest& request, Observer& observer, const Stopwatch& watch) {
  std::vector<PtxKernel> kernels = ptx_kernels(sources, request.kernel, known);
  if (kernels.empty())
    return make_error(sources.source, {},
                      request.kernel.empty() ? "there is no kernel here"
                                             : fmt::format("there is no kernel '{}' here", request.kernel));
  CheckedFile file{{sources.source, {}, {}, watch.seconds(), 0}, {}};
  for (PtxKernel& kernel : kernels) {
    if (const auto used = use_machine(request.machine, sources.source, kernel.checked.program.directives); !used.ok())
      return used.errors();
    file.kernels.push_back(kernel.checked);
  }
  if (!request.names_may_be_elsewhere)
    if (const auto wrong = unknown_name(file.kernels, request.launch)) return *wrong;
  for (PtxKernel& kernel : kernels) {
    KernelLaunches launches = launches_asked_for(kernel, request);
    for (const Diagnostic& why : launches.unknown) {
      observer.tell(why);
      file.report.left_out.push_back({kernel.checked.name, why});
    }
    for (CheckedLaunch& launch : launches.known) {
      file.report.kernels.push_back(traced(sources, kernel, std::move(launch), request));
      for (const Diagnostic& d : remarks_of(file.report.kernels.back())) observer.tell(d);
    }
  }
  if (const auto nothing = finish_recorded(request.recording.get(), file.report)) return *nothing;
  file.report.check_seconds = watch.seconds() - file.report.parse_seconds;
  return file;
}

Result<CheckedFile> check_with_nvcc(const CheckRequest& request, Observer& observer) {
  const Stopwatch watch;
  const auto source = read_source(request.path);
  if (!source.ok()) return source.errors();
  const auto text = nvcc_ptx(request);
  if (!text.ok()) return text.errors();
  auto module = ptx::read_module(SourceText("PTX of " + request.path, *text));
  if (!module.ok()) return module.errors();
  const auto by_clang = parse_kernels(*source, request);
  const PtxSources sources = beside_sources(std::move(*module), by_clang.ok() ? by_clang->source : *source);
  return checked(sources, by_clang.ok() ? by_clang->kernels : std::vector<CheckedKernel>{}, request, observer, watch);
}

// Keeps what it is told.
class Listener : public Observer {
 public:
  void tell(const Diagnostic& d) override { told.push_back(d); }
  Diagnostics told;
};

// Where Clang's reading ends, and PTX may go on: at what it does not read, or at what a header would tell that it
// lacks.
bool is_read_in_part(const KernelCheck& kernel) {
  return !kernel.skipped.empty() || std::ranges::any_of(kernel.trace.uncounted, [](const Diagnostic& gap) {
    return gap.message.ends_with("is not followed");
  });
}

std::size_t gaps_of(const CheckReport& report, const KernelCheck& kernel) {
  CheckReport alone;
  alone.source = report.source;
  alone.kernels = {kernel};
  return uncounted(alone).size();
}

struct SharedSites {
  std::ptrdiff_t known = 0, counted = 0;  // of the known ones, those of which every request is
};

SharedSites shared_sites_of(const KernelCheck& kernel) {
  SharedSites all;
  for (const AccessSite& site : kernel.trace.sites) {
    if (site.space != MemorySpace::kShared) continue;
    ++all.known;
    if (site.not_counted == 0) ++all.counted;
  }
  return all;
}

bool is_same_launch(const KernelCheck& a, const KernelCheck& b) {
  return is_same_kernel(a.name, b.name) && a.shape.grid == b.shape.grid && a.shape.block == b.shape.block &&
         a.sizes == b.sizes;
}

// Fewer gaps, or more that is counted beside them: one that Clang does not follow may hide any number of accesses. And
// nothing is lost: what a compiler drops is not what is asked for.
bool tells_more(const CheckReport& by_ptx, const KernelCheck& ptx, const CheckReport& by_text,
                const KernelCheck& text) {
  const SharedSites in_ptx = shared_sites_of(ptx), in_text = shared_sites_of(text);
  return in_ptx.known >= in_text.known &&
         (in_ptx.counted > in_text.counted || gaps_of(by_ptx, ptx) < gaps_of(by_text, text));
}

// In place of what Clang reads in part.
void take_over(CheckedFile& by_text, CheckedFile by_ptx) {
  for (KernelCheck& kernel : by_text.report.kernels) {
    if (!is_read_in_part(kernel)) continue;
    for (KernelCheck& other : by_ptx.report.kernels) {
      if (!is_same_launch(kernel, other) || !tells_more(by_ptx.report, other, by_text.report, kernel)) continue;
      other.trace.remarks.push_back(make_diagnostic(
          Severity::kWarning, by_ptx.report.source, other.name_range,
          fmt::format("not all of '{}' can be read here: it is counted in the PTX that nvcc makes of it", other.name)));
      kernel = std::move(other);
      break;
    }
  }
  by_text.report.source = by_ptx.report.source;
}

}  // namespace

bool is_ptx(const std::string& path) { return path.ends_with(".ptx"); }

Result<CheckedFile> check_ptx(const CheckRequest& request, Observer& observer) {
  if (!is_ptx(request.path)) return check_with_nvcc(request, observer);
  const Stopwatch watch;
  const auto text = request.text ? Result<SourceText>(SourceText(shown_path(request.path), *request.text))
                                 : read_source(request.path);
  if (!text.ok()) return text.errors();
  auto module = ptx::read_module(*text);
  if (!module.ok()) return module.errors();
  return checked(beside_sources(std::move(*module), *text), {}, request, observer, watch);
}

Result<CheckedFile> check_either_way(const CheckRequest& request, Observer& observer) {
  if (is_ptx(request.path) || request.ptx == PtxUse::kAlways) return check_ptx(request, observer);
  if (request.ptx == PtxUse::kNever || !find_nvcc()) return check_kernels(request, observer);
  Listener heard;
  Result<CheckedFile> file = check_kernels(request, heard);
  const bool is_in_part =
      file.ok() && std::any_of(file->report.kernels.begin(), file->report.kernels.end(), is_read_in_part);
  auto by_ptx = is_in_part ? check_ptx(request) : Result<CheckedFile>(Diagnostics{});
  if (!by_ptx.ok()) {
    for (const Diagnostic& d : heard.told) observer.tell(d);
    return file;
  }
  take_over(*file, std::move(*by_ptx));
  for (const Uncounted& left_out : file->report.left_out) observer.tell(left_out.why);
  for (const KernelCheck& kernel : file->report.kernels)
    for (const Diagnostic& d : remarks_of(kernel)) observer.tell(d);
  return file;
}

}  // namespace swizzle
