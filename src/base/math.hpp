// SPDX-License-Identifier: MIT
// Transcendental functions by arithmetic alone: the same bits on every machine, which a C library does not promise (glibc picks
// other code on other CPUs). For random draws, which a run must be able to repeat anywhere; not for hot loops (10 to 300 ns).
//
// Each is a range reduction and a series summed to the last bit that matters; absolute error below 1e-14 for the bounded ones,
// relative error below 1e-14 for exponential and logarithm (tests/base/math_test.cpp holds them against libm).
#pragma once

namespace throng {

/// e^x; 0 below -708, infinity above 709.
double exponential(double x);
/// Natural logarithm of a positive number that is not subnormal; -infinity otherwise.
double logarithm(double x);

struct SineCosine {
  double sine, cosine;
};
/// Of an angle in radians, |angle| ≤ 1e5.
SineCosine sine_cosine(double angle);

/// Share of a standard normal distribution below x.
double normal_share(double x);
/// The x below which `share` of a standard normal distribution lies, 0 < share < 1.
double normal_quantile(double share);

}  // namespace throng
