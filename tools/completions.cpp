#include "tools/completions.h"

#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/versions.h"
#include "tools/command_list.h"
#include "tools/exit_codes.h"

namespace swizzle {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// 'it'\''s' of "it's".
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string function_of(const CommandDescription& command) { return command.name.empty() ? "main" : command.name; }

std::vector<std::string> names_of(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const FlagDescription& flag : command.flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

std::vector<std::string> words_behind(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> words;
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) words.push_back(command.name);
  return words;
}

// [, ] and : mean something to zsh's _arguments.
std::string zsh_escaped(std::string text) {
  for (const char* c : {"\\", "[", "]", ":"}) text = replaced(text, c, std::string("\\") + c);
  return text;
}

std::string troff(std::string text) {
  text = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  return text.starts_with(".") || text.starts_with("'") ? "\\&" + text : text;
}

std::string manual_flags(const CommandDescription& command) {
  std::string text;
  for (const FlagDescription& flag : command.flags)
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", troff(fmt::format("{}", fmt::join(flag.names, ", "))),
                        flag.value.empty() ? "" : " \\fI" + troff(flag.value) + "\\fR", troff(flag.help));
  return text;
}

}  // namespace

std::string bash_completions(const std::vector<CommandDescription>& commands) {
  std::string text =
      "# bash completion of swizzle-synth\n_swizzle_synth() {\n  local word=${COMP_WORDS[COMP_CWORD]}\n"
      "  local before=${COMP_WORDS[COMP_CWORD-1]} command=main flags='' words=''\n"
      "  if [[ $word == = ]]; then word=''; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  (( COMP_CWORD > 1 )) && case ${COMP_WORDS[1]} in\n";
  for (const std::string& name : words_behind(commands)) text += fmt::format("    {0}) command={0} ;;\n", name);
  text += "  esac\n  case $command in\n";
  for (const CommandDescription& command : commands)
    text += fmt::format("    {}) flags={} ;;\n", function_of(command),
                        quoted(fmt::format("{}", fmt::join(names_of(command), " "))));
  text += "  esac\n  case $command:$before in\n";
  for (const CommandDescription& command : commands)
    for (const FlagDescription& flag : command.flags)
      if (!flag.choices.empty())
        for (const std::string& name : flag.names)
          text += fmt::format("    {}:{}) words={} ;;\n", function_of(command), name,
                              quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
  text += fmt::format(
      "  esac\n  if [[ -n $words ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  elif [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
      "  else\n    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "    (( COMP_CWORD == 1 )) && COMPREPLY+=($(compgen -W '{}' -- \"$word\"))\n  fi\n}}\n"
      "complete -o filenames -F _swizzle_synth swizzle-synth\n",
      fmt::join(words_behind(commands), " "));
  return text;
}

std::string zsh_completions(const std::vector<CommandDescription>& commands) {
  std::string text = "#compdef swizzle-synth\n_swizzle-synth() {\n  local command=main\n  case ${words[2]} in\n";
  for (const std::string& name : words_behind(commands)) text += fmt::format("    {0}) command={0} ;;\n", name);
  text += "  esac\n  case $command in\n";
  for (const CommandDescription& command : commands) {
    text += fmt::format("    {}) _arguments -s", function_of(command));
    for (const FlagDescription& flag : command.flags) {
      const std::string value = flag.value.empty()     ? ""
                                : flag.choices.empty() ? ":value:_files"
                                                       : fmt::format(":value:({})", fmt::join(flag.choices, " "));
      for (const std::string& name : flag.names) {
        const std::string joined = value.empty() ? "" : name.starts_with("--") ? "=" : name.size() == 2 ? "+" : "";
        text += " \\\n      " + quoted(fmt::format("*{}{}[{}]{}", name, joined, zsh_escaped(flag.help), value));
      }
    }
    text += " \\\n      '*:file:_files' ;;\n";
  }
  return text + fmt::format("  esac\n  (( CURRENT == 2 )) && compadd {}\n}}\n_swizzle-synth \"$@\"\n",
                            fmt::join(words_behind(commands), " "));
}

std::string fish_completions(const std::vector<CommandDescription>& commands) {
  const std::string words = fmt::format("{}", fmt::join(words_behind(commands), " "));
  std::string text = "# fish completion of swizzle-synth\n";
  for (const CommandDescription& command : commands) {
    const std::string when = command.name.empty() ? "not __fish_seen_subcommand_from " + words
                                                  : "__fish_seen_subcommand_from " + command.name;
    if (!command.name.empty())
      text += fmt::format("complete -c swizzle-synth -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          quoted(command.purpose));
    for (const FlagDescription& flag : command.flags) {
      text += fmt::format("complete -c swizzle-synth -n {}", quoted(when));
      for (const std::string& name : flag.names)
        text += name.starts_with("--") ? " -l " + name.substr(2)
                : name.size() == 2     ? " -s " + name.substr(1)
                                       : " -o " + name.substr(1);
      if (!flag.value.empty()) text += " -r";
      if (!flag.choices.empty())
        text += fmt::format(" -f -a {}", quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
      text += fmt::format(" -d {}\n", quoted(flag.help));
    }
  }
  return text;
}

std::string manual_page(const std::vector<CommandDescription>& commands, const std::string& version) {
  std::string text = fmt::format(
      ".TH SWIZZLE\\-SYNTH 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\nswizzle\\-synth \\- completes CUDA kernels whose "
      "data movement is left open\n.SH SYNOPSIS\n",
      troff(version));
  for (const CommandDescription& command : commands)
    text += fmt::format("\\fBswizzle\\-synth\\fR {}\\fI{}\\fR [options]\n.br\n",
                        command.name.empty() ? "" : "\\fB" + command.name + "\\fR ", command.operand);
  for (const CommandDescription& command : commands)
    text += fmt::format(".SH {}\n{}\n{}", command.name.empty() ? "OPTIONS" : "OPTIONS OF " + command.name,
                        troff(command.purpose), manual_flags(command));
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, means] : {std::pair{0, "found and verified, or equal"},
                                    {1, "bad input"},
                                    {2, "usage"},
                                    {3, "the kernel is not its spec"},
                                    {4, "bank conflicts (check --fail-on-conflicts)"},
                                    {5, "no GPU where one was asked for"},
                                    {6, "a committed kernel is not up to date (--check-up-to-date)"},
                                    {10, "infeasible"},
                                    {20, "unknown"}})
    text += fmt::format(".TP\n{}\n{}\n", code, troff(means));
  return text;
}

int print_completions(const std::vector<std::string>& arguments) {
  const std::string shell = arguments.size() == 1 ? arguments[0] : "";
  const auto commands = all_commands();
  std::string text;
  if (shell == "bash") text = bash_completions(commands);
  if (shell == "zsh") text = zsh_completions(commands);
  if (shell == "fish") text = fish_completions(commands);
  if (text.empty()) std::fputs("usage: swizzle-synth completions bash|zsh|fish\n", stderr);
  std::fputs(text.c_str(), stdout);
  return text.empty() ? kExitUsage : kExitFound;
}

int print_manual() {
  std::fputs(manual_page(all_commands(), version_text()).c_str(), stdout);
  return kExitFound;
}

}  // namespace swizzle
