#include "synth/program/directives.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/program/size_parser.h"

namespace swizzle {
namespace {

// Numbers of 64 bits.
struct Numbers {
  using Value = std::int64_t;
  const Sizes& sizes;

  Value number(std::int64_t value) const { return value; }
  std::optional<Value> name(const std::string& word) const {
    const auto it = sizes.find(word);
    return it != sizes.end() ? std::optional(it->second) : std::nullopt;
  }
  std::variant<Value, const char*> apply(char op, Value lhs, Value rhs) const {
    if ((op == '/' || op == '%') && rhs == 0) return "division by zero";
    Value value = 0;
    bool overflows = false;
    switch (op) {
      case '<': return std::min(lhs, rhs);
      case '>': return std::max(lhs, rhs);
      case '+': overflows = __builtin_add_overflow(lhs, rhs, &value); break;
      case '-': overflows = __builtin_sub_overflow(lhs, rhs, &value); break;
      case '*': overflows = __builtin_mul_overflow(lhs, rhs, &value); break;
      default:
        overflows = lhs == INT64_MIN && rhs == -1;
        if (!overflows) value = op == '/' ? lhs / rhs : lhs % rhs;
    }
    if (overflows) return "the value does not fit in 64 bits";
    return value;
  }
};

}  // namespace

std::string sizes_text(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "the only size" : text;
}

std::string at_sizes(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{} {} = {}", text.empty() ? " at" : ",", name, value);
  return text;
}

Result<std::int64_t> evaluate(const SizeExpr& expr, const Sizes& sizes, const SourceText& source) {
  return SizeParser(expr, Numbers{sizes}, source).run();
}

Result<bool> holds(const Assumption& assumption, const Sizes& sizes, const SourceText& source) {
  const auto left = evaluate(assumption.left, sizes, source);
  if (!left.ok()) return left.errors();
  const auto right = evaluate(assumption.right, sizes, source);
  if (!right.ok()) return right.errors();
  const std::string& is = assumption.comparison;
  if (is == "==") return *left == *right;
  if (is == "!=") return *left != *right;
  if (is == "<") return *left < *right;
  if (is == "<=") return *left <= *right;
  return is == ">" ? *left > *right : *left >= *right;
}

std::string launch_obstacle(const LaunchShape& shape) {
  constexpr std::array kMostThreads{1024, 1024, 64},
      kMostBlocks{INT32_MAX, kMostBlocksAlongOthers, kMostBlocksAlongOthers};
  if (shape.threads_per_block() > kMostThreads[0])
    return fmt::format("a block of {} threads is more than the {} that there can be", shape.threads_per_block(),
                       kMostThreads[0]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto beyond = [&](int count, const char* what, int most) {
      return fmt::format("{} {} along {} are more than the {} that there can be", count, what, "xyz"[axis], most);
    };
    if (shape.block[axis] > kMostThreads[axis]) return beyond(shape.block[axis], "threads", kMostThreads[axis]);
    if (shape.grid[axis] > kMostBlocks[axis]) return beyond(shape.grid[axis], "blocks", kMostBlocks[axis]);
  }
  return "";
}

Result<LaunchShape> evaluate(const Launch& launch, const Sizes& sizes, const SourceText& source) {
  LaunchShape shape;
  const auto fill = [&](const std::vector<SizeExpr>& exprs, std::array<int, 3>& out,
                        std::int64_t most) -> std::optional<Diagnostics> {
    for (std::size_t i = 0; i < exprs.size() && i < 3; ++i) {
      const auto v = evaluate(exprs[i], sizes, source);
      if (!v.ok()) return v.errors();
      if (*v < 1 || *v > most)
        return Diagnostics{make_error(
            source, exprs[i].range,
            fmt::format("'{}' is {}{}, and must be between 1 and {}", exprs[i].text, *v, at_sizes(sizes), most))};
      out[i] = static_cast<int>(*v);
    }
    return std::nullopt;
  };
  if (auto errors = fill(launch.grid, shape.grid, 1 << 20)) return *errors;
  if (auto errors = fill(launch.block, shape.block, 1024)) return *errors;
  if (std::string obstacle = launch_obstacle(shape); !obstacle.empty())
    return make_error(source, launch.range, std::move(obstacle));
  return shape;
}

}  // namespace swizzle
