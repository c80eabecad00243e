#include "tools/command_line.h"
#include "tools/command_list.h"
#include "tools/options.h"

namespace swizzle {
namespace {

// "block(256)" of --launch, or "copy=block(256)".
void set_launch(CheckOptions& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool has_name = equals != std::string::npos && equals < text.find('(');
  std::string& launch = has_name ? options.kernel_launches[text.substr(0, equals)] : options.launch;
  if (!launch.empty())
    throw CLI::ValidationError("--launch", "'" + text + "' is a second one; NAME=… is for one kernel");
  launch = has_name ? text.substr(equals + 1) : text;
}

}  // namespace

CheckCommand::CheckCommand(CheckOptions& options)
    : app_("Counts the shared-memory wavefronts and global-memory sectors of every access of a CUDA file's kernels."),
      options_(options) {
  app_.name("swizzle-synth check");
  app_.add_option("KERNEL", options.file, "CUDA file")->required();
  app_.add_option("--kernel", options.kernel, "one kernel: name, or name<32> for a template; otherwise all");
  app_.add_option("--launch", launches_, "'grid(4, 4) block(32, 8)', or the block alone; NAME=… for one kernel")
      ->allow_extra_args(false);
  app_.add_option("-I", options.include_folders, "a folder of headers")->allow_extra_args(false);
  app_.add_option("--set", set_, "name=value: an integer parameter")->allow_extra_args(false);
  app_.add_option("--json", options.json, "where a JSON report goes; - for standard output, instead of the table");
  app_.add_option("--draw", options.draw, "an SVG of the worst access and its tile; - for text on standard output");
  app_.add_option("--machine", options.machine,
                  "sm_90 (or h200), or toy8 of 8 lanes and 8 banks; otherwise as the file says, or sm_90")
      ->check(known_machine());
  app_.add_option("--step-limit", options.step_limit, "evaluated statements and expressions of a kernel")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app_.add_flag("--all-blocks", options.all_blocks,
                "count in every block, not only in the first, the middle and the last one");
  app_.add_flag("--fail-on-conflicts", options.fail_on_conflicts,
                "exit code 4 if there are bank conflicts, 20 if something was not counted");
  app_.add_flag("--allow-uncounted", options.allow_uncounted,
                "with --fail-on-conflicts: what was not counted may pass");
  add_output_style(app_, options.diagnostics, options.color);
}

std::optional<int> CheckCommand::parse(const std::vector<std::string>& arguments) {
  return parse_command(app_, arguments, [&] {
    options_.arguments = arguments;
    keep_to_svg(options_.draw);
    for (const std::string& s : set_) set_size(options_.set, s);
    for (const std::string& l : launches_) set_launch(options_, l);
  });
}

std::optional<int> parse_check_options(const std::vector<std::string>& arguments, CheckOptions& options) {
  return CheckCommand(options).parse(arguments);
}

}  // namespace swizzle
