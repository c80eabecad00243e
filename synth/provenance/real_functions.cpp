#include "synth/provenance/real_functions.h"

#include <algorithm>

namespace swizzle {
namespace {

// Where it jumps, rounding would decide.
std::optional<double> stepped(double (*function)(double), double x) {
  if (std::abs(2 * x - std::round(2 * x)) < kRealTolerance) return std::nullopt;
  return function(x);
}

}  // namespace

bool are_apart(double a, double b) {
  return std::abs(a - b) > kRealTolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

std::optional<double> growing_function(Intrinsic kind, double x) {
  switch (kind) {
    case Intrinsic::kExp: return std::exp(x);
    case Intrinsic::kExp2: return std::exp2(x);
    case Intrinsic::kLog: return std::log(x);
    case Intrinsic::kLog2: return std::log2(x);
    case Intrinsic::kSqrt: return std::sqrt(x);
    case Intrinsic::kTanh: return std::tanh(x);
    default: return std::nullopt;
  }
}

std::optional<double> other_function(Intrinsic kind, double x) {
  switch (kind) {
    case Intrinsic::kAbs: return std::abs(x);
    case Intrinsic::kRsqrt: return 1 / std::sqrt(x);
    case Intrinsic::kSin: return std::sin(x);
    case Intrinsic::kCos: return std::cos(x);
    case Intrinsic::kErf: return std::erf(x);
    case Intrinsic::kSaturate: return std::clamp(x, 0.0, 1.0);
    case Intrinsic::kFloor: return stepped(std::floor, x);
    case Intrinsic::kCeil: return stepped(std::ceil, x);
    case Intrinsic::kRound: return stepped(std::round, x);
    case Intrinsic::kTrunc: return stepped(std::trunc, x);
    default: return std::nullopt;
  }
}

}  // namespace swizzle
