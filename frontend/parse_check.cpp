#include "frontend/parse_check.h"

#include <algorithm>
#include <set>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/directive_parser.h"
#include "frontend/file_functions.h"
#include "frontend/host_launches.h"
#include "frontend/included_headers.h"
#include "frontend/instance_repair.h"
#include "frontend/integer_constants.h"
#include "frontend/kernel_text.h"
#include "frontend/lowering.h"
#include "frontend/prelude.h"
#include "frontend/source_rewrite.h"
#include "frontend/syntax_tree.h"

namespace swizzle {
namespace {

// What clang does not understand, by offset: most of it is none of the kernels' business.
class Errors : public clang::DiagnosticConsumer {
 public:
  struct Error {
    std::uint32_t begin, end;  // in the text that clang was given
    std::string message;
    bool in_instance = false;  // of a template
  };
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Note) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    std::string message = text.str().str();
    if (level < clang::DiagnosticsEngine::Error) {
      if (!found.empty() && level == clang::DiagnosticsEngine::Note && message.starts_with("in instantiation of"))
        found.back().in_instance = true;
      return;
    }
    constexpr std::string_view kMissing = "' file not found";
    if (message.ends_with(kMissing)) missing.insert(message.substr(1, message.size() - 1 - kMissing.size()));
    if (!info.hasSourceManager() || !info.getLocation().isValid()) return;
    const auto& sources = info.getSourceManager();
    const clang::SourceLocation where = sources.getExpansionLoc(info.getLocation());
    if (!sources.isInMainFile(where)) return;
    const std::uint32_t at = sources.getFileOffset(where);
    found.push_back({at, at + std::max(1u, clang::Lexer::MeasureTokenLength(where, sources, clang::LangOptions())),
                     std::move(message), false});
  }
  std::vector<Error> found;
  std::set<std::string> missing;  // headers
};

struct Unit {
  SyntaxTree tree;
  Errors errors;
  std::set<std::string> unread;  // headers that are not there
};

// Parses again with empty headers in place of those that are missing, until none is.
void build(Unit& unit, const std::string& text, const std::string& path,
           const std::vector<std::string>& include_folders) {
  constexpr int kMostTries = 40;
  std::vector<std::string> arguments = {"-xc++",           "-std=c++17",          "--target=nvptx64-nvidia-cuda",
                                        "-nostdinc",       "-fsyntax-only",       "-w",
                                        "-ferror-limit=0", "-fno-spell-checking", "-fno-exceptions",
                                        "-isystem",        kHeaderFolder,         "-include",
                                        kPreludePath};
  for (const std::string& folder : include_folders) arguments.insert(arguments.end(), {"-I", folder});
  for (int tries = 0; tries < kMostTries; ++tries) {
    std::vector<SyntaxTree::Header> headers{{kPreludePath, device_prelude_text()}};
    for (const std::string& header : unit.unread) headers.emplace_back(fmt::format("{}/{}", kHeaderFolder, header), "");
    unit.errors = Errors();
    unit.tree = SyntaxTree::parse(text, path, arguments, headers, unit.errors);
    const std::size_t before = unit.unread.size();
    unit.unread.insert(unit.errors.missing.begin(), unit.errors.missing.end());
    if (unit.unread.size() == before) return;
  }
}

struct Kernels {
  std::vector<const clang::FunctionDecl*> functions;
  std::vector<const clang::FunctionDecl*> templates;  // which nothing instantiates
};

Kernels kernels_in(const clang::ASTContext& context) {
  Kernels found;
  for (const FunctionOrTemplate& one : functions_of_file(context)) {
    if (const auto* function = std::get_if<const clang::FunctionDecl*>(&one)) {
      if (is_kernel(*function)) found.functions.push_back(*function);
      continue;
    }
    const auto* pattern = std::get<const clang::FunctionTemplateDecl*>(one);
    if (!is_kernel(pattern->getTemplatedDecl()) || !pattern->isThisDeclarationADefinition()) continue;
    const auto instances = instances_of(pattern);
    found.functions.insert(found.functions.end(), instances.begin(), instances.end());
    if (instances.empty()) found.templates.push_back(pattern->getTemplatedDecl());
  }
  return found;
}

