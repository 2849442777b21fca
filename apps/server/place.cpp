// SPDX-License-Identifier: MIT
// A place of the ground: what it belongs to, how wide the way is there, and over time how many people were there and walked
// through.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "gauges.hpp"
#include "geometry/polygon.hpp"
#include "json_numbers.hpp"
#include "navigation/navigation_data.hpp"
#include "navigation/queries.hpp"
#include "studio_questions.hpp"

namespace throng::server {

/// What was counted at one place of a branch: an entry a frame.
struct PlaceCount {
  Vec2 place;
  std::uint32_t layer = 0;
  std::optional<ScenarioLine> passage;
  std::vector<std::uint64_t> step;
  std::vector<std::uint32_t> people, crossed;  ///< within kRadius; through the passage so far
  FramePointer last;
  std::uint64_t next = 0;  ///< frame to be looked at
};

namespace {

/// Density is counted in a disc of this radius.
constexpr double kRadius = 1.5, kArea = std::numbers::pi * kRadius * kRadius;
/// A wall farther away than this is none of the place's.
constexpr double kReach = 25;
constexpr double kFar = 100;
/// Of the curve that is sent.
constexpr std::size_t kMostMoments = 200;

std::uint32_t people_at(const Frame& frame, Vec2 place, std::uint32_t layer, Vec2 low) {
  std::uint32_t inside = 0;
  for (const FrameRow& row : frame.rows) inside += row.layer == layer && distance(place_of(row, low), place) <= kRadius;
  return inside;
}

/// Counts on in a branch, from the start where it is a new place, into the front of its counts; whether all that is computed has
/// been counted. As many places are kept as viewers may look at: each of them would begin anew for the other otherwise.
bool count_on(Branch& branch, Vec2 place, std::uint32_t layer, const std::optional<ScenarioLine>& passage, Vec2 low,
              CountingClock::time_point until) {
  const auto is_same = [&](const PlaceCount& c) {
    if (c.place != place || c.layer != layer || c.passage.has_value() != passage.has_value()) return false;
    return !passage || (c.passage->from == passage->from && c.passage->to == passage->to);
  };
  auto& counts = branch.place_counts;
  const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return is_same(*c); });
  if (known != counts.end()) {
    std::rotate(counts.begin(), known, known + 1);
  } else {
    constexpr std::size_t kMostPlaces = 16;
    if (counts.size() == kMostPlaces) counts.pop_back();
    counts.push_front(std::make_shared<PlaceCount>());
    counts.front()->place = place;
    counts.front()->layer = layer;
    counts.front()->passage = passage;
  }
  PlaceCount& count = *counts.front();
  return look_on(branch.frames(), count.next, until, [&](const FramePointer& frame) {
    const std::uint32_t before = count.crossed.empty() ? 0 : count.crossed.back();
    count.step.push_back(frame->step);
    count.people.push_back(people_at(*frame, place, layer, low));
    count.crossed.push_back(before + (passage && count.last ? crossings(*passage, *count.last, *frame, low) : 0));
    count.last = frame;
  });
}

/// The branch and those it grew out of, as one: times, people and crossings.
struct Counted {
  std::vector<double> time, people, crossed, flow;
  bool is_complete = true;
};
Counted count_all(const std::shared_ptr<Branch>& branch, Vec2 place, std::uint32_t layer,
                  const std::optional<ScenarioLine>& passage, Vec2 low) {
  const auto until = end_of_slice();
  Counted out;
  for (const auto& [one, end] : stretches_of(*branch)) {
    if (!count_on(*one, place, layer, passage, low, until)) out.is_complete = false;
    const PlaceCount& count = *one->place_counts.front();
    const double base = out.crossed.empty() ? 0 : out.crossed.back();
    for (std::size_t i = 0; i < count.step.size() && count.step[i] < end; ++i) {
      out.time.push_back(static_cast<double>(count.step[i]) * branch->dt());
      out.people.push_back(count.people[i]);
      out.crossed.push_back(base + count.crossed[i]);
    }
  }
  out.flow = flow_of(out.time, out.crossed);
  return out;
}

