#include "codegen/emit/emit.h"
#include "codegen/emit/alignment.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "codegen/emit/constant_arrays.h"
#include "codegen/emit/decided_conditions.h"
#include "codegen/emit/emit_support.h"
#include "codegen/emit/guard_groups.h"
#include "codegen/emit/hole_text.h"
#include "codegen/emit/register_choice.h"
#include "codegen/emit/user_comments.h"
#include "synth/base/source_edits.h"
#include "synth/base/text.h"
#include "synth/problem/extents.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

class Emitter {
 public:
  Emitter(const EmitInput& input, std::vector<SourceEdit> declarations)
      : input_(input),
        program_(input.sketch),
        context_{input.sketch,
                 input.completion,
                 input.hole_indexed,
                 input.points,
                 [this](ExprId id) { return text_of(id); },
                 [this](ExprId id, HoleId hole, const std::string& text) {
                   return apply({{program_.hole(hole).range, text}}, program_.expr(id).range);
                 }},
        choices_(context_),
        declarations_(std::move(declarations)) {}

  Result<std::string> run() {
    layouts();
    subscripts();
    helpers();
    for (SourceEdit& e : without_decided_conditions(program_, input_.completion)) edit(e.range, std::move(e.text));
    for (std::size_t h = 0; h < program_.holes.size(); ++h)
      if (!chooser_of(program_, HoleId(h))) edit_hole(HoleId(h));
    if (error_) return *error_;
    const GuardGroups guards(program_, input_.completion, [this](SourceRange range) { return apply(edits_, range); });
    for (const SourceEdit& e : guards.edits()) edit(e.range, e.text);
    for (std::size_t n = 0; n < program_.exprs.size(); ++n)
      if (program_.exprs[n].kind == ExprKind::kHole) choices_.unroll_around(ExprId(n));
    unused();
    pragmas();
    insertions();
    edits_.insert(edits_.begin(), declarations_.begin(), declarations_.end());
    fixed_sizes();
    fixed_instance();
    if (error_) return *error_;
    if (const auto aligned = alignment_edits(program_); !aligned.ok()) return aligned.errors();
    else edits_.insert(edits_.end(), aligned->begin(), aligned->end());
    std::string text;
    for (const std::string& line : lines_of(input_.header)) text += line.empty() ? "//\n" : "// " + line + "\n";
    text += "\n" + preamble(program_.flags, program_.source.text()) + type_comparison() + choices_.functions() +
            without_removed(edited(program_.source, edits_));
    return with_line_ends_of(program_.source.text(), text);
  }

 private:
  // The first edit of a place wins: what stands inside an edited range is part of that edit.
  void edit(SourceRange range, std::string text) {
    for (const SourceEdit& e : edits_)
      if (is_within(range, e.range)) return;
    std::erase_if(edits_, [&](const SourceEdit& e) { return is_within(e.range, range); });
    edits_.push_back({range, std::move(text)});
  }

  std::string apply(std::vector<SourceEdit> edits, SourceRange range) const {
    return edited(program_.source, range, std::move(edits));
  }

  // The text of an expression with the holes inside it filled in.
  std::string text_of(ExprId id) const {
    const SourceRange range = program_.expr(id).range;
    std::vector<SourceEdit> inner;
    for (const SourceEdit& e : edits_)
      if (is_within(e.range, range)) inner.push_back(e);
    for (std::size_t h = 0; h < program_.holes.size(); ++h) {
      const SourceRange r = program_.holes[h].range;
      const bool covered =
          std::any_of(inner.begin(), inner.end(), [&](const SourceEdit& e) { return is_within(r, e.range); });
      const std::optional<HoleId> chooser = chooser_of(program_, HoleId(h));
      const bool is_replaced = chooser && is_within(program_.hole(*chooser).range, range);
      if (covered || is_replaced || !is_within(r, range) || is_called(HoleId(h))) continue;
      const SourceEdit in_sum = hole_edit(HoleId(h));
      inner.push_back(in_sum.range.begin >= range.begin
                          ? in_sum
                          : SourceEdit{r, hole_in_context(program_, input_.completion, HoleId(h))});
    }
    return apply(inner, range);
  }

  const HoleTable& table(HoleId h) const { return input_.completion.tables[h.value]; }

