// SPDX-License-Identifier: MIT
// People as pictures: one moment, where everybody went, and how dense it was. Works on any trajectory, ours or another tool's.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <throng/scene.hpp>

#include "draw/canvas.hpp"
#include "geometry/draw_stream.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

enum class PeopleColor : std::uint8_t {
  kSpeed,      ///< viridis, from standing to 1.8 m/s
  kDirection,  ///< four quarters of the compass
  kKind,
  kGroup,  ///< members of one group alike, and joined by lines; people alone grey
};

struct CrowdPicture {
  PeopleColor color = PeopleColor::kSpeed;
  std::uint16_t layer = 0;
  double pixel = 0.1;  ///< metres a pixel covers (Canvas::metres_per_pixel): people keep a readable size
};

/// The ground people walk on, grey around it, walls as lines.
void draw_ground(DrawStream& out, std::span<const Polygon> ground, Vec2 low, Vec2 high, double pixel);
/// The grey and the walls alone, over what is drawn in squares that reach into them.
void draw_solid(DrawStream& out, std::span<const Polygon> ground, Vec2 low, Vec2 high, double pixel);

/// The colour of a person by what colours mean.
Color person_color(PeopleColor meaning, const AgentFacts& facts, Vec2 heading, double speed);

/// Everybody of a frame as a disc with a nose. `before` is an earlier frame `seconds` ago, from which speeds are taken; without
/// it everybody has the colour of standing.
void draw_people(DrawStream& out, const FrameView& frame, const FrameView* before, double seconds, const CrowdPicture& settings);

/// Lines between the members of groups: each to the nearest of those before it.
void draw_group_lines(DrawStream& out, const FrameView& frame, const CrowdPicture& settings);

/// The way of everybody as a thin line, coloured by kind or, if there is one kind only, by direction of travel.
void draw_trails(DrawStream& out, const Trajectory& trajectory, const CrowdPicture& settings);

/// Squares of a density map in the colours of Fruin's levels of service (analysis/density_map.hpp); squares without ground, and
/// those that are nearly empty, are left out.
void draw_density(DrawStream& out, std::span<const double> density, std::uint32_t columns, Vec2 low, double square);
/// The colour of a level of service, 0 (A) to 5 (F): lighter is emptier. People's outlines stand out from all of them.
Color service_color(std::size_t level);

std::vector<LegendEntry> crowd_legend(PeopleColor color, std::span<const std::string> kinds);
std::vector<LegendEntry> density_legend();

/// The rectangle round all positions and the ground, with a little air.
std::pair<Vec2, Vec2> bounds_of(const Trajectory& trajectory, std::span<const Polygon> ground);

}  // namespace throng
