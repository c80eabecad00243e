#include "codegen/emit/emit_support.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/emit/index_signs.h"
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

std::string lane_text(const HelperContext& context) {
  for (const Posed& p : context.posed)
    if (p.shape.block[1] * p.shape.block[2] > 1)
      return "int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32";
  return "int(threadIdx.x % 32)";
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

Result<Chunk> chunk(const HelperContext& context, const Expr& e) {
  const Program& p = context.program;
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
    c.lane = lane_text(context);
    return c;
  }
  return make_error(p.source, e.range, "the buffer must be a parameter of the kernel");
}

const char* operator_text(std::int64_t code) {
  static constexpr const char* kText[] = {"", "+", "*", "^", "&", "|"};
  return kText[code];
}

// Whether lanes meet in the expression (a shuffle, a vote, or a function that may have one): all must evaluate it.
bool is_collective(const Program& p, ExprId id) {
  const Expr& e = p.expr(id);
  if (e.kind == ExprKind::kCall || (e.kind == ExprKind::kIntrinsic && is_collective(lane_behavior(e.intrinsic))))
    return true;
  return std::any_of(e.operands.begin(), e.operands.end(), [&](ExprId operand) { return is_collective(p, operand); });
}

}  // namespace

std::string indentation(const SourceText& source, std::uint32_t offset) {
  const std::string_view line = source.line(source.locate(offset).line);
  return std::string(line.substr(0, line.find_first_not_of(" \t")));
}

bool contains_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

Result<std::string> load_text(const HelperContext& context, const Stmt& declaration) {
  const Program& p = context.program;
  const Expr& e = p.expr(declaration.expr);
  auto c = chunk(context, e);
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
  auto c = chunk(context, e);
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
  for (const Expr& e : p.exprs) {
    if (e.kind != ExprKind::kIntrinsic || e.intrinsic != Intrinsic::kAccumulate) continue;
    if (p.expr(e.operands[0]).kind != ExprKind::kVariable || p.expr(e.operands[0]).variable != declaration.variable)
      continue;
    const std::string initial = context.text_of(p.expr(declaration.expr).operands[0]);
    return fmt::format("{} {} = {};", p.type(p.expr(e.operands[2]).type).spelling, v.name, initial);
  }
  return make_error(p.source, v.range, fmt::format("nothing is accumulated into '{}'", v.name));
}

std::string accumulate_text(const HelperContext& context, ExprId accumulate) {
  const Program& p = context.program;
  const Expr& e = p.expr(accumulate);
  std::int64_t outer = 1, inner = 2;
  for (const Stmt& s : p.stmts)
    if (s.kind == StmtKind::kDeclare && s.variable == p.expr(e.operands[0]).variable && s.expr.valid()) {
      outer = p.expr(p.expr(s.expr).operands[1]).int_value;
      inner = p.expr(p.expr(s.expr).operands[2]).int_value;
    }
  std::string tuple;
  for (std::size_t i = 2; i < e.operands.size(); ++i)
    tuple += (i == 2 ? "" : fmt::format(" {} ", operator_text(inner))) +
             (e.operands.size() > 3 ? parenthesized(context.text_of(e.operands[i])) : context.text_of(e.operands[i]));
  const std::string update = fmt::format("{} {}= {}", context.text_of(e.operands[0]), operator_text(outer), tuple);
  const Expr& condition = p.expr(e.operands[1]);
  if (condition.kind == ExprKind::kIntLiteral && condition.int_value != 0) return update;
  const std::string c = context.text_of(e.operands[1]);
  if (c == "true") return update;
  const bool meets =
      std::any_of(e.operands.begin() + 2, e.operands.end(), [&](ExprId element) { return is_collective(p, element); });
  if (!meets) return c == "false" ? "" : fmt::format("if ({}) {}", c, update);
  std::string name = "term";
  while (p.source.text().find(name) != std::string::npos) name += '_';
  return fmt::format("const {} {} = {}; if ({}) {} {}= {}", p.type(p.expr(e.operands[2]).type).spelling, name, tuple, c,
                     context.text_of(e.operands[0]), operator_text(outer), name);
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
