#include "tools/check.h"

#include <fmt/format.h>

#include "codegen/report/check_findings.h"
#include "codegen/run/files.h"
#include "driver/check.h"
#include "tools/exit_codes.h"
#include "tools/progress.h"
#include "tools/self_description.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

// Into a file, or behind the table; a report in JSON on standard output stands alone.
Result<std::monostate> draw(const CheckedFile& file, const CheckOptions& options, std::string& text) {
  const auto picture = worst_picture(file);
  if (!picture.ok()) return picture.errors();
  if (options.draw != "-") return write_file_atomically(options.draw, to_svg({{*picture}}));
  if (options.json != "-") text += "\n" + lanes_text(*picture);
  return std::monostate{};
}

// What --fail-on-conflicts makes of a report.
ExitCode gate(const CheckReport& report, bool allow_uncounted, Observer& observer) {
  if (has_conflicts(report)) return kExitConflicts;
  const std::size_t open = allow_uncounted ? 0 : uncounted(report).size();
  if (open == 0) return kExitFound;
  observer.say(fmt::format("{}: unknown: {} not counted, as said above; --allow-uncounted lets that pass\n",
                           report.source.path(), open == 1 ? "something was" : fmt::format("{} things were", open)));
  return kExitUnknown;
}

// The exit code, once all but the report is done. `text` is what standard output gets where no report goes there.
Result<ExitCode> judge(const CheckedFile& file, const CheckOptions& options, Observer& observer, std::string& text) {
  text = to_text(file.report);
  if (file.report.kernels.empty()) return remove_output(options.draw), kExitBadInput;
  if (!options.draw.empty())
    if (const auto drawn = draw(file, options, text); !drawn.ok()) return drawn.errors();
  return options.fail_on_conflicts ? gate(file.report, options.allow_uncounted, observer) : kExitFound;
}

// The report and what else goes to standard output; what cannot be written makes the input a bad one.
ExitCode write(const CheckOptions& options, const std::string& text, ExitCode code, CheckReport& report,
               TerminalObserver& observer) {
  const auto json = [&] {
    report.about.findings = findings_of(observer.told());
    const std::vector<Finding> counted = conflict_findings(report);
    report.about.findings.insert(report.about.findings.end(), counted.begin(), counted.end());
    about_end(code, report.about);
    return to_json(report);
  };
  const auto refuse = [&](const Diagnostics& errors) {
    for (const Diagnostic& d : errors) observer.tell(d);
    code = kExitBadInput;
  };
  if (names_file(options.json))
    if (const auto written = write_file_atomically(options.json, json()); !written.ok()) refuse(written.errors());
  if (const auto written = write_standard_output(options.json == "-" ? json() : text); !written.ok())
    refuse(written.errors());
  if (observer.as() == DiagnosticsAs::kText) return code;
  static_cast<void>(json());
  std::fputs(findings_document(report.about, observer.as() == DiagnosticsAs::kSarif).c_str(), stderr);
  return code;
}

}  // namespace

int check(const CheckOptions& options) {
  Progress progress(stderr);
  TerminalObserver observer(progress, false, options.diagnostics, colors_of(options.color));
  const About about = about_run(options.arguments, {{"kernel", options.file}});
  auto file = check_kernels({options.file,
                             options.kernel,
                             options.machine,
                             options.include_folders,
                             {options.launch, options.set, options.kernel_launches},
                             options.all_blocks,
                             options.step_limit},
                            observer);
  std::string text;
  const Result<ExitCode> judged = file.ok() ? judge(*file, options, observer, text) : file.errors();
  progress.finish();
  CheckReport report;
  if (file.ok()) report = std::move(file->report);
  else report.source = SourceText(shown_path(options.file), "");
  report.about = about;
  if (judged.ok()) return write(options, text, *judged, report, observer);
  for (const Diagnostic& d : judged.errors()) observer.tell(d);
  remove_output(options.draw);
  report.is_error = true;
  return write(options, "", kExitBadInput, report, observer);
}

}  // namespace swizzle
