// SPDX-License-Identifier: MIT
#include "draw/crowd_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/palette.hpp"
#include "draw/service_levels.hpp"

namespace throng {
namespace {

constexpr double kFastest = 1.8;  // m/s, the end of the scale of speeds
constexpr float kUsualRadius = 0.2f;
constexpr double kLeastPixels = 3.4;  // radius of a person from afar
constexpr double kOutlinePixels = 1.7;

Color direction_color(double x, double y) {
  if (std::abs(x) >= std::abs(y)) return x >= 0 ? kBlue : kVermillion;
  return y >= 0 ? kBluishGreen : kReddishPurple;
}

constexpr Color kAlone{150, 150, 150, 255};

/// Groups that stand side by side should differ: their colours go round.
Color group_color(std::uint32_t group) { return group == 0 ? kAlone : kind_color(group - 1); }

}  // namespace

Color person_color(PeopleColor meaning, const AgentFacts& facts, Vec2 heading, double speed) {
  switch (meaning) {
    case PeopleColor::kDirection:
      return direction_color(heading.x, heading.y);
    case PeopleColor::kKind:
      return kind_color(facts.kind);
    case PeopleColor::kGroup:
      return group_color(facts.group);
    case PeopleColor::kSpeed:
      break;
  }
  return viridis(speed / kFastest);
}

void draw_group_lines(DrawStream& out, const FrameView& frame, const CrowdPicture& settings) {
  out.begin_layer("groups");
  std::vector<std::pair<std::uint32_t, std::size_t>> rows;  // by group; within one in the order of ids
  for (std::size_t row = 0; row < frame.size(); ++row)
    if (frame.facts(row).group != 0 && frame.layer[row] == settings.layer) rows.emplace_back(frame.facts(row).group, row);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 1; k < rows.size(); ++k) {
    std::size_t nearest = k;
    double least = 1e300;
    for (std::size_t before = k; before-- > 0 && rows[before].first == rows[k].first;)
      if (const double d = distance(frame.position(rows[before].second), frame.position(rows[k].second)); d < least)
        least = d, nearest = before;
    if (nearest == k) continue;
    const Vec2 line[] = {frame.position(rows[nearest].second), frame.position(rows[k].second)};
    out.polyline(line, {group_color(rows[k].first), 0.1, 1.5});
  }
}

void draw_ground(DrawStream& out, std::span<const Polygon> ground, Vec2 low, Vec2 high, double pixel) {
  out.begin_layer("ground");
  for (const Polygon& polygon : ground) {
    std::vector<std::span<const Vec2>> rings = {polygon.outer};
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
    out.polygon(rings, kPaper);
  }
  draw_solid(out, ground, low, high, pixel);
}

void draw_solid(DrawStream& out, std::span<const Polygon> ground, Vec2 low, Vec2 high, double pixel) {
  out.begin_layer("solid");
  const Vec2 sheet[] = {low, {high.x, low.y}, high, {low.x, high.y}};
  std::vector<std::span<const Vec2>> rings = {sheet};
  for (const Polygon& polygon : ground) {
    rings.push_back(polygon.outer);
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
  }
  out.polygon(rings, kSolidGrey);
  out.begin_layer("walls");
  const Pen pen{kWallGrey, std::min(0.08, 1.2 * pixel), 0.6};
  for (const Polygon& polygon : ground) {
    const auto close = [&](Ring ring) {
      if (ring.empty()) return;
      ring.push_back(ring.front());
      out.polyline(ring, pen);
    };
    close(polygon.outer);
    for (const Ring& hole : polygon.holes) close(hole);
  }
}

void draw_people(DrawStream& out, const FrameView& frame, const FrameView* before, double seconds, const CrowdPicture& settings) {
  if (settings.color == PeopleColor::kGroup) draw_group_lines(out, frame, settings);
  out.begin_layer("people");
  std::size_t old = 0;
  for (std::size_t row = 0; row < frame.size(); ++row) {
    if (frame.layer[row] != settings.layer) continue;
    const AgentFacts& facts = frame.facts(row);
    const Vec2 at = frame.position(row);
    double speed = 0;
    if (before != nullptr && seconds > 0) {
      // Both are in order of ids: walk along.
      while (old < before->size() && before->facts(old).id < facts.id) ++old;
      if (old < before->size() && before->facts(old).id == facts.id) speed = distance(before->position(old), at) / seconds;
    }
    const Color color = person_color(settings.color, facts, {frame.heading_x[row], frame.heading_y[row]}, speed);
    const double radius = std::max<double>(facts.radius > 0 ? facts.radius : kUsualRadius, kLeastPixels * settings.pixel);
    // Whatever the ground and the colour: the ink round a body is seen on all of them.
    out.disc(at, radius, kInk);
    out.disc(at, radius - std::max(kOutlinePixels * settings.pixel, 0.12 * radius), color);
    if (radius > 3 * settings.pixel) {
      const Vec2 nose = {at.x + radius * frame.heading_x[row], at.y + radius * frame.heading_y[row]};
      const Vec2 line[] = {at, nose};
      out.polyline(line, {kPaper, 0.25 * radius, 0.8});
    }
  }
}

