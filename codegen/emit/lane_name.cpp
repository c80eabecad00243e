#include "codegen/emit/lane_name.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "synth/program/initial_values.h"

namespace swizzle {
namespace {

constexpr int kWarpSize = 32;
constexpr int kLargestBlock = 1024;

using Block = std::array<int, 3>;

// Variables and the statements around them.
class Scopes {
 public:
  explicit Scopes(const Program& program) : program_(program), initial_(fixed_values(program)) {}

  // Those that are declared before `site` in the blocks around it, the last first, without those of a name that is
  // declared again.
  std::vector<VariableId> visible(ExprId site) const {
    std::vector<VariableId> declared, found;
    find(program_.function(program_.entry).body, site, declared);
    for (auto v = declared.rbegin(); v != declared.rend(); ++v)
      if (std::none_of(declared.rbegin(), v,
                       [&](VariableId later) { return program_.variable(later).name == program_.variable(*v).name; }))
        found.push_back(*v);
    return found;
  }

  // In thread `at` of a block; nothing if it depends on more, or may change.
  std::optional<std::int64_t> value(ExprId id, const Block& at, const Block& block) const;
  std::optional<ExprId> initial(VariableId v) const {
    const auto known = initial_.find(v);
    return known == initial_.end() ? std::nullopt : std::optional(known->second);
  }

 private:
  bool contains(ExprId from, ExprId site) const {
    const auto& operands = program_.expr(from).operands;
    return from == site ||
           std::any_of(operands.begin(), operands.end(), [&](ExprId operand) { return contains(operand, site); });
  }

  // `int a = 0, b = a;` is a block without braces.
  bool declares_only(const Stmt& s) const {
    return s.kind == StmtKind::kBlock && !program_.source.slice(s.range).starts_with('{');
  }

  bool find(StmtId id, ExprId site, std::vector<VariableId>& declared) const {
    if (!id.valid()) return false;
    const Stmt& s = program_.stmt(id);
    if (s.expr.valid() && contains(s.expr, site)) return true;
    if (s.kind == StmtKind::kDeclare) declared.push_back(s.variable);
    const std::size_t before = declared.size();
    for (StmtId inner : s.body)
      if (find(inner, site, declared)) return true;
    if (!declares_only(s)) declared.resize(before);
    return false;
  }

  const Program& program_;
  std::map<VariableId, ExprId> initial_;  // of those that nothing changes
};

std::optional<std::int64_t> Scopes::value(ExprId id, const Block& at, const Block& block) const {
  const Expr& e = program_.expr(id);
  const Type& type = program_.type(e.type);
  if (type.form != Type::Form::kScalar || is_real(type.scalar)) return std::nullopt;
  switch (e.kind) {
    case ExprKind::kIntLiteral: return e.int_value;
    case ExprKind::kBuiltin:
      if (e.builtin <= Builtin::kThreadIdxZ) return at[static_cast<std::size_t>(e.builtin)];
      if (e.builtin >= Builtin::kBlockDimX && e.builtin <= Builtin::kBlockDimZ)
        return block[static_cast<std::size_t>(e.builtin) - static_cast<std::size_t>(Builtin::kBlockDimX)];
      return e.builtin == Builtin::kWarpSize ? std::optional<std::int64_t>(kWarpSize) : std::nullopt;
    case ExprKind::kVariable: {
      const auto first = initial(e.variable);
      return first ? value(*first, at, block) : std::nullopt;
    }
    case ExprKind::kCast: {
      const auto v = value(e.operands[0], at, block);
      return v ? std::optional(wrap(type.scalar, *v)) : v;
    }
    case ExprKind::kBinary: {
      const auto a = value(e.operands[0], at, block), b = value(e.operands[1], at, block);
      bool defined = a && b && !is_comparison(e.op);
      const std::int64_t result = defined ? apply(e.op, type.scalar, *a, *b, defined) : 0;
      return defined ? std::optional(result) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

// All that a launch may have; nothing if they cannot be told.
std::vector<Block> blocks_of(const Program& program, const std::vector<Posed>& posed) {
  std::vector<Block> blocks;
  for (const Posed& p : posed) blocks.push_back(p.shape.block);
  const auto& launch = program.directives.launch;
  const bool grows = !launch || std::any_of(launch->block.begin(), launch->block.end(),
                                            [&](const SizeExpr& e) { return !evaluate(e, {}, program.source).ok(); });
  if (!grows) return blocks;
  if (!launch || launch->block.size() > 1) return {};
  return {{kLargestBlock, 1, 1}};
}

bool is_lane(const Scopes& scopes, ExprId value, const std::vector<Block>& blocks) {
  for (const Block& block : blocks)
    for (int thread = 0; thread < block[0] * block[1] * block[2]; ++thread) {
      const Block at{thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]};
      if (scopes.value(value, at, block) != thread % kWarpSize) return false;
    }
  return !blocks.empty();
}

}  // namespace

std::string lane_name(const Program& program, const std::vector<Posed>& posed, ExprId site) {
  const Scopes scopes(program);
  const std::vector<Block> blocks = blocks_of(program, posed);
  for (VariableId v : scopes.visible(site)) {
    const Type& type = program.type(program.variable(v).type);
    const auto initial = scopes.initial(v);
    if (!initial || type.form != Type::Form::kScalar || !is_lane(scopes, *initial, blocks)) continue;
    if (type.scalar == Scalar::kI32) return program.variable(v).name;
    if (size_bytes(type.scalar) == 4 && !is_real(type.scalar)) return fmt::format("int({})", program.variable(v).name);
  }
  const bool is_flat =
      std::all_of(posed.begin(), posed.end(), [](const Posed& p) { return p.shape.block[1] * p.shape.block[2] == 1; });
  return is_flat ? "int(threadIdx.x % 32)"
                 : "int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32";
}

}  // namespace swizzle
