// SPDX-License-Identifier: MIT
#include "scenario/record.hpp"

#include <fmt/format.h>

#include "scenario/ground_outline.hpp"

namespace throng {

RecordingHeader recording_header(const Simulation& simulation, std::uint32_t steps_per_frame, const std::string& engine_version) {
  const Scenario& scenario = simulation.scenario();
  RecordingHeader header;
  header.engine_version = engine_version;
  header.scenario = scenario.text;
  header.geometry_wkt = ground_wkt(simulation.world().navigation());
  header.step_seconds = scenario.settings.dt;
  header.steps_per_frame = steps_per_frame;
  header.first_step = simulation.world().steps();
  header.seed = scenario.settings.seed;
  for (const Kind& kind : scenario.kinds) header.kinds.push_back(kind.name);
  header.has_groups = has_groups(scenario);
  return header;
}

RecordedEvent recorded_event(const Event& event) {
  return {event.time, name_of(event.kind), event.number, fmt::format("goal {}", event.entry)};
}

FrameColumns WorldFrame::of(const World& world) {
  const World::Columns rows = world.columns();
  layer_.resize(rows.x.size());
  z_.resize(rows.x.size());
  world.footing(layer_, z_);
  return {.id = rows.number,
          .x = rows.x,
          .y = rows.y,
          .heading_x = rows.heading_x,
          .heading_y = rows.heading_y,
          .z = z_,
          .layer = layer_,
          .radius = rows.radius,
          .preferred_speed = rows.preferred_speed,
          .kind = rows.kind,
          .group = rows.group};
}

}  // namespace throng
