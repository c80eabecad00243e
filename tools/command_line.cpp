#include "tools/command_line.h"

#include <filesystem>

#include <fmt/ranges.h>

#include "synth/base/nearest.h"
#include "synth/machine/wavefronts.h"
#include "tools/exit_codes.h"
#include "tools/usage_report.h"

namespace swizzle {
namespace {

// Prints the help or the error that ended the parsing.
int exit_code(const CLI::App& app, const CLI::ParseError& ending) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  if (ending.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    for (const std::string& extra : app.remaining())
      if (const std::string meant = did_you_mean(extra.substr(0, extra.find('=')), flags); !meant.empty())
        std::fprintf(stderr, "unknown flag '%s'%s\n", extra.c_str(), meant.c_str());
  return app.exit(ending) == 0 ? 0 : static_cast<int>(kExitUsage);
}

}  // namespace

std::string type_of(const Choices& words) { return fmt::format("{}", fmt::join(words, "|")); }

std::optional<int> parse_command(CLI::App& app, const std::vector<std::string>& arguments,
                                 const std::function<void()>& finish) {
  const std::vector<std::string> backwards(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
  try {
    app.parse(std::vector<std::string>(backwards));
    finish();
  } catch (const CLI::ParseError& e) {
    const int code = exit_code(app, e);
    const bool is_check = app.get_option_no_throw("--json") != nullptr;
    if (code == kExitUsage) write_usage_report(arguments, is_check ? "--json" : "--report", e.what());
    return code;
  }
  return std::nullopt;
}

void set_size(Sizes& sizes, const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto value = equals == std::string::npos
                         ? std::nullopt
                         : parse_number<std::int64_t>(std::string_view(text).substr(equals + 1));
  if (!value || equals == 0) throw CLI::ValidationError("--set", "expected name=number, got '" + text + "'");
  const std::string name = text.substr(0, equals);
  if (!sizes.emplace(name, *value).second)
    throw CLI::ValidationError("--set",
                               "'" + name + "' has a value already; several sizes stand on lines of the sketch");
}

CLI::IsMember known_machine() {
  return CLI::IsMember(std::vector<std::string>(kMachineNames.begin(), kMachineNames.end()));
}

void keep_to_svg(const std::string& drawing) {
  const std::string extension = std::filesystem::path(drawing).extension().string();
  if (!extension.empty() && extension != ".svg" && extension != ".SVG")
    throw CLI::ValidationError("--draw", "writes SVG, and '" + drawing + "' has another name; try '" +
                                             std::filesystem::path(drawing).replace_extension(".svg").string() + "'");
}

}  // namespace swizzle
