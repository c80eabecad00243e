#include "driver/array_fixes.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr int kStaticSharedBytes = 48 * 1024;

// A shared array as its declaration and the uses of it stand in the file.
struct ArrayInFile {
  std::string name;
  SourceRange declared;     // the name
  SourceRange last_extent;  // what stands in the last brackets of the declaration
  int element_bytes = 4;
  std::int64_t row_elements = 0;  // that a row has: of a flat array, what its uses multiply the row by
  std::int64_t elements = 0;
  std::vector<SourceRange> pitches;  // flat: where the uses say how long a row is
  bool is_flat = false;
};

// Where `name` stands as a word, outside of comments and strings.
std::set<std::uint32_t> places_of_word(const std::string& text, const std::string& name) {
  std::set<std::uint32_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = skip_non_code(text, at);
    if (next != at) {
      at = next;
    } else if (is_of_word(text[at])) {
      std::size_t end = at;
      while (end < text.size() && is_of_word(text[end])) ++end;
      if (text.compare(at, end - at, name) == 0) found.insert(static_cast<std::uint32_t>(at));
      at = end;
    } else {
      ++at;
    }
  }
  return found;
}

// The brackets behind `at`: what stands in each. A bracket that does not close ends them.
std::vector<SourceRange> brackets_behind(const std::string& text, std::uint32_t at) {
  std::vector<SourceRange> found;
  while (true) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at >= text.size() || text[at] != '[') return found;
    const auto close = static_cast<std::uint32_t>(std::min(text.find(']', at), text.size()));
    found.push_back({at + 1, close});
    at = close + 1;
  }
}

std::string in_parentheses(std::string_view text) {
  const bool is_simple = std::all_of(text.begin(), text.end(), is_of_word);
  return is_simple ? std::string(text) : fmt::format("({})", text);
}

class UsesOfArray {
 public:
  UsesOfArray(const Program& program, VariableId variable) : program_(program), variable_(variable) {
    parents_.resize(program.exprs.size());
    for (std::uint32_t e = 0; e < program.exprs.size(); ++e)
      for (const ExprId operand : program.exprs[e].operands) parents_[operand.value].push_back(e);
  }

  // Nothing: something else may see where elements lie.
  std::optional<ArrayInFile> found() {
    const Variable& v = program_.variable(variable_);
    const SourceText& source = program_.source;
    if (v.is_extern || source.is_in_header(v.range.begin)) return std::nullopt;
    ArrayInFile out;
    out.name = v.name;
    out.declared = v.range;
    if (!read_shape(v, out) || !read_uses(out)) return std::nullopt;
    // Every place that names it is one of those.
    std::set<std::uint32_t> named = places_of_word(source.text(), v.name);
    std::erase_if(named, [&](std::uint32_t at) { return at <= v.range.begin || at > end_of_function(); });
    return named == places_ ? std::optional(out) : std::nullopt;
  }

 private:
  std::uint32_t end_of_function() const {
    std::uint32_t end = 0;
    for (const Stmt& s : program_.stmts)
      if (!program_.source.is_in_header(s.range.end)) end = std::max(end, s.range.end);
    return end;
  }

  bool read_shape(const Variable& v, ArrayInFile& out) {
    const Type* type = &program_.type(v.type);
    std::vector<std::int64_t> extents;
    for (; type->form == Type::Form::kArray; type = &program_.type(type->element)) extents.push_back(type->count);
    if (extents.empty() || std::count(extents.begin(), extents.end(), 0) > 0) return false;
    rank_ = extents.size();
    out.is_flat = rank_ == 1;
    out.element_bytes = type->size_bytes;
    out.row_elements = out.is_flat ? 0 : extents.back();
    out.elements = std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    const auto brackets = brackets_behind(program_.source.text(), v.range.end);
    if (brackets.size() != rank_) return false;
    out.last_extent = brackets.back();
    return out.element_bytes > 0;
  }

