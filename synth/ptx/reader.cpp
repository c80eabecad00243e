#include "synth/ptx/reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/ptx/function_reader.h"

namespace swizzle::ptx {
namespace {

class ModuleReader {
 public:
  explicit ModuleReader(const SourceText& source) : in_(source) {}

  Result<Module> run() {
    while (!in_.at_end() && !in_.failed()) read_directive();
    if (in_.failed()) return in_.error();
    for (Place& place : module_.places)
      if (const auto name = strings_.find(place.function); name != strings_.end()) place.function = name->second;
    return std::move(module_);
  }

 private:
  void read_directive() {
    const Token token = in_.next();
    if (token.is(".file")) read_file();
    else if (token.is(".section")) read_section();
    else if (token.is(".loc")) places_.read(in_, token.line);
    else if (token.is(".entry") || token.is(".func")) read_function(token.is(".entry"));
    else if (is_linkage(token)) is_extern_ = token.is(".extern");
    else if (token.is(".version") || token.is(".target") || token.is(".address_size")) in_.skip_line(token.line);
    else if (const auto space = space_of(token.text)) read_variables(*space);
    else if (token.text.starts_with(".")) in_.skip_past(";");
    else in_.fail(token, fmt::format("this is no PTX: '{}'", token.text));
  }

  static bool is_linkage(const Token& token) {
    return token.is(".visible") || token.is(".weak") || token.is(".extern") || token.is(".common");
  }

  void read_variables(Space space) {
    for (Variable& variable : in_.read_variables(space)) {
      variable.is_extern = is_extern_;
      names_.variables[variable.name] = static_cast<int>(module_.variables.size());
      module_.variables.push_back(std::move(variable));
    }
    is_extern_ = false;
  }

  void read_file() {
    const Token number = in_.next(), path = in_.next();
    if (path.kind != Token::Kind::kString) return in_.fail(path, "the path of a file is expected here");
    module_.files[static_cast<int>(parse_integer(number.text).value_or(0))] = std::string(path.text);
    in_.skip_line(path.line);
  }

  // The names of functions that are inlined stand in .debug_str, as bytes.
  void read_section() {
    const bool has_strings = in_.next().is(".debug_str");
    in_.expect("{");
    std::string label, bytes;
    int depth = 1;
    const auto keep = [&] {
      if (has_strings && !label.empty()) strings_[label] = bytes.substr(0, bytes.find('\0'));
      bytes.clear();
    };
    while (depth > 0 && !in_.at_end()) {
      const Token token = in_.next();
      if (token.is("{")) ++depth;
      if (token.is("}")) --depth;
      if (in_.peek().is(":")) keep(), label = token.text;
      if (const auto byte = has_strings ? parse_integer(token.text) : std::nullopt) bytes += static_cast<char>(*byte);
    }
    keep();
  }

  void read_function(bool is_kernel) {
    is_extern_ = false;
    FunctionReader reader(in_, module_, places_, names_);
    if (auto function = reader.run(is_kernel)) module_.functions.push_back(std::move(*function));
  }

  TokenReader in_;
  Module module_;
  PlaceReader places_{module_};
  Names names_;
  bool is_extern_ = false;
  std::map<std::string, std::string> strings_;
};

}  // namespace

Result<Module> read_module(const SourceText& source) { return ModuleReader(source).run(); }

}  // namespace swizzle::ptx
