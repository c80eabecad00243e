#include "frontend/parse.h"

#include <filesystem>
#include <fstream>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/directive_parser.h"
#include "frontend/file_functions.h"
#include "frontend/included_headers.h"
#include "frontend/lowering.h"
#include "frontend/prelude.h"
#include "frontend/reach.h"
#include "frontend/source_rewrite.h"
#include "frontend/syntax_tree.h"
#include "synth/base/nearest.h"

namespace swizzle {

namespace {

constexpr std::size_t kMostSourceBytes = 4u << 20;

// Of `sw_xform(t, 32)`.
std::string forgotten_question_mark(const std::string& message) {
  constexpr std::string_view kUndeclared = "use of undeclared identifier '";
  if (!message.starts_with(kUndeclared)) return "";
  const std::string_view name =
      std::string_view(message).substr(kUndeclared.size(), message.find('\'', kUndeclared.size()) - kUndeclared.size());
  return find_hole_kind(name) != nullptr ? fmt::format("; did you mean '?{}'?", name) : "";
}

// Where the file's code begins: for what is wrong with the file as a whole.
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

// In a header of the user's.
Diagnostic error_in_header(const clang::SourceManager& sources, clang::SourceLocation where, std::string message) {
  const clang::FileID file = sources.getFileID(where);
  const SourceText header(sources.getFilename(where).str(), sources.getBufferData(file).str());
  const std::uint32_t at = sources.getFileOffset(where);
  const unsigned length = clang::Lexer::MeasureTokenLength(where, sources, clang::LangOptions());
  return make_error(header, {at, at + std::max(1u, length)}, std::move(message));
}

// clang's errors, in the user's file and the headers that it includes.
class Collector : public clang::DiagnosticConsumer {
 public:
  Collector(const SourceText& source, const RewrittenSource& rewritten) : source_(source), rewritten_(rewritten) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    const bool is_error = level >= clang::DiagnosticsEngine::Error;
    if (!is_error && !(level == clang::DiagnosticsEngine::Note && after_error_)) {
      if (level == clang::DiagnosticsEngine::Warning) after_error_ = false;
      return;
    }
    after_error_ = true;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    std::string message = text.str().str();
    if (is_error) silent_ = message.find("$any") != std::string::npos;
    if (!is_error && silent_) return;
    if (silent_)
      message = "the type of eval() cannot be told here; write it to a variable first, as in: float v = eval(o);";
    if (message.starts_with("'annotate' attribute requires"))
      message = "the arguments of __launch_bounds__ must be constants";
    for (std::size_t at; (at = message.find("$sw_")) != std::string::npos;) message[at] = '?';
    message += forgotten_question_mark(message);
    const bool is_of_prelude = is_in_prelude(info);
    if (!is_error && is_of_prelude) return;     // a note about the prelude says nothing to the user
    if (message.starts_with("use -f")) return;  // nor does an option of clang's
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