void draw_trails(DrawStream& out, const Trajectory& trajectory, const CrowdPicture& settings) {
  out.begin_layer("trails");
  std::vector<std::vector<Vec2>> ways(trajectory.agents.size());
  for (std::size_t k = 0; k < trajectory.frame_count(); ++k) {
    const FrameView frame = trajectory.frame(k);
    for (std::size_t row = 0; row < frame.size(); ++row) {
      if (frame.layer[row] != settings.layer) continue;
      std::vector<Vec2>& way = ways[frame.agent[row]];
      const Vec2 at = frame.position(row);
      // Half a pixel is as far as anybody can see; a jump of metres (a periodic border, a teleport) is no way.
      if (!way.empty() && distance(way.back(), at) > 3) way.push_back({NAN, NAN});
      if (way.empty() || !(distance(way.back(), at) < 0.5 * settings.pixel)) way.push_back(at);
    }
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::vector<Vec2>& way = ways[i];
    std::size_t begin = 0;
    while (begin < way.size()) {
      std::size_t end = begin;
      while (end < way.size() && !std::isnan(way[end].x)) ++end;
      const std::span<const Vec2> piece(way.data() + begin, end - begin);
      begin = end + 1;
      if (piece.size() < 2) continue;
      const Vec2 whole = piece.back() - piece.front();
      Color color =
          settings.color == PeopleColor::kKind ? kind_color(trajectory.agents[i].kind) : direction_color(whole.x, whole.y);
      color.a = 110;
      out.polyline(piece, {color, 0.04, 0.7});
    }
  }
}

Color service_color(std::size_t level) {
  constexpr std::array<Color, 6> kLevels{
      {{214, 232, 246}, {168, 214, 226}, {250, 230, 140}, {250, 184, 96}, {240, 128, 96}, {214, 96, 140}}};
  return kLevels[std::min(level, kLevels.size() - 1)];
}

void draw_density(DrawStream& out, std::span<const double> density, std::uint32_t columns, Vec2 low, double square) {
  out.begin_layer("density");
  constexpr double kLeast = 0.01;  // per m²
  const auto color_at = [&](std::size_t i) { return density[i] > kLeast ? static_cast<int>(service_level(density[i])) : -1; };
  // Runs of one colour in a row are one rectangle: no seams, and a tenth of the shapes. Rows overlap by a sliver for the same
  // reason.
  for (std::size_t start = 0; start < density.size();) {
    const int level = color_at(start);
    std::size_t end = start + 1;
    while (end < density.size() && end % columns != 0 && color_at(end) == level) ++end;
    if (level >= 0) {
      const double x0 = low.x + square * static_cast<double>(start % columns),
                   x1 = x0 + square * static_cast<double>(end - start);
      const double y0 = low.y + square * static_cast<double>(start / columns), y1 = y0 + 1.2 * square;
      const Vec2 corners[] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
      const std::span<const Vec2> ring(corners);
      out.polygon({&ring, 1}, service_color(static_cast<std::size_t>(level)));
    }
    start = end;
  }
}

std::vector<LegendEntry> crowd_legend(PeopleColor color, std::span<const std::string> kinds) {
  std::vector<LegendEntry> legend;
  switch (color) {
    case PeopleColor::kSpeed:
      for (const double speed : {0.0, 0.6, 1.2, 1.8}) {
        const std::string number = std::to_string(speed).substr(0, 3);
        legend.push_back({(speed == 0 ? "standing" : number + " m/s"), viridis(speed / kFastest), LegendEntry::kDot});
      }
      break;
    case PeopleColor::kDirection:
      legend = {{"eastward", direction_color(1, 0), LegendEntry::kDot},
                {"westward", direction_color(-1, 0), LegendEntry::kDot},
                {"northward", direction_color(0, 1), LegendEntry::kDot},
                {"southward", direction_color(0, -1), LegendEntry::kDot}};
      break;
    case PeopleColor::kGroup:
      legend = {{"alone", kAlone, LegendEntry::kDot}, {"in a group", group_color(1), LegendEntry::kDot}};
      break;
    case PeopleColor::kKind:
      for (std::size_t i = 0; i < kinds.size(); ++i) legend.push_back({kinds[i], kind_color(i), LegendEntry::kDot});
      break;
  }
  return legend;
}

std::vector<LegendEntry> density_legend() {
  std::vector<LegendEntry> legend;
  for (std::size_t level = 0; level < kServiceDensities.size(); ++level) {
    const std::string letter(1, static_cast<char>('A' + level));
    const bool is_last = level + 1 == kServiceDensities.size();
    const double hundredths = std::round(100 * kServiceDensities[is_last ? level : level + 1]);
    const std::string bound = std::to_string(hundredths / 100).substr(0, 4);
    legend.push_back({letter + (is_last ? " over " : " to ") + bound + " /m²", service_color(level), LegendEntry::kArea});
  }
  return legend;
}

std::pair<Vec2, Vec2> bounds_of(const Trajectory& trajectory, std::span<const Polygon> ground) {
  Vec2 low{1e30, 1e30}, high{-1e30, -1e30};
  const auto take = [&](Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  };
  for (const Polygon& polygon : ground)
    for (const Vec2 p : polygon.outer) take(p);
  if (ground.empty())
    for (std::size_t i = 0; i < trajectory.row_count(); ++i) take({trajectory.x[i], trajectory.y[i]});
  if (low.x > high.x) return {{0, 0}, {1, 1}};
  const double air = 0.02 * std::max({high.x - low.x, high.y - low.y, 1.0});
  return {{low.x - air, low.y - air}, {high.x + air, high.y + air}};
}

}  // namespace throng
