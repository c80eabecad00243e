#include "tools/run_end.h"

#include <cstdio>

#include "codegen/run/files.h"
#include "tools/answer_cache.h"
#include "tools/exit_codes.h"
#include "tools/self_description.h"

namespace swizzle {

int end_run(const Options& options, const Ending& ending, Report report, const Stopwatch& watch,
            TerminalObserver& observer, int exit_code) {
  const std::string sketch = shown_path(options.sketch);
  std::vector<Finding> found = findings_of(ending, sketch);
  if (options.verifies && found[0].rule == "found")
    found[0].rule = "equal", found[0].said.message = "the kernel equals its spec";
  observer.say(text_of(ending, sketch, observer.colors()));
  observer.progress().finish();
  remove_stale_outputs(options, ending);
  report_ending(ending, report);
  report.about.findings = findings_of(observer.told());
  report.about.findings.insert(report.about.findings.end(), found.begin(), found.end());
  report.seconds.total = watch.seconds();
  about_end(exit_code, report.about);
  const auto keep = [&](const Result<std::monostate>& written) {
    if (written.ok()) return;
    exit_code = kExitBadInput;
    for (const Diagnostic& d : written.errors()) observer.say(render(d, observer.colors()));
    for (const Finding& finding : findings_of(written.errors())) report.about.findings.push_back(finding);
    about_end(exit_code, report.about);
  };
  if (!options.depfile.empty() && ending.kind == Ending::Kind::kFound)
    keep(write_file_atomically(options.depfile, depfile_text(options.output, report.about)));
  if (!options.report.empty()) keep(write_output(options.report, to_json(report)));
  if (observer.as() != DiagnosticsAs::kText)
    std::fputs(findings_document(report.about, observer.as() == DiagnosticsAs::kSarif).c_str(), stderr);
  return exit_code;
}

void remove_stale_outputs(const Options& options, const Ending& ending) {
  if (ending.kind == Ending::Kind::kFound) return;
  remove_output(options.output);
  remove_output(options.draw);
}

}  // namespace swizzle
