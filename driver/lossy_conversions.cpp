#include "driver/lossy_conversions.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

namespace swizzle {
namespace {

class Conversions {
 public:
  explicit Conversions(const Program& program) : program_(program) {}

  Diagnostics run() && {
    for (const Expr& e : program_.exprs) {
      if (e.kind == ExprKind::kCast && e.operands.size() == 1) look_at_cast(e, program_.expr(e.operands[0]));
      if (e.kind == ExprKind::kAssign && e.compound) look_at_assignment(e);
    }
    Diagnostics warnings;
    for (auto& [begin, warning] : by_place_) warnings.push_back(std::move(warning));
    return warnings;
  }

 private:
  bool is_scalar(TypeId id) const {
    return id.valid() && program_.type(id).form == Type::Form::kScalar && program_.type(id).scalar != Scalar::kBool;
  }
  bool cuts(TypeId from, TypeId to) const {
    return is_scalar(from) && is_scalar(to) && is_real(program_.type(from).scalar) &&
           !is_real(program_.type(to).scalar);
  }
  bool rounds(TypeId from, TypeId to) const {
    return is_scalar(from) && is_scalar(to) && is_real(program_.type(from).scalar) &&
           is_real(program_.type(to).scalar) &&
           bit_width(program_.type(to).scalar) < bit_width(program_.type(from).scalar);
  }

  static bool is_constant(const Expr& e) {
    return e.kind == ExprKind::kIntLiteral || e.kind == ExprKind::kRealLiteral || e.kind == ExprKind::kUnary;
  }

  // One that is written takes more text than what it converts. A macro hides which it is.
  bool is_written(const Expr& cast, const Expr& operand) const {
    const std::string_view text = program_.source.slice(cast.range);
    const std::size_t name = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }) -
        text.begin());
    const bool may_be_macro = name > 0 && name < text.size() && text[name] == '(' && operand.kind != ExprKind::kCall &&
                              operand.kind != ExprKind::kIntrinsic;
    return !(cast.range == operand.range) || may_be_macro;
  }

  void look_at_cast(const Expr& cast, const Expr& operand) {
    if (is_constant(operand) || is_written(cast, operand)) return;
    const bool is_read = operand.kind != ExprKind::kBinary && operand.kind != ExprKind::kIntrinsic;
    if (cuts(operand.type, cast.type))
      warn(cast, fmt::format("what is behind the point is lost: '{}' becomes '{}' here; write a cast if that is meant",
                             name(operand.type), name(cast.type)));
    else if (is_read && rounds(operand.type, cast.type))
      warn(cast, fmt::format("digits are lost: '{}' becomes '{}' here; write a cast if that is meant",
                             name(operand.type), name(cast.type)));
  }

  void look_at_assignment(const Expr& e) {
    if (cuts(e.computation, e.type))
      warn(e, fmt::format("what is behind the point is lost: '{}=' is computed in '{}' and kept in '{}'; write a cast "
                          "if that is meant",
                          spelling(e.op), name(e.computation), name(e.type)));
  }

  void warn(const Expr& e, std::string message) {
    if (e.range.begin >= e.range.end) return;
    by_place_.try_emplace(e.range.begin,
                          make_diagnostic(Severity::kWarning, program_.source, e.range, std::move(message)));
  }

  const std::string& name(TypeId id) const { return program_.type(id).spelling; }

  const Program& program_;
  std::map<std::uint32_t, Diagnostic> by_place_;  // a template has several instances
};

}  // namespace

Diagnostics lossy_conversions(const Program& program) { return Conversions(program).run(); }

}  // namespace swizzle
