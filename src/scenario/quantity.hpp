// SPDX-License-Identifier: MIT
// A number of a person that a scenario gives: the same for everybody, drawn from a distribution, or listed one by one.
#pragma once
#include <cstdint>
#include <vector>

namespace throng {

struct Quantity {
  enum class Form : std::uint8_t {
    kFixed,    ///< `low`
    kUniform,  ///< between `low` and `high`
    kNormal,   ///< `mean` ± `deviation`, what lies outside `low` … `high` cut off
    kChoices,  ///< one of `values`, each as often as `weights` say
    kList,     ///< person i gets values[i modulo size]
  };
  Form form = Form::kFixed;
  double low = 0, high = 0;
  double mean = 0, deviation = 0;
  std::vector<double> values, weights;

  static Quantity fixed(double value) { return {.low = value, .high = value}; }
  static Quantity uniform(double low, double high) { return {.form = Form::kUniform, .low = low, .high = high}; }
  static Quantity normal(double mean, double deviation, double low, double high) {
    return {.form = Form::kNormal, .low = low, .high = high, .mean = mean, .deviation = deviation};
  }

  /// Bounds of what can be drawn.
  double least() const;
  double most() const;
  /// The value of person number `index` for a uniform number in [0, 1): the inverse of the distribution function, so one number a
  /// draw, and equal numbers give equal draws on every machine.
  double draw(double unit, std::uint64_t index) const;

  friend bool operator==(const Quantity&, const Quantity&) = default;
};

}  // namespace throng
