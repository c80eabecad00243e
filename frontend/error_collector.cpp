#include "frontend/error_collector.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/prelude.h"
#include "frontend/variants.h"
#include "synth/base/nearest.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// Of `sw_xform(t, 32)`, and of `laod(x, 0, 1, 2)`.
std::string meant_name(const std::string& message) {
  constexpr std::string_view kUndeclared = "use of undeclared identifier '";
  if (!message.starts_with(kUndeclared)) return "";
  const std::string_view name =
      std::string_view(message).substr(kUndeclared.size(), message.find('\'', kUndeclared.size()) - kUndeclared.size());
  if (find_hole_kind(name) != nullptr || name == kTuneHole.substr(1)) return fmt::format("; did you mean '?{}'?", name);
  if (message.find("did you mean") != std::string::npos) return "";
  static const std::vector<std::string> known = [] {
    std::vector<std::string> names = intrinsic_names();
    for (const char* own : {"load", "store", "magic_get", "create_accumulator", "accumulate", "eval", "identity",
                            "bit_xor", "__syncthreads", "__syncwarp", "threadIdx", "blockIdx", "blockDim", "gridDim"})
      names.push_back(own);
    return names;
  }();
  return did_you_mean(name, known);
}

// In a header of the user's.
Diagnostic error_in_header(const clang::SourceManager& sources, clang::SourceLocation where, std::string message) {
  const clang::FileID file = sources.getFileID(where);
  const SourceText header(sources.getFilename(where).str(), sources.getBufferData(file).str());
  const std::uint32_t at = sources.getFileOffset(where);
  const unsigned length = clang::Lexer::MeasureTokenLength(where, sources, clang::LangOptions());
  if (const std::size_t meant = message.find("; did you mean '?"); meant != std::string::npos)
    message = message.substr(0, meant) + "; a hole stands in the sketch itself, not in what that includes";
  return make_error(header, {at, at + std::max(1u, length)}, std::move(message));
}

// Whether this is of an `-include` on the command line, which clang makes a text of its own of.
bool is_of_command_line(const clang::Diagnostic& info) {
  if (!info.hasSourceManager() || !info.getLocation().isValid()) return false;
  const auto& sources = info.getSourceManager();
  return sources.isWrittenInBuiltinFile(info.getLocation()) || sources.isWrittenInCommandLineFile(info.getLocation());
}

bool is_in_prelude(const clang::Diagnostic& info) {
  if (!info.hasSourceManager() || !info.getLocation().isValid()) return false;
  const auto& sources = info.getSourceManager();
  const clang::SourceLocation where = sources.getExpansionLoc(info.getLocation());
  return !sources.isInMainFile(where) && sources.getFilename(where).starts_with(kPreludeFolder);
}

bool covers(const clang::FunctionDecl* f, std::optional<unsigned> offset) {
  const auto& sources = f->getASTContext().getSourceManager();
  const auto at = [&](clang::SourceLocation l) { return sources.getFileOffset(sources.getExpansionLoc(l)); };
  return offset && sources.isInMainFile(sources.getExpansionLoc(f->getLocation())) && at(f->getBeginLoc()) <= *offset &&
         *offset <= at(f->getEndLoc());
}

}  // namespace

Diagnostic error_at_start(const SourceText& source, std::string message) {
  const std::string& text = source.text();
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t code = skip_non_code(text, at);
    if (code == at && !std::isspace(static_cast<unsigned char>(text[at]))) break;
    at = std::max(code, at + 1);
  }
  if (at >= text.size()) at = 0;
  const auto begin = static_cast<std::uint32_t>(at);
  return make_error(source, {begin, begin + 1}, std::move(message));
}

// In the words of the user's language.
std::string ErrorCollector::told(std::string message) const {
  if (silent_)
    message = "the type of eval() cannot be told here; write it to a variable first, as in: float v = eval(o);";
  if (message.starts_with("'annotate' attribute requires"))
    message = "the arguments of __launch_bounds__ must be constants";
  const bool is_index = message.starts_with("no viable overloaded operator[]");
  if (message.find("$layout<") != std::string::npos ||
      (is_index && source_.text().find("?sw_layout") != std::string::npos))
    message =
        "a layout stands in a statement of its own, auto L = ?sw_layout(rows, columns); and is used as tile[L(r, c)]";
  for (std::size_t at; (at = message.find("$sw_")) != std::string::npos;) message[at] = '?';
  return message + meant_name(message);
}

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  const bool is_error = level >= clang::DiagnosticsEngine::Error;
  if (!is_error && !(level == clang::DiagnosticsEngine::Note && after_error_)) {
    if (level == clang::DiagnosticsEngine::Warning) after_error_ = false;
    return;
  }
  after_error_ = true;
  llvm::SmallString<128> text;
  info.FormatDiagnostic(text);
  const std::string said = text.str().str();
  if (is_error) silent_ = said.find("$any") != std::string::npos;
  if (!is_error && silent_) return;
  const std::string message = told(said);
  const bool is_of_prelude = is_in_prelude(info);
  if (!is_error && is_of_prelude) return;     // a note about the prelude says nothing to the user
  if (message.starts_with("use -f")) return;  // nor does an option of clang's
  if (is_error && is_of_command_line(info)) return add(make_error("-include: " + message), info);
  Diagnostic d = is_of_prelude ? make_error(message) : located(info, message);
  if (is_error && d.where.line == 0) d = error_at_start(source_, message);
  if (!is_error) d.severity = Severity::kNote;
  add(std::move(d), info);
  if (is_error && message.ends_with("file not found")) {
    Diagnostic note =
        make_error(fmt::format("beside files of your own there are {}", fmt::join(accepted_headers(), ", ")));
    note.severity = Severity::kNote;
    add(std::move(note), info);
  }
}

void ErrorCollector::forget() {
  clear();
  found.clear();
  offsets_.clear();
  after_error_ = silent_ = false;
}

Diagnostics ErrorCollector::within(const std::vector<const clang::FunctionDecl*>& functions) const {
  Diagnostics result;
  bool is_inside = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].severity == Severity::kError)
      is_inside = std::any_of(functions.begin(), functions.end(),
                              [&](const clang::FunctionDecl* f) { return covers(f, offsets_[i]); });
    if (is_inside) result.push_back(found[i]);
  }
  return result;
}

// An error in the user's file or in a header of theirs; without a place where clang knows none.
Diagnostic ErrorCollector::located(const clang::Diagnostic& info, const std::string& message) const {
  if (!info.hasSourceManager() || !info.getLocation().isValid()) return make_error(message);
  const auto& sources = info.getSourceManager();
  const clang::SourceLocation where = sources.getExpansionLoc(info.getLocation());
  if (!sources.isInMainFile(where)) return error_in_header(sources, where, message);
  const std::uint32_t at = rewritten_.original(sources.getFileOffset(where));
  const unsigned length = clang::Lexer::MeasureTokenLength(where, sources, clang::LangOptions());
  return make_error(source_, {at, at + std::max(1u, length)}, message);
}

void ErrorCollector::add(Diagnostic d, const clang::Diagnostic& info) {
  const bool is_placed = info.hasSourceManager() && info.getLocation().isValid();
  offsets_.push_back(
      is_placed && info.getSourceManager().isInMainFile(info.getSourceManager().getExpansionLoc(info.getLocation()))
          ? std::optional(
                info.getSourceManager().getFileOffset(info.getSourceManager().getExpansionLoc(info.getLocation())))
          : std::nullopt);
  found.push_back(std::move(d));
}

}  // namespace swizzle
