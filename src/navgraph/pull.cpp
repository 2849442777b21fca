// SPDX-License-Identifier: MIT
#include "navgraph/pull.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {
namespace {

/// Distances √(d² + ε²) have no kinks; the last ε costs less than a millimetre a gate.
constexpr std::array<double, 4> kSmoothing{0.3, 0.05, 0.01, 0.002};
constexpr int kMostSteps = 12;     ///< of Newton for each ε
constexpr double kSettled = 1e-4;  ///< metres a step still gains

/// The corners of the taut string, start and goal included.
void run_funnel(Vec2 start, Vec2 goal, std::span<const PullGate> gates, std::vector<PullScratch::Corner>& corners) {
  const std::size_t n = gates.size();
  const auto gate = [&](std::size_t i) { return i < n ? gates[i] : PullGate{goal, goal}; };
  corners.assign(1, {start, 0});
  Vec2 apex = start, l = start, r = start;
  std::size_t left_at = 0, right_at = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    const PullGate next = gate(i);
    if (cross(r - apex, next.right - apex) >= 0) {
      if (apex == r || cross(l - apex, next.right - apex) < 0) {
        r = next.right;
        right_at = i;
      } else {
        apex = r = l;
        i = right_at = left_at;
        corners.push_back({apex, i});
        continue;
      }
    }
    if (cross(l - apex, next.left - apex) <= 0) {
      if (apex == l || cross(r - apex, next.left - apex) > 0) {
        l = next.left;
        left_at = i;
      } else {
        apex = l = r;
        i = left_at = right_at;
        corners.push_back({apex, i});
        continue;
      }
    }
  }
  corners.push_back({goal, n});
}

double length_over(Vec2 start, Vec2 goal, const std::vector<Vec2>& crossings) {
  double sum = 0;
  Vec2 at = start;
  for (const Vec2 p : crossings) sum += distance(at, p), at = p;
  return sum + distance(at, goal);
}

/// Whether each gate lies behind the next few, as the funnel takes for granted. Gates farther apart have no disc in common.
bool are_in_order(std::span<const PullGate> gates) {
  constexpr std::size_t kAhead = 3;
  const auto ahead = [](const PullGate& line, Vec2 p) { return cross(line.right - line.left, p - line.left); };
  for (std::size_t i = 0; i < gates.size(); ++i)
    for (std::size_t k = i + 1; k < std::min(gates.size(), i + 1 + kAhead); ++k) {
      const PullGate &a = gates[i], &b = gates[k];
      if ((ahead(a, b.left) < 0 || ahead(a, b.right) < 0) && (ahead(b, a.left) > 0 || ahead(b, a.right) > 0)) return false;
    }
  return true;
}

/// Newton's method on the sum of smoothed distances over the gates' parameters. The sum is convex, its second derivatives form a
/// tridiagonal matrix, and parameters at an end of their gate that want to go further are held there.
class Relaxation {
 public:
  Relaxation(Vec2 start, Vec2 goal, std::span<const PullGate> gates, PullScratch& scratch)
      : start_(start),
        goal_(goal),
        gates_(gates),
        at_(scratch.at),
        step_(scratch.step),
        diagonal_(scratch.diagonal),
        upper_(scratch.upper),
        tried_(scratch.tried) {}

