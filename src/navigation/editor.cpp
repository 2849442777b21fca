// SPDX-License-Identifier: MIT
#include <throng/edits.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/nearest_name.hpp"
#include "base/tasks.hpp"
#include "geometry/polygon.hpp"
#include "navigation/edited_data.hpp"

namespace throng {
namespace {

std::string place_text(Vec2 p) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.3f, %.3f)", p.x, p.y);
  return text;
}

std::optional<Problem> check_outline(const Polygon& shape, const std::string& where) {
  std::vector<Ring> rings{shape.outer};
  rings.insert(rings.end(), shape.holes.begin(), shape.holes.end());
  for (const Ring& ring : rings) {
    if (ring.size() < 3)
      return Problem{where, "an outline of " + std::to_string(ring.size()) + " points", "give at least three corners"};
    for (const Vec2 p : ring)
      if (!fits_grid(p))
        return Problem{where, "coordinate " + place_text(p) + " is not a number below 16 km", "check units and projection"};
    std::vector<Point> points;
    for (const Vec2 p : ring) points.push_back(snap(p));
    if (doubled_area(points) == 0)
      return Problem{where, "an outline without area near " + place_text(ring[0]), "give corners that enclose ground"};
  }
  if (const auto crossing = find_crossing(rings))
    return Problem{where, "the outline crosses itself at " + place_text(crossing->at), "let its edges meet at corners only"};
  return std::nullopt;
}

/// A box round an outline, with a little room for rounded crossings.
GridBox box_of(const Polygon& shape) {
  constexpr std::int32_t kRoom = 4;
  GridBox box{{kCoordinateLimit, kCoordinateLimit}, {-kCoordinateLimit, -kCoordinateLimit}};
  for (const Vec2 place : shape.outer) {
    const Point p = snap(place);
    box.low = {std::min(box.low.x, p.x - kRoom), std::min(box.low.y, p.y - kRoom)};
    box.high = {std::max(box.high.x, p.x + kRoom), std::max(box.high.y, p.y + kRoom)};
  }
  return box;
}

bool overlap(const GridBox& a, const GridBox& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

}  // namespace

const char* name_of(EditKind kind) {
  switch (kind) {
    case EditKind::kAddObstacle:
      return "add_obstacle";
    case EditKind::kMoveObstacle:
      return "move_obstacle";
    case EditKind::kRemoveObstacle:
      return "remove_obstacle";
    case EditKind::kCloseDoor:
      return "close_door";
    case EditKind::kOpenDoor:
      return "open_door";
  }
  return "";
}

struct NavigationEditor::State {
  explicit State(const Navigation& baked) : base(baked), navigation(baked) {}

  /// Where an obstacle is: the layer, and its place among the layer's obstacles. Those that are gone keep theirs, without
  /// outline.
  struct Place {
    std::uint32_t layer, index;
  };

  Polygon& outline(Place place) { return basis.scene.layers[place.layer].obstacles[place.index]; }

  Navigation base;  // before all edits
  Navigation navigation;
  EditBasis basis;
  std::vector<Place> obstacles;
  std::vector<std::uint32_t> door_obstacle;  // by area; kNoObstacle: it was never closed
  std::vector<Edit> done;
  bool has_changed = false;  // in the edit at hand
  std::unique_ptr<TaskRunner> tasks;
  static constexpr std::uint32_t kNoObstacle = 0xffffffffu;

  std::uint32_t add_slot(std::uint32_t layer) {
    auto& list = basis.scene.layers[layer].obstacles;
    list.emplace_back();
    obstacles.push_back({layer, static_cast<std::uint32_t>(list.size()) - 1});
    return static_cast<std::uint32_t>(obstacles.size()) - 1;
  }

  /// What an edit comes to: obstacles and the outlines they get.
  struct Step {
    std::uint32_t obstacle;
    Polygon shape;
  };
  std::optional<Problem> find_steps(const Edit& edit, std::vector<Step>& steps);
  std::optional<Problem> find_door_steps(const Edit& edit, std::vector<Step>& steps);
  std::optional<Problem> check_place(const Polygon& shape, std::uint32_t layer, const std::string& where) const;
  std::optional<std::vector<Problem>> take_step(const Step& step, EditReport& report);
  std::optional<std::vector<Problem>> bake_again(EditReport& report);
};

