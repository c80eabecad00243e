#include "tools/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/report/github.h"
#include "codegen/report/ignored_lines.h"
#include "codegen/run/files.h"
#include "driver/check_ptx.h"
#include "driver/embedded_ptx.h"
#include "driver/recorded_launches.h"
#include "tools/check_files.h"
#include "tools/check_fixes.h"
#include "tools/check_gate.h"
#include "tools/compile_commands.h"
#include "tools/progress.h"
#include "tools/project_file.h"
#include "tools/self_description.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

// Into a file, or behind the table; another format on standard output stands alone.
Result<std::monostate> draw(const CheckedFile& file, const CheckOptions& options, std::string& text) {
  const auto picture = worst_picture(file);
  if (!picture.ok()) return picture.errors();
  if (options.draw != "-") return write_file_atomically(options.draw, to_svg(Drawing{{{*picture}}, {}}));
  if (options.format == CheckFormat::kText) text += "\n" + lanes_text(*picture);
  return std::monostate{};
}

struct Judged {
  ExitCode code = kExitFound;
  std::string text;  // what standard output gets as text
};

// The exit code, once all but the report is done. `report` is that of `file`; its findings are filled in.
Result<Judged> judge_file(const CheckedFile& file, const CheckOptions& options, CheckReport& report,
                          TerminalObserver& observer) {
  for (const Diagnostic& d : ignores_without_reason(report.source)) observer.tell(d);
  report.about.findings = findings_of(observer.told());
  Overview overview = overview_of({{report.source.path(), to_json(report)}});
  keep_rules(options.rules, overview);
  if (const auto marked = apply_baseline(options, overview, observer); !marked.ok()) return marked.errors();
  report.about.findings = findings_of(overview);
  Judged judged{gate(overview, options, report.source.path(), observer), to_text(report)};
  if (report.kernels.empty()) return remove_output(options.draw), judged;
  if (!options.draw.empty())
    if (const auto drawn = draw(file, options, judged.text); !drawn.ok()) return drawn.errors();
  return judged;
}

std::string standard_output(const CheckOptions& options, const std::string& text, const CheckReport& report) {
  switch (options.format) {
    case CheckFormat::kText: return text;
    case CheckFormat::kGithub: return to_github(report.about.findings, options.fail_on_conflicts);
    case CheckFormat::kJson: return to_json(report);
    case CheckFormat::kSarif: return findings_document(report.about, true);
  }
  return text;
}

// The report and what else goes to standard output; what cannot be written makes the input a bad one.
int write(const CheckOptions& options, const std::string& text, int code, CheckReport& report,
          TerminalObserver& observer) {
  const auto keep = [&](const Result<std::monostate>& written) {
    if (written.ok()) return;
    for (const Diagnostic& d : written.errors()) observer.tell(d);
    const std::vector<Finding> more = findings_of(written.errors());
    report.about.findings.insert(report.about.findings.end(), more.begin(), more.end());
    about_end(code = kExitBadInput, report.about);
  };
  about_end(code, report.about);
  if (names_file(options.json)) keep(write_file_atomically(options.json, to_json(report)));
  if (names_file(options.sarif)) keep(write_file_atomically(options.sarif, findings_document(report.about, true)));
  keep(write_standard_output(standard_output(options, text, report)));
  if (observer.as() != DiagnosticsAs::kText)
    std::fputs(findings_document(report.about, observer.as() == DiagnosticsAs::kSarif).c_str(), stderr);
  return code;
}

CheckRequest request_of(const CheckOptions& options, const ProjectFile& project) {
  CheckRequest request = {options.file,
                          options.file_text,
                          options.kernel,
                          options.machine,
                          options.flags,
                          {options.launch, options.set, options.kernel_launches},
                          {},
                          options.is_one_of_several,
                          options.rules.contains("race") || options.rules.contains("warp-race") ||
                              options.rules.contains("read-before-write") || options.rules.contains("barrier"),
                          options.all_blocks,
                          options.step_limit,
                          options.by_ptx    ? PtxUse::kAlways
                          : options.by_text ? PtxUse::kNever
                                            : PtxUse::kAuto,
                          options.nvcc_flags};
  request.recording = options.recording;
  if (options.recording != nullptr) request.instances = recorded_instances(*options.recording);
  for (const auto& [name, kernel] : project.kernels) {
    if (!kernel.launch.empty()) request.launch.project_launches[name] = kernel.launch;
    if (!kernel.sizes.empty()) request.launch.project_sizes[name] = kernel.sizes;
    for (const std::string& arguments : kernel.templates) request.instances.push_back(name + arguments);
  }
  return request;
}

