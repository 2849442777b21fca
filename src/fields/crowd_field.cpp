// SPDX-License-Identifier: MIT
#include "fields/crowd_field.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace throng {
namespace {

constexpr std::size_t kTileGrain = 2048, kPeopleGrain = 1024;
constexpr float kStanding = 0.1f;  // m/s: who is slower is expected nowhere else

/// base^(halves/2), by multiplication and square root alone.
float power(float base, int halves) {
  float product = (halves & 1) != 0 ? std::sqrt(base) : 1.0f;
  for (int i = halves / 2; i > 0; --i) product *= base;
  return product;
}

std::int32_t rounded(float value) { return static_cast<std::int32_t>(value + (value < 0 ? -0.5f : 0.5f)); }

template <bool kShared, class Number>
void increase(Number& sum, Number by) {
  if constexpr (kShared)
    std::atomic_ref<Number>(sum).fetch_add(by, std::memory_order_relaxed);
  else
    sum += by;
}

}  // namespace

void CrowdField::begin(const TileDomain& domain, const FieldSettings& settings) {
  domain_ = &domain;
  settings_ = settings;
  half_powers_ = std::clamp(rounded(2 * settings.density_exponent), 1, 16);
  const float size = domain.grid().size();
  scale_ = size > 1 ? 1 / (size * size) : 1;
  const std::size_t count = std::size_t{domain.size()} + 1;
  sums_.assign(count, {});
  predicted_.assign(count, 0);
  discomfort_.assign(count, 0);
  speed_factor_.assign(count, 1);
  blocked_.assign(count, 0);
  blocked_.back() = 1;
  density_.resize(count);
  velocity_.resize(count);
  speed_.resize(count);
  cost_.resize(count);
}

std::array<float, 4> CrowdField::weights(const Stencil& stencil) const {
  const float across = stencil.across, up = stencil.up;
  if (settings_.bilinear_density) return {(1 - across) * (1 - up), across * (1 - up), (1 - across) * up, across * up};
  const auto weight = [&](float x, float y) { return power(std::min(x, y), half_powers_); };
  return {weight(1 - across, 1 - up), weight(across, 1 - up), weight(1 - across, up), weight(across, up)};
}

template <bool kShared>
void CrowdField::add(const FieldPeople& people, std::uint32_t row) {
  const Stencil stencil = domain_->around(people.x[row], people.y[row], people.layer_of_cell[people.cell[row]]);
  if (stencil.tile[0] == domain_->ghost()) return;
  const std::array<float, 4> weight = weights(stencil);
  const std::int64_t vx = rounded(people.vx[row] * kVelocityUnits), vy = rounded(people.vy[row] * kVelocityUnits);
  for (int i = 0; i < 4; ++i) {
    if (stencil.tile[i] == domain_->ghost()) continue;  // what falls on walls is lost
    const std::int64_t part = rounded(weight[i] * kCounts);
    Sums& sums = sums_[stencil.tile[i]];
    increase<kShared>(sums.people, part);
    increase<kShared>(sums.momentum_x, part * vx);
    increase<kShared>(sums.momentum_y, part * vy);
  }
}

/// Where somebody will be in the next seconds, as far as the way stays on the ground: add(tile, counts).
template <class Add>
void CrowdField::expect(const FieldPeople& people, std::uint32_t row, Add&& add) const {
  const float vx = people.vx[row], vy = people.vy[row];
  if (vx * vx + vy * vy < kStanding * kStanding) return;
  const std::uint32_t layer = people.layer_of_cell[people.cell[row]];
  const float step = settings_.prediction_step, until = settings_.prediction_time;
  for (float time = step; time <= until; time += step) {
    const Stencil stencil = domain_->around(people.x[row] + time * vx, people.y[row] + time * vy, layer);
    if (stencil.tile[0] == domain_->ghost()) return;
    const std::array<float, 4> weight = weights(stencil);
    const float amount = kCounts * settings_.prediction_discomfort * (1 - time / (until + step));
    for (int i = 0; i < 4; ++i)
      if (stencil.tile[i] != domain_->ghost()) add(stencil.tile[i], rounded(weight[i] * amount));
  }
}

void CrowdField::add_people(const FieldPeople& people, TaskRunner& tasks) {
  const auto all = [&]<bool kShared>(std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      add<kShared>(people, static_cast<std::uint32_t>(row));
      if (settings_.prediction_time > 0)
        expect(people, static_cast<std::uint32_t>(row),
               [&](DomainTile t, std::int32_t amount) { increase<kShared>(predicted_[t], amount); });
    }
  };
  // Atomic sums cost three times as much as plain ones and give the same bits.
  if (tasks.worker_count() < 2 || people.x.size() <= kPeopleGrain) return all.operator()<false>(0, people.x.size());
  tasks.parallel_for(people.x.size(), kPeopleGrain,
                     [&](std::size_t begin, std::size_t end, unsigned) { all.operator()<true>(begin, end); });
}

