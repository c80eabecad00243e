#include "tools/command_list.h"

#include <algorithm>
#include <sstream>

#include "tools/command_line.h"

namespace swizzle {

void add_output_style(CLI::App& app, DiagnosticsAs& diagnostics, ColorWhen& color) {
  add_choice(app, "--diagnostics", diagnostics, {"text", "json", "sarif"},
             "what goes to standard error: lines, or one document at the end");
  add_choice(app, "--color", color, {"auto", "always", "never"},
             "of lines on standard error; auto: on a terminal, unless NO_COLOR is set");
}

CommandDescription described(const CLI::App& app) {
  CommandDescription command;
  const std::string& name = app.get_name();
  command.name = name.substr(std::min(name.size(), name.find(' ') + 1 == 0 ? name.size() : name.find(' ') + 1));
  command.purpose = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      command.operand = option->get_name(true);
      continue;
    }
    FlagDescription flag;
    for (const std::string& letter : option->get_snames()) flag.names.push_back("-" + letter);
    for (const std::string& word : option->get_lnames()) {
      flag.names.push_back("--" + word);
      if (word == "include" || word == "std") flag.names.push_back("-" + word);  // as compilers spell them
    }
    flag.help = option->get_description();
    if (option->get_items_expected_max() > 0) flag.value = option->get_type_name();
    flag.value.resize(std::min(flag.value.size(), flag.value.find(':')));  // without what a validator adds
    if (flag.value.find('|') != std::string::npos) {
      std::istringstream words(flag.value);
      for (std::string word; std::getline(words, word, '|');) flag.choices.push_back(word);
    }
    command.flags.push_back(std::move(flag));
  }
  return command;
}

std::vector<CommandDescription> all_commands() {
  Options synthesis, verification;
  verification.verifies = true;
  CheckOptions check;
  RecordOptions record;
  return {described(SynthesisCommand(synthesis).app()),
          described(SynthesisCommand(verification).app()),
          described(CheckCommand(check).app()),
          described(RecordCommand(record).app()),
          {"sweep", "Completes many sketches at many sizes; its flags: swizzle-synth sweep --help", "SWEEP.toml", {}}};
}

}  // namespace swizzle