  // Each is an element, whose address nobody takes.
  bool read_uses(ArrayInFile& out) {
    bool any = false;
    for (std::uint32_t e = 0; e < program_.exprs.size(); ++e) {
      const Expr& use = program_.exprs[e];
      if (use.kind != ExprKind::kVariable || use.variable != variable_) continue;
      places_.insert(use.range.begin);
      std::uint32_t at = e;
      for (std::size_t level = 0; level < rank_; ++level) {
        if (parents_[at].size() != 1) return false;
        const std::uint32_t up = parents_[at][0];
        const Expr& parent = program_.exprs[up];
        const bool is_decay = parent.kind == ExprKind::kCast && program_.type(parent.type).form == Type::Form::kPointer;
        if (is_decay) {
          at = up;
          --level;
          continue;
        }
        if (parent.kind != ExprKind::kSubscript || parent.operands[0].value != at) return false;
        if (out.is_flat && !read_pitch(program_.expr(parent.operands[1]), out)) return false;
        at = up;
      }
      for (const std::uint32_t up : parents_[at])
        if (program_.exprs[up].kind == ExprKind::kAddressOf || program_.exprs[up].kind == ExprKind::kTouch ||
            program_.exprs[up].kind == ExprKind::kUnknown)
          return false;
      any = true;
    }
    return any && (!out.is_flat || out.row_elements > 1);
  }

  const Expr& without_casts(const Expr& e) const {
    return e.kind == ExprKind::kCast ? without_casts(program_.expr(e.operands[0])) : e;
  }

  void add_addends(const Expr& e, std::vector<const Expr*>& out) const {
    const Expr& sum = without_casts(e);
    if (sum.kind != ExprKind::kBinary || sum.op != Operator::kAdd) return out.push_back(&sum);
    for (const ExprId side : sum.operands) add_addends(program_.expr(side), out);
  }

  // r * C + c or c + r * C, the same C in all of them.
  bool read_pitch(const Expr& index, ArrayInFile& out) {
    std::vector<const Expr*> addends;
    add_addends(index, addends);
    for (const Expr* addend : addends) {
      const Expr& product = *addend;
      if (product.kind != ExprKind::kBinary || product.op != Operator::kMul) continue;
      for (const ExprId factor : product.operands) {
        const Expr& pitch = without_casts(program_.expr(factor));
        const bool is_other = out.row_elements != 0 && out.row_elements != pitch.int_value;
        if (pitch.kind != ExprKind::kIntLiteral || is_other || pitch.int_value <= 1) continue;
        if (program_.source.is_in_header(pitch.range.begin) || out.elements % pitch.int_value != 0) continue;
        out.row_elements = pitch.int_value;
        out.pitches.push_back(pitch.range);
        return true;
      }
    }
    return false;
  }

  const Program& program_;
  VariableId variable_;
  std::size_t rank_ = 0;
  std::vector<std::vector<std::uint32_t>> parents_;
  std::set<std::uint32_t> places_;
};

// The change that makes rows longer by `more` elements.
ArrayFix padded(const SourceText& source, const ArrayInFile& array, std::int64_t more) {
  ArrayFix fix;
  fix.array = array.name;
  fix.at = array.declared;
  fix.is_flat = array.is_flat;
  const std::string extent(source.slice(array.last_extent));
  if (array.is_flat) {
    const std::string pitch = in_parentheses(source.slice(array.pitches[0]));
    fix.edits.push_back(
        {array.last_extent, fmt::format("{} / {} * ({} + {})", in_parentheses(extent), pitch, pitch, more)});
    std::set<std::uint32_t> done;
    for (const SourceRange p : array.pitches)
      if (done.insert(p.begin).second)
        fix.edits.push_back({p, fmt::format("({} + {})", in_parentheses(source.slice(p)), more)});
  } else {
    fix.edits.push_back({array.last_extent, fmt::format("{} + {}", in_parentheses(extent), more)});
  }
  const SourceRange whole{array.declared.begin, array.last_extent.end + 1};
  fix.was = std::string(source.slice(whole));
  fix.is = edited(source, whole, {fix.edits[0]});
  return fix;
}

struct WavefrontSums {
  std::int64_t of_array = 0, ideal = 0;  // total, of the array
  std::int64_t excess = 0, others = 0;   // of the array, of all else
  std::size_t gaps = 0, remarks = 0;
};

WavefrontSums sums_of(const CheckReport& report, const std::string& kernel_name, const std::string& array) {
  WavefrontSums sums;
  sums.gaps = uncounted(report).size();
  for (const KernelCheck& kernel : report.kernels) {
    sums.remarks += kernel.trace.remarks.size();
    const bool is_its = kernel.name.substr(0, kernel.name.find('<')) == kernel_name;
    for (const AccessSite& site : kernel.trace.sites) {
      if (site.space != MemorySpace::kShared) continue;
      const bool is_here = is_its && site.array == array;
      if (is_here) {
        sums.of_array += site.total;
        sums.ideal += site.total_ideal;
        sums.excess += site.excess();
      } else {
        sums.others += site.excess();
      }
    }
  }
  return sums;
}