std::optional<Problem> NavigationEditor::State::check_place(const Polygon& shape, std::uint32_t layer,
                                                            const std::string& where) const {
  if (auto problem = check_outline(shape, where)) return problem;
  const GridBox box = box_of(shape);
  for (const Polygon& walkable : basis.scene.layers[layer].walkable)
    if (overlap(box, box_of(walkable))) return std::nullopt;
  return Problem{where, "the obstacle lies outside layer \"" + basis.scene.layers[layer].name + "\"",
                 "put it on the layer's ground, or name another layer"};
}

std::optional<Problem> NavigationEditor::State::find_steps(const Edit& edit, std::vector<Step>& steps) {
  const std::string where = std::string("edit ") + name_of(edit.kind);
  if (edit.kind == EditKind::kCloseDoor || edit.kind == EditKind::kOpenDoor) return find_door_steps(edit, steps);
  if (edit.kind == EditKind::kAddObstacle) {
    if (edit.layer >= basis.scene.layers.size())
      return Problem{where, "layer " + std::to_string(edit.layer) + " does not exist", "layers count from 0"};
    if (auto problem = check_place(edit.shape, edit.layer, where)) return problem;
    steps.push_back({add_slot(edit.layer), edit.shape});
    return std::nullopt;
  }
  const std::string named = "obstacle " + std::to_string(edit.obstacle);
  if (edit.obstacle >= obstacles.size() || outline(obstacles[edit.obstacle]).outer.empty())
    return Problem{where, named + " is not in the scene", "name one that is there and has not been removed"};
  if (std::find(door_obstacle.begin(), door_obstacle.end(), edit.obstacle) != door_obstacle.end())
    return Problem{where, named + " is a closed door", "open the door"};
  if (edit.kind == EditKind::kMoveObstacle)
    if (auto problem = check_place(edit.shape, obstacles[edit.obstacle].layer, where)) return problem;
  steps.push_back({edit.obstacle, edit.kind == EditKind::kMoveObstacle ? edit.shape : Polygon{}});
  return std::nullopt;
}

std::optional<Problem> NavigationEditor::State::find_door_steps(const Edit& edit, std::vector<Step>& steps) {
  const std::string where = std::string("edit ") + name_of(edit.kind) + " \"" + edit.door + "\"";
  const bool closes = edit.kind == EditKind::kCloseDoor;
  std::vector<std::uint32_t> doors;
  for (std::uint32_t a = 0; a < basis.scene.areas.size(); ++a) {
    const Area& area = basis.scene.areas[a];
    if (area.name != edit.door) continue;
    if (closes)
      if (auto problem = check_place(area.shape, area.layer, where)) return problem;
    doors.push_back(a);
  }
  for (const std::uint32_t a : doors) {
    const Area& area = basis.scene.areas[a];
    const bool is_closed = door_obstacle[a] != kNoObstacle && !outline(obstacles[door_obstacle[a]]).outer.empty();
    if (is_closed == closes) continue;
    if (door_obstacle[a] == kNoObstacle) door_obstacle[a] = add_slot(area.layer);
    steps.push_back({door_obstacle[a], closes ? area.shape : Polygon{}});
  }
  if (doors.empty()) {
    std::vector<std::string_view> names;
    for (const Area& area : basis.scene.areas)
      if (std::find(names.begin(), names.end(), area.name) == names.end()) names.push_back(area.name);
    const auto meant = nearest_name(edit.door, names);
    return Problem{where, "no area of the scene has this name; " + (names.empty() ? "it has none" : "there is " + listed(names)),
                   meant ? "did you mean \"" + std::string(*meant) + "\"?" : "a door is an area: name one of the scene's areas"};
  }
  return std::nullopt;
}

