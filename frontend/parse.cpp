#include "frontend/parse.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/directive_parser.h"
#include "frontend/error_collector.h"
#include "frontend/file_functions.h"
#include "frontend/included_headers.h"
#include "frontend/integer_constants.h"
#include "frontend/launch_sizes.h"
#include "frontend/lowering.h"
#include "frontend/narrow_storage.h"
#include "frontend/reach.h"
#include "frontend/source_rewrite.h"
#include "frontend/source_tree.h"
#include "frontend/text_nesting.h"
#include "frontend/variants.h"
#include "synth/base/nearest.h"
#include "synth/base/text.h"

namespace swizzle {

namespace {

constexpr std::size_t kMostSourceBytes = 4u << 20;
constexpr const char* kArchitecture = "__CUDA_ARCH__";

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

// f, f<32>
std::string name_of(const clang::FunctionDecl* f) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  f->getNameForDiagnostic(stream, f->getASTContext().getPrintingPolicy(), false);
  return text;
}

std::string names_of(const std::vector<const clang::FunctionDecl*>& functions) {
  std::string text;
  for (const auto* f : functions) text += (text.empty() ? "" : ", ") + name_of(f);
  return text;
}

// By its name, or as an instance, however many spaces are in that.
bool has_name(const clang::FunctionDecl* f, std::string name) {
  const auto without_spaces = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  return f->getNameAsString() == name || without_spaces(name_of(f)) == without_spaces(std::move(name));
}

// An error at the name of a function.
Diagnostic error_at(const clang::FunctionDecl* f, const SourceText& source, const RewrittenSource& rewritten,
                    std::string message) {
  const auto& sources = f->getASTContext().getSourceManager();
  const std::uint32_t at = rewritten.original(sources.getFileOffset(sources.getExpansionLoc(f->getLocation())));
  return make_error(source, {at, at + static_cast<std::uint32_t>(f->getNameAsString().size())}, std::move(message));
}

// Those that are sketches: a hole stands in them, or in what they call.
std::vector<const clang::FunctionDecl*> with_holes(const std::vector<const clang::FunctionDecl*>& kernels,
                                                   const RewrittenSource& rewritten) {
  const auto text_of = [&](const clang::FunctionDecl* f) {
    const auto& sources = f->getASTContext().getSourceManager();
    const auto at = [&](clang::SourceLocation l) { return sources.getFileOffset(sources.getExpansionLoc(l)); };
    if (!sources.isInMainFile(sources.getExpansionLoc(f->getLocation()))) return std::string_view();
    return std::string_view(rewritten.text).substr(at(f->getBeginLoc()), at(f->getEndLoc()) - at(f->getBeginLoc()));
  };
  std::vector<const clang::FunctionDecl*> sketches;
  for (const auto* kernel : kernels) {
    const auto reached = functions_reached(kernel);
    const bool has_hole = std::any_of(reached.begin(), reached.end(), [&](const clang::FunctionDecl* f) {
      return text_of(f).find("$sw_") != std::string_view::npos ||
             text_of(f).find("magic_get(") != std::string_view::npos;
    });
    if (has_hole) sketches.push_back(kernel);
  }
  return sketches;
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
  const auto* const first = found.functions[0]->getPrimaryTemplate();
  const bool are_instances_of_one = first != nullptr && std::ranges::all_of(found.functions, [&](const auto* f) {
                                      return f->getPrimaryTemplate() == first;
                                    });
  if (name.empty() && found.functions.size() > 1 && !are_instances_of_one) {
    const auto sketches = with_holes(found.functions, rewritten);
    if (sketches.size() == 1) return sketches[0];
    return error_at(
        found.functions[1], source, rewritten,
        fmt::format("there are several kernels here ({}); choose one with --kernel", names_of(found.functions)));
  }
  for (const auto* f : found.functions) {
    if (!name.empty() && !has_name(f, name)) continue;
    std::vector<const clang::FunctionDecl*> instances;
    std::ranges::copy_if(found.functions, std::back_inserter(instances), [&](const clang::FunctionDecl* g) {
      return g == f || (f->getPrimaryTemplate() != nullptr && g->getPrimaryTemplate() == f->getPrimaryTemplate());
    });
    const bool is_sketch = !with_holes({f}, rewritten).empty(), is_one_meant = name.find('<') != std::string::npos;
    if (instances.size() > 1 && (is_sketch || !is_one_meant))
      return error_at(f, source, rewritten,
                      fmt::format("'{}' has several instances here{}", f->getNameAsString(),
                                  is_sketch ? ", and is completed for one; leave one of them"
                                            : fmt::format(" ({}); choose one with --kernel", names_of(instances))));
    if (!f->getReturnType()->isVoidType()) return error_at(f, source, rewritten, "a kernel must return void");
    return f;
  }
  return error_at_start(source,
                        fmt::format("there is no kernel '{}' here; there are {}", name, names_of(found.functions)));
}

// The only function that may be a spec and that no other one calls; null: there are several, or none.
const clang::FunctionDecl* only_caller(const std::vector<const clang::FunctionDecl*>& functions) {
  std::set<const clang::FunctionDecl*> called;
  for (const auto* f : functions)
    for (const auto* reached : functions_reached(f))
      if (reached->getCanonicalDecl() != f->getCanonicalDecl()) called.insert(reached->getCanonicalDecl());
  std::vector<const clang::FunctionDecl*> callers;
  std::ranges::copy_if(functions, std::back_inserter(callers), [&](const clang::FunctionDecl* f) {
    return f->getReturnType()->isVoidType() && f->getNumParams() > 0 && !called.contains(f->getCanonicalDecl());
  });
  return callers.size() == 1 ? callers.front() : nullptr;
}

Result<const clang::FunctionDecl*> choose_spec(const clang::ASTContext& context, const SourceText& source,
                                               const RewrittenSource& rewritten, const std::string& name,
                                               const std::string& named) {
  const Candidates found = candidates_in(context, false, {name, "spec"});
  if (!named.empty()) {
    const auto one = std::ranges::find(found.functions, named, &clang::FunctionDecl::getNameAsString);
    if (one != found.functions.end()) return *one;
    return error_at_start(
        source, fmt::format("there is no function '{}' here; there are {}", named, names_of(found.functions)));
  }
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
  if (const auto* f = only_caller(found.functions)) return f;
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

// "?sw_xform, …, ?sw_pred and ?sw_tune"
std::string listed_hole_kinds() {
  std::string text;
  for (const HoleTraits& kind : hole_kinds()) text += fmt::format("{}?{}", text.empty() ? "" : ", ", kind.name);
  return fmt::format("{} and {}", text, kTuneHole);
}

// `?sw_xform`, `?sw-xform`, `?swxform` and `?xform`: what all of them may begin with makes none alike.
std::string stem_of(std::string_view name) {
  name.remove_prefix(1);
  if (name.starts_with("sw")) name.remove_prefix(2);
  name.remove_prefix(std::min(name.find_first_not_of("_-"), name.size()));
  return std::string(name);
}

std::string unknown_hole_text(const std::string& name) {
  constexpr std::string_view kPrefix = "?sw_";
  if (const HoleTraits* traits = find_hole_kind(name.substr(1)))
    return fmt::format("{} has its arguments in parentheses", traits->usage());
  std::vector<std::string> known;
  for (const HoleTraits& kind : hole_kinds()) known.emplace_back(kind.name + kPrefix.size() - 1);
  known.emplace_back(kTuneHole.substr(kPrefix.size()));
  std::string meant = did_you_mean(stem_of(name), known);
  if (!meant.empty()) meant.insert(meant.find('\'') + 1, kPrefix);
  return fmt::format("unknown hole '{}'{}", name,
                     meant.empty() ? fmt::format("; there are {}", listed_hole_kinds()) : meant);
}

// Compilers of the host do not define __CUDA_ARCH__, and what it decides may be how the kernel is launched.
template <typename Choose>
Result<std::monostate> add_launches_of_host(const clang::FunctionDecl* kernel, const SourceText& file,
                                            const RewrittenSource& rewritten, const Surroundings& in, Choose&& choose,
                                            Directives& directives) {
  if (!contains_word(file.text(), kArchitecture)) return add_launches(kernel, file, rewritten, directives);
  Surroundings of_host = in;
  of_host.flags.macros.push_back(std::string("U") + kArchitecture);
  ErrorCollector collector(file, rewritten);
  const SyntaxTree tree = source_tree(file, rewritten, of_host, collector);
  const auto entry = tree ? choose(tree.context(), file, rewritten) : make_error("clang could not parse this file");
  return entry.ok() ? add_launches(*entry, file, rewritten, directives) : std::monostate();
}

template <typename Choose>
Result<Program> parse(SourceText file, const Surroundings& in, Choose&& choose) {
  if (auto error = nested_too_deeply(file)) return *std::move(error);
  const bool has_host_code = in.around == Around::kHostCode;
  const bool has_launches = has_host_code && file.text().find("<<<") != std::string::npos;
  const RewrittenSource rewritten = has_launches ? rewrite_program(file.text()) : rewrite_source(file.text());
  for (const auto& [range, name] : rewritten.unknown_holes) return make_error(file, range, unknown_hole_text(name));
  ErrorCollector collector(file, rewritten);
  const SyntaxTree tree = source_tree(file, rewritten, in, collector);
  auto directives = parse_directives_in_comments(file, tree ? integer_constants(tree.context()) : Sizes());
  if (!directives.ok()) return directives.errors();
  if (!collector.found.empty() && (!has_host_code || !tree || !tree.is_whole())) return collector.found;
  if (!tree) return error_at_start(file, "clang could not parse this file");
  auto entry = choose(tree.context(), file, rewritten);
  if (!entry.ok()) return entry.errors();
  const auto reached = functions_reached(*entry);
  if (Diagnostics errors = collector.within(reached); !errors.empty()) return errors;
  if (has_launches && is_kernel(*entry))
    if (const auto added = add_launches_of_host(*entry, file, rewritten, in, choose, *directives); !added.ok())
      return added.errors();
  Program program;
  program.source = std::move(file);
  program.directives = std::move(*directives);
  program.flags = in.flags;
  program.headers = headers_read(tree.context());
  program.is_kernel = is_kernel(*entry);
  program.launch_bounds = launch_bounds_of(*entry);
  const UserFiles files(rewritten);
  Lowering lowering(tree.context(), files, program);
  lowering.run(*entry);
  if (!lowering.diagnostics().empty()) return lowering.diagnostics();
  if (Diagnostics errors = keep_narrow(program); !errors.empty()) return errors;
  if (has_host_code) {
    program.host_code = lines_including(program.source.text(), missing_headers(program.source.text(), in));
    for (const clang::Decl* d : declarations_besides(tree.context(), reached))
      program.host_code.push_back(lowering.range_of(d->getSourceRange()));
  }
  return program;
}

}  // namespace

Result<SourceText> read_source(const std::string& path) {
  const bool is_stdin = path == "-";
  std::error_code code;
  Diagnostic d;
  d.path = shown_path(path);
  if (std::filesystem::is_directory(path, code)) d.message = "is a directory";
  std::ifstream file;
  if (!is_stdin) file.open(path, std::ios::binary);
  std::istream& in = is_stdin ? std::cin : file;
  if (d.message.empty() && !in) d.message = std::filesystem::exists(path, code) ? "cannot be read" : "no such file";
  if (!d.message.empty()) return d;
  std::string read;
  for (std::array<char, 1 << 14> piece; read.size() <= kMostSourceBytes && in;) {
    in.read(piece.data(), piece.size());
    read.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (read.size() > kMostSourceBytes) {
    d.message = fmt::format("is longer than {} bytes", kMostSourceBytes);
    return d;
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (read.starts_with(kByteOrderMark)) read.erase(0, kByteOrderMark.size());
  return SourceText(shown_path(path), std::move(read));
}

std::string desugar(const std::string& text) { return rewrite_source(text).text; }

Result<Program> parse_kernel(SourceText file, const std::string& kernel_name, const std::string& include_folder,
                             const CompileFlags& flags) {
  const std::string folder = std::filesystem::path(file.path()).parent_path().string();
  Surroundings in{include_folder, flags, Around::kNothing, folder};
  if (is_whole_program(file.text(), in)) in.around = Around::kHostCode;
  auto kernel =
      parse(std::move(file), in,
            [&](const clang::ASTContext& context, const SourceText& source, const RewrittenSource& rewritten) {
              return choose_kernel(context, source, rewritten, kernel_name);
            });
  // Of a kernel that is to be emitted; one that is verified as it is may be compiled with flags that allow them.
  if (kernel.ok() && !kernel->holes.empty() && !kernel->host_calls.empty()) return kernel->host_calls;
  return kernel;
}

Result<Program> parse_spec(SourceText file, const std::string& kernel_name, const CompileFlags& flags,
                           const std::string& named) {
  const std::string folder = std::filesystem::path(file.path()).parent_path().string();
  Surroundings in{folder.empty() ? "." : folder, flags, Around::kNothing, folder};
  if (has_kernel(file.text()) || !missing_headers(file.text(), in).empty()) in.around = Around::kHostCode;
  const auto parsed = [&] {
    return parse(file, in,
                 [&](const clang::ASTContext& context, const SourceText& source, const RewrittenSource& rewritten) {
                   return choose_spec(context, source, rewritten, kernel_name, named);
                 });
  };
  auto spec = parsed();
  if (contains_word(file.text(), kArchitecture) && !(spec.ok() && spec->is_kernel)) {  // it is code of the host
    in.flags.macros.push_back(std::string("U") + kArchitecture);
    spec = parsed();
  }
  if (spec.ok() && !spec->holes.empty()) return make_error(spec->source, spec->holes[0].range, "a spec has no holes");
  return spec;
}

}  // namespace swizzle