// Where this is the only file that there is.
void add_launches_elsewhere(const CheckOptions& options, CheckReport& report, Observer& observer) {
  if (options.recording == nullptr || options.is_one_of_several || !options.kernel.empty()) return;
  std::vector<std::string> names;
  for (const KernelCheck& kernel : report.kernels) names.push_back(kernel.recorded->kernel);
  for (const Uncounted& gap : report.left_out) names.push_back(gap.kernel);
  for (Uncounted& gap : launches_elsewhere(names, *options.recording)) {
    observer.tell(gap.why);
    report.left_out.push_back(std::move(gap));
  }
}

// Nothing: it is no compiled file, or carries the PTX of several.
std::optional<int> check_compiled(const CheckOptions& options) {
  if (options.files.size() != 1 || options.init || !is_compiled(options.file)) return std::nullopt;
  auto found = embedded_ptx(options.file);
  if (!found.ok()) return check_one(options, found.errors());
  if (found->size() > 1) return std::nullopt;
  CheckOptions one = options;
  one.file = std::move(found->front().path);
  one.file_text = std::move(found->front().text);
  return check_one(one);
}

}  // namespace

Result<CheckRequest> check_request(const CheckOptions& options) {
  const auto project = project_file_for(options.file);
  if (!project.ok()) return project.errors();
  return request_of(options, *project);
}

int check_one(const CheckOptions& options, const Diagnostics& wrong) {
  Progress progress(stderr);
  TerminalObserver observer(progress, false, options.diagnostics, colors_of(options.color));
  const About about = about_run(options.arguments, {{"kernel", options.file}});
  const auto asked = wrong.empty() ? check_request(options) : Result<CheckRequest>(wrong);
  const CheckRequest request = asked.ok() ? *asked : CheckRequest{};
  auto file = asked.ok() ? check_either_way(request, observer) : Result<CheckedFile>(asked.errors());
  CheckReport report;
  std::optional<std::vector<SuggestedFix>> fixes;
  const FixKinds kinds = options.no_pads ? FixKinds::kSwizzles : FixKinds::kAll;
  if (file.ok() && (options.suggest || options.fix)) fixes = suggested_fixes(*file, request, kinds, options.fix);
  const bool is_written =
      fixes && std::any_of(fixes->begin(), fixes->end(), [](const auto& f) { return f.is_written; });
  if (is_written) file = check_either_way(request);  // as it is now
  if (file.ok()) add_launches_elsewhere(options, file->report, observer);
  if (file.ok()) report = file->report;
  else report.source = SourceText(shown_path(options.file), "");
  report.about = about;
  report.fixes = std::move(fixes);
  const Result<Judged> judged = file.ok() ? judge_file(*file, options, report, observer) : file.errors();
  progress.finish();
  if (judged.ok()) return write(options, judged->text, judged->code, report, observer);
  for (const Diagnostic& d : judged.errors()) observer.tell(d);
  report.about.findings = findings_of(observer.told());
  remove_output(options.draw);
  report.is_error = true;
  return write(options, "", kExitBadInput, report, observer);
}

int check(const CheckOptions& given) {
  CheckOptions options = given;
  if (!options.recorded.empty()) {
    auto recording = read_recording(options.recorded);
    if (!recording.ok()) return check_one(options, recording.errors());
    options.recording = std::make_shared<const Recording>(std::move(*recording));
  }
  if (const auto code = check_compiled(options)) return *code;
  if (!names_one_file(options) || options.init) return check_several(options);
  if (options.database.empty()) return check_one(options);
  const auto commands = read_compile_commands(options.database);
  if (!commands.ok()) return check_one(options, commands.errors());
  CheckOptions one = options;
  one.flags = flags_for(options.file, *commands, options.flags, options.standard_is_set);
  one.nvcc_flags = nvcc_flags_for(options.file, *commands, options.nvcc_flags);
  return check_one(one);
}

}  // namespace swizzle