/// The tiles whose centre is in a box that is wider by the margin all round.
template <class Visit>
void CrowdField::tiles_of(const GroundBox& box, float margin, Visit&& visit) const {
  const Grid& grid = domain_->grid();
  const float size = grid.size(), half_length = box.length / 2 + margin, half_width = box.width / 2 + margin;
  const float reach_x = std::abs(box.ahead.x) * half_length + std::abs(box.ahead.y) * half_width;
  const float reach_y = std::abs(box.ahead.y) * half_length + std::abs(box.ahead.x) * half_width;
  const auto centre_of = [&](float at) { return (std::floor(at / size) + 0.5f) * size; };
  for (float y = centre_of(box.middle.y - reach_y); y < box.middle.y + reach_y + size; y += size)
    for (float x = centre_of(box.middle.x - reach_x); x < box.middle.x + reach_x + size; x += size) {
      const Vec2f way = Vec2f{x, y} - box.middle;
      const float along = dot(way, box.ahead), aside = cross(box.ahead, way);
      if (std::abs(along) > half_length || std::abs(aside) > half_width) continue;
      const DomainTile t = domain_->number(grid.tile_at(x, y, box.layer));
      if (t != domain_->ghost()) visit(t, along);
    }
}

void CrowdField::add_zone(const DangerZone& zone) {
  const float length = std::max(zone.box.length, 1e-3f);
  tiles_of(zone.box, domain_->grid().size() / 2, [&](DomainTile t, float along) {
    const float share = std::clamp(along / length + 0.5f, 0.0f, 1.0f);
    discomfort_[t] = std::max(discomfort_[t], zone.near_discomfort + share * (zone.far_discomfort - zone.near_discomfort));
    speed_factor_[t] = std::max(speed_factor_[t], zone.speed_factor);
  });
}

void CrowdField::block(const GroundBox& box) {
  tiles_of(box, 0, [&](DomainTile t, float) { blocked_[t] = 1; });
  const DomainTile middle = domain_->number(domain_->grid().tile_at(box.middle.x, box.middle.y, box.layer));
  blocked_[middle] = 1;  // the ghost always is
}

void CrowdField::finish(TaskRunner& tasks) {
  tasks.parallel_for(sums_.size(), kTileGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t t = begin; t < end; ++t) {
      const Sums& sums = sums_[t];
      density_[t] = scale_ * kPerCount * static_cast<float>(sums.people);
      velocity_[t] = {};
      if (sums.people == 0) continue;
      const double per = 1.0 / (static_cast<double>(kVelocityUnits) * static_cast<double>(sums.people));
      velocity_[t] = {static_cast<float>(per * static_cast<double>(sums.momentum_x)),
                      static_cast<float>(per * static_cast<double>(sums.momentum_y))};
    }
  });
  find_crowding(tasks);
  tasks.parallel_for(domain_->size(), kTileGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t t = begin; t < end; ++t) find_speed(static_cast<DomainTile>(t));
  });
  speed_[domain_->ghost()].fill(0);
  cost_[domain_->ghost()].fill(kNoPotential);
}

/// From weights to people per m².
float CrowdField::per_area() const {
  const float size = domain_->grid().size(), lambda = 0.5f * static_cast<float>(half_powers_);
  // What one person weighs, on average over all places of a tile (ALGORITHMS §5.3).
  const float weight = settings_.bilinear_density ? 1 : 8 / ((lambda + 1) * (lambda + 2));
  return 1 / (scale_ * size * size * weight);
}

/// Density in people per m², as a mean over tiles within about a metre: one tile of half a metre holds one person or none.
void CrowdField::find_crowding(TaskRunner& tasks) {
  crowding_.clear();
  if (settings_.jam_density <= 0) return;
  const float size = domain_->grid().size(), per_weight = per_area();
  crowding_.resize(density_.size());
  spread_.resize(density_.size());
  for (std::size_t t = 0; t < density_.size(); ++t) crowding_[t] = per_weight * density_[t];
  const int passes = size >= 1.5f ? 0 : std::max(1, rounded(1 / size));
  for (int pass = 0; pass < passes; ++pass) {
    tasks.parallel_for(domain_->size(), kTileGrain, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t t = begin; t < end; ++t) {
        float sum = crowding_[t], tiles = 1;
        for (const DomainTile other : domain_->next(static_cast<DomainTile>(t)))
          if (other != domain_->ghost()) sum += crowding_[other], ++tiles;
        spread_[t] = sum / tiles;
      }
    });
    spread_.back() = 0;
    crowding_.swap(spread_);
  }
}