int widest_access_bytes(const CheckReport& report, const std::string& array, int element_bytes) {
  int widest = element_bytes;
  for (const KernelCheck& kernel : report.kernels)
    for (const AccessSite& site : kernel.trace.sites)
      if (site.space == MemorySpace::kShared && (site.array == array || site.array.empty()))
        widest = std::max(widest, site.bits / 8);
  return widest;
}

std::int64_t static_shared_bytes(const Program& program) {
  std::int64_t bytes = 0;
  for (const Variable& v : program.variables)
    if (v.is_shared && !v.is_extern) bytes += program.type(v.type).size_bytes;
  return bytes;
}

// The least that leaves fewest wavefronts.
std::optional<ArrayFix> best_pad(const CheckedFile& file, const CheckRequest& request, const CheckedKernel& kernel,
                                 const ArrayInFile& array) {
  const std::string kernel_name = kernel.name.substr(0, kernel.name.find('<'));
  const WavefrontSums before = sums_of(file.report, kernel_name, array.name);
  const int widest = widest_access_bytes(file.report, array.name, array.element_bytes);
  const std::int64_t unit = std::lcm(widest, array.element_bytes) / array.element_bytes;
  std::optional<ArrayFix> best;
  std::int64_t least = before.excess;
  for (const std::int64_t more : {unit, 2 * unit, 4 * unit, 8 * unit}) {
    const std::int64_t grown = array.elements / array.row_elements * more * array.element_bytes;
    if (least == 0 || static_shared_bytes(kernel.program) + grown > kStaticSharedBytes) break;
    ArrayFix fix = padded(kernel.program.source, array, more);
    CheckRequest changed = request;
    changed.text = edited(kernel.program.source, fix.edits);
    const auto checked = check_kernels(changed);
    if (!checked.ok()) continue;
    const WavefrontSums after = sums_of(checked->report, kernel_name, array.name);
    if (after.excess >= least || after.others > before.others || after.gaps > before.gaps ||
        after.remarks > before.remarks || after.ideal != before.ideal)
      continue;
    least = after.excess;
    fix.kernel = kernel.name;
    fix.wavefronts_before = before.of_array;
    fix.wavefronts_after = after.of_array;
    fix.ideal = after.ideal;
    best = std::move(fix);
  }
  return best;
}

}  // namespace

std::vector<ArrayFix> array_fixes(const CheckedFile& file, const CheckRequest& request) {
  std::set<std::pair<std::string, std::string>> conflicting;  // kernel, array
  for (const KernelCheck& kernel : file.report.kernels)
    for (const AccessSite& site : kernel.trace.sites)
      if (site.space == MemorySpace::kShared && site.excess() > 0) conflicting.insert({kernel.name, site.array});
  // Of a template, each instance has to allow it.
  std::map<std::uint32_t, std::optional<ArrayInFile>> arrays;
  std::map<std::uint32_t, const CheckedKernel*> first;
  for (const CheckedKernel& kernel : file.kernels)
    for (std::uint32_t v = 0; v < kernel.program.variables.size(); ++v) {
      const Variable& variable = kernel.program.variables[v];
      if (!variable.is_shared) continue;
      const auto found = UsesOfArray(kernel.program, VariableId{v}).found();
      const auto [at, is_new] = arrays.try_emplace(variable.range.begin, found);
      if (!found || (at->second && at->second->row_elements != found->row_elements && found->is_flat))
        at->second.reset();
      if (conflicting.contains({kernel.name, variable.name})) first.try_emplace(variable.range.begin, &kernel);
    }
  std::vector<ArrayFix> fixes;
  for (const auto& [place, kernel] : first)
    if (const auto& array = arrays[place])
      if (auto fix = best_pad(file, request, *kernel, *array)) fixes.push_back(std::move(*fix));
  return fixes;
}

std::string fixed_text(const CheckedFile& file, const std::vector<ArrayFix>& fixes) {
  std::vector<SourceEdit> edits;
  for (const ArrayFix& fix : fixes) edits.insert(edits.end(), fix.edits.begin(), fix.edits.end());
  return edited(file.report.source, edits);
}

}  // namespace swizzle
