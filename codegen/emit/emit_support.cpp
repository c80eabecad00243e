#include "codegen/emit/emit_support.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/emit/index_signs.h"
#include "codegen/emit/lane_name.h"
#include "synth/base/text.h"
#include "synth/program/constant_assignments.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

std::string parenthesized(const std::string& text) {
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') return "(" + text + ")";
  return text;
}

// Parentheses around what binds less tightly than a sum.
std::string summand(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && std::string_view("?:<>=&|^,").find(c) != std::string_view::npos) return "(" + text + ")";
  }
  return text;
}

// a · b as the user wrote them, or the number if both are.
std::string product_text(const std::string& a, const std::string& b, std::int64_t value) {
  const auto is_number = [](const std::string& s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
  };
  if (is_number(a) && is_number(b)) return std::to_string(value);
  return a == "1" ? b : b == "1" ? a : fmt::format("{} * {}", parenthesized(a), parenthesized(b));
}

struct Chunk {
  std::string buffer, extent;  // element(r) of buffer, which has so many
  std::string unsigned_type;   // in which an index below 0 is past the end; empty: there is no such index
  std::string count;           // text of `registers`
  std::int64_t registers = 0;
  std::string offset, lane;
  std::int64_t slice = 0;
  std::string element(std::int64_t r) const {
    const std::int64_t base = r / slice * 32;
    if (slice == 1 && offset.ends_with(" - " + lane)) {  // i - lane + lane is i
      const std::string whole = offset.substr(0, offset.size() - lane.size() - 3);
      return base == 0 ? whole : fmt::format("{} + {}", whole, base);
    }
    std::string text = offset == "0" ? "" : offset + " + ";
    if (slice == 1) return base == 0 ? text + lane : text + fmt::format("{} + {}", base, lane);
    text += base == 0 ? fmt::format("{} * {}", lane, slice) : fmt::format("({} + {}) * {}", base, lane, slice);
    return r % slice == 0 ? text : text + fmt::format(" + {}", r % slice);
  }
  std::string guard(std::int64_t r) const {
    if (unsigned_type.empty()) return fmt::format("{} < {}", element(r), extent);
    if (extent.find('-') != std::string::npos)  // may be negative itself, at some size
      return fmt::format("0 <= {0} && {0} < {1}", element(r), extent);
    return fmt::format("{0}({1}) < {0}({2})", unsigned_type, element(r), extent);
  }
};

// The type of an offset as it is written; load() takes a long.
Scalar type_of_offset(const Program& p, ExprId offset) {
  const Expr& e = p.expr(offset);
  return p.type(p.expr(e.kind == ExprKind::kCast ? e.operands[0] : offset).type).scalar;
}

// Sums with an unsigned offset wrap around already.
std::string guarding_type(const HelperContext& context, ExprId offset, const std::string& extent) {
  const Program& p = context.program;
  const Scalar written = type_of_offset(p, offset);
  if (written == Scalar::kU32 || written == Scalar::kU64 || IndexSigns(p).is_never_negative(offset)) return "";
  const auto& parameters = p.function(p.entry).parameters;
  const bool is_wide = std::any_of(parameters.begin(), parameters.end(), [&](VariableId id) {
    const Type& type = p.type(p.variable(id).type);
    return type.form == Type::Form::kScalar && size_bytes(type.scalar) > 4 &&
           contains_word(extent, p.variable(id).name);
  });
  return is_wide || size_bytes(written) > 4 ? "size_t" : "unsigned";
}

Result<Chunk> chunk(const HelperContext& context, ExprId call) {
  const Program& p = context.program;
  const Expr& e = p.expr(call);
  const auto slice = constant_value(p, e.operands[2]), iterations = constant_value(p, e.operands[3]);
  if (!slice || !iterations)
    return make_error(p.source, e.range, "the slice and the iterations must be constants to be written out");
  const Expr* pointer = &p.expr(e.operands[0]);
  while (pointer->kind == ExprKind::kCast) pointer = &p.expr(pointer->operands[0]);
  const auto& parameters = p.function(p.entry).parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (pointer->kind != ExprKind::kVariable || pointer->variable != parameters[i]) continue;
    auto extent = context.extent_of(i, e.range);
    if (!extent.ok()) return extent.errors();
    Chunk c;
    c.buffer = context.text_of(e.operands[0]);
    c.extent = *extent;
    c.unsigned_type = guarding_type(context, e.operands[1], *extent);
    c.registers = *slice * *iterations;
    c.count = product_text(context.text_of(e.operands[2]), context.text_of(e.operands[3]), c.registers);
    c.slice = *slice;
    c.offset = summand(context.text_of(e.operands[1]));
    c.lane = lane_name(p, context.posed, call);
    return c;
  }
  return make_error(p.source, e.range, "the buffer must be a parameter of the kernel");
}

