#include "synth/ptx/names.h"

#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>

#include "synth/base/text.h"

namespace swizzle::ptx {
namespace {

// Nothing: it is no mangled name.
std::optional<std::string> demangled(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;  // "s" would be a type's
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::optional(std::string(text.get())) : std::nullopt;
}

// Where `wanted` last stands outside of brackets; npos: nowhere.
std::size_t last_outside(std::string_view text, std::string_view wanted) {
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')' || text[at] == '>' || text[at] == ']' || text[at] == '}') ++depth;
    if (text[at] == '(' || text[at] == '<' || text[at] == '[' || text[at] == '{') --depth;
    if (depth == 0 && text.substr(at).starts_with(wanted)) return at;
  }
  return std::string_view::npos;
}

// Where the bracket that closes at the end opens.
std::size_t opening_of(std::string_view text) {
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')' || text[at] == '>') ++depth;
    if (text[at] == '(' || text[at] == '<') --depth;
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

// Of what stands between commas outside of brackets.
std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> parts;
  while (!trimmed(text).empty()) {
    const std::size_t comma = last_outside(text, ",");
    const bool is_last = comma == std::string_view::npos;
    parts.insert(parts.begin(), std::string(trimmed(is_last ? text : text.substr(comma + 1))));
    text = is_last ? std::string_view() : text.substr(0, comma);
  }
  return parts;
}

// "void ns::copy<4>(int*)": "ns::copy<4>", and "int*".
struct Taken {
  std::string_view name, parameters;
};

Taken taken_apart(std::string_view text) {
  Taken out{text, {}};
  if (text.ends_with(")")) {
    const std::size_t open = opening_of(text);
    out = {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
  }
  if (const std::size_t space = last_outside(out.name, " "); space != std::string_view::npos)
    out.name.remove_prefix(space + 1);
  return out;
}

// Namespaces that compilers make up are no part of a name.
std::string without_made_up(std::string_view name) {
  std::string out(name);
  for (const std::string_view made_up : {"_INTERNAL_", "_GLOBAL__N_", "(anonymous namespace)"})
    for (std::size_t at = 0; (at = out.find(made_up, at)) != std::string::npos;) {
      const std::size_t end = out.find("::", at);
      const bool begins = at == 0 || out[at - 1] == ':';
      if (end == std::string::npos || !begins) break;
      out.erase(at, end + 2 - at);
    }
  return out;
}

}  // namespace

std::string short_name(const std::string& mangled) {
  const auto text = demangled(mangled);
  if (!text) return mangled;
  const std::size_t colons = last_outside(*text, "::");
  return colons == std::string::npos ? *text : text->substr(colons + 2);
}

std::string function_name(const std::string& mangled) {
  const auto text = demangled(mangled);
  if (!text) return mangled;
  std::string_view name = taken_apart(*text).name;
  if (name.ends_with(">")) name = name.substr(0, opening_of(name));
  return without_made_up(name);
}

Signature signature_of(const std::string& mangled) {
  const auto text = demangled(mangled);
  if (!text) return {mangled};
  const Taken taken = taken_apart(*text);
  std::vector<std::string> types = listed(taken.parameters);
  if (types.size() == 1 && types[0] == "void") types.clear();
  return {without_made_up(taken.name), std::move(types)};
}

}  // namespace swizzle::ptx