std::string name_of(const clang::FunctionDecl* f) {
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy = f->getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  f->getNameForDiagnostic(out, policy, false);
  return name;
}

std::string without_space(std::string text) {
  std::erase(text, ' ');
  return text;
}

// "<float, 32>" for a template that nothing instantiates: its defaults, and float for types. Nothing if numbers are
// open.
std::optional<std::string> default_arguments(const clang::FunctionDecl* f) {
  std::string text;
  for (const clang::NamedDecl* p : *f->getDescribedFunctionTemplate()->getTemplateParameters()) {
    if (const auto* t = llvm::dyn_cast<clang::TemplateTypeParmDecl>(p)) {
      if (t->hasDefaultArgument() || t->isParameterPack()) break;
      text += (text.empty() ? "" : ", ") + std::string("float");
    } else if (const auto* n = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(p);
               n != nullptr && n->hasDefaultArgument()) {
      break;
    } else {
      return std::nullopt;
    }
  }
  return "<" + text + ">";
}

class Checker {
 public:
  Checker(SourceText file, std::string kernel_name, std::vector<std::string> include_folders)
      : file_(std::move(file)),
        kernel_name_(std::move(kernel_name)),
        include_folders_(std::move(include_folders)),
        rewritten_(rewrite_launches(file_.text())) {}

  Result<ParsedKernels> run() {
    unit_.unread = headers_elsewhere(file_.text(), include_folders_);
    std::string appended;
    if (const std::size_t at = kernel_name_.find('<'); at != std::string::npos) appended = instance(kernel_name_);
    std::string text = rewritten_.text + appended;
    build(unit_, text, file_.path(), include_folders_);
    if (!unit_.tree) return make_error(fmt::format("clang could not parse '{}'", file_.path()));
    auto directives = parse_directives_in_comments(file_, integer_constants(unit_.tree.context()));
    if (!directives.ok()) return directives.errors();
    directives_ = std::move(*directives);
    if (const std::string more = defaults(); !more.empty() && appended.empty())
      build(unit_, text += more, file_.path(), include_folders_);
    repair(text);
    return lowered(kernels_in(unit_.tree.context()));
  }

