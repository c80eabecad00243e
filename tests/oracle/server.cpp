// The tool, many times in one process, for oracle.py: most of a small sketch's time is the start of a process. A line
// of stdin is a command line, its words separated by tabs, behind the file for what the tool says; the answer is a line
// with the exit code.
//
//   /tmp/said<tab>a.cu<tab>--spec<tab>a.cpp<tab>--report<tab>a.json        0
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/options.h"

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}

void say_to(const std::string& path) {
  std::fflush(nullptr);
  const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) _exit(2);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  close(file);
}

int run(const std::vector<std::string>& arguments) {
  swizzle::Options options;
  const auto code = swizzle::parse_options(arguments, options);
  return code ? *code : swizzle::synthesize(options);
}

}  // namespace

int main() {
  const int answers = dup(STDOUT_FILENO);
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 2) return 2;
    say_to(words[0]);
    const std::string answer = fmt::format("{}\n", run({words.begin() + 1, words.end()}));
    std::fflush(nullptr);
    if (write(answers, answer.data(), answer.size()) < 0) return 2;
  }
  return 0;
}
