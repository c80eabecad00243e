// What the functions of reals of math_table.inc need besides C's library, for the emulation.
//
//   rounded<float>(kDown, [](float a, float b) { return a + b; }, 1.0f, 1e-9f) == 1.0f
//   inverse_erf(erf(0.5)) == 0.5, sine_of_pi_times(1) == 0
//
// Accurate to some ulps of a double where |x| is moderate. Source: Abramowitz and Stegun, 7.1.14 and 9.6.10.
#pragma once

#include <fenv.h>
#include <math.h>

namespace swizzle_emulation {

constexpr int kDown = FE_DOWNWARD, kUp = FE_UPWARD, kTowardZero = FE_TOWARDZERO;

// f of the operands, computed as the direction says: volatile, so that nothing is computed before or behind.
template <typename R, typename F, typename... A>
inline R rounded(int direction, F f, A... operands) {
  const int before = fegetround();
  fesetround(direction);
  const volatile R result = [f](const volatile A&... x) { return R(f(A(x)...)); }(operands...);
  fesetround(before);
  return result;
}

inline double sine_of_pi_times(double x) {
  const double turns = fmod(x, 2.0);
  const double nearest = rint(turns * 2), rest = (turns - nearest / 2) * 3.14159265358979323846;
  switch ((int(nearest) % 4 + 4) % 4) {
    case 0: return sin(rest);
    case 1: return cos(rest);
    case 2: return -sin(rest);
    default: return -cos(rest);
  }
}

// exp(x²)·erfc(x): where erfc is tiny, by its continued fraction.
inline double scaled_erfc(double x) {
  if (x < 10) return exp(x * x) * erfc(x);
  double fraction = x;
  for (int k = 60; k > 0; --k) fraction = x + 0.5 * k / fraction;
  return 0.56418958354775628695 / fraction;
}

// The y of erfc(y) = x, by Newton's steps from between where it must lie.
inline double inverse_erfc(double x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0) return INFINITY;
  if (x == 2) return -INFINITY;
  if (x > 1) return -inverse_erfc(2 - x);
  double low = 0, high = 28, y = 0.5;
  for (int k = 0; k < 200; ++k) {
    const double miss = erfc(y) - x;
    (miss > 0 ? low : high) = y;
    const double step = miss * 0.88622692545275801365 * exp(y * y);
    const double next = y + step > low && y + step < high ? y + step : (low + high) / 2;
    if (next == y) break;
    y = next;
  }
  return y;
}

inline double inverse_erf(double x) {
  if (x < 0) return -inverse_erf(-x);
  if (x > 0.5) return inverse_erfc(1 - x);
  double y = x * 0.88622692545275801365;
  for (int k = 0; k < 20; ++k) y -= (erf(y) - x) * 0.88622692545275801365 * exp(y * y);
  return y;
}

// I of order 0 or 1, by its power series.
inline double modified_bessel(int order, double x) {
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 1000 && fabs(term) > fabs(sum) * 1e-18; ++k) {
    term *= x / 2 * (x / 2) / (double(k) * (k + order));
    sum += term;
  }
  return sum;
}

}  // namespace swizzle_emulation
