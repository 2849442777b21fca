// SPDX-License-Identifier: MIT
// The scene changes while people walk in it (ALGORITHMS §1.19).
//
// An edit makes a new version of the navigation data, and everything that hangs on cells is carried over to it: people stand in
// the cell that is there now, whoever would stand in or too close to a new wall is put to the nearest free place (an event),
// corridors get the new numbers of their cells. A corridor through cells that are gone ends before them, and its walker is in the
// queue for a new one, which is worked off within a second; all others keep theirs. Discs of a navigation graph are found anew
// where the ground has changed, and the paths of flows on all of them: who is on one that is still there stays on it, others take
// the one by which least is left.
#include <algorithm>
#include <cmath>

#include "navigation/graph_ground.hpp"
#include "scene/layer_mesh.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr double kTight = 0.003;  // m: bodies may be this much closer to a wall than their radius before they are moved

}  // namespace

Result<EditReport> World::State::edit(const Edit& wanted) {
  if (!editor) {
    Result<NavigationEditor> fresh = NavigationEditor::create(base);
    if (!fresh) return fresh.problems();
    editor.emplace(std::move(*fresh));
  }
  const Navigation before = navigation;
  Result<EditReport> done = editor->apply(wanted);
  if (!done || &editor->navigation().data() == &before.data()) return done;
  // Who coasts is in a cell that it has perhaps left long ago: by the walls as they were.
  for (std::uint32_t row = agents.active_count(); row < agents.count; ++row) {
    agents.cell[row] =
        walk(ground, agents.cell[row], agents.leg_x[row], agents.leg_y[row], agents.now.x[row], agents.now.y[row]).cell;
  }
  std::optional<GraphChange> change;
  if (graph) change = edit_graph(*editor, *done, graph_editor, *graph);
  // Those who keep tables of cells tell versions apart by their address: it must not be used again before they looked.
  retired.push_back(before);
  adopt(editor->navigation());
  carry_people_over(before.data(), *done);
  lay_flows_again(change ? &*change : nullptr);
  return done;
}

/// The discs after an edit of the cells.
GraphChange World::State::edit_graph(const NavigationEditor& cells, const EditReport& done, std::optional<GraphEditor>& discs,
                                     NavigationGraph& now) {
  if (!discs) discs.emplace(now);
  std::optional<Mesh> mesh;
  if (now.data().sight.range > 0)
    if (Result<Mesh> made = mesh_of_layers(cells.scene())) mesh = std::move(*made);
  return discs->apply(now, done.boxes, GraphGround(cells.navigation().data()), mesh ? &*mesh : nullptr);
}

/// All that follows from the cells, people apart.
void World::State::adopt(const Navigation& version) {
  navigation = version;
  ground = Ground(data().cells);
  find_joints();
  finders.clear();
  paths.clear();
  corridors.clear();
  link_scratch.clear();
  flow_scratch.clear();
  people.is_valid = false;
  if (agents.has_links) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto& ends = data().links[i].ends;
      links[i].entry = GoalArea::of(ends[0].shape, ends[0].layer), links[i].exit = GoalArea::of(ends[1].shape, ends[1].layer);
    }
    link_routes.emplace(navigation);
  }
  lay_continuum_tiles();
  lay_rules_tiles();
  // Tiles have new numbers: everybody finds its own again.
  if (agents.has_rules)
    for (std::uint32_t row = 0; row < agents.count; ++row) RulesMotion::forget(agents, row);
  if (has_interest()) {
    lay_interest_tiles();
    interest.rate_by(grid, settings.interest, InterestMap::Rated(interest.rated()));
    apply_interest();
  } else if (agents.has_levels) {
    rate_patches();
  }
}

