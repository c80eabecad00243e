// What shells complete and man(1) shows, made from the commands' own flags.
//
//   source <(swizzle-synth completions bash)
//   swizzle-synth manual | man -l -
#pragma once

#include <string>
#include <vector>

namespace swizzle {

struct CommandDescription;

std::string bash_completions(const std::vector<CommandDescription>& commands);
std::string zsh_completions(const std::vector<CommandDescription>& commands);
std::string fish_completions(const std::vector<CommandDescription>& commands);
std::string manual_page(const std::vector<CommandDescription>& commands, const std::string& version);

// `completions SHELL` and `manual`: writes to standard output, returns the exit code.
int print_completions(const std::vector<std::string>& arguments);
int print_manual();

}  // namespace swizzle
