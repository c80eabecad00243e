#include "frontend/parse_check.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend/added_instances.h"
#include "frontend/check_unit.h"
#include "frontend/directive_parser.h"
#include "frontend/file_functions.h"
#include "frontend/host_launches.h"
#include "frontend/included_headers.h"
#include "frontend/integer_constants.h"
#include "frontend/kernel_names.h"
#include "frontend/lost_kernels.h"
#include "frontend/lowering.h"
#include "frontend/prelude.h"
#include "frontend/source_rewrite.h"
#include "frontend/text_nesting.h"
#include "frontend/unit_repair.h"
#include "frontend/unknown_words.h"

namespace swizzle {
namespace {

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
        flags_(flags),
        instances_(std::move(instances)),
        rewritten_(rewrite_launches(file_.text())),
        unit_(flags),
        added_(unit_),
        files_(rewritten_),
        repair_(unit_, rewritten_) {}

  Result<ParsedKernels> run() {
    if (auto errors = read()) return *std::move(errors);
    if (names_architecture()) {
      read_as_host();
      if (host_ && add_instances_of_host()) {
        Checker again(SourceText(file_.path(), file_.text()), kernel_name_, flags_, instances_);
        again.host_ = std::move(host_);
        if (auto errors = again.read()) return *std::move(errors);
        return again.lowered();
      }
    }
    return lowered();
  }

 private:
  // Nothing: it is read.
  std::optional<Diagnostics> read() {
    std::string appended;
    if (const std::size_t at = kernel_name_.find('<'); at != std::string::npos) appended = instance_line(kernel_name_);
    const bool is_told = !appended.empty();
    for (const std::string& name : instances_) {
      const std::string head = name.substr(0, name.find('<'));
      if (file_.text().find(head.substr(head.rfind(':') + 1)) != std::string::npos) appended += instance_line(name);
    }
    std::string text = rewritten_.text + appended;
    unit_.parse(text, file_.path());
    if (!unit_.is_parsed()) return Diagnostics{make_error(fmt::format("clang could not parse '{}'", file_.path()))};
    if (!unit_.is_whole()) return Diagnostics{cut_off(unit_.errors().found.back())};
    auto directives = parse_directives_in_comments(file_, integer_constants(unit_.context()));
    if (!directives.ok()) return directives.errors();
    directives_ = std::move(*directives);
    unknown_.replace(unit_, rewritten_, file_, appended);
    text = rewritten_.text + appended;
    repair_.run(text, file_.path());
    if (!is_told && added_.add(text, file_.path(), [&](const auto* f) { return is_wanted(f); }))
      repair_.run(text, file_.path());
    files_ = UserFiles::with_headers(rewritten_, unit_.headers(), unit_.context(), file_);
    place_what_is_left_out();
    return std::nullopt;
  }

  // Compilers of the host do not define it, and what it decides may be how kernels are launched.
  bool names_architecture() const {
    const clang::SourceManager& sources = unit_.context().getSourceManager();
    const std::string folder = std::filesystem::path(file_.path()).parent_path().string();
    const auto is_near = [&](llvm::StringRef name) {
      return folder.empty() ? !name.starts_with("/") : name.starts_with(folder) && !name.starts_with(kPreludeFolder);
    };
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
      const auto text = file->second->getBufferIfLoaded();
      if (text && is_near(file->first.getName()) && text->getBuffer().contains(kArchitecture)) return true;
    }
    return false;
  }
  void read_as_host() {
    CompileFlags flags = flags_;
    flags.macros.push_back(std::string("U") + kArchitecture);
    host_ = std::make_unique<Checker>(SourceText(file_.path(), file_.text()), kernel_name_, flags, instances_);
    if (host_->read()) host_.reset();
  }
  // Those of kernels that only host code makes. Whether there are any.
  bool add_instances_of_host() {
    std::set<std::string> known;
    for (const clang::FunctionDecl* f : kernels_in(functions_of_unit(unit_.context())).functions)
      if (!added_.hold(f)) known.insert(spelled_name(f));
    const std::size_t before = instances_.size();
    for (const clang::FunctionDecl* f : kernels_in(functions_of_unit(host_->unit_.context())).functions)
      if (f->getPrimaryTemplate() != nullptr && known.insert(spelled_name(f)).second && !host_->added_.hold(f))
        instances_.push_back(spelled_name(f));
    return instances_.size() > before;
  }

