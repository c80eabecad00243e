#include "frontend/unknown_words.h"

#include <fmt/format.h>

namespace swizzle {
namespace {

// As long as before: offsets stay.
void put(std::string_view word, SourceRange at, std::string& text) {
  for (std::uint32_t i = at.begin; i < at.end; ++i)
    if (text[i] != '\n') text[i] = i - at.begin < word.size() ? word[i - at.begin] : ' ';
}

}  // namespace

bool UnknownWords::replace_in(std::string& text, const std::vector<std::uint32_t>& errors) {
  const std::vector<UnknownMacro> macros = unknown_macros(text, errors);
  for (const UnknownMacro& macro : macros) put(macro.is_global ? "$g" : "", macro.range, text);
  macros_.insert(macros_.end(), macros.begin(), macros.end());
  if (!macros.empty()) return true;
  const std::vector<OpaqueType> types = opaque_types(text, errors);
  for (const OpaqueType& type : types) {
    put(type.is_class ? "" : "$", type.type, text);
    if (!type.is_class) types_.push_back(type);
  }
  return !types.empty();
}

void UnknownWords::replace(CheckUnit& unit, RewrittenSource& rewritten, const SourceText& file,
                           const std::string& appended) {
  constexpr int kMostRounds = 8;
  std::string text = file.text();
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<std::uint32_t> errors;
    for (const CheckErrors::Error& e : unit.errors().found)
      if (e.in_main) errors.push_back(rewritten.original(e.begin));
    if (!replace_in(text, errors)) return;
    rewritten = rewrite_launches(text);
    unit.parse(rewritten.text + appended, file.path());
  }
}

Diagnostics UnknownWords::remarks(const SourceText& file, SourceRange declared) const {
  Diagnostics out;
  const auto is_declared = [&](SourceRange name) { return declared.begin <= name.begin && name.begin < declared.end; };
  const auto add = [&](SourceRange at, const std::string& message) {
    out.push_back(make_diagnostic(Severity::kWarning, file, at, message));
  };
  for (const OpaqueType& type : types_)
    if (is_declared(type.name))
      add(type.type, fmt::format("the type '{}' is not known here: what comes of '{}' is not followed",
                                 file.slice(type.type), file.slice(type.name)));
  for (const UnknownMacro& macro : macros_)
    if (is_declared(macro.name))
      add(macro.range, fmt::format("'{}' is not known here: taken to say {}", file.slice(macro.range),
                                   macro.is_global ? "__global__, as the function is launched" : "nothing"));
  return out;
}

}  // namespace swizzle
