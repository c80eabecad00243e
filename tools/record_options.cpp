#include <algorithm>

#include "tools/command_line.h"
#include "tools/command_list.h"

namespace swizzle {

RecordCommand::RecordCommand(RecordOptions& options)
    : app_("Runs an application on a GPU and writes down each kernel launch that it makes, for check --recorded."),
      options_(options) {
  app_.name("swizzle-synth record");
  app_.add_option("APPLICATION", options.application, "behind --: the application and its arguments")->required();
  app_.add_option("-o,--output", options.output, "where the recording goes; - for standard output")
      ->capture_default_str();
  ColorWhen& color = options.color;
  add_choice(app_, "--color", color, {"auto", "always", "never"},
             "of lines on standard error; auto: on a terminal, unless NO_COLOR is set");
}

// What stands behind -- is the application's, as it is.
std::optional<int> RecordCommand::parse(const std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const auto take_application = [&] {
    if (dashes != arguments.end()) options_.application.assign(dashes + 1, arguments.end());
    if (options_.application.empty()) throw CLI::RequiredError("APPLICATION");
  };
  return parse_command(app_, arguments, take_application, BehindDashes::kApplication);
}

std::optional<int> parse_record_options(const std::vector<std::string>& arguments, RecordOptions& options) {
  return RecordCommand(options).parse(arguments);
}

}  // namespace swizzle
