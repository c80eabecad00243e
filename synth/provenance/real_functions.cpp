#include "synth/provenance/real_functions.h"

#include <algorithm>
#include <limits>

namespace swizzle {
namespace {

// Where it jumps, rounding would decide.
std::optional<double> stepped(double (*function)(double), double x) {
  if (std::abs(2 * x - std::round(2 * x)) < kRealTolerance) return std::nullopt;
  return function(x);
}

}  // namespace

bool are_apart(double a, double b, double tolerance) {
  return std::abs(a - b) > tolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

namespace {

constexpr double kUncertain = std::numeric_limits<double>::quiet_NaN();

// What a fast one approximates.
Intrinsic exact(Intrinsic kind) {
  switch (kind) {
    case Intrinsic::kFastExp: return Intrinsic::kExp;
    case Intrinsic::kFastExp10: return Intrinsic::kExp10;
    case Intrinsic::kFastLog: return Intrinsic::kLog;
    case Intrinsic::kFastLog2: return Intrinsic::kLog2;
    case Intrinsic::kFastLog10: return Intrinsic::kLog10;
    case Intrinsic::kFastSin: return Intrinsic::kSin;
    case Intrinsic::kFastCos: return Intrinsic::kCos;
    case Intrinsic::kFastTan: return Intrinsic::kTan;
    case Intrinsic::kFastTanh: return Intrinsic::kTanh;
    case Intrinsic::kFastPow: return Intrinsic::kPow;
    default: return kind;
  }
}

std::optional<double> function_of_one(Intrinsic kind, double x) {
  constexpr double kPi = 3.14159265358979323846;
  switch (kind) {
    case Intrinsic::kCbrt: return std::cbrt(x);
    case Intrinsic::kRcbrt: return 1 / std::cbrt(x);
    case Intrinsic::kExp10: return std::pow(10, x);
    case Intrinsic::kExpm1: return std::expm1(x);
    case Intrinsic::kLog10: return std::log10(x);
    case Intrinsic::kLog1p: return std::log1p(x);
    case Intrinsic::kTan: return std::tan(x);
    case Intrinsic::kAsin: return std::asin(x);
    case Intrinsic::kAcos: return std::acos(x);
    case Intrinsic::kAtan: return std::atan(x);
    case Intrinsic::kSinh: return std::sinh(x);
    case Intrinsic::kCosh: return std::cosh(x);
    case Intrinsic::kAsinh: return std::asinh(x);
    case Intrinsic::kAcosh: return std::acosh(x);
    case Intrinsic::kAtanh: return std::atanh(x);
    case Intrinsic::kSinpi: return std::sin(kPi * x);
    case Intrinsic::kCospi: return std::cos(kPi * x);
    case Intrinsic::kErfc: return std::erfc(x);
    case Intrinsic::kNormcdf: return std::erfc(-x / std::sqrt(2.0)) / 2;
    case Intrinsic::kTgamma: return std::tgamma(x);
    case Intrinsic::kFloor:
    case Intrinsic::kCeil:
    case Intrinsic::kRound:
    case Intrinsic::kTrunc: return kUncertain;  // other_function() does not say
    case Intrinsic::kRint: return stepped(std::rint, x).value_or(kUncertain);
    default: return std::nullopt;
  }
}

std::optional<double> function_of_two(Intrinsic kind, double x, double y) {
  switch (kind) {
    case Intrinsic::kPow: return std::pow(x, y);
    case Intrinsic::kAtan2: return std::atan2(x, y);
    case Intrinsic::kHypot: return std::hypot(x, y);
    case Intrinsic::kRhypot: return 1 / std::hypot(x, y);
    case Intrinsic::kFdim: return std::fdim(x, y);
    case Intrinsic::kCopysign: return std::copysign(x, y);
    case Intrinsic::kFmod: return stepped(std::trunc, x / y) ? std::fmod(x, y) : kUncertain;
    case Intrinsic::kRemainder: return stepped(std::round, x / y) ? std::remainder(x, y) : kUncertain;
    case Intrinsic::kFastDivide: return x / y;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<double> real_function(Intrinsic kind, std::span<const double> operands) {
  kind = exact(kind);
  if (operands.size() == 2) return function_of_two(kind, operands[0], operands[1]);
  if (operands.size() != 1) return std::nullopt;
  if (const auto growing = growing_function(kind, operands[0])) return growing;
  const auto other = other_function(kind, operands[0]);
  return other ? other : function_of_one(kind, operands[0]);
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

bool is_real_predicate(Intrinsic kind) {
  return kind == Intrinsic::kIsnan || kind == Intrinsic::kIsinf || kind == Intrinsic::kIsfinite ||
         kind == Intrinsic::kSignbit;
}

std::optional<bool> real_predicate(Intrinsic kind, double x) {
  switch (kind) {
    case Intrinsic::kIsnan: return std::isnan(x);
    case Intrinsic::kIsinf: return std::isinf(x);
    case Intrinsic::kIsfinite: return std::isfinite(x);
    case Intrinsic::kSignbit: return std::abs(x) < kRealTolerance ? std::nullopt : std::optional(std::signbit(x));
    default: return std::nullopt;
  }
}

}  // namespace swizzle
