// SPDX-License-Identifier: MIT
// Potential fields of the last step, to look at: those of regions of interest, then those of continuum crowds.
#include "world/state.hpp"

namespace throng {

std::vector<World::State::FieldView> World::State::field_views() const {
  std::vector<FieldView> views;
  if (!set_of_row.empty())
    for (const std::uint32_t set : fields.active) {
      FieldInfo info;
      info.goal = FieldInfo::Goal::kFlow;
      info.index = set / 2, info.direction = set % 2;
      info.people = static_cast<std::uint32_t>(fields.rows_of_set[set].size());
      info.tile = static_cast<double>(grid.size());
      info.model = FieldInfo::kOfRegions;
      views.push_back({info, &fields.domain, &fields.crowd, &fields.potential[set]});
    }
  for (std::uint32_t model = 0; model < settings.models.size(); ++model) {
    const ContinuumFields* of = models.continuum().fields_of(model);
    if (of == nullptr || !of->is_used) continue;
    for (std::size_t set = 0; set < of->sets.size(); ++set)
      views.push_back({describe_set(model, *of, of->sets[set]), &of->domain, &of->crowd, &of->potential[set]});
  }
  return views;
}

std::vector<FieldInfo> World::fields() const {
  std::vector<FieldInfo> list;
  for (const State::FieldView& view : state_->field_views()) list.push_back(view.info);
  return list;
}

std::vector<FieldTile> World::field_tiles(std::size_t field) const {
  const std::vector<State::FieldView> views = state_->field_views();
  std::vector<FieldTile> tiles;
  if (field >= views.size()) return tiles;
  const State::FieldView& view = views[field];
  const Grid& grid = view.domain->grid();
  for (DomainTile t = 0; t < view.domain->size(); ++t) {
    const Vec2f velocity = view.potential->velocity[t];
    tiles.push_back({grid.centre(view.domain->tile(t)),
                     grid.layer(view.domain->tile(t)),
                     view.potential->value[t],
                     view.crowd->density_per_area(t),
                     {velocity.x, velocity.y}});
  }
  return tiles;
}

}  // namespace throng