  void run(std::vector<Vec2>& crossings) {
    const std::size_t n = gates_.size();
    at_.resize(n), step_.resize(n), diagonal_.resize(n), upper_.resize(n), tried_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 d = gates_[i].right - gates_[i].left;
      at_[i] = dot(d, d) > 0 ? std::clamp(dot(crossings[i] - gates_[i].left, d) / dot(d, d), 0.0, 1.0) : 0.5;
    }
    for (const double epsilon : kSmoothing)
      for (int k = 0; k < kMostSteps && newton_step(epsilon) > kSettled; ++k) {
      }
    for (std::size_t i = 0; i < n; ++i) crossings[i] = point(at_, i);
  }

 private:
  Vec2 point(const std::vector<double>& t, std::size_t i) const {
    return i < gates_.size() ? gates_[i].left + t[i] * (gates_[i].right - gates_[i].left) : goal_;
  }
  double value(const std::vector<double>& t, double epsilon) const {
    double sum = 0;
    Vec2 before = start_;
    for (std::size_t i = 0; i <= gates_.size(); ++i) {
      const Vec2 here = point(t, i), d = here - before;
      sum += std::sqrt(dot(d, d) + epsilon * epsilon);
      before = here;
    }
    return sum;
  }

  /// What the step gained.
  double newton_step(double epsilon) {
    const std::size_t n = gates_.size();
    std::fill(step_.begin(), step_.end(), 0.0);  // holds the gradient first
    std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
    for (std::size_t leg = 0; leg <= n; ++leg) {
      const Vec2 a = leg == 0 ? start_ : point(at_, leg - 1), d = point(at_, leg) - a;
      const double l = std::sqrt(dot(d, d) + epsilon * epsilon);
      const Vec2 u = (1 / l) * d;
      const auto along = [&](std::size_t i) { return gates_[i].right - gates_[i].left; };
      const auto curve = [&](Vec2 p, Vec2 q) { return (dot(p, q) - dot(p, u) * dot(q, u)) / l; };
      if (leg > 0) {
        const Vec2 g = along(leg - 1);
        step_[leg - 1] -= dot(g, u);
        diagonal_[leg - 1] += curve(g, g);
        upper_[leg - 1] = leg < n ? -curve(g, along(leg)) : 0;
      }
      if (leg < n) {
        const Vec2 g = along(leg);
        step_[leg] += dot(g, u);
        diagonal_[leg] += curve(g, g);
      }
    }
    // Held parameters drop out of the system.
    for (std::size_t i = 0; i < n; ++i) {
      const bool held = (at_[i] <= 0 && step_[i] > 0) || (at_[i] >= 1 && step_[i] < 0);
      step_[i] = -step_[i];
      diagonal_[i] += 1e-9;
      if (!held) continue;
      step_[i] = 0;
      diagonal_[i] = 1;
      upper_[i] = 0;
      if (i > 0) upper_[i - 1] = 0;
    }
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = upper_[i - 1] / diagonal_[i - 1];
      diagonal_[i] = std::max(diagonal_[i] - factor * upper_[i - 1], 1e-9);
      step_[i] -= factor * step_[i - 1];
    }
    for (std::size_t i = n; i-- > 0;) step_[i] = (step_[i] - (i + 1 < n ? upper_[i] * step_[i + 1] : 0)) / diagonal_[i];
    const double before = value(at_, epsilon);
    for (double size = 1; size > 1e-3; size /= 3) {
      for (std::size_t i = 0; i < n; ++i) tried_[i] = std::clamp(at_[i] + size * step_[i], 0.0, 1.0);
      const double now = value(tried_, epsilon);
      if (now >= before) continue;
      at_.swap(tried_);
      return before - now;
    }
    return 0;
  }

  Vec2 start_, goal_;
  std::span<const PullGate> gates_;
  std::vector<double>&at_, &step_, &diagonal_, &upper_, &tried_;
};

}  // namespace

double pull_through(Vec2 start, Vec2 goal, std::span<const PullGate> gates, PullScratch& scratch, std::vector<Vec2>& crossings) {
  run_funnel(start, goal, gates, scratch.corners);
  crossings.resize(gates.size());
  const auto& corners = scratch.corners;
  bool clamped = false;
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    const Vec2 a = corners[k].point, b = corners[k + 1].point;
    const std::size_t first = k == 0 ? 0 : corners[k].gate;
    for (std::size_t i = first; i < corners[k + 1].gate; ++i) {
      const Vec2 d = gates[i].right - gates[i].left;
      const double denominator = cross(d, b - a);
      const double t = denominator != 0 ? cross(a - gates[i].left, b - a) / denominator : 0.5;
      clamped |= !(t > -1e-9 && t < 1 + 1e-9);
      crossings[i] = gates[i].left + (t > 0 ? std::min(t, 1.0) : 0.0) * d;
      if (k > 0 && i == corners[k].gate) crossings[i] = a;
    }
  }
  const double length = length_over(start, goal, crossings);
  if (!clamped && are_in_order(gates)) return length;
  scratch.taut = crossings;
  Relaxation(start, goal, gates, scratch).run(crossings);
  const double relaxed = length_over(start, goal, crossings);
  if (relaxed > length) crossings.swap(scratch.taut);
  return std::min(length, relaxed);
}

}  // namespace throng
