#include "synth/program/compile_flags.h"

namespace swizzle {
namespace {

std::string macro_line(const std::string& macro) {
  const std::string name = macro.substr(1);
  if (macro[0] == 'U') return "#undef " + name + "\n";
  const std::size_t equals = name.find('=');
  if (equals == std::string::npos) return "#define " + name + " 1\n";
  return "#define " + name.substr(0, equals) + " " + name.substr(equals + 1) + "\n";
}

}  // namespace

std::string macro_lines(const CompileFlags& flags) {
  std::string lines;
  for (const std::string& macro : flags.macros) lines += macro_line(macro);
  return lines;
}

std::string preamble(const CompileFlags& flags, const std::string& text) {
  std::string lines;
  const auto add = [&](const std::string& line) {
    if (("\n" + text).find("\n" + line) == std::string::npos) lines += line;
  };
  for (const std::string& macro : flags.macros) add(macro_line(macro));
  for (const std::string& header : flags.forced_headers) add("#include \"" + header + "\"\n");
  return lines;
}

}  // namespace swizzle
