#include "frontend/lost_kernels.h"

#include <algorithm>
#include <optional>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/kernel_text.h"
#include "frontend/unknown_macros.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

using Error = CheckErrors::Error;

bool holds(SourceRange range, std::uint32_t at) { return range.begin <= at && at < range.end; }

class LostKernels {
 public:
  LostKernels(const SourceText& file, const CheckUnit& unit, const RewrittenSource& rewritten,
              const std::vector<SourceRange>& known, const std::set<std::string>& names)
      : file_(file),
        unit_(unit),
        rewritten_(rewritten),
        known_(known),
        names_(names) {}

  std::vector<KernelLeftOut> run() {
    std::optional<std::set<std::uint32_t>> read;  // only where a kernel's text is not known
    for (const KernelText& text : kernel_texts(file_.text())) {
      if (std::ranges::any_of(known_, [&](SourceRange r) { return holds(r, text.name.begin); })) continue;
      if (const auto error = error_in(text.range)) {
        add(text.name, place_of(*error), error->message);
        continue;
      }
      if (!read) read = read_globals();
      if (read->contains(text.range.begin)) add(text.name, text.name, "clang makes nothing of this");
    }
    if (std::ranges::any_of(unit_.errors().found, &Error::in_main)) add_launched();
    return std::move(found_);
  }

 private:
  // Where clang's preprocessor met the word `__global__` in the file itself.
  std::set<std::uint32_t> read_globals() const {
    const clang::SourceManager& sources = unit_.context().getSourceManager();
    std::set<std::uint32_t> out;
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
      if (!entry.isExpansion()) continue;
      const clang::SourceLocation at = entry.getExpansion().getExpansionLocStart();
      if (!at.isFileID() || !sources.isInMainFile(at)) continue;
      const std::uint32_t original = rewritten_.original(sources.getFileOffset(at));
      if (std::string_view(file_.text()).substr(original).starts_with("__global__")) out.insert(original);
    }
    return out;
  }

  SourceRange place_of(const Error& e) const {
    return {rewritten_.original(e.begin), rewritten_.original(e.begin + e.length)};
  }
  std::optional<Error> error_in(SourceRange range) const {
    const auto& errors = unit_.errors().found;
    const auto error = std::ranges::find_if(
        errors, [&](const Error& e) { return e.in_main && holds(range, rewritten_.original(e.begin)); });
    return error == errors.end() ? std::nullopt : std::optional(*error);
  }

  void add(SourceRange name, SourceRange at, const std::string& why) {
    const std::string kernel(file_.slice(name));
    if (told_.insert(kernel).second)
      found_.push_back({kernel, make_error(file_, at, fmt::format("{}: the kernel '{}' is not counted", why, kernel))});
  }

  // Launched under a name that the file defines, where clang has an error, too: of others, another file has the kernel.
  void add_launched() {
    for (const SourceRange name : launched_names(file_.text())) {
      const std::string_view kernel = file_.slice(name);
      if (!names_.contains(std::string(kernel)) && is_defined_with_error(kernel))
        add(name, name, "no kernel of this name is understood here");
    }
  }

  bool is_defined_with_error(std::string_view kernel) const {
    const std::string& text = file_.text();
    for (std::size_t at = find_word(text, kernel); at != std::string::npos; at = find_word(text, kernel, at + 1))
      if (begins_definition(at + kernel.size()) && has_error_in_line_of(at)) return true;
    return false;
  }

  // `k(float* y) {`, or `KERNEL(k)(float* y) {`.
  bool begins_definition(std::size_t behind) const {
    const std::string& text = file_.text();
    std::size_t at = text.find_first_not_of(" \t\r\n", behind);
    if (at != std::string::npos && text[at] == ')') at = text.find_first_not_of(" \t\r\n", at + 1);
    const auto end = at != std::string::npos && text[at] == '(' ? parentheses_end(text, at) : std::nullopt;
    const std::size_t next = end ? text.find_first_not_of(" \t\r\n", *end) : std::string::npos;
    return next != std::string::npos && text[next] == '{';
  }

  bool has_error_in_line_of(std::size_t at) const {
    const int line = file_.locate(static_cast<std::uint32_t>(at)).line;
    return std::ranges::any_of(unit_.errors().found, [&](const Error& e) {
      return e.in_main && file_.locate(rewritten_.original(e.begin)).line == line;
    });
  }

  const SourceText& file_;
  const CheckUnit& unit_;
  const RewrittenSource& rewritten_;
  const std::vector<SourceRange>& known_;
  const std::set<std::string>& names_;
  std::set<std::string> told_;
  std::vector<KernelLeftOut> found_;
};

}  // namespace

std::vector<KernelLeftOut> lost_kernels(const SourceText& file, const CheckUnit& unit, const RewrittenSource& rewritten,
                                        const std::vector<SourceRange>& known, const std::set<std::string>& names) {
  return LostKernels(file, unit, rewritten, known, names).run();
}

}  // namespace swizzle
