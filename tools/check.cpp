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

int bad(const Diagnostics& errors) {
  for (const Diagnostic& d : errors) fmt::print(stderr, "{}", render(d));
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

}  // namespace

int check(const CheckOptions& options) {
  Listener listener;
  const auto file = check_kernels({options.file,
                                   options.kernel,
                                   options.machine,
                                   options.include_folders,
                                   {options.launch, options.set},
                                   options.all_blocks,
                                   options.step_limit},
                                  listener);
  if (!file.ok()) return bad(file.errors());
  const CheckReport& report = file->report;
  if (report.kernels.empty()) return kExitBadInput;
  if (names_file(options.json))
    if (const auto written = write_file_atomically(options.json, to_json(report)); !written.ok())
      return bad(written.errors());
  std::string text = options.json == "-" ? to_json(report) : to_text(report);
  if (!options.draw.empty())
    if (const auto drawn = draw(*file, options, text); !drawn.ok()) return bad(drawn.errors());
  if (const auto written = write_standard_output(text); !written.ok()) return bad(written.errors());
  return options.fail_on_conflicts && has_conflicts(report) ? static_cast<int>(kExitConflicts) : 0;
}

}  // namespace swizzle