 private:
  // Leaves out what keeps instances from having a body; the errors that said so are kept.
  void repair(std::string& text) {
    constexpr int kMostRounds = 8;
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<std::uint32_t> at;
      // Instances come last, and only the first error of each says so.
      const auto& found = unit_.errors.found;
      const auto first = std::find_if(found.begin(), found.end(), [](const Errors::Error& e) { return e.in_instance; });
      for (auto e = first == found.end() ? found.begin() : first; e != found.end(); ++e) at.push_back(e->begin);
      const auto ranges = statements_to_leave_out(unit_.tree.context(), at);
      if (ranges.empty()) return;
      for (const auto& [begin, end] : ranges) {
        for (const Errors::Error& e : unit_.errors.found)
          if (begin <= e.begin && e.begin < end) left_out_.push_back(e);
        for (std::uint32_t i = begin; i < end && i < text.size(); ++i)
          if (text[i] != '\n') text[i] = ' ';
        if (begin < text.size()) text[begin] = ';';
      }
      build(unit_, text, file_.path(), include_folders_);
    }
  }

  static std::string instance(const std::string& name) {
    return fmt::format("\n;static auto $instance_{} = &{};\n", std::hash<std::string>{}(name), name);
  }

  bool is_wanted(const clang::FunctionDecl* f) const {
    const std::string wanted = without_space(kernel_name_);
    return wanted.empty() || wanted == f->getNameAsString() || wanted == f->getQualifiedNameAsString() ||
           wanted == without_space(name_of(f)) ||
           (wanted.find('<') != std::string::npos &&
            without_space(name_of(f)).starts_with(wanted.substr(0, wanted.size() - 1)));
  }

  std::string defaults() {
    std::string text;
    for (const clang::FunctionDecl* f : kernels_in(unit_.tree.context()).templates) {
      const auto arguments = default_arguments(f);
      if (!arguments || !is_wanted(f)) continue;
      text += instance(f->getQualifiedNameAsString() + *arguments);
      defaulted_.insert(f->getQualifiedNameAsString());
    }
    return text;
  }

  SourceRange name_range(const clang::FunctionDecl* f) const {
    const auto& sources = f->getASTContext().getSourceManager();
    const std::uint32_t at = rewritten_.original(sources.getFileOffset(sources.getExpansionLoc(f->getLocation())));
    return {at, at + static_cast<std::uint32_t>(f->getNameAsString().size())};
  }

  Diagnostic open_template(const clang::FunctionDecl* f) const {
    return make_error(file_, name_range(f),
                      fmt::format("nothing here tells the template arguments of '{0}'; give them: --kernel '{0}<…>'",
                                  f->getNameAsString()));
  }

  Result<ParsedKernels> lowered(const Kernels& kernels) {
    ParsedKernels out;
    auto launches = launches_in(unit_.tree.context());
    for (const clang::FunctionDecl* f : kernels.functions)
      if (is_wanted(f)) out.kernels.push_back(lower(f, launches));
    for (const clang::FunctionDecl* f : kernels.templates)
      if (is_wanted(f)) out.left_out.push_back({f->getNameAsString(), open_template(f)});
    add_what_does_not_parse(kernels, out.left_out);
    if (out.kernels.empty() && !out.left_out.empty()) return errors_of(out.left_out);
    if (out.kernels.empty()) return no_kernel(kernels);
    std::stable_sort(out.kernels.begin(), out.kernels.end(),
                     [](const CheckedKernel& a, const CheckedKernel& b) { return start(a) < start(b); });
    return out;
  }

  static Diagnostics errors_of(const std::vector<KernelLeftOut>& left_out) {
    Diagnostics errors;
    for (const KernelLeftOut& kernel : left_out) errors.push_back(kernel.why);
    return errors;
  }

  // A `__global__` with an error of clang's behind it, and no kernel that clang made of it.
  void add_what_does_not_parse(const Kernels& kernels, std::vector<KernelLeftOut>& left_out) const {
    std::vector<SourceRange> known;
    for (const auto* list : {&kernels.functions, &kernels.templates})
      for (const clang::FunctionDecl* f : *list) known.push_back(declared_range(f));
    for (const KernelText& text : kernel_texts(file_.text())) {
      const auto holds = [&](SourceRange r, std::uint32_t at) { return r.begin <= at && at < r.end; };
      const bool is_known =
          std::any_of(known.begin(), known.end(), [&](SourceRange r) { return holds(r, text.name.begin); });
      const auto& errors = unit_.errors.found;
      const auto error = std::find_if(errors.begin(), errors.end(), [&](const Errors::Error& e) {
        return holds(text.range, rewritten_.original(e.begin));
      });
      const std::string name(file_.slice(text.name));
      if (is_known || error == errors.end() || !(kernel_name_.empty() || kernel_name_.starts_with(name))) continue;
      left_out.push_back({name, make_error(file_, {rewritten_.original(error->begin), rewritten_.original(error->end)},
                                           fmt::format("{}: the kernel '{}' is not counted", error->message, name))});
    }
  }

  SourceRange declared_range(const clang::FunctionDecl* f) const {
    const auto& sources = f->getASTContext().getSourceManager();
    const auto at = [&](clang::SourceLocation l) {
      return rewritten_.original(sources.getFileOffset(sources.getExpansionLoc(l)));
    };
    return {at(f->getBeginLoc()), at(f->getEndLoc()) + 1};
  }

  static std::uint32_t start(const CheckedKernel& k) { return k.program.function(k.program.entry).range.begin; }

  Diagnostic no_kernel(const Kernels& kernels) const {
    std::string message = "there is no __global__ function here";
    std::set<std::string> names;
    for (const auto* list : {&kernels.functions, &kernels.templates})
      for (const clang::FunctionDecl* f : *list) names.insert(name_of(f));
    if (!names.empty())
      message = fmt::format("there is no kernel '{}' here; there are {}", kernel_name_, fmt::join(names, ", "));
    return make_error(file_, {0, 1}, std::move(message));
  }

  CheckedKernel lower(const clang::FunctionDecl* f, std::map<const clang::Decl*, LaunchInFile>& launches) {
    CheckedKernel out;
    out.name = name_of(f);
    out.program.source = file_;
    out.program.directives = directives_;
    Lowering lowering(unit_.tree.context(), rewritten_, out.program, Purpose::kCheck);
    lowering.run(f);
    add_what_is_skipped(lowering, out.program.skipped);
    add_remarks(f, out.remarks);
    if (const auto it = launches.find(f->getCanonicalDecl()); it != launches.end()) {
      out.launch = it->second;
      out.launch->range = {rewritten_.original(it->second.range.begin), rewritten_.original(it->second.range.end)};
    }
    for (const auto* attribute : f->specific_attrs<clang::AnnotateAttr>())
      if (attribute->getAnnotation() == "swizzle_launch_bounds" && attribute->args_size() > 0)
        if (const auto n = host_integer(*attribute->args_begin(), f->getASTContext()))
          out.launch_bounds = static_cast<int>(std::clamp<std::int64_t>(*n, 1, 1024));
    return out;
  }

  void add_what_is_skipped(const Lowering& lowering, Diagnostics& skipped) {
    std::set<int> lines;
    for (const Diagnostic& d : skipped) lines.insert(d.where.line);
    std::vector<Errors::Error> errors = left_out_;
    errors.insert(errors.end(), unit_.errors.found.begin(), unit_.errors.found.end());
    for (const Errors::Error& e : errors) {
      const SourceRange at{rewritten_.original(e.begin), rewritten_.original(e.end)};
      const bool inside = std::any_of(lowering.bodies().begin(), lowering.bodies().end(),
                                      [&](SourceRange body) { return body.begin <= at.begin && at.begin < body.end; });
      if (inside && lines.insert(file_.locate(at.begin).line).second)
        skipped.push_back(make_diagnostic(Severity::kWarning, file_, at, e.message + ": not followed"));
    }
    std::stable_sort(skipped.begin(), skipped.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.where.line < b.where.line; });
  }

  void add_remarks(const clang::FunctionDecl* f, Diagnostics& remarks) const {
    for (const std::string& header : unit_.unread)
      if (!is_covered(header)) remarks.push_back(unread(header));
    if (const auto* t = f->getPrimaryTemplate(); t != nullptr && defaulted_.contains(t->getQualifiedNameAsString()))
      remarks.push_back(
          make_diagnostic(Severity::kWarning, file_, name_range(f),
                          fmt::format("nothing here instantiates this template: taken as {}", name_of(f))));
  }

  Diagnostic unread(const std::string& header) const {
    const std::size_t at = file_.text().find(header);
    const std::string message = fmt::format("'{}' is not read: what it declares is not followed", header);
    Diagnostic d =
        at == std::string::npos
            ? make_error(message)
            : make_error(file_, {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + header.size())},
                         message);
    d.severity = Severity::kWarning;
    return d;
  }

  SourceText file_;
  std::string kernel_name_;
  std::vector<std::string> include_folders_;
  RewrittenSource rewritten_;
  Directives directives_;
  std::set<std::string> defaulted_;
  Unit unit_;
  std::vector<Errors::Error> left_out_;
};

}  // namespace

Result<ParsedKernels> parse_for_check(SourceText file, const std::string& kernel_name,
                                      const std::vector<std::string>& include_folders) {
  return Checker(std::move(file), kernel_name, include_folders).run();
}

}  // namespace swizzle