/// One obstacle gets another outline. If something goes wrong, this object is half changed.
std::optional<std::vector<Problem>> NavigationEditor::State::take_step(const Step& step, EditReport& report) {
  report.obstacle = step.obstacle;
  const Place place = obstacles[step.obstacle];
  Polygon shape = step.shape;
  if (!shape.outer.empty()) normalise_direction(shape);
  std::vector<GridBox> boxes;
  for (const Polygon& polygon : {outline(place), shape})
    if (!polygon.outer.empty()) boxes.push_back(box_of(polygon));
  for (const GridBox& box : boxes) {
    const Vec2 low = to_metres(box.low), high = to_metres(box.high);
    report.low = {std::min(report.low.x, low.x), std::min(report.low.y, low.y)};
    report.high = {std::max(report.high.x, high.x), std::max(report.high.y, high.y)};
    report.boxes.push_back({place.layer, low, high});
  }
  outline(place) = shape;
  if (!report.is_local || !basis.scene.layers[place.layer].seeds.empty()) return bake_again(report);

  StageTimer timer;
  timer.begin("map");
  const NavigationData& before = navigation.data();
  const auto patch = basis.cells.change_obstacle(place.layer, place.index, shape, boxes, before.cells);
  timer.end();
  if (!patch) return bake_again(report);
  if (patch->is_empty()) return std::nullopt;
  if (patch->freed.size() == before.cells.cell_count() && patch->cells.empty())
    return std::vector<Problem>{{"edit", "there is no walkable ground left", "leave some of it free"}};
  auto data = patch_data(before, *patch, boxes, basis, *tasks, timer);
  if (!data) return data.problems();
  report.freed += static_cast<std::uint32_t>(patch->freed.size());
  report.made += static_cast<std::uint32_t>(patch->cells.size());
  for (const StageTime& s : timer.stages()) report.stages.push_back({s.name, s.ms});
  // Doors of one name are one edit: cells are named from before the first of them.
  if (has_changed) {
    auto link = before.link == nullptr ? nullptr : std::make_shared<VersionLink>(*before.link);
    if (link != nullptr) {
      for (CellIndex& c : link->new_cell)
        if (c != kNoCell) c = (*data)->link->new_cell[c];
      for (PortalIndex& p : link->new_portal)
        if (p != kNoPortal) p = (*data)->link->new_portal[p];
    }
    (*data)->link = std::move(link);
  }
  has_changed = true;
  navigation = Navigation(std::move(*data));
  return std::nullopt;
}

std::optional<std::vector<Problem>> NavigationEditor::State::bake_again(EditReport& report) {
  auto data = bake_scene(basis.scene, basis.settings);
  if (!data) return data.problems();
  report.is_local = false;
  report.freed += navigation.data().cells.cell_count();
  report.made += (*data)->cells.cell_count();
  report.stages.insert(report.stages.end(), (*data)->report.stages.begin(), (*data)->report.stages.end());
  basis = *(*data)->basis;
  (*data)->basis = nullptr;
  has_changed = true;
  navigation = Navigation(std::move(*data));
  return std::nullopt;
}

NavigationEditor::NavigationEditor(std::unique_ptr<State> state) : state_(std::move(state)) {}
NavigationEditor::~NavigationEditor() = default;
NavigationEditor::NavigationEditor(NavigationEditor&&) noexcept = default;
NavigationEditor& NavigationEditor::operator=(NavigationEditor&&) noexcept = default;

Result<NavigationEditor> NavigationEditor::create(const Navigation& navigation) {
  if (navigation.data().basis == nullptr)
    return Problem{"navigation", "it was not baked for edits", "bake the scene with BakeSettings::editable"};
  auto state = std::make_unique<State>(navigation);
  state->basis = *navigation.data().basis;
  for (std::uint32_t l = 0; l < state->basis.scene.layers.size(); ++l)
    for (std::uint32_t i = 0; i < state->basis.scene.layers[l].obstacles.size(); ++i) state->obstacles.push_back({l, i});
  state->door_obstacle.assign(state->basis.scene.areas.size(), State::kNoObstacle);
  state->tasks = make_task_runner(state->basis.settings.threads);
  return NavigationEditor(std::move(state));
}

Result<EditReport> NavigationEditor::apply(const Edit& edit) {
  EditReport report;
  std::vector<State::Step> steps;
  state_->has_changed = false;
  if (auto problem = state_->find_steps(edit, steps)) return *problem;
  for (const State::Step& step : steps) {
    const auto problems = state_->take_step(step, report);
    if (!problems) continue;
    // Rare: the edits so far, once more from the start, lead to the same cells under the same numbers.
    Result<NavigationEditor> again = create(state_->base);
    for (const Edit& earlier : state_->done) static_cast<void>(again->apply(earlier));
    state_ = std::move(again->state_);
    return *problems;
  }
  state_->done.push_back(edit);
  return report;
}

const Navigation& NavigationEditor::navigation() const { return state_->navigation; }

Scene NavigationEditor::scene() const {
  Scene scene = state_->basis.scene;
  for (Layer& layer : scene.layers) std::erase_if(layer.obstacles, [](const Polygon& p) { return p.outer.empty(); });
  return scene;
}

const std::vector<Edit>& NavigationEditor::edits() const { return state_->done; }

}  // namespace throng
