// SPDX-License-Identifier: MIT
#include "base/math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace throng {
namespace {

// ln 2 and π/2 as a first part with trailing zeros, so that small multiples of it are exact, and the rest.
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kQuarterHigh = 0x1.921fb54400000p+0, kQuarterMiddle = 0x1.0b4611a600000p-34, kQuarterLow = 0x1.3198a2e037073p-69;

/// 2^power for -1022 ≤ power ≤ 1023.
double power_of_two(int power) { return std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52); }

double normal_density(double x) {
  constexpr double kFactor = 0.3989422804014327;  // 1 / sqrt(2 π)
  return kFactor * exponential(-0.5 * x * x);
}

}  // namespace

double exponential(double x) {
  if (!(x > -708)) return x <= -708 ? 0 : x;  // NaN stays
  if (x > 709) return std::numeric_limits<double>::infinity();
  constexpr double kInverseLn2 = 1.4426950408889634;
  const double turns = std::floor(x * kInverseLn2 + 0.5);
  const double r = (x - turns * kLn2High) - turns * kLn2Low;  // |r| ≤ 0.347
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * r / n;
  const int power = static_cast<int>(turns);
  return power == 1024 ? 2 * sum * power_of_two(1023) : sum * power_of_two(power);
}

double logarithm(double x) {
  if (!(x >= std::numeric_limits<double>::min())) return -std::numeric_limits<double>::infinity();
  if (std::isinf(x)) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int power = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++power;
  }
  // ln m = 2 artanh s
  const double s = (m - 1) / (m + 1), z = s * s;  // |s| ≤ 0.172
  double sum = 0;
  for (int n = 23; n >= 3; n -= 2) sum = (sum + 1.0 / n) * z;
  return power * kLn2High + (2 * s + (2 * s * sum + power * kLn2Low));
}

SineCosine sine_cosine(double angle) {
  constexpr double kInverseQuarter = 0.6366197723675814;
  const double quarters = std::floor(angle * kInverseQuarter + 0.5);
  const double r = ((angle - quarters * kQuarterHigh) - quarters * kQuarterMiddle) - quarters * kQuarterLow;  // |r| ≤ π/4
  const double z = r * r;
  double sine = 1, cosine = 1;
  for (int n = 18; n >= 2; n -= 2) {
    cosine = 1 - cosine * z / (n * (n - 1));
    sine = 1 - sine * z / (n * (n + 1));
  }
  sine *= r;
  switch (static_cast<std::int64_t>(quarters) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

double normal_share(double x) {
  const double a = std::abs(x);
  if (a > 38) return x < 0 ? 0 : 1;
  double tail = 0;  // beyond a
  if (a < 4) {
    // Marsaglia 2004: Φ(a) = 1/2 + φ(a) (a + a³/3 + a⁵/(3·5) + …); all terms positive.
    double term = a, sum = a;
    for (int n = 3; term > 1e-17 * sum; n += 2) sum += term *= a * a / n;
    tail = 0.5 - normal_density(a) * sum;
  } else {
    // Laplace's continued fraction, which keeps its relative precision far out.
    double fraction = a;
    for (int n = 60; n >= 1; --n) fraction = a + n / fraction;
    tail = normal_density(a) / fraction;
  }
  return x < 0 ? tail : 1 - tail;
}

double normal_quantile(double share) {
  const double tail = share < 0.5 ? share : 1 - share;
  if (!(tail > 0)) return share < 0.5 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  // Hastings' approximation (Abramowitz & Stegun 26.2.23, error 4.5e-4), then Halley's steps, each of which triples the digits.
  const double t = std::sqrt(-2 * logarithm(tail));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int step = 0; step < 3; ++step) {
    const double density = normal_density(x);
    if (density <= 0) break;
    const double newton = (normal_share(x) - tail) / density;
    x -= newton / (1 + 0.5 * x * newton);
  }
  return share < 0.5 ? x : -x;
}

}  // namespace throng
