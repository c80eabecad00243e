#include "frontend/parse_check.h"

#include <algorithm>
#include <set>
#include <utility>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/check_unit.h"
#include "frontend/directive_parser.h"
#include "frontend/file_functions.h"
#include "frontend/host_launches.h"
#include "frontend/included_headers.h"
#include "frontend/integer_constants.h"
#include "frontend/kernel_names.h"
#include "frontend/lost_kernels.h"
#include "frontend/lowering.h"
#include "frontend/source_rewrite.h"
#include "frontend/stand_ins.h"
#include "frontend/text_nesting.h"
#include "frontend/unit_repair.h"
#include "frontend/unknown_words.h"

namespace swizzle {
namespace {

struct Kernels {
  std::vector<const clang::FunctionDecl*> functions;
  std::vector<const clang::FunctionDecl*> templates;  // which nothing instantiates
};

Kernels kernels_in(const std::vector<FunctionOrTemplate>& functions) {
  Kernels found;
  for (const FunctionOrTemplate& one : functions) {
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

std::string without_space(std::string text) {
  std::erase(text, ' ');
  return text;
}

class Checker {
  using Error = CheckErrors::Error;

 public:
  Checker(SourceText file, std::string kernel_name, const CompileFlags& flags, std::vector<std::string> instances)
      : file_(std::move(file)),
        kernel_name_(std::move(kernel_name)),
        instances_(std::move(instances)),
        rewritten_(rewrite_launches(file_.text())),
        unit_(flags),
        files_(rewritten_),
        repair_(unit_, rewritten_) {}

  Result<ParsedKernels> run() {
    std::string appended;
    if (const std::size_t at = kernel_name_.find('<'); at != std::string::npos) appended = instance(kernel_name_);
    const bool is_told = !appended.empty();
    for (const std::string& name : instances_) {
      const std::string head = name.substr(0, name.find('<'));
      if (file_.text().find(head.substr(head.rfind(':') + 1)) != std::string::npos) appended += instance(name);
    }
    std::string text = rewritten_.text + appended;
    unit_.parse(text, file_.path());
    if (!unit_.is_parsed()) return make_error(fmt::format("clang could not parse '{}'", file_.path()));
    if (!unit_.is_whole()) return cut_off(unit_.errors().found.back());
    auto directives = parse_directives_in_comments(file_, integer_constants(unit_.context()));
    if (!directives.ok()) return directives.errors();
    directives_ = std::move(*directives);
    unknown_.replace(unit_, rewritten_, file_, appended);
    text = rewritten_.text + appended;
    repair_.run(text, file_.path());
    if (!is_told && add_stand_ins(text)) repair_.run(text, file_.path());
    files_ = UserFiles::with_headers(rewritten_, unit_.headers(), unit_.context(), file_);
    place_what_is_left_out();
    return lowered();
  }

 private:
  Diagnostic cut_off(const Error& why) const {
    const std::uint32_t at = why.in_main ? rewritten_.original(why.begin) : 0;
    return make_error(file_, {at, at + (why.in_main ? why.length : 1)}, why.message);
  }

  // Offsets in headers go on behind those of the file.
  void place_what_is_left_out() {
    left_out_ = repair_.left_out();
    for (LeftOut& e : left_out_)
      if (const auto begin = files_.begin_of(std::exchange(e.path, {})))
        e.range = {e.range.begin + *begin, e.range.end + *begin};
  }

  static std::string instance(const std::string& name) {
    return fmt::format("\n;static auto $instance_{} = &{};\n", std::hash<std::string>{}(name), name);
  }

  bool is_wanted(const clang::FunctionDecl* f) const {
    const std::string wanted = without_space(kernel_name_);
    return wanted.empty() || wanted == f->getNameAsString() || wanted == f->getQualifiedNameAsString() ||
           wanted == without_space(spelled_name(f)) ||
           (wanted.find('<') != std::string::npos &&
            without_space(spelled_name(f)).starts_with(wanted.substr(0, wanted.size() - 1)));
  }

  // Host code's first: those that clang makes nothing of are taken back, and its pattern tells what it can.
  // Whether there are any.
  bool add_stand_ins(std::string& text) {
    for (const clang::FunctionDecl* f : kernels_in(functions_of_unit(unit_.context())).functions)
      told_.insert(spelled_name(f));
    auto [types, names] = fitting(
        text, [&](StandInTypes t) { return host_stand_ins(unit_.context(), HostTemplates::kUninstantiated, t); });
    for (std::size_t before = names.size() + 1; !names.empty() && names.size() < before;) {
      before = names.size();
      unit_.parse(text + instances(names), file_.path());
      const auto open = host_stand_ins(unit_.context(), HostTemplates::kWithoutBody, types);
      std::erase_if(names, [&](const std::string& n) { return std::find(open.begin(), open.end(), n) != open.end(); });
      if (names.empty()) unit_.parse(text, file_.path());
    }
    text += instances(names);
    has_stand_ins_ = !names.empty();
    names = fitting(text, [&](StandInTypes t) { return kernel_stand_ins(t); }).second;
    if (names.empty()) return has_stand_ins_;
    unit_.parse(text += instances(names), file_.path());
    return has_stand_ins_ = true;
  }

  std::vector<std::string> kernel_stand_ins(StandInTypes types) const {
    std::vector<std::string> names;
    auto numbers = launched_numbers(unit_.context());
    for (const clang::FunctionDecl* f : kernels_in(functions_of_file(unit_.context())).templates)
      if (const auto name = stand_in(f, types, numbers[f]); name && is_wanted(f)) names.push_back(*name);
    return names;
  }

  // Of the types that may stand for those of a template, the first of which clang says the least. The unit is as it was
  // if there are no names, else one with some of them.
  template <typename NamesFor>
  std::pair<StandInTypes, std::vector<std::string>> fitting(const std::string& text, NamesFor&& names_for) {
    std::vector<std::pair<StandInTypes, std::vector<std::string>>> all;
    for (const StandInTypes types : kAllStandInTypes)
      if (auto names = names_for(types); all.empty() || names != all.back().second)
        all.emplace_back(types, std::move(names));
    const std::size_t before = unit_.errors().found.size();
    std::size_t best = 0, least = SIZE_MAX;
    for (std::size_t i = 0; i < all.size() && all.size() > 1 && least > before; ++i) {
      unit_.parse(text + instances(all[i].second), file_.path());
      if (unit_.errors().found.size() < least) best = i, least = unit_.errors().found.size();
    }
    return std::move(all[best]);
  }

  static std::string instances(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += instance(name);
    return text;
  }

  bool is_stand_in(const clang::FunctionDecl* f) const {
    return has_stand_ins_ && f->getPrimaryTemplate() != nullptr && !told_.contains(spelled_name(f));
  }

  // With a number that nobody gave, what clang does not understand of it may be understood with another; and where
  // nothing tells how it is launched, nothing tells of the number.
  bool is_unfit(const clang::FunctionDecl* f, const LaunchesInFile& launches) const {
    if (!is_stand_in(f) || !has_invented_number(f)) return false;
    if (launches_of(f, launches).empty() && !launch_bounds_of(f)) return true;
    const SourceRange range = declared_range(f);
    const auto holds = [&](std::uint32_t at) { return range.begin <= at && at < range.end; };
    const auto& errors = unit_.errors().found;
    return std::any_of(
               errors.begin(), errors.end(),
               [&](const Error& e) { return e.in_instance && e.in_main && holds(rewritten_.original(e.begin)); }) ||
           std::any_of(left_out_.begin(), left_out_.end(), [&](const LeftOut& e) { return holds(e.range.begin); });
  }

  std::uint32_t offset_of(const clang::SourceManager& sources, clang::SourceLocation at) const {
    return files_.original(sources, sources.getExpansionLoc(at));
  }

  SourceRange name_range(const clang::FunctionDecl* f) const {
    const std::uint32_t at = offset_of(f->getASTContext().getSourceManager(), f->getLocation());
    return {at, at + static_cast<std::uint32_t>(f->getNameAsString().size())};
  }

  Diagnostic open_template(const clang::FunctionDecl* f) const {
    return make_error(file_, name_range(f),
                      fmt::format("nothing here tells the template arguments of '{0}'; give them: --kernel '{0}<…>'",
                                  f->getNameAsString()));
  }

  // Of its headers, the kernels that it launches or instantiates; all, if it has none of its own. Those of libraries
  // are their makers' business.
  Kernels kernels_of_interest(const LaunchesInFile& launches) const {
    Kernels own = kernels_in(functions_of_file(unit_.context()));
    Kernels all = kernels_in(functions_of_files(unit_.context(), files_));
    const auto is_of_library = [&](const clang::FunctionDecl* f) {
      return kernel_name_.empty() && unit_.context().getSourceManager().isInSystemHeader(f->getLocation());
    };
    std::erase_if(all.functions, is_of_library);
    std::erase_if(all.templates, is_of_library);
    if (own.functions.empty() && own.templates.empty()) return all;
    std::erase_if(all.functions, [&](const clang::FunctionDecl* f) {
      return file_.is_in_header(name_range(f).begin) && f->getPrimaryTemplate() == nullptr &&
             !launches.contains(f->getCanonicalDecl());
    });
    all.templates = own.templates;
    return all;
  }

  Result<ParsedKernels> lowered() {
    ParsedKernels out;
    const LaunchesInFile launches = launches_in(unit_.context(), files_, repair_.lost_text());
    const Kernels kernels = kernels_of_interest(launches);
    std::set<std::string> unfit;
    for (const clang::FunctionDecl* f : kernels.functions)
      if (is_wanted(f) && !is_unfit(f, launches)) out.kernels.push_back(lower(f, launches));
      else if (is_wanted(f) && unfit.insert(f->getNameAsString()).second)
        out.left_out.push_back({f->getNameAsString(), open_template(f)});
    for (const clang::FunctionDecl* f : kernels.templates)
      if (is_wanted(f)) out.left_out.push_back({f->getNameAsString(), open_template(f)});
    add_what_is_lost(kernels, out.left_out);
    if (out.kernels.empty() && out.left_out.empty()) return no_kernel(kernels);
    std::stable_sort(out.kernels.begin(), out.kernels.end(),
                     [](const CheckedKernel& a, const CheckedKernel& b) { return start(a) < start(b); });
    out.source = file_;
    return out;
  }

  void add_what_is_lost(const Kernels& kernels, std::vector<KernelLeftOut>& left_out) const {
    std::vector<SourceRange> known;
    std::set<std::string> names;
    for (const auto* list : {&kernels.functions, &kernels.templates})
      for (const clang::FunctionDecl* f : *list) known.push_back(declared_range(f)), names.insert(f->getNameAsString());
    for (KernelLeftOut& lost : lost_kernels(file_, unit_, rewritten_, known, names))
      if (kernel_name_.empty() || kernel_name_.starts_with(lost.name)) left_out.push_back(std::move(lost));
  }

  SourceRange declared_range(const clang::FunctionDecl* f) const {
    const auto& sources = f->getASTContext().getSourceManager();
    return {offset_of(sources, f->getBeginLoc()), offset_of(sources, f->getEndLoc()) + 1};
  }

  static std::uint32_t start(const CheckedKernel& k) { return k.program.function(k.program.entry).range.begin; }

  Diagnostic no_kernel(const Kernels& kernels) const {
    std::string message = "there is no __global__ function here";
    std::set<std::string> names;
    for (const auto* list : {&kernels.functions, &kernels.templates})
      for (const clang::FunctionDecl* f : *list) names.insert(spelled_name(f));
    if (!names.empty())
      message = fmt::format("there is no kernel '{}' here; there are {}", kernel_name_, fmt::join(names, ", "));
    return make_error(file_, {0, 1}, std::move(message));
  }

  static std::vector<LaunchInFile> launches_of(const clang::FunctionDecl* f, const LaunchesInFile& launches) {
    const auto known = launches.find(f->getCanonicalDecl());
    if (known != launches.end()) return known->second;
    const auto* from = f->getPrimaryTemplate();
    const auto of_pattern =
        from != nullptr ? launches.find(from->getTemplatedDecl()->getCanonicalDecl()) : launches.end();
    std::vector<LaunchInFile> out = of_pattern != launches.end() ? of_pattern->second : std::vector<LaunchInFile>{};
    std::erase_if(out, [&](const LaunchInFile& launch) { return !may_be_of(f, launch.numbers); });
    return out;
  }

  CheckedKernel lower(const clang::FunctionDecl* f, const LaunchesInFile& launches) {
    CheckedKernel out;
    out.name = spelled_name(f);
    out.mangled = mangled_name(f);
    out.program.source = file_;
    out.program.directives = directives_;
    Lowering lowering(unit_.context(), files_, out.program, Purpose::kCheck);
    lowering.run(f);
    add_what_is_skipped(lowering, out.program.skipped);
    add_remarks(f, out.remarks);
    out.launches = launches_of(f, launches);
    out.launch_bounds = launch_bounds_of(f);
    return out;
  }

  void add_what_is_skipped(const Lowering& lowering, Diagnostics& skipped) {
    std::set<std::pair<std::string, int>> lines;
    for (const Diagnostic& d : skipped) lines.insert({d.path, d.where.line});
    std::vector<LeftOut> errors = left_out_;
    const auto& sources = unit_.context().getSourceManager();
    for (const Error& e : unit_.errors().found)
      if (files_.hold(sources, e.where)) {
        const std::uint32_t at = files_.original(sources, e.where);
        errors.push_back({{at, at + e.length}, e.message, {}});
      }
    for (const LeftOut& e : errors) {
      const bool inside = std::any_of(lowering.bodies().begin(), lowering.bodies().end(), [&](SourceRange body) {
        return body.begin <= e.range.begin && e.range.begin < body.end;
      });
      const Diagnostic d = make_diagnostic(Severity::kWarning, file_, e.range, e.message + ": not followed");
      if (inside && lines.insert({d.path, d.where.line}).second) skipped.push_back(d);
    }
    std::stable_sort(skipped.begin(), skipped.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.where.line < b.where.line; });
  }

  void add_remarks(const clang::FunctionDecl* f, Diagnostics& remarks) const {
    for (const std::string& header : unit_.unread())
      if (!is_covered(header)) remarks.push_back(unread(header));
    for (Diagnostic& remark : unknown_.remarks(file_, declared_range(f))) remarks.push_back(std::move(remark));
    if (is_stand_in(f))
      remarks.push_back(
          make_diagnostic(Severity::kWarning, file_, name_range(f),
                          fmt::format("nothing here instantiates this template: taken as {}", spelled_name(f))));
  }

  Diagnostic unread(const std::string& header) const {
    const auto at = static_cast<std::uint32_t>(file_.text().find(header));
    const SourceRange name{at, at + static_cast<std::uint32_t>(header.size())};
    if (name.begin != static_cast<std::uint32_t>(std::string::npos))
      return make_diagnostic(Severity::kWarning, file_, name, unread_text(header));
    if (auto in_header = unit_.unread_in_header(header)) return std::move(*in_header);
    Diagnostic d = make_error(unread_text(header));
    d.severity = Severity::kWarning;
    return d;
  }

  SourceText file_;
  std::string kernel_name_;
  std::vector<std::string> instances_;
  RewrittenSource rewritten_;
  Directives directives_;
  std::set<std::string> told_;  // instances that the file makes
  bool has_stand_ins_ = false;  // others
  UnknownWords unknown_;
  CheckUnit unit_;
  UserFiles files_;
  UnitRepair repair_;
  std::vector<LeftOut> left_out_;  // placed
};

}  // namespace

Result<ParsedKernels> parse_for_check(SourceText file, const std::string& kernel_name, const CompileFlags& flags,
                                      const std::vector<std::string>& instances) {
  if (auto error = nested_too_deeply(file)) return *std::move(error);
  return Checker(std::move(file), kernel_name, flags, instances).run();
}

}  // namespace swizzle
