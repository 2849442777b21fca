// SPDX-License-Identifier: MIT
// A scene with tiles and people, and fields on them.
#pragma once
#include <vector>

#include "fields/potential.hpp"
#include "support/layered_scenes.hpp"

namespace throng::testing {

inline Scene hall(double width, double height, std::vector<Polygon> obstacles = {}, Vec2 low = {}) {
  Layer layer;
  layer.walkable = {box(low.x, low.y, low.x + width, low.y + height)};
  layer.obstacles = std::move(obstacles);
  return scene_of(layer);
}

struct FieldScene {
  FieldScene(const Scene& scene, double size)
      : navigation(baked(scene)), grid(navigation.data().cells, {.size = size}, [this](Vec2 place, std::uint32_t layer) {
          return navigation.elevation(place, layer);
        }) {
    domain.assign(grid);
    fill();
  }
  FieldScene(const FieldScene&) = delete;

  void add(Vec2 place, Vec2 velocity = {}, std::uint32_t layer = 0) {
    x.push_back(static_cast<float>(place.x)), y.push_back(static_cast<float>(place.y));
    vx.push_back(static_cast<float>(velocity.x)), vy.push_back(static_cast<float>(velocity.y));
    cell.push_back(*navigation.cell_at(place, layer));
  }
  FieldPeople people() const { return {x, y, vx, vy, cell, navigation.data().cells.layer}; }
  /// The field of the people that were added.
  void fill(const FieldSettings& settings = {}) {
    crowd.begin(domain, settings);
    crowd.add_people(people(), tasks);
    crowd.finish(tasks);
  }
  DomainTile at(double px, double py, std::uint32_t layer = 0) const {
    return domain.at(static_cast<float>(px), static_cast<float>(py), layer);
  }
  Vec2 centre(DomainTile t) const { return grid.centre(domain.tile(t)); }
  Potential solve(const std::vector<FieldSeed>& seeds, const FaceValues& cost, const std::vector<DomainTile>& needed = {}) {
    Potential field;
    solver.solve(domain, cost, seeds, needed, field);
    find_velocities(crowd, field);
    return field;
  }
  Potential solve(const std::vector<FieldSeed>& seeds) { return solve(seeds, crowd.common_costs()); }
  /// Steps that cost the same in all directions.
  FaceValues constant_cost(float per_step) const {
    FaceValues cost(domain.size() + 1);
    for (DomainTile t = 0; t <= domain.size(); ++t)
      for (int i = 0; i < 4; ++i) cost[t][i] = domain.next(t)[i] == domain.ghost() ? kNoPotential : per_step;
    return cost;
  }

  Navigation navigation;
  Grid grid;
  TileDomain domain;
  CrowdField crowd;
  FieldSolver solver;
  InlineTasks tasks;
  std::vector<float> x, y, vx, vy;
  std::vector<CellIndex> cell;
};

}  // namespace throng::testing