// A name that the file does not have.
std::string fresh_name(const Program& p, std::string name) {
  while (contains_word(p.source.text(), name)) name += '_';
  return name;
}

// How create_accumulator() says that values are combined.
struct Combination {
  AccumulatorOp op = AccumulatorOp::kIdentity;
  std::string function;  // kFunction: what is called
  std::string lambda;    // of which this is the name

  const char* symbol() const {
    static constexpr const char* kText[] = {"", "+", "*", "^", "&", "|"};
    return kText[static_cast<int>(op)];
  }
  std::string of(const std::string& a, const std::string& b) const {
    if (op == AccumulatorOp::kFunction) return fmt::format("{}({}, {})", function, a, b);
    return fmt::format("{} {} {}", a, symbol(), b);
  }
};

// `role`: 1, of tuples; 2, within a tuple.
Combination combination(const HelperContext& context, const Stmt& declaration, std::size_t role) {
  const Program& p = context.program;
  const ExprId by = p.expr(declaration.expr).operands[role];
  Combination out{static_cast<AccumulatorOp>(p.expr(by).int_value), context.text_of(by), ""};
  if (out.op != AccumulatorOp::kFunction || !out.function.starts_with('[')) return out;
  const std::string& name = p.variable(declaration.variable).name;
  const bool is_shared = p.expr(declaration.expr).operands[1] == p.expr(declaration.expr).operands[2];
  out.lambda = std::exchange(out.function, fresh_name(p, (is_shared || role == 1 ? "combine_" : "tuple_") + name));
  return out;
}

const Stmt& declaration_of(const Program& p, VariableId variable) {
  return *std::find_if(p.stmts.begin(), p.stmts.end(), [&](const Stmt& s) {
    return s.kind == StmtKind::kDeclare && s.variable == variable && s.expr.valid();
  });
}

// a ⊗ b ⊗ …, as a value of the type that is accumulated where that is narrower than what C computes.
std::string tuple_text(const HelperContext& context, const Expr& accumulate, const Combination& outer,
                       const Combination& inner) {
  const Program& p = context.program;
  const std::size_t first = kFirstElement, count = accumulate.operands.size() - first;
  const Type& type = p.type(p.expr(accumulate.operands[0]).type);
  const bool joins = count > 1 && inner.op != AccumulatorOp::kFunction;
  const auto element = [&](std::size_t i) {
    const std::string text = context.text_of(accumulate.operands[first + i]);
    return joins ? parenthesized(text) : text;
  };
  std::string tuple = element(0);
  for (std::size_t i = 1; i < count; ++i) tuple = inner.of(tuple, element(i));
  const bool is_widened =
      joins && outer.op == AccumulatorOp::kFunction && !is_real(type.scalar) && bit_width(type.scalar) < 32;
  return is_widened ? fmt::format("({})({})", type.spelling, tuple) : tuple;
}

}  // namespace

VariableId root_of(const Program& p, ExprId place) {
  const Expr* e = &p.expr(place);
  while (e->kind == ExprKind::kSubscript || e->kind == ExprKind::kMember || e->kind == ExprKind::kCast)
    e = &p.expr(e->operands[0]);
  return e->kind == ExprKind::kVariable ? e->variable : VariableId();
}

std::uint32_t statement_end(const SourceText& source, SourceRange statement) {
  const std::string& text = source.text();
  const char last = text[statement.end - 1];
  return last == '}' || last == ';' ? statement.end : static_cast<std::uint32_t>(text.find(';', statement.end) + 1);
}

std::string indentation(const SourceText& source, std::uint32_t offset) {
  const std::string_view line = source.line_of(offset);
  return std::string(line.substr(0, line.find_first_not_of(" \t")));
}

Result<std::string> load_text(const HelperContext& context, const Stmt& declaration) {
  const Program& p = context.program;
  const Expr& e = p.expr(declaration.expr);
  auto c = chunk(context, declaration.expr);
  if (!c.ok()) return c.errors();
  const Variable& v = p.variable(declaration.variable);
  const std::string indent = indentation(p.source, v.declaration.begin);
  std::string text = fmt::format("{} {}[{}];", p.type(p.type(e.type).element).spelling, v.name, c->count);
  for (std::int64_t r = 0; r < c->registers; ++r)
    text += fmt::format("\n{}if ({}) {}[{}] = {}[{}];", indent, c->guard(r), v.name, r, c->buffer, c->element(r));
  return text;
}