/// [time, people per m², people per second], each the mean of its piece of time; null where there is no passage.
Json curve_of(const Counted& counted, bool has_passage) {
  const std::size_t stride = counted.time.size() / kMostMoments + 1;
  Json curve = Json::array();
  for (std::size_t first = 0; first < counted.time.size(); first += stride) {
    const std::size_t end = std::min(first + stride, counted.time.size());
    double people = 0, through = 0;
    for (std::size_t i = first; i < end; ++i) people += counted.people[i], through += counted.flow[i];
    const auto frames = static_cast<double>(end - first);
    curve.push_back({rounded(counted.time[end - 1]), rounded(people / frames / kArea),
                     has_passage ? Json(rounded(through / frames)) : Json()});
  }
  return curve;
}

}  // namespace

Result<Json> look_at_place(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, double time, Vec2 place,
                           std::uint32_t layer) {
  if (!document.navigation()) return Problem{"message", "the scene of this recording has no cells", "open a scenario"};
  const Scenario& scenario = branch->scenario();
  if (layer >= scenario.scene.layers.size())
    return Problem{"message /layer", fmt::format("{} found; there are layers 0 to {}", layer, scenario.scene.layers.size() - 1),
                   ""};
  const std::uint64_t step = branch->step_at(time);
  const Vec2 here = place - document.origin(), low = document.low() - document.origin();
  // Doors may have closed since: then the cells are those of the moment.
  const Navigation* navigation = &*document.navigation();
  if (edits_scene(scenario))
    if (const auto simulation = moments.at(document, branch, step)) navigation = &(*simulation)->world().navigation();
  const NavigationData& data = navigation->data();
  Json out = {{"x", rounded(place.x)}, {"y", rounded(place.y)}, {"layer", layer}};
  const CellIndex cell = data.locator.cell_at(here, layer);
  Json areas = Json::array();
  for (const ScenarioArea& area : scenario.areas)
    if (std::any_of(area.parts.begin(), area.parts.end(),
                    [&](const ScenarioArea::Part& part) { return part.layer == layer && contains(part.shape, here); }))
      areas.push_back(area.name);
  out["area"] = std::move(areas);
  std::optional<ScenarioLine> passage;
  if (cell == kNoCell) {
    out["cell"] = nullptr;
  } else {
    constexpr const char* kTopologies[] = {"closed", "dead end", "passage", "crossroads"};
    out["cell"] = cell;
    out["topology"] = kTopologies[static_cast<std::size_t>(data.cells.topology[cell])];
    Json zones = Json::array();
    for (std::uint32_t zone = data.tree.leaf[cell];; zone = data.tree.zones[zone].parent) {
      zones.push_back(zone);
      if (data.tree.zones[zone].depth == 0 || zones.size() > 64) break;
    }
    out["zone"] = zones.front();
    out["zones"] = std::move(zones);
    out["portals"] = data.cells.portals_of(cell).size();
    out["clearance"] = rounded(data.locator.clearance(here, layer, kFar));
    out["elevation"] = rounded(data.elevation(here, layer));
    if (const Passage found = narrowest_passage(data.cells, here, cell, kReach); found.is_between_walls) {
      passage = ScenarioLine{{}, found.from, found.to, layer};
      out["width"] = rounded(distance(found.from, found.to));
      out["passage"] = {rounded_point(found.from + document.origin()), rounded_point(found.to + document.origin())};
    }
  }
  const auto now = branch->frame(step);
  if (!now) return now.problems();
  out["density"] = rounded(people_at(**now, here, layer, low) / kArea);
  out["density_radius"] = kRadius;
  const Counted counted = count_all(branch, here, layer, passage, low);
  out["complete"] = counted.is_complete;
  out["curve"] = curve_of(counted, passage.has_value());
  if (passage) {
    // At the moment, as far as it has been counted.
    const auto after =
        std::upper_bound(counted.time.begin(), counted.time.end(), static_cast<double>(step) * branch->dt() + 1e-6);
    if (after != counted.time.begin()) {
      const auto at = static_cast<std::size_t>(after - counted.time.begin()) - 1;
      out["flow"] = rounded(counted.flow[at]);
      out["passed"] = counted.crossed[at];
    }
  }
  return out;
}

}  // namespace throng::server
