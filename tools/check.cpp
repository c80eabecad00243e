#include "tools/check.h"

#include <fmt/format.h>

#include "codegen/run/files.h"
#include "driver/check.h"
#include "tools/exit_codes.h"

namespace swizzle {
namespace {

class Listener : public Observer {
 public:
  void say(const std::string& text) override { fmt::print(stderr, "{}", text); }
};

// An earlier run's results do not stay.
int bad(const Diagnostics& errors, const CheckOptions& options) {
  for (const Diagnostic& d : errors) fmt::print(stderr, "{}", render(d));
  remove_output(options.json);
  remove_output(options.draw);
  return kExitBadInput;
}

// Into a file, or behind the table; a report in JSON on standard output stands alone.
Result<std::monostate> draw(const CheckedFile& file, const CheckOptions& options, std::string& text) {
  const auto picture = worst_picture(file);
  if (!picture.ok()) return picture.errors();
  if (options.draw != "-") return write_file_atomically(options.draw, to_svg({{*picture}}));
  if (options.json != "-") text += "\n" + lanes_text(*picture);
  return std::monostate{};
}

// What --fail-on-conflicts makes of a report.
ExitCode gate(const CheckReport& report, bool allow_uncounted) {
  if (has_conflicts(report)) return kExitConflicts;
  const std::size_t open = allow_uncounted ? 0 : uncounted(report).size();
  if (open == 0) return kExitFound;
  fmt::print(stderr, "{}: unknown: {} not counted, as said above; --allow-uncounted lets that pass\n",
             report.source.path(), open == 1 ? "something was" : fmt::format("{} things were", open));
  return kExitUnknown;
}

}  // namespace

int check(const CheckOptions& options) {
  Listener listener;
  const auto file = check_kernels({options.file,
                                   options.kernel,
                                   options.machine,
                                   options.include_folders,
                                   {options.launch, options.set, options.kernel_launches},
                                   options.all_blocks,
                                   options.step_limit},
                                  listener);
  if (!file.ok()) return bad(file.errors(), options);
  const CheckReport& report = file->report;
  if (names_file(options.json))
    if (const auto written = write_file_atomically(options.json, to_json(report)); !written.ok())
      return bad(written.errors(), options);
  std::string text = options.json == "-" ? to_json(report) : to_text(report);
  if (!options.draw.empty() && !report.kernels.empty())
    if (const auto drawn = draw(*file, options, text); !drawn.ok()) return bad(drawn.errors(), options);
  if (const auto written = write_standard_output(text); !written.ok()) return bad(written.errors(), options);
  if (report.kernels.empty()) return remove_output(options.draw), kExitBadInput;
  return options.fail_on_conflicts ? gate(report, options.allow_uncounted) : kExitFound;
}

}  // namespace swizzle