  // `a + ?` becomes `a - 2` or `a` if the hole is a whole summand and no positive constant.
  SourceEdit hole_edit(HoleId h) const {
    const SourceRange range = program_.hole(h).range;
    const SourceEdit plain{range, hole_in_context(program_, input_.completion, h)};
    const IndexExpr& value = table(h).expression;
    if (!program_.hole(h).traits().is_constant() || !value.is_constant() || value.value > 0) return plain;
    const std::string& source = program_.source.text();
    const auto skip_back = [&](std::size_t at) {
      while (at > 0 && std::isspace(static_cast<unsigned char>(source[at - 1]))) --at;
      return at;
    };
    const std::size_t sign = skip_back(range.begin), after = source.find_first_not_of(" \t\n", range.end);
    if (sign == 0 || source[sign - 1] != '+' || after == std::string::npos ||
        std::string_view("),;]+-").find(source[after]) == std::string_view::npos)
      return plain;
    const std::size_t end = skip_back(sign - 1);
    const char left = end > 0 ? source[end - 1] : ' ';
    if (!std::isalnum(static_cast<unsigned char>(left)) && left != '_' && left != ')' && left != ']') return plain;
    const auto from = static_cast<std::uint32_t>(value.value == 0 ? end : sign - 1);
    return {{from, range.end}, value.value == 0 ? "" : fmt::format("- {}", -value.value)};
  }

  void edit_hole(HoleId h) {
    if (is_called(h)) return;
    const SourceEdit made = hole_edit(h);
    edit(made.range, made.text);
  }

  // `auto L = ?sw_layout(32, 32);` stays as a comment; what it decided stands at each use. What is passed to functions
  // becomes a function object.
  void layouts() {
    for (std::size_t l = 0; l < program_.layouts.size(); ++l) {
      const TileLayout& named = program_.layouts[l];
      const Layout& layout = input_.completion.placement->layouts[l].layout;
      const std::string& source = program_.source.text();
      const std::size_t next = source.find_first_not_of(" \t\r", named.declaration.end);
      const bool ends_line = next == std::string::npos || source[next] == '\n';
      const std::string text =
          fmt::format("{}(r, c) = {}: {} x {} elements in {}", named.name, layout.expression().print({"r", "c"}),
                      named.rows, named.columns, layout.size());
      const std::string comment = ends_line ? "// " + text : "/* " + text + " */";
      edit(named.declaration, named.is_passed ? function_object(named.name, layout) + "  " + comment : comment);
      for (const SourceRange size : named.sizes) edit(size, std::to_string(layout.size()));
    }
  }

  static std::string function_object(const std::string& name, const Layout& layout) {
    return fmt::format("struct {{ __device__ int operator()(int r, int c) const {{ return {}; }} }} {};",
                       layout.expression().print({"r", "c"}), name);
  }

  bool is_called(HoleId h) const {
    const LayoutId layout = program_.hole(h).layout;
    return layout.valid() && program_.layout(layout).is_passed;
  }

