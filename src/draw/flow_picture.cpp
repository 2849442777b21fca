// SPDX-License-Identifier: MIT
#include "draw/flow_picture.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr double kBrightest = 0.92;  // of viridis, whose last yellow is too pale on paper

Color color_of(double share) { return viridis(kBrightest * (1 - share)); }

}  // namespace

std::vector<LoadedStretch> stretches_of(const NavGraph& graph, std::span<const FlowTrips> flows, Vec2 origin) {
  // Ends are gates, or discs behind them.
  const auto gate_count = static_cast<std::uint32_t>(graph.gates.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> trips;
  for (const FlowTrips& flow : flows)
    for (std::size_t i = 0; i < flow.paths.size(); ++i) {
      if (flow.trips[i] == 0) continue;
      const FlowPath& path = flow.paths[i];
      std::uint32_t last = gate_count + path.discs.front();
      const auto go = [&](std::uint32_t next) {
        trips[{std::min(last, next), std::max(last, next)}] += static_cast<double>(flow.trips[i]);
        last = next;
      };
      for (const GateIndex gate : path.gates) go(gate);
      go(gate_count + path.discs.back());
    }
  const auto place = [&](std::uint32_t end) {
    return origin + plan_of(end < gate_count ? graph.gates[end].middle() : graph.centre[end - gate_count]);
  };
  std::vector<LoadedStretch> stretches;
  for (const auto& [ends, count] : trips) stretches.push_back({place(ends.first), place(ends.second), count});
  std::stable_sort(stretches.begin(), stretches.end(),
                   [](const LoadedStretch& a, const LoadedStretch& b) { return a.trips < b.trips; });
  return stretches;
}

void draw_load(DrawStream& out, const NavGraph& graph, Vec2 origin, std::span<const LoadedStretch> stretches, double widest) {
  out.begin_layer("discs");
  for (DiscIndex d = 0; d < graph.disc_count(); ++d) {
    if (!graph.is_there(d)) continue;
    Color fill = pale(kSkyBlue, 0.5);
    fill.a = 40;
    out.disc(origin + plan_of(graph.centre[d]), graph.radius[d], fill);
  }
  out.begin_layer("load");
  for (const LoadedStretch& stretch : stretches) {
    const double share = stretch.trips / stretches.back().trips;
    const Vec2 line[] = {stretch.from, stretch.to};
    out.polyline(line, {color_of(share), share * widest, 1});
  }
}

std::vector<LegendEntry> load_legend(std::span<const LoadedStretch> stretches) {
  std::vector<LegendEntry> entries;
  if (stretches.empty()) return entries;
  for (const double share : {0.1, 0.4, 0.7, 1.0})
    entries.push_back({fmt::format("{:.0f} trips", share * stretches.back().trips), color_of(share), LegendEntry::kLine});
  return entries;
}

}  // namespace throng