void World::State::carry_people_over(const NavigationData& before, const EditReport& done) {
  const VersionLink* link = data().link.get();
  const auto renamed = [&](CellIndex c) { return link == nullptr ? kNoCell : link->new_cell[c]; };
  const auto is_near = [&](Vec2 p, double reach) {
    return link == nullptr ||
           (p.x > done.low.x - reach && p.x < done.high.x + reach && p.y > done.low.y - reach && p.y < done.high.y + reach);
  };
  const auto room_for = [&](Vec2 at, std::uint32_t layer, double radius) {
    const auto place = data().locator.nearest_walkable(at, layer, radius);
    return place ? place : data().locator.nearest_walkable(at, layer, 0);
  };
  for (std::uint32_t row = 0; row < aboard.count; ++row) {
    const CellIndex c = renamed(aboard.cell[row]);
    aboard.cell[row] = c == kNoCell ? 0 : c;
  }
  std::vector<AgentId> homeless;
  struct Affected {
    bool is_later;
    std::uint32_t number;
    AgentId id;
    auto key() const { return std::pair(is_later, number); }
  };
  std::vector<Affected> affected;
  for (std::uint32_t row = 0; row < agents.count; ++row) {
    const std::uint32_t layer = before.cells.layer[agents.cell[row]];
    const Vec2 at = position(row);
    const double radius = agents.radius[row];
    CellIndex cell = renamed(agents.cell[row]);
    if (cell == kNoCell) cell = data().locator.cell_at(at, layer);
    bool is_moved = false;
    if (cell == kNoCell || (is_near(at, radius + 0.01) && data().locator.clearance(at, layer, radius) < radius - kTight)) {
      const auto place = room_for(at, layer, radius);
      const CellIndex there = place ? data().locator.cell_at(*place, layer) : kNoCell;
      if (there == kNoCell) {
        agents.cell[row] = 0;
        homeless.push_back(slots.id_of(agents.slot[row]));
        continue;
      }
      cell = there;
      agents.now.x[row] = agents.shown_x[row] = static_cast<float>(place->x);
      agents.now.y[row] = agents.shown_y[row] = static_cast<float>(place->y);
      agents.now.vx[row] = agents.now.vy[row] = 0;
      early_events.push_back({time(), EventKind::kMoved, agents.number[row], agents.plan_entry[row]});
      is_moved = true;
    }
    agents.cell[row] = cell;
    if (agents.has_levels) {
      begin_leg(row);
      wake(row);
      find_disc(row);
    }
    // A goal under a new obstacle moves to its rim.
    if (agents.has_heading[row] == 0 && (agents.activity[row] == Activity::kWalking || agents.activity[row] == Activity::kLost)) {
      const Vec2 goal{agents.goal_x[row], agents.goal_y[row]};
      if (is_near(goal, radius + 0.01) && !fits(goal, agents.goal_layer[row], radius))
        if (const auto place = data().locator.nearest_walkable(goal, agents.goal_layer[row], radius)) {
          agents.goal_x[row] = static_cast<float>(place->x), agents.goal_y[row] = static_cast<float>(place->y);
          if (agents.has_links && agents.link[row] == kNoRide)
            agents.final_x[row] = agents.goal_x[row], agents.final_y[row] = agents.goal_y[row];
          is_moved = true;
        }
    }
    const bool is_lost = agents.activity[row] == Activity::kLost;
    Route& route = routes[agents.slot[row]];
    const bool is_whole = carry_route_over(route, cell, link) && !is_moved;
    if (!route.cells.empty()) {
      agents.left[row] = static_cast<std::uint32_t>(route.portals.size()) - route.next;
      agents.route_cell[row] = route.cells[route.next];
    }
    if (is_lost || (!is_whole && agents.activity[row] == Activity::kWalking && agents.has_heading[row] == 0))
      affected.push_back({agents.left[row] > 0 && !is_moved, agents.number[row], slots.id_of(agents.slot[row])});
  }
  for (const AgentId id : homeless) {
    early_events.push_back({time(), EventKind::kLeft, agents.number[slots.row_of(id)], 0});
    remove(slots.row_of(id));
  }
  // Those first who have no way at all, by number: the order of rows is of no meaning.
  std::sort(affected.begin(), affected.end(), [](const Affected& a, const Affected& b) { return a.key() < b.key(); });
  for (const Affected& a : affected)
    if (std::find(replans.begin(), replans.end(), a.id) == replans.end()) replans.push_back(a.id);
  const auto steps_in_a_second = static_cast<std::size_t>(std::max(1.0, std::floor(1 / settings.dt)));
  constexpr std::size_t kFewest = 32;
  replans_per_step = static_cast<std::uint32_t>(std::max(kFewest, (replans.size() + steps_in_a_second - 1) / steps_in_a_second));
}

/// A corridor under its new numbers, up to the first cell that is gone. False if there is one ahead.
bool World::State::carry_route_over(Route& route, CellIndex cell, const VersionLink* link) {
  if (route.cells.empty()) return true;
  std::vector<CellIndex> cells;
  std::vector<PortalIndex> portals;
  const auto here = [&](std::size_t i) { return link == nullptr ? kNoCell : link->new_cell[route.cells[i]]; };
  bool is_whole = true;
  std::uint32_t next = 0;
  std::size_t first = route.next;
  while (first > 0 && here(first - 1) != kNoCell) --first;
  if (here(route.next) == kNoCell) {
    cells.push_back(cell);
    is_whole = false;
  } else {
    next = route.next - static_cast<std::uint32_t>(first);
    for (std::size_t i = first; i < route.cells.size(); ++i) {
      if (here(i) == kNoCell) {
        is_whole = false;
        break;
      }
      if (i > first) portals.push_back(link->new_portal[route.portals[i - 1]]);
      cells.push_back(here(i));
    }
  }
  route.cells = std::move(cells);
  route.portals = std::move(portals);
  route.next = next;
  return is_whole;
}

/// Some of those whose corridor an edit has cut, each step.
void World::State::take_replans() {
  if (replans.empty()) return;
  const std::size_t count = std::min<std::size_t>(replans_per_step, replans.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t row = slots.row_of(replans[i]);
    if (row == kNoRow || agents.has_heading[row] != 0) continue;
    if (agents.activity[row] == Activity::kLost) agents.activity[row] = Activity::kWalking;
    if (agents.activity[row] == Activity::kWalking) agents.needs_route[row] = 1;
  }
  replans.erase(replans.begin(), replans.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace throng
