#include "tools/compile_options.h"

#include <algorithm>
#include <cctype>

#include "synth/base/text.h"
#include "tools/command_line.h"

namespace swizzle {
namespace {

// NAME, NAME=VALUE or NAME(x)=VALUE.
bool begins_with_name(const std::string& macro) {
  const std::string name = macro.substr(0, macro.find_first_of("=("));
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name, [](char c) { return is_of_word(c) || static_cast<unsigned char>(c) >= 0x80; });
}

// -D and -U in the order of the command line.
std::vector<std::string> macros_in_order(const CLI::App& app, const std::vector<std::string>& defined,
                                         const std::vector<std::string>& undefined) {
  std::vector<std::string> macros;
  auto d = defined.begin();
  auto u = undefined.begin();
  for (const CLI::Option* option : app.parse_order()) {
    if (option->check_sname("D") && d != defined.end()) macros.push_back("D" + *d++);
    if (option->check_sname("U") && u != undefined.end()) macros.push_back("U" + *u++);
  }
  for (const std::string& macro : macros)
    if (!begins_with_name(macro.substr(1)) || macro.find('\n') != std::string::npos)
      throw CLI::ValidationError("-" + macro.substr(0, 1), "expected a macro's name, got '" + macro.substr(1) + "'");
  return macros;
}

}  // namespace

void CompileOptions::add(CLI::App& app, CompileFlags& flags) {
  const Choices standards{"c++14", "c++17", "c++20", "c++23", "gnu++14", "gnu++17", "gnu++20", "gnu++23"};
  app.add_option("-D", defined_, "define a macro: NAME or NAME=VALUE")->allow_extra_args(false);
  app.add_option("-U", undefined_, "undefine a macro")->allow_extra_args(false);
  app.add_option("-I", flags.include_folders, "a folder of headers")->allow_extra_args(false);
  app.add_option("--include", flags.forced_headers, "a header to include first")->allow_extra_args(false);
  app.add_option("--std", flags.standard, "the language, c++17 by default")
      ->check(CLI::IsMember(standards))
      ->type_name(type_of(standards));
}

void CompileOptions::finish(const CLI::App& app, CompileFlags& flags) const {
  flags.macros = macros_in_order(app, defined_, undefined_);
  if (flags.standard.starts_with("gnu")) flags.standard.replace(0, 3, "c");
}

}  // namespace swizzle
