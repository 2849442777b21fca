// SPDX-License-Identifier: MIT
// Modules that dense crowds need beside the paper's: headway, wall slide, directional security, yielding and squeezing
// (ALGORITHMS §1.14b, where each was measured alone).
#pragma once
#include <bit>
#include <cstdint>

#include "base/random.hpp"
#include "motion/reactive/surroundings.hpp"

namespace throng::reactive_rules {

/// People per square metre, from the mean distance of those seen within 3 m: in a triangular lattice of spacing a it is
/// 2 / (√3 a²).
THRONG_INLINE float local_density(const Surroundings& around) {
  float total = 0, count = 0;
  for (int at = 0; at < around.padded; at += kLanes) {
    const Lanes d = load(around.distance + at);
    const LaneMask is_near = d < 3;
    total += sum(select(is_near, d, lanes(0)));
    count += sum(select(is_near, lanes(1), lanes(0)));
  }
  if (total <= 0) return 0;
  const float mean = total / count;
  return 1.155f / (mean * mean);
}

// Tuned against Weidmann's fundamental diagram (RMS 0.20 m/s at width 0.5, 0.11 at 0.65, 0.07 at 1) and Kretz's doors (flow at
// 0.8 m: 1.47, 1.40 and 0.94 per second, measured 1.39–1.46); a later onset lets a sparse crowd walk freely.
inline constexpr float kHeadwayWidth = 0.74f;    ///< of contact: how far aside somebody still is ahead
inline constexpr float kHeadwayDensity = 0.85f;  ///< per m², below which nobody keeps time

/// Keeping time behind those who walk my way: the speed that leaves `time` seconds to the nearest one ahead. In a jam they stand;
/// `is_idle` tells those who stand because they want nothing, round whom one walks.
///
/// My way is within 32° of mine, and within 45° for somebody who has `waited` in a jam: before a door ways converge. With the
/// smaller angle alone the flow through a door of 1 m grew with the crowd behind it, to 4 /s before 500 people.
template <class IsIdle>
THRONG_INLINE float headway_speed(const Surroundings& around, Vec2f direction, float density, float waited, float time,
                                  IsIdle is_idle) {
  constexpr float kNobody = 1e30f, kBodyDepth = 0.4f;
  float ramp = (density - kHeadwayDensity) / 0.6f;
  ramp = ramp < 0 ? 0 : ramp > 1 ? 1 : ramp;
  const float t = time * ramp;
  if (t <= 0) return kNobody;
  const float aligned = waited > 0.3f ? 0.5f : 0.7225f;  // squared cosine
  float nearest = kNobody;
  for (int at = 0; at < around.padded; at += kLanes) {
    const Lanes dx = load(around.dx + at), dy = load(around.dy + at), vx = load(around.vx + at), vy = load(around.vy + at);
    const Lanes ahead = dx * direction.x + dy * direction.y, beside = direction.x * dy - direction.y * dx;
    const Lanes limit = kHeadwayWidth * load(around.contact + at), along = vx * direction.x + vy * direction.y;
    const LaneMask counts =
        (ahead > 0) & (beside < limit) & (beside > -limit) & (along >= 0) & (along * along >= aligned * (vx * vx + vy * vy));
    Lanes candidates = select(counts, ahead, lanes(kNobody));
    for (float first = least(candidates); first < nearest; first = least(candidates)) {
      int j = 0;
      while (candidates[j] != first) ++j;
      if (is_idle(around.row[at + j])) {
        candidates[j] = kNobody;
      } else {
        nearest = first;
      }
    }
  }
  if (nearest >= kNobody) return kNobody;
  return nearest > kBodyDepth ? (nearest - kBodyDepth) / t : 0;
}

/// Takes the part of a velocity that goes into a wall faster than its gap allows: gap / time.
THRONG_INLINE Vec2f slide_along_walls(const Surroundings& around, Vec2f velocity, float time) {
  for (int k = 0; k < around.walls; ++k) {
    const auto& wall = around.wall[k];
    const float into = dot(velocity, wall.normal), limit = wall.gap > 0 ? wall.gap / time : 0;
    if (into > limit) velocity = velocity - (into - limit) * wall.normal;
  }
  return velocity;
}

/// Nobody closes more than half of a gap in a step: each side of a pair takes its half, so nobody is run into. What others leave
/// free by walking away counts half. Projections, then, for what three rounds leave, braking.
THRONG_INLINE Vec2f secure(const Surroundings& around, Vec2f velocity, float dt) {
  struct Limit {
    Vec2f normal;
    float most;
  } limits[Surroundings::kMaxPeople + Surroundings::kMaxWalls];
  int count = 0;
  const float speed = length(velocity);
  const float rate = 0.5f / dt;
  for (int at = 0; at < around.padded; at += kLanes) {
    // Few are near enough: only these are looked at.
    for (unsigned near = bits(rate * (load(around.distance + at) - load(around.contact + at)) < speed); near != 0;
         near &= near - 1) {
      const int j = at + std::countr_zero(near);
      const float gap = around.gap(j);
      float most = gap > 0 ? rate * gap : 0;
      if (most >= speed) continue;
      const Vec2f n = around.normal(j);
      if (gap > 0) {
        const float leaving = dot(around.velocity(j), n);
        most += leaving > 0 ? 0.5f * leaving : 0;
      }
      limits[count++] = {n, most};
    }
  }
  for (int k = 0; k < around.walls; ++k) {
    const float most = around.wall[k].gap > 0 ? rate * around.wall[k].gap : 0;
    if (most < speed) limits[count++] = {around.wall[k].normal, most};
  }
  for (int sweep = 0; sweep < 3; ++sweep) {
    bool changed = false;
    for (int i = 0; i < count; ++i) {
      const float into = dot(velocity, limits[i].normal);
      if (into <= limits[i].most) continue;
      velocity = velocity - (into - limits[i].most) * limits[i].normal;
      changed = true;
    }
    if (!changed) return velocity;
  }
  float scale = 1;
  for (int i = 0; i < count; ++i) {
    const float into = dot(velocity, limits[i].normal);
    if (into > limits[i].most && into * scale > limits[i].most) scale = limits[i].most / into;
  }
  return scale * velocity;
}

/// Who goes first where people block each other: those who `press`, having got nowhere for long; then for some seconds those who
/// walk one way, then those who walk another, so that one side of a door gives way as a whole; among them a draw by number, so
/// that nobody loses for ever.
struct UrgeEpoch {
  explicit UrgeEpoch(std::uint64_t epoch) : salt(epoch * 0x9E3779B97F4A7C15u) {
    constexpr Vec2f kAxis[8] = {{1, 0}, {0.7f, 0.7f}, {0, 1}, {-0.7f, 0.7f}, {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}};
    axis = kAxis[mixed((epoch + 1) * 0x9E3779B97F4A7C15u) & 7];
  }
  std::uint32_t urge_of(std::uint32_t number, Vec2f wanted, bool presses) const {
    const bool is_first = dot(wanted, axis) > 0;
    return (presses ? 0x80000000u : 0u) | (is_first ? 0x40000000u : 0u) | (mixed((std::uint64_t{number} << 32) ^ salt) >> 2);
  }

 private:
  static std::uint32_t mixed(std::uint64_t h) {
    h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 29)) * 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>(h >> 32);
  }
  std::uint64_t salt;
  Vec2f axis;
};

/// Steps back, so fast, from somebody who wants to come through.
inline float yield_speed(float push, float gap) {
  float closeness = 1 - gap / 0.2f;
  closeness = closeness > 1 ? 1 : closeness;
  const float speed = push * closeness;
  return speed < 0.6f ? speed : 0.6f;
}

/// Seconds of waiting: grow while hardly moving, shrink at half the rate.
inline float wait_after(float wait, float speed, float preferred_speed, float dt) {
  wait += speed < 0.3f * preferred_speed ? dt : -0.5f * dt;
  return wait < 0 ? 0 : wait > 5 ? 5 : wait;
}

/// Shoulders turn in a jam: up to a tenth narrower, within half a second.
inline float body_after(float body, float radius, float wait, float dt) {
  float narrow = wait - 0.5f;
  narrow = narrow < 0 ? 0 : narrow > 1 ? 1 : narrow;
  const float target = radius * (1 - 0.1f * narrow);
  const float rate = dt / 0.5f;
  return body + (rate < 1 ? rate : 1) * (target - body);
}

}  // namespace throng::reactive_rules
