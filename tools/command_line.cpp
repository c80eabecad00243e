#include "tools/command_line.h"

#include <algorithm>
#include <filesystem>

#include <fmt/ranges.h>

#include "synth/base/nearest.h"
#include "synth/machine/wavefronts.h"
#include "tools/exit_codes.h"
#include "tools/usage_report.h"

namespace swizzle {
namespace {

// Flags that `app` does not have and that were perhaps others, whatever else ended the parsing: a misspelt --spec is
// missed, and its value one file too many.
void tell_of_misspelt_flags(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    const std::string flag = argument.substr(0, argument.find('='));
    if (!flag.starts_with("--") || std::find(flags.begin(), flags.end(), flag) != flags.end()) continue;
    if (const std::string meant = did_you_mean(flag, flags); !meant.empty())
      std::fprintf(stderr, "unknown flag '%s'%s\n", argument.c_str(), meant.c_str());
  }
}

// Behind -- stand files: what looks like a flag was meant for a compiler.
void refuse_flags_behind_dashes(const std::vector<std::string>& arguments) {
  const auto is_flag = [](const std::string& word) { return word.size() > 1 && word.starts_with('-') && word != "--"; };
  const auto flag = std::find_if(std::ranges::find(arguments, "--"), arguments.end(), is_flag);
  if (flag != arguments.end())
    throw CLI::ValidationError("--", "behind it stand files, and '" + *flag +
                                         "' looks like a flag; -D, -U, -I, -include and -std are taken before it, and "
                                         "flags for nvcc by 'check --ptx' alone");
}

// Prints the help or the error that ended the parsing.
int exit_code(const CLI::App& app, const CLI::ParseError& ending, const std::vector<std::string>& arguments) {
  if (ending.get_exit_code() != 0) tell_of_misspelt_flags(app, arguments);
  return app.exit(ending) == 0 ? 0 : static_cast<int>(kExitUsage);
}

}  // namespace

std::string type_of(const Choices& words) { return fmt::format("{}", fmt::join(words, "|")); }

std::optional<int> parse_command(CLI::App& app, const std::vector<std::string>& arguments,
                                 const std::function<void()>& finish, BehindDashes behind) {
  const std::vector<std::string> backwards(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
  try {
    if (behind == BehindDashes::kFiles) refuse_flags_behind_dashes(arguments);
    app.parse(std::vector<std::string>(backwards));
    finish();
  } catch (const CLI::ParseError& e) {
    const int code = exit_code(app, e, arguments);
    for (const char* flag : {"--json", "--sarif", "--report"})
      if (code == kExitUsage && app.get_option_no_throw(flag) != nullptr) write_usage_report(arguments, flag, e.what());
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