Result<std::string> store_text(const HelperContext& context, ExprId store) {
  const Program& p = context.program;
  const Expr& e = p.expr(store);
  auto c = chunk(context, store);
  if (!c.ok()) return c.errors();
  const std::string indent = indentation(p.source, e.range.begin), registers = context.text_of(e.operands[4]);
  std::string text;
  for (std::int64_t r = 0; r < c->registers; ++r)
    text += fmt::format("{}if ({}) {}[{}] = {}[{}]", r == 0 ? "" : ";\n" + indent, c->guard(r), c->buffer,
                        c->element(r), registers, r);
  return text;
}

Result<std::string> accumulator_text(const HelperContext& context, const Stmt& declaration) {
  const Program& p = context.program;
  const Variable& v = p.variable(declaration.variable);
  const bool is_used = std::any_of(p.exprs.begin(), p.exprs.end(), [&](const Expr& e) {
    return e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kAccumulate &&
           p.expr(e.operands[0]).variable == declaration.variable;
  });
  if (!is_used) return make_error(p.source, v.range, fmt::format("nothing is accumulated into '{}'", v.name));
  const std::string indent = indentation(p.source, v.declaration.begin);
  const Expr& made = p.expr(declaration.expr);
  std::string text;
  for (const std::size_t role : {1, 2}) {
    const Combination c = combination(context, declaration, role);
    if (!c.lambda.empty() && (role == 1 || made.operands[1] != made.operands[2]))
      text += fmt::format("const auto {} = {};\n{}", c.function, c.lambda, indent);
  }
  return text + fmt::format("{} {} = {};", p.type(v.type).spelling, v.name, context.text_of(made.operands[0]));
}

std::string accumulate_text(const HelperContext& context, ExprId accumulate) {
  const Program& p = context.program;
  const Expr& e = p.expr(accumulate);
  const Stmt& declaration = declaration_of(p, p.expr(e.operands[0]).variable);
  const Combination outer = combination(context, declaration, 1), inner = combination(context, declaration, 2);
  const std::string name = context.text_of(e.operands[0]), tuple = tuple_text(context, e, outer, inner);
  const auto update = [&](const std::string& term) {
    if (outer.op == AccumulatorOp::kFunction) return fmt::format("{} = {}", name, outer.of(name, term));
    return fmt::format("{} {}= {}", name, outer.symbol(), term);
  };
  const Expr& condition = p.expr(e.operands[1]);
  if (condition.kind == ExprKind::kIntLiteral && condition.int_value != 0) return update(tuple);
  const std::string c = context.text_of(e.operands[1]);
  if (c == "true") return update(tuple);
  const bool meets = p.expr(e.operands[2]).kind == ExprKind::kComma;
  if (!meets) return c == "false" ? "" : fmt::format("if ({}) {}", c, update(tuple));
  const std::string term = fresh_name(p, "term");
  return fmt::format("const {} {} = {}; if ({}) {}", p.type(p.expr(e.operands[0]).type).spelling, term, tuple, c,
                     update(term));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string without_removed(const std::string& text) {
  const auto is_blank = [](const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; };
  std::string kept;
  bool removed = false, after_blank = true;  // since the last line that is kept and not blank
  for (std::string line : lines_of(text)) {
    const std::size_t marks = std::erase(line, kRemoved);
    if (marks > 0 && is_blank(line)) {
      removed = true;
      continue;
    }
    if (removed && after_blank && is_blank(line)) continue;
    const std::size_t first = line.find_first_not_of(" \t");
    if (removed && after_blank && first != std::string::npos && line[first] == '}' && kept.ends_with("\n\n"))
      kept.pop_back();
    after_blank = is_blank(line) || line.ends_with('{');
    removed = removed && is_blank(line);
    kept += line + '\n';
  }
  return kept;
}

std::string with_line_ends_of(const std::string& source, const std::string& text) {
  std::size_t ends = 0, of_two = 0;
  for (std::size_t at = 0; at < source.size(); ++at) {
    ends += source[at] == '\n';
    of_two += source[at] == '\n' && at > 0 && source[at - 1] == '\r';
  }
  if (of_two == 0 || of_two != ends) return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n' && !out.ends_with('\r')) out += '\r';
    out += c;
  }
  return out;
}

}  // namespace swizzle