  void subscripts() {
    // Outermost first: rc[a][b] is one expression for the reader.
    std::vector<ExprId> sites;
    for (const auto& [id, length] : input_.hole_indexed) sites.push_back(id);
    std::sort(sites.begin(), sites.end(), [&](ExprId a, ExprId b) {
      const SourceRange x = program_.expr(a).range, y = program_.expr(b).range;
      return std::tuple(x.begin, y.end) < std::tuple(y.begin, x.end);
    });
    for (ExprId id : sites) {
      ExprId outer = id;
      for (std::size_t n = 0; n < program_.exprs.size(); ++n)  // …[hole][j]: the element, not the row
        if (program_.exprs[n].kind == ExprKind::kSubscript && program_.exprs[n].operands[0] == outer)
          outer = ExprId(n), n = 0;
      if (is_magic(outer)) continue;
      if (written_in_macro(outer))
        take_text(
            program_.expr(outer).range,
            make_error(
                program_.source, program_.expr(outer).range,
                "a hole decides this index, and the array stands in the body of a macro; write the subscript out"));
      else edit(program_.expr(outer).range, select_text(outer));
    }
    for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
      const Expr& e = program_.exprs[n];
      if (e.kind != ExprKind::kIntrinsic || e.intrinsic != Intrinsic::kShfl || !is_magic(e.operands[1])) continue;
      const Hole& lane = program_.hole(program_.expr(e.operands[2]).hole);
      edit(e.range, fmt::format("__shfl_sync(0xffffffffu, {}, {})", select_text(e.operands[1]),
                                table(program_.expr(e.operands[2]).hole).expression.print(lane.argument_texts)));
    }
  }

  // The parts of what a macro's body spells have the range of the macro's use.
  bool written_in_macro(ExprId id) const {
    const Expr& e = program_.expr(id);
    return program_.expr(e.operands[0]).range == e.range;
  }

  // The subscript that magic_get() stands for has the range of the whole call.
  bool is_magic(ExprId id) const {
    const Expr& e = program_.expr(id);
    if (e.kind != ExprKind::kSubscript) return false;
    const Expr& index = program_.expr(e.operands[1]);
    return index.kind == ExprKind::kHole && index.range == e.range;
  }

  std::string select_text(ExprId id) {
    ExprId root = id;
    while (program_.expr(root).kind == ExprKind::kSubscript) root = program_.expr(root).operands[0];
    return choices_.text(id, is_magic(id) ? magic_registers(id) : text_of(root));
  }

  std::string magic_registers(ExprId id) const {
    return std::string(program_.source.slice(program_.expr(program_.expr(id).operands[0]).range));
  }

  // Before the edits of what stands there.
  void insertions() {
    for (const auto& [offset, lines] : choices_.insertions()) edits_.insert(edits_.begin(), {{offset, offset}, lines});
  }

  void helpers() {
    const HelperContext context{program_, input_.posed, [this](ExprId id) { return text_of(id); },
                                [this](std::size_t buffer, SourceRange asked) { return extent_of(buffer, asked); }};
    for (const Stmt& s : program_.stmts) {
      if (s.kind != StmtKind::kDeclare || !s.expr.valid()) continue;
      const Expr& e = program_.expr(s.expr);
      if (e.kind != ExprKind::kIntrinsic) continue;
      if (e.intrinsic == Intrinsic::kLoad) take(s, load_text(context, s));
      if (e.intrinsic == Intrinsic::kCreateAccumulator) take(s, accumulator_text(context, s));
    }
    for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
      const Expr& e = program_.exprs[n];
      if (e.kind != ExprKind::kIntrinsic) continue;
      if (e.intrinsic == Intrinsic::kAccumulate) replace_statement(ExprId(n), accumulate_text(context, ExprId(n)));
      if (e.intrinsic == Intrinsic::kEvalAccumulator) edit(e.range, text_of(e.operands[0]));
      if (e.intrinsic == Intrinsic::kStore) {
        const auto text = store_text(context, ExprId(n));
        if (text.ok()) replace_statement(ExprId(n), *text);
        else take_text(e.range, text);
      }
    }
  }

  Result<std::string> extent_of(std::size_t buffer, SourceRange asked) {
    auto& known = extents_[buffer];
    if (!known) known = extent_text({program_, input_.spec, input_.posed}, buffer, asked);
    if (!known->ok()) return known->errors();
    return (*known)->text;
  }

  // Where a bound holds for some sizes alone, the kernel stops at others.
  void fixed_sizes() {
    Sizes fixed;
    for (const auto& [buffer, extent] : extents_)
      if (extent->ok()) fixed.insert((*extent)->fixed.begin(), (*extent)->fixed.end());
    for (const auto& [name, value] : fixed)
      at_start(fmt::format("if ({} != {}) __trap();  // completed for this size alone", name, value));
  }

  // What was completed is one instance of a template: the bounds, the types and the holes' values are its own.
  void fixed_instance() {
    std::vector<std::string> lines;
    for (const TemplateArgument& a : program_.function(program_.entry).instance) {
      if (a.parameter.empty()) continue;
      if (const std::string refusal = cannot_hold(a); !refusal.empty()) {
        error_ = Diagnostics{make_error(program_.source, program_.function(program_.entry).range, refusal)};
        return;
      }
      if (a.kind == TemplateArgument::Kind::kType && same_type_.empty()) same_type_ = choices_.fresh("same_type");
      const std::string holds = a.kind == TemplateArgument::Kind::kInteger
                                    ? fmt::format("{} == {}", a.parameter, a.value)
                                    : fmt::format("{}<{}, {}>::value", same_type_, a.parameter, a.value);
      lines.push_back(fmt::format("static_assert({}, \"this kernel was completed for {} = {} alone\");", holds,
                                  a.parameter, a.value));
    }
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) at_start(*line);
  }

  // Why no assertion holds the kernel to this argument; empty: one does.
  static std::string cannot_hold(const TemplateArgument& a) {
    if (a.kind == TemplateArgument::Kind::kUnnamed)
      return fmt::format(
          "the kernel is completed for {} = {} alone, and cannot say so, as that has no name here; declare it in front of the kernel, outside of functions",
          a.parameter, a.value);
    if (a.kind != TemplateArgument::Kind::kOther) return "";
    return fmt::format(
        "the kernel is completed for one '{}', and nothing can hold it to that; make it a type or an integer",
        a.parameter);
  }

  std::string type_comparison() const {
    if (same_type_.empty()) return "";
    return fmt::format(
        "template <typename A, typename B> struct {0} {{ static constexpr bool value = false; }};\n"
        "template <typename A> struct {0}<A, A> {{ static constexpr bool value = true; }};\n\n",
        same_type_);
  }

  // A line of its own in front of all that the kernel does.
  void at_start(const std::string& line) {
    const Stmt& body = program_.stmt(program_.function(program_.entry).body);
    const std::uint32_t begin = body.range.begin + 1;
    const std::string indent =
        body.body.empty() ? "  " : indentation(program_.source, program_.stmt(body.body[0]).range.begin);
    edits_.insert(edits_.begin(), {{begin, begin}, fmt::format("\n{}{}", indent.empty() ? "  " : indent, line)});
  }

  // In a block the text stands for the expression before `;`; alone under an `if` or a loop, or if it declares
  // something, it needs braces.
  void replace_statement(ExprId id, const std::string& text) {
    SourceRange range = program_.expr(id).range;
    bool in_block = false;
    for (const Stmt& block : program_.stmts)
      if (block.kind == StmtKind::kBlock)
        for (StmtId s : block.body) in_block |= program_.stmt(s).kind == StmtKind::kExpr && program_.stmt(s).expr == id;
    if (in_block && text.empty())
      return edit({range.begin, statement_end(program_.source, range)}, std::string(1, kRemoved));
    const bool declares = text.find("; ") != std::string::npos;
    if (in_block && !declares) return edit(range, text);
    range.end = statement_end(program_.source, range);
    edit(range, text.empty() ? "{}" : "{ " + text + "; }");
  }

  void take(const Stmt& s, Result<std::string> text) {
    const SourceRange declaration = program_.variable(s.variable).declaration;
    if (declaration.end == 0)
      error_ = Diagnostics{make_error(program_.source, s.range, "declare this variable in a statement of its own")};
    else take_text(declaration, std::move(text));
  }

  void take_text(SourceRange range, Result<std::string> text) {
    if (text.ok()) edit(range, *text);
    else if (!error_) error_ = text.errors();
  }

  // nvcc warns about variables that the completion leaves without a use.
  void unused() {
    for (const SoleUse& sole : program_.sole_uses) {
      const bool used = std::any_of(sole.holes.begin(), sole.holes.end(), [&](HoleId h) {
        return contains_word(printed(program_, input_.completion, h), sole.name);
      });
      if (!used) edit({sole.declared_at, sole.declared_at}, "[[maybe_unused]] ");
    }
  }

  // nvcc warns about pragmas that it does not know.
  void pragmas() {
    const Directives& d = program_.directives;
    std::vector<SourceRange> lines;
    if (d.launch) lines.push_back(d.launch->range);
    for (const auto* sizes : {&d.instances, &d.checks})
      for (const SizeLine& line : *sizes) lines.push_back(line.range);
    for (const Extent& e : d.extents) lines.push_back(e.range);
    for (const ElementRange& r : d.ranges) lines.push_back(r.range);
    for (const BitsName& name : d.bits) lines.push_back(name.line);
    if (d.machine && d.machine->range.end > 0) lines.push_back(d.machine->range);
    constexpr std::string_view kPragma = "pragma";
    for (const SourceRange line : lines) {
      if (!program_.source.slice(line).starts_with("#")) continue;  // a comment already, or read from host code
      const std::size_t word = program_.source.slice(line).find(kPragma);
      edit({line.begin, line.begin + static_cast<std::uint32_t>(word + kPragma.size())}, "//");
      join_lines(line);
    }
    for (SourceEdit& e : told_apart(program_.source, lines)) edit(e.range, std::move(e.text));
  }

  // A directive that goes on in the next line is a comment of one line. What ends with two backslashes is a word.
  void join_lines(SourceRange directive) {
    const std::string_view text = program_.source.slice(directive);
    for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
      const std::size_t end = text.find('\n', at);
      if (end == std::string_view::npos || text.find_first_not_of("\\\r", at) != end) continue;
      edit({directive.begin + static_cast<std::uint32_t>(at), directive.begin + static_cast<std::uint32_t>(end + 1)},
           text.substr(at).starts_with("\\\\") ? " " : "");
      at = end;
    }
  }

  const EmitInput& input_;
  const Program& program_;
  ChoiceContext context_;
  RegisterChoices choices_;
  std::vector<SourceEdit> declarations_;  // of arrays that stand for holes
  std::vector<SourceEdit> edits_;
  std::map<std::size_t, std::optional<Result<ExtentText>>> extents_;  // by parameter, of those that were asked about
  std::string same_type_;                                             // the name of what compares types, if it is used
  std::optional<Diagnostics> error_;
};

}  // namespace

Result<std::string> emit(const EmitInput& input) {
  const auto named = with_named_arrays(input.sketch, input.completion);
  if (!named) return Emitter(input, {}).run();
  return Emitter({named->sketch, named->completion, input.hole_indexed, input.points, input.spec, input.posed,
                  input.header},
                 named->declarations)
      .run();
}

}  // namespace swizzle
