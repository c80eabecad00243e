// Values in words, as a kernel might compute them: x[1] - x[2] * unsigned(x[0] < 3).
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"
#include "synth/provenance/casts.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::size_t kLongSum = 120;  // characters
constexpr int kMostParts = 200;        // of which it tells, again where they are shared

class Describer {
 public:
  Describer(const Provenance& provenance, const std::vector<std::string>& names)
      : provenance_(provenance),
        names_(names) {}

  std::string text(Value v) const {
    switch (v.kind) {
      case Value::Kind::kUndefined: return "undefined";
      case Value::Kind::kInt: return fmt::format("{}", v.bits);
      case Value::Kind::kReal: return fmt::format("{}", v.as_real());
      case Value::Kind::kPointer: return "a pointer";
      case Value::Kind::kNode: break;
    }
    if (left_ == 0) return "…";
    --left_;
    const Node& n = provenance_.node(v);
    switch (n.kind) {
      case Node::Kind::kInput: return fmt::format("{}[{}]", names_[n.tag], slot_text(provenance_, n.index(), names_));
      case Node::Kind::kBit:
        return fmt::format("bit {} of {}[{}]", n.index() % kMostBits, names_[n.tag], n.index() / kMostBits);
      case Node::Kind::kWord: return describe_word(provenance_, v, names_);
      case Node::Kind::kDeferred: return "a word that holes decide";
      case Node::Kind::kChoice: return "a hole's choice";
      case Node::Kind::kAppended: return text(n.children()[0]) + " and more";
      case Node::Kind::kOpaque: return function(n);
      case Node::Kind::kRing: return ring(n);
    }
    return "";
  }

 private:
  // Of an operand: what would be read otherwise beside an operator is in parentheses.
  std::string operand(Value v) const {
    return v.is_node() && provenance_.node(v).combines() ? fmt::format("({})", text(v)) : text(v);
  }

  std::string function(const Node& n) const {
    if (n.tag == kOpaqueUnwritten) return "what was never written";
    const auto child = [&](std::size_t i) { return operand(n.children()[i]); };
    if (n.tag == kOpaqueSelect) return fmt::format("({} ? {} : {})", child(0), child(1), child(2));
    if (n.tag < kOpaqueCast) {
      const std::string_view op = spelling(static_cast<Operator>(n.tag));
      if (n.children().size() == 1) return fmt::format("{}{}", op, child(0));
      return fmt::format("({} {} {})", child(0), op, child(1));
    }
    std::string operands;
    for (const Value& v : n.children()) operands += (operands.empty() ? "" : ", ") + text(v);
    const auto cast = cast_of(n.tag);
    if (cast) return fmt::format("{}({})", spelling(cast->to), without_parentheses(operands));
    const bool has_name = n.tag >= kOpaqueIntrinsic && n.tag < kOpaqueUnwritten;
    return fmt::format("{}({})", has_name ? name_of(static_cast<Intrinsic>(n.tag - kOpaqueIntrinsic)) : "f", operands);
  }

  // Of one comparison: unsigned(x[0] < 3).
  static std::string without_parentheses(const std::string& text) {
    if (!text.starts_with('(')) return text;
    std::size_t end = 0;
    for (int depth = 0; end < text.size(); ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    return end == text.size() - 1 ? text.substr(1, end - 1) : text;
  }

  std::string ring(const Node& n) const {
    static constexpr const char* kJoin[] = {" + ", " ^ ", " min ", " max ", " | "};
    std::string all;
    for (const Term& term : n.terms()) {
      const bool is_less = n.ring == Ring::kSum && size_of(n.scalar, term.coefficient) < 0;
      if (!all.empty()) all += is_less ? " - " : kJoin[static_cast<int>(n.ring)];
      else if (is_less) all += "-";
      if (all.size() > kLongSum) return all + "…";
      all += product(n, term);
    }
    return all.empty() ? "nothing" : all;
  }

  // Of a sum, without its sign.
  std::string product(const Node& n, const Term& term) const {
    if (term.factors.empty() && n.ring != Ring::kSum) return text(term.coefficient);
    const double size = std::abs(size_of(n.scalar, term.coefficient));
    const bool has_number = n.ring != Ring::kXor && (size != 1 || term.factors.empty());
    std::string all = has_number ? fmt::format("{}", size) : "";
    for (NodeId f : term.factors)
      all += (all.empty() ? "" : n.ring == Ring::kXor ? " & " : " * ") + operand(Value::node(f));
    const bool is_masked = n.ring == Ring::kXor && wrap(n.scalar, term.coefficient.bits) != wrap(n.scalar, -1);
    return is_masked ? fmt::format("{} & {}", all, term.coefficient.bits) : all;
  }

  // An integer that is nearer to 0 from below, as it is without a sign, is less than 0.
  static double size_of(Scalar s, Value coefficient) {
    if (is_real(s) || coefficient.is_real()) return coefficient.as_real();
    const double whole = std::ldexp(1.0, bit_width(s)), v = static_cast<double>(wrap(s, coefficient.bits));
    return v > whole / 2 ? v - whole : v;
  }

  const Provenance& provenance_;
  const std::vector<std::string>& names_;
  mutable int left_ = kMostParts;
};

}  // namespace

std::string Provenance::describe(Value v, const std::vector<std::string>& names) const {
  return Describer(*this, names).text(v);
}

}  // namespace swizzle
