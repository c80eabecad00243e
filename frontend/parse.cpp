#include "frontend/parse.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>

#include "frontend/directive_parser.h"
#include "frontend/lowering.h"
#include "frontend/prelude.h"
#include "frontend/source_rewrite.h"

namespace swizzle {
namespace {

constexpr const char* kPreludePath = "/swizzle-prelude/prelude.h";
constexpr const char* kHeaderFolder = "/swizzle-prelude/include";

// clang's errors, in the user's file.
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
    for (std::size_t at; (at = message.find("$sw_")) != std::string::npos;) message[at] = '?';
    Diagnostic d = make_error(message);
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      const auto& sources = info.getSourceManager();
      const clang::SourceLocation where = sources.getExpansionLoc(info.getLocation());
      if (sources.isInMainFile(where)) {
        const std::uint32_t at = rewritten_.original(sources.getFileOffset(where));
        const unsigned length = clang::Lexer::MeasureTokenLength(where, sources, clang::LangOptions());
        d = make_error(source_, {at, at + std::max(1u, length)}, message);
      } else if (!is_error) {
        return;  // a note about the prelude says nothing to the user
      }
    }
    if (!is_error) d.severity = Severity::kNote;
    found.push_back(std::move(d));
  }

  Diagnostics found;

 private:
  const SourceText& source_;
  const RewrittenSource& rewritten_;
  bool after_error_ = false;
};

bool is_kernel(const clang::FunctionDecl* f) {
  for (const auto* attribute : f->specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == "swizzle_global") return true;
  return false;
}

struct Candidates {
  std::vector<const clang::FunctionDecl*> functions;
  bool has_template = false;
};

Candidates candidates_in(const clang::ASTUnit& unit, bool kernels) {
  Candidates found;
  const auto& sources = unit.getASTContext().getSourceManager();
  const std::function<void(const clang::DeclContext*)> visit = [&](const clang::DeclContext* context) {
    for (const clang::Decl* d : context->decls()) {
      if (llvm::isa<clang::LinkageSpecDecl>(d) || llvm::isa<clang::NamespaceDecl>(d)) visit(llvm::cast<clang::DeclContext>(d));
      if (!sources.isInMainFile(sources.getExpansionLoc(d->getLocation()))) continue;
      if (const auto* t = llvm::dyn_cast<clang::FunctionTemplateDecl>(d)) {
        if (kernels && is_kernel(t->getTemplatedDecl())) {
          bool any = false;
          for (const clang::FunctionDecl* s : t->specializations())
            if (s->hasBody()) any = true, found.functions.push_back(s);
          found.has_template |= !any;
        }
      } else if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(d)) {
        if (f->isThisDeclarationADefinition() && (!kernels || is_kernel(f))) found.functions.push_back(f);
      }
    }
  };
  visit(unit.getASTContext().getTranslationUnitDecl());
  return found;
}

std::string names_of(const std::vector<const clang::FunctionDecl*>& functions) {
  std::string text;
  for (const auto* f : functions) text += (text.empty() ? "" : ", ") + f->getNameAsString();
  return text;
}

Result<const clang::FunctionDecl*> choose_kernel(const clang::ASTUnit& unit, const SourceText& source, const std::string& name) {
  const Candidates found = candidates_in(unit, true);
  Diagnostic d;
  d.path = source.path();
  if (found.functions.empty()) {
    d.message = found.has_template ? "the kernel is a template that nothing instantiates; add 'template __global__ void …;'" : "there is no __global__ function here";
    return d;
  }
  if (name.empty()) {
    if (found.functions.size() == 1) return found.functions[0];
    d.message = fmt::format("there are several kernels here ({}); choose one with --kernel", names_of(found.functions));
    return d;
  }
  for (const auto* f : found.functions)
    if (f->getNameAsString() == name) return f;
  d.message = fmt::format("there is no kernel '{}' here; there are {}", name, names_of(found.functions));
  return d;
}

Result<const clang::FunctionDecl*> choose_spec(const clang::ASTUnit& unit, const SourceText& source, const std::string& name) {
  const Candidates found = candidates_in(unit, false);
  for (const std::string& wanted : {name, std::string("spec")})
    for (const auto* f : found.functions)
      if (f->getNameAsString() == wanted) return f;
  Diagnostic d;
  d.path = source.path();
  d.message = fmt::format("there is no function '{}' or 'spec' here", name);
  return d;
}

template <typename Choose>
Result<Program> parse(SourceText file, Choose&& choose) {
  const RewrittenSource rewritten = rewrite_source(file.text());
  for (const auto& [range, name] : rewritten.unknown_holes)
    return make_error(file, range, fmt::format("unknown hole '{}'; there are ?sw_xform, ?sw_part and ?sw_cond", name));
  auto directives = parse_directives(file);
  if (!directives.ok()) return directives.errors();
  clang::tooling::FileContentMappings files{{kPreludePath, prelude_text()}};
  for (const std::string& header : accepted_headers()) files.emplace_back(fmt::format("{}/{}", kHeaderFolder, header), "");
  Collector collector(file, rewritten);
  const std::vector<std::string> arguments = {"-xc++", "-std=c++17", "-nostdinc", "-fsyntax-only", "-w", "-ferror-limit=8", "-fno-exceptions",
                                              "-isystem", kHeaderFolder, "-include", kPreludePath};
  const auto unit = clang::tooling::buildASTFromCodeWithArgs(rewritten.text, arguments, file.path(), "swizzle-synth", std::make_shared<clang::PCHContainerOperations>(),
                                                             clang::tooling::getClangStripDependencyFileAdjuster(), files, &collector);
  if (!collector.found.empty()) return collector.found;
  if (unit == nullptr) return make_error(fmt::format("clang could not parse '{}'", file.path()));
  auto entry = choose(*unit, file);
  if (!entry.ok()) return entry.errors();
  Program program;
  program.source = std::move(file);
  program.directives = std::move(*directives);
  Lowering lowering(unit->getASTContext(), rewritten, program);
  lowering.run(*entry);
  if (!lowering.diagnostics().empty()) return lowering.diagnostics();
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
  std::ostringstream text;
  text << in.rdbuf();
  return SourceText(path, std::move(text).str());
}

std::string desugar(const std::string& text) { return rewrite_source(text).text; }

Result<Program> parse_kernel(SourceText file, const std::string& kernel_name) {
  return parse(std::move(file), [&](const clang::ASTUnit& unit, const SourceText& source) { return choose_kernel(unit, source, kernel_name); });
}

Result<Program> parse_spec(SourceText file, const std::string& kernel_name) {
  return parse(std::move(file), [&](const clang::ASTUnit& unit, const SourceText& source) { return choose_spec(unit, source, kernel_name); });
}

}  // namespace swizzle