  // Errors within these functions, with their notes.
  Diagnostics within(const std::vector<const clang::FunctionDecl*>& functions) const {
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

  Diagnostics found;

 private:
  static bool is_in_prelude(const clang::Diagnostic& info) {
    if (!info.hasSourceManager() || !info.getLocation().isValid()) return false;
    const auto& sources = info.getSourceManager();
    const clang::SourceLocation where = sources.getExpansionLoc(info.getLocation());
    return !sources.isInMainFile(where) && sources.getFilename(where).starts_with(kPreludeFolder);
  }

  // An error in the user's file or in a header of theirs; without a place where clang knows none.
  Diagnostic located(const clang::Diagnostic& info, const std::string& message) const {
    if (!info.hasSourceManager() || !info.getLocation().isValid()) return make_error(message);
    const auto& sources = info.getSourceManager();
    const clang::SourceLocation where = sources.getExpansionLoc(info.getLocation());
    if (!sources.isInMainFile(where)) return error_in_header(sources, where, message);
    const std::uint32_t at = rewritten_.original(sources.getFileOffset(where));
    const unsigned length = clang::Lexer::MeasureTokenLength(where, sources, clang::LangOptions());
    return make_error(source_, {at, at + std::max(1u, length)}, message);
  }

  void add(Diagnostic d, const clang::Diagnostic& info) {
    const bool is_placed = info.hasSourceManager() && info.getLocation().isValid();
    offsets_.push_back(
        is_placed && info.getSourceManager().isInMainFile(info.getSourceManager().getExpansionLoc(info.getLocation()))
            ? std::optional(
                  info.getSourceManager().getFileOffset(info.getSourceManager().getExpansionLoc(info.getLocation())))
            : std::nullopt);
    found.push_back(std::move(d));
  }

  static bool covers(const clang::FunctionDecl* f, std::optional<unsigned> offset) {
    const auto& sources = f->getASTContext().getSourceManager();
    const auto at = [&](clang::SourceLocation l) { return sources.getFileOffset(sources.getExpansionLoc(l)); };
    return offset && sources.isInMainFile(sources.getExpansionLoc(f->getLocation())) &&
           at(f->getBeginLoc()) <= *offset && *offset <= at(f->getEndLoc());
  }

  const SourceText& source_;
  const RewrittenSource& rewritten_;
  std::vector<std::optional<unsigned>> offsets_;  // by `found`, in the text that clang was given
  bool after_error_ = false;
  bool silent_ = false;  // the notes of the last error are about the prelude
};

struct Candidates {
  std::vector<const clang::FunctionDecl*> functions;
  const clang::FunctionDecl* only_template =
      nullptr;  // a kernel that nothing instantiates, or a template of one of the names
};

// `kernels`: kernels alone, instances of templates among them.
Candidates candidates_in(const clang::ASTContext& context, bool kernels, const std::set<std::string>& names = {}) {
  Candidates found;
  for (const FunctionOrTemplate& one : functions_of_file(context)) {
    if (const auto* function = std::get_if<const clang::FunctionDecl*>(&one)) {
      if (!kernels || is_kernel(*function)) found.functions.push_back(*function);
      continue;
    }
    const auto* pattern = std::get<const clang::FunctionTemplateDecl*>(one);
    if (kernels && is_kernel(pattern->getTemplatedDecl())) {
      const auto instances = instances_of(pattern);
      found.functions.insert(found.functions.end(), instances.begin(), instances.end());
      if (instances.empty()) found.only_template = pattern->getTemplatedDecl();
    } else if (names.contains(pattern->getNameAsString())) {
      found.only_template = pattern->getTemplatedDecl();
    }
  }
  return found;
}

std::string names_of(const std::vector<const clang::FunctionDecl*>& functions) {
  std::string text;
  for (const auto* f : functions) text += (text.empty() ? "" : ", ") + f->getNameAsString();
  return text;
}

// An error at the name of a function.
Diagnostic error_at(const clang::FunctionDecl* f, const SourceText& source, const RewrittenSource& rewritten,
                    std::string message) {
  const auto& sources = f->getASTContext().getSourceManager();
  const std::uint32_t at = rewritten.original(sources.getFileOffset(sources.getExpansionLoc(f->getLocation())));
  return make_error(source, {at, at + static_cast<std::uint32_t>(f->getNameAsString().size())}, std::move(message));
}

Result<const clang::FunctionDecl*> choose_kernel(const clang::ASTContext& context, const SourceText& source,
                                                 const RewrittenSource& rewritten, const std::string& name) {
  const Candidates found = candidates_in(context, true);
  if (found.functions.empty()) {
    if (found.only_template != nullptr)
      return error_at(
          found.only_template, source, rewritten,
          fmt::format(
              "the kernel '{0}' is a template that nothing instantiates; add a line such as: template __global__ void {0}<…>(…);",
              found.only_template->getNameAsString()));
    return error_at_start(source, "there is no __global__ function here");
  }
  if (name.empty() && found.functions.size() > 1)
    return error_at(
        found.functions[1], source, rewritten,
        fmt::format("there are several kernels here ({}); choose one with --kernel", names_of(found.functions)));
  for (const auto* f : found.functions) {
    if (!name.empty() && f->getNameAsString() != name) continue;
    const auto is_another = [&](const clang::FunctionDecl* g) {
      return g != f && f->getPrimaryTemplate() != nullptr && g->getPrimaryTemplate() == f->getPrimaryTemplate();
    };
    if (std::any_of(found.functions.begin(), found.functions.end(), is_another))
      return error_at(f, source, rewritten,
                      fmt::format("'{}' has several instances here, and is completed for one; leave one of them",
                                  f->getNameAsString()));
    if (!f->getReturnType()->isVoidType()) return error_at(f, source, rewritten, "a kernel must return void");
    return f;
  }
  return error_at_start(source,
                        fmt::format("there is no kernel '{}' here; there are {}", name, names_of(found.functions)));
}

Result<const clang::FunctionDecl*> choose_spec(const clang::ASTContext& context, const SourceText& source,
                                               const RewrittenSource& rewritten, const std::string& name) {
  const Candidates found = candidates_in(context, false, {name, "spec"});
  for (const std::string& wanted : {name, std::string("spec")})
    for (const auto* f : found.functions)
      if (f->getNameAsString() == wanted) return f;
  const Candidates kernels = candidates_in(context, true);
  for (const auto* f : kernels.functions)
    if (f->getNameAsString() == name) return f;
  if (kernels.functions.size() == 1) return kernels.functions[0];
  if (found.only_template != nullptr)
    return error_at(found.only_template, source, rewritten,
                    fmt::format("the spec '{}' is a template; give it the types of the kernel's parameters",
                                found.only_template->getNameAsString()));
  const std::string there = found.functions.empty() ? "" : fmt::format("; there are {}", names_of(found.functions));
  return error_at_start(source, fmt::format("there is no function '{}' or 'spec' here{}", name, there));
}

// A spec may stand in a whole program, whose other code is none of ours.
bool has_kernel(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t code = skip_non_code(text, at);
    if (code == at && text.compare(at, 10, "__global__") == 0) return true;
    at = std::max(code, at + 1);
  }
  return false;
}

enum class Around { kNothing, kHostCode };

// Headers of others that are not there, and that the kernel must do without.
std::set<std::string> missing_headers(const std::string& text, const std::string& folder) {
  std::set<std::string> missing = headers_elsewhere(text, {folder});
  for (const std::string& header : accepted_headers()) missing.erase(header);
  return missing;
}

// The lines that include them; those of the standard library are there for a native compiler.
std::vector<SourceRange> lines_including(const std::string& text, const std::set<std::string>& headers) {
  std::vector<SourceRange> lines;
  for (std::size_t at = 0; (at = text.find("#include", at)) != std::string::npos; ++at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool is_missing = std::any_of(headers.begin(), headers.end(), [&](const std::string& h) {
      return h.find('.') != std::string::npos &&
             (line.find("<" + h + ">") != std::string::npos || line.find("\"" + h + "\"") != std::string::npos);
    });
    if (is_missing) lines.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
  }
  return lines;
}

SyntaxTree build(const SourceText& file, const RewrittenSource& rewritten, const std::string& include_folder,
                 Around around, Collector& collector) {
  std::vector<SyntaxTree::Header> headers{
      {kPreludePath, around == Around::kHostCode ? prelude_text_with_host() : prelude_text()}};
  for (const std::string& header : accepted_headers())
    headers.emplace_back(fmt::format("{}/{}", kHeaderFolder, header), header_text(header));
  if (around == Around::kHostCode)
    for (const std::string& header : missing_headers(file.text(), include_folder))
      headers.emplace_back(fmt::format("{}/{}", kHeaderFolder, header), "");
  std::vector<std::string> arguments = {"-xc++",    "-std=c++17",      "-nostdinc", "-fsyntax-only",
                                        "-w",       "-fno-exceptions", "-iquote",   include_folder,
                                        "-isystem", kHeaderFolder,     "-include",  kPreludePath};
  arguments.push_back(around == Around::kHostCode ? "-ferror-limit=0" : "-ferror-limit=8");
  if (around == Around::kHostCode) arguments.push_back("-fno-spell-checking");
  return SyntaxTree::parse(rewritten.text, file.path(), arguments, headers, collector);
}

// "?sw_xform, …, ?sw_const and ?sw_layout"
std::string listed_hole_kinds() {
  std::string text;
  for (std::size_t k = 0; k < hole_kinds().size(); ++k)
    text += fmt::format("{}?{}", k == 0 ? "" : k + 1 == hole_kinds().size() ? " and " : ", ", hole_kinds()[k].name);
  return text;
}

std::string unknown_hole_text(const std::string& name) {
  // What all of them begin with makes none alike.
  constexpr std::string_view kPrefix = "?sw_";
  std::vector<std::string> known;
  for (const HoleTraits& kind : hole_kinds()) known.emplace_back(kind.name + kPrefix.size() - 1);
  std::string meant = did_you_mean(name.substr(std::min(kPrefix.size(), name.size())), known);
  if (!meant.empty()) meant.insert(meant.find('\'') + 1, kPrefix);
  return fmt::format("unknown hole '{}'{}", name,
                     meant.empty() ? fmt::format("; there are {}", listed_hole_kinds()) : meant);
}

template <typename Choose>
Result<Program> parse(SourceText file, const std::string& include_folder, Around around, Choose&& choose) {
  const bool has_launches = around == Around::kHostCode && file.text().find("<<<") != std::string::npos;
  const RewrittenSource rewritten = has_launches ? rewrite_launches(file.text()) : rewrite_source(file.text());
  for (const auto& [range, name] : rewritten.unknown_holes) return make_error(file, range, unknown_hole_text(name));
  auto directives = parse_directives(file);
  if (!directives.ok()) return directives.errors();
  Collector collector(file, rewritten);
  const SyntaxTree tree = build(file, rewritten, include_folder, around, collector);
  if (!collector.found.empty() && (around == Around::kNothing || !tree)) return collector.found;
  if (!tree) return error_at_start(file, "clang could not parse this file");
  auto entry = choose(tree.context(), file, rewritten);
  if (!entry.ok()) return entry.errors();
  const auto reached = functions_reached(*entry);
  if (Diagnostics errors = collector.within(reached); !errors.empty()) return errors;
  Program program;
  program.source = std::move(file);
  program.directives = std::move(*directives);
  program.is_kernel = is_kernel(*entry);
  const UserFiles files(rewritten);
  Lowering lowering(tree.context(), files, program);
  lowering.run(*entry);
  if (!lowering.diagnostics().empty()) return lowering.diagnostics();
  if (around == Around::kHostCode) {
    program.host_code = lines_including(program.source.text(), missing_headers(program.source.text(), include_folder));
    for (const clang::Decl* d : declarations_besides(tree.context(), reached))
      program.host_code.push_back(lowering.range_of(d->getSourceRange()));
  }
  return program;
}

}  // namespace

Result<SourceText> read_source(const std::string& path) {
  std::error_code code;
  Diagnostic d;
  d.path = path;
  if (std::filesystem::is_directory(path, code)) d.message = "is a directory";
  std::ifstream in(path, std::ios::binary);
  if (d.message.empty() && !in) d.message = std::filesystem::exists(path, code) ? "cannot be read" : "no such file";
  if (!d.message.empty()) return d;
  std::string read(kMostSourceBytes + 1, '\0');
  in.read(read.data(), static_cast<std::streamsize>(read.size()));
  read.resize(static_cast<std::size_t>(in.gcount()));
  read.shrink_to_fit();
  if (read.size() > kMostSourceBytes) {
    d.message = fmt::format("is longer than {} bytes", kMostSourceBytes);
    return d;
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (read.starts_with(kByteOrderMark)) read.erase(0, kByteOrderMark.size());
  return SourceText(path, std::move(read));
}

std::string desugar(const std::string& text) { return rewrite_source(text).text; }

Result<Program> parse_kernel(SourceText file, const std::string& kernel_name, const std::string& include_folder) {
  return parse(std::move(file), include_folder, Around::kNothing,
               [&](const clang::ASTContext& context, const SourceText& source, const RewrittenSource& rewritten) {
                 return choose_kernel(context, source, rewritten, kernel_name);
               });
}

Result<Program> parse_spec(SourceText file, const std::string& kernel_name) {
  const std::string folder = std::filesystem::path(file.path()).parent_path().string();
  const bool is_program =
      has_kernel(file.text()) || !missing_headers(file.text(), folder.empty() ? "." : folder).empty();
  const Around around = is_program ? Around::kHostCode : Around::kNothing;
  auto spec = parse(std::move(file), folder.empty() ? "." : folder, around,
                    [&](const clang::ASTContext& context, const SourceText& source, const RewrittenSource& rewritten) {
                      return choose_spec(context, source, rewritten, kernel_name);
                    });
  if (spec.ok() && !spec->holes.empty()) return make_error(spec->source, spec->holes[0].range, "a spec has no holes");
  return spec;
}

}  // namespace swizzle