/// From a tile to its neighbour: the neighbour's crowd, not one's own, which one is part of; and its speed in the direction of
/// the step, with its sign.
float CrowdField::face_speed(DomainTile other, int direction, float uncrowded) const {
  const Vec2f flow = velocity_[other];
  const float ahead = direction == kEast ? flow.x : direction == kNorth ? flow.y : direction == kWest ? -flow.x : -flow.y;
  const float range = settings_.high_density - settings_.low_density;
  const float share = std::clamp((density_[other] - settings_.low_density) / range, 0.0f, 1.0f);
  float speed = uncrowded + share * (std::max(0.0f, ahead) - uncrowded);
  if (!crowding_.empty()) {
    const float room = (settings_.jam_density - crowding_[other]) / (settings_.jam_density - settings_.free_density);
    speed = std::min(speed, std::clamp(room, 0.0f, 1.0f) * uncrowded);
  }
  return std::max(settings_.floor_speed, speed);
}

void CrowdField::find_speed(DomainTile t) {
  const Grid& grid = domain_->grid();
  const float free = settings_.max_speed * speed_factor_[t], steepest = settings_.high_slope - settings_.low_slope;
  for (int direction = 0; direction < 4; ++direction) {
    const DomainTile other = domain_->next(t)[direction];
    if (blocked_[other] != 0 || blocked_[t] != 0) {
      speed_[t][direction] = 0;
      cost_[t][direction] = kNoPotential;
      continue;
    }
    float uncrowded = free;
    if (!grid.is_flat()) {
      const float slope = (grid.height(domain_->tile(other)) - grid.height(domain_->tile(t))) / grid.size();
      const float steep = std::clamp((slope - settings_.low_slope) / steepest, 0.0f, 1.0f);
      uncrowded = free + steep * (settings_.min_speed - free);
    }
    speed_[t][direction] = face_speed(other, direction, uncrowded);
    cost_[t][direction] = step_cost(t, direction, discomfort_[other]);
  }
}

float CrowdField::step_cost(DomainTile t, int direction, float discomfort) const {
  const float pace = 1 / speed_[t][direction];  // s/m
  return domain_->grid().size() *
         (settings_.length_weight + pace * (settings_.time_weight + settings_.discomfort_weight * discomfort));
}

float CrowdField::speed_towards(DomainTile t, Vec2f direction) const {
  const std::array<float, 4>& faces = speed_[t];
  const float x = direction.x * faces[direction.x < 0 ? kWest : kEast],
              y = direction.y * faces[direction.y < 0 ? kSouth : kNorth];
  return std::sqrt(x * x + y * y);
}

float CrowdField::speed_of(const Stencil& stencil, Vec2f direction, float free) const {
  const float across = stencil.across, up = stencil.up;
  const float weight[4] = {(1 - across) * (1 - up), across * (1 - up), (1 - across) * up, across * up};
  const int along_x = direction.x < 0 ? kWest : kEast, along_y = direction.y < 0 ? kSouth : kNorth;
  float sum = 0, known = 0;
  for (int i = 0; i < 4; ++i) {
    const DomainTile t = stencil.tile[i];
    if (blocked_[t] != 0) continue;
    const auto part = [&](float share, int face) {
      const DomainTile other = domain_->next(t)[face];
      if (other == domain_->ghost()) return share * free;  // up to the wall nobody is in the way
      return blocked_[other] != 0 ? 0.0f : share * face_speed(other, face, free);
    };
    const float x = part(direction.x, along_x), y = part(direction.y, along_y);
    sum += weight[i] * std::sqrt(x * x + y * y);
    known += weight[i];
  }
  return known > 0 ? std::min(free, sum / known) : 0;
}

void CrowdField::costs(const FieldPeople& people, std::span<const std::uint32_t> own, std::span<const float> factor,
                       std::vector<std::int32_t>& expected, FaceValues& cost) const {
  cost.assign(cost_.begin(), cost_.end());
  if (settings_.prediction_time > 0) {
    expected.assign(predicted_.begin(), predicted_.end());
    for (const std::uint32_t row : own) expect(people, row, [&](DomainTile t, std::int32_t amount) { expected[t] -= amount; });
    const float weight = domain_->grid().size() * settings_.discomfort_weight * kPerCount;
    for (DomainTile t = 0; t < domain_->size(); ++t)
      for (int direction = 0; direction < 4; ++direction) {
        const std::int32_t fear = expected[domain_->next(t)[direction]];
        if (fear != 0 && speed_[t][direction] > 0) cost[t][direction] += weight * static_cast<float>(fear) / speed_[t][direction];
      }
  }
  if (factor.empty()) return;
  for (DomainTile t = 0; t < domain_->size(); ++t)
    for (int direction = 0; direction < 4; ++direction) {
      const DomainTile other = domain_->next(t)[direction];
      if (other == domain_->ghost()) continue;
      cost[t][direction] = factor[other] > 0 ? factor[other] * cost[t][direction] : kNoPotential;
    }
}

}  // namespace throng