  // Of this reading's kernels, as the host's has them.
  LaunchesInFile launches() {
    if (!host_) return launches_in(unit_.context(), files_, repair_.lost_text());
    std::map<std::array<std::string, 3>, const clang::Decl*> ours;
    const auto key = [](const clang::FunctionDecl* f) {  // as linkers know it: another definition may be the host's
      return std::array{f->getQualifiedNameAsString(), spelled_name(f), f->getType().getAsString()};
    };
    for (const Kernels& kernels = kernels_in(functions_of_files(unit_.context(), files_));
         const auto* list : {&kernels.functions, &kernels.templates})
      for (const clang::FunctionDecl* f : *list) {
        ours[key(f)] = f->getCanonicalDecl();
        if (const auto* from = f->getPrimaryTemplate())
          ours[key(from->getTemplatedDecl())] = from->getTemplatedDecl()->getCanonicalDecl();
      }
    LaunchesInFile out;
    for (auto& [kernel, all] : launches_in(host_->unit_.context(), host_->files_, host_->repair_.lost_text()))
      if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(kernel))
        if (const auto known = ours.find(key(f)); known != ours.end()) {
          for (LaunchInFile& launch : all)
            if (file_.is_in_header(launch.range.begin)) launch.range = name_range(f);
          out[known->second] = std::move(all);
        }
    return out;
  }

  // Of device code; null: nothing is.
  const LostText* lost() {
    if (!lost_) lost_.emplace(repair_.lost_text());
    return lost_->is_empty() ? nullptr : &*lost_;
  }

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

  bool is_wanted(const clang::FunctionDecl* f) const {
    const std::string wanted = without_space(kernel_name_);
    return wanted.empty() || wanted == f->getNameAsString() || wanted == f->getQualifiedNameAsString() ||
           wanted == without_space(spelled_name(f)) ||
           (wanted.find('<') != std::string::npos &&
            without_space(spelled_name(f)).starts_with(wanted.substr(0, wanted.size() - 1)));
  }

  // With a number that nobody gave, what clang does not understand of it may be understood with another; and where
  // nothing tells how it is launched, nothing tells of the number.
  bool is_unfit(const clang::FunctionDecl* f, const LaunchesInFile& launches) const {
    if (!added_.hold(f) || !has_invented_number(f)) return false;
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
    const LaunchesInFile launches = this->launches();
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
    Lowering lowering(unit_.context(), files_, out.program, Purpose::kCheck, lost());
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
    if (added_.hold(f))
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

  static constexpr const char* kArchitecture = "__CUDA_ARCH__";

  SourceText file_;
  std::string kernel_name_;
  CompileFlags flags_;
  std::vector<std::string> instances_;
  RewrittenSource rewritten_;
  Directives directives_;
  UnknownWords unknown_;
  CheckUnit unit_;
  AddedInstances added_;
  UserFiles files_;
  UnitRepair repair_;
  std::optional<LostText> lost_;
  std::vector<LeftOut> left_out_;  // placed
  std::unique_ptr<Checker> host_;  // the file as compilers of the host read it, where that is another text
};

}  // namespace

Result<ParsedKernels> parse_for_check(SourceText file, const std::string& kernel_name, const CompileFlags& flags,
                                      const std::vector<std::string>& instances) {
  if (auto error = nested_too_deeply(file)) return *std::move(error);
  return Checker(std::move(file), kernel_name, flags, instances).run();
}

}  // namespace swizzle
