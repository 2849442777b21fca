// SPDX-License-Identifier: MIT
// Overlays: what `throng draw` draws, by the same functions, as primitives for the page.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include "analysis/density_map.hpp"
#include "draw/cells_picture.hpp"
#include "draw/crowd_picture.hpp"
#include "draw/field_picture.hpp"
#include "draw/flow_picture.hpp"
#include "draw/graph_picture.hpp"
#include "draw/interest_picture.hpp"
#include "draw/palette.hpp"
#include "gauges.hpp"
#include "ground_density.hpp"
#include "json_numbers.hpp"
#include "navigation/navigation_data.hpp"
#include "studio_questions.hpp"

namespace throng::server {
namespace {

/// More would stop the page, and nobody could see them.
constexpr std::size_t kMostPrimitives = 150000;
constexpr double kPixels = 1600;  // of a picture: marks keep a readable size

std::string hex(Color c) { return fmt::format("#{:02x}{:02x}{:02x}{:02x}", c.r, c.g, c.b, c.a); }

/// Keeps what it is given, but for the ground and what is solid: the page has the scene itself.
class JsonStream final : public DrawStream {
 public:
  explicit JsonStream(Vec2 shift) : shift_(shift) {}
  /// What is drawn from now on is moved by this.
  void set_shift(Vec2 shift) { shift_ = shift; }

  void begin_layer(std::string_view name) override {
    is_scene_ = name == "ground" || name == "solid";
    if (!is_scene_) layers_.push_back({std::string(name), Json::array()});
  }
  void polyline(std::span<const Vec2> points, Pen pen) override {
    add(Json::array({"line", flat(points), hex(pen.color), rounded(pen.width)}));
  }
  void polygon(std::span<const std::span<const Vec2>> rings, Color fill) override {
    Json list = Json::array();
    for (const auto& ring : rings) list.push_back(flat(ring));
    add(Json::array({"area", std::move(list), hex(fill)}));
  }
  void disc(Vec2 centre, double radius, Color fill) override {
    add(Json::array({"disc", rounded(centre.x + shift_.x), rounded(centre.y + shift_.y), rounded(radius), hex(fill)}));
  }
  void text(Vec2 at, std::string_view words, double size, Color color) override {
    add(Json::array({"text", rounded(at.x + shift_.x), rounded(at.y + shift_.y), std::string(words), rounded(size), hex(color)}));
  }

  void grid(Json primitive) { add(std::move(primitive)); }

  std::size_t count() const { return count_; }
  Json layers() {
    Json list = Json::array();
    for (auto& [name, items] : layers_)
      if (!items.empty()) list.push_back({{"name", name}, {"items", std::move(items)}});
    return list;
  }

 private:
  Json flat(std::span<const Vec2> points) const {
    Json list = Json::array();
    for (const Vec2& p : points) {
      list.push_back(rounded(p.x + shift_.x));
      list.push_back(rounded(p.y + shift_.y));
    }
    return list;
  }
  void add(Json item) {
    if (is_scene_) return;
    ++count_;
    if (count_ > kMostPrimitives) return;
    if (layers_.empty()) begin_layer("");
    layers_.back().second.push_back(std::move(item));
  }
  Vec2 shift_;
  bool is_scene_ = false;
  std::size_t count_ = 0;
  std::vector<std::pair<std::string, Json>> layers_;
};

Json legend_json(const std::vector<LegendEntry>& legend) {
  constexpr const char* kMarks[] = {"area", "line", "dot"};
  Json list = Json::array();
  for (const LegendEntry& entry : legend)
    list.push_back({{"words", entry.words}, {"color", hex(entry.color)}, {"mark", kMarks[entry.mark]}});
  return list;
}

/// Everybody from the start of a branch until a step, every half second or less often.
Trajectory trajectory_until(Branch& branch, std::uint64_t step, Vec2 low) {
  constexpr std::uint64_t kMostRows = 4'000'000;
  Trajectory all;
  std::unordered_map<std::uint32_t, std::uint32_t> index;
  std::uint64_t stride = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(0.5 / branch.dt())));
  if (const auto now = branch.frame(step)) {
    const std::uint64_t rows = std::max<std::uint64_t>(1, (*now)->rows.size());
    stride = std::max(stride, step * rows / kMostRows);
  }
  all.frame_seconds = static_cast<double>(stride) * branch.dt();
  for (std::uint64_t s = 0; s <= step; s += stride) {
    const auto frame = branch.frame(s);
    if (!frame) break;
    for (const FrameRow& row : (*frame)->rows) {
      const auto [place, is_new] = index.try_emplace(row.number, static_cast<std::uint32_t>(all.agents.size()));
      if (is_new) all.agents.push_back({row.number, 0.01f * row.radius, 0.01f * row.preferred, row.kind, 0});
      all.agent.push_back(place->second);
      all.x.push_back(static_cast<float>(low.x + 0.01 * row.x));
      all.y.push_back(static_cast<float>(low.y + 0.01 * row.y));
      all.heading_x.push_back(1), all.heading_y.push_back(0), all.z.push_back(0);
      all.layer.push_back(row.layer);
    }
    all.frame_start.push_back(all.agent.size());
  }
  return all;
}

/// Edges of the neighbourhood graph, each once.
void draw_neighbours(DrawStream& out, const World& world, std::uint32_t layer) {
  out.begin_layer("neighbours");
  const World::Columns rows = world.columns();
  const Cells& cells = world.navigation().data().cells;
  for (std::uint32_t i = 0; i < rows.x.size(); ++i) {
    if (cells.layer[rows.cell[i]] != layer) continue;
    for (const std::uint32_t j : world.neighbours_of(i)) {
      if (j >= rows.x.size()) continue;  // an image of a periodic world
      const auto back = world.neighbours_of(j);
      // Sight may lead one way only.
      if (j < i && std::find(back.begin(), back.end(), i) != back.end()) continue;
      const Vec2 line[] = {{rows.x[i], rows.y[i]}, {rows.x[j], rows.y[j]}};
      out.polyline(line, {kSkyBlue, 0.03, 0.7});
    }
  }
}

/// The space somebody keeps, and where it and its neighbours will be nearest to each other if all walk on as they do.
void draw_personal_space(DrawStream& out, const World& world, const Scenario& scenario, std::uint32_t row) {
  constexpr double kLookAhead = 4;  // s
  const World::Columns c = world.columns();
  const Vec2 at{c.x[row], c.y[row]}, v{c.vx[row], c.vy[row]};
  const double space =
      c.kind[row] < scenario.kinds.size()
          ? 0.5 * (scenario.kinds[c.kind[row]].personal_distance.least() + scenario.kinds[c.kind[row]].personal_distance.most())
          : Person{}.personal_distance;
  out.begin_layer("personal space");
  out.disc(at, space, {kSkyBlue.r, kSkyBlue.g, kSkyBlue.b, 70});
  out.disc(at, c.radius[row], {kBlue.r, kBlue.g, kBlue.b, 200});
  const Vec2 ahead[] = {at, at + kLookAhead * v};
  out.polyline(ahead, {kBlue, 0.06, 1.5});
  out.begin_layer("predictions");
  for (const std::uint32_t j : world.neighbours_of(row)) {
    if (j >= c.x.size()) continue;
    const Vec2 p{c.x[j], c.y[j]}, w{c.vx[j], c.vy[j]};
    const Vec2 apart = p - at, drift = w - v;
    const double speed = dot(drift, drift);
    const double time = speed > 1e-6 ? std::clamp(-dot(apart, drift) / speed, 0.0, kLookAhead) : 0;
    const Vec2 mine = at + time * v, theirs = p + time * w;
    const double gap = distance(mine, theirs) - c.radius[row] - c.radius[j];
    const Color color = gap < 0 ? kVermillion : gap < space ? kOrange : kBluishGreen;
    const Vec2 way[] = {p, theirs};
    out.polyline(way, {color, 0.04, 1});
    out.disc(theirs, c.radius[j], {color.r, color.g, color.b, 150});
    if (gap < space) {
      const Vec2 between[] = {mine, theirs};
      out.polyline(between, {color, 0.05, 1.2});
    }
  }
}

Problem nothing(const std::string& what, const std::string& fix) { return {"message /name", what, fix}; }

}  // namespace

Result<const NavigationGraph*> Moments::graph(Document& document, const std::shared_ptr<Branch>& branch, bool with_sight) {
  if (!with_sight && simulation_ && branch_ == branch && simulation_->world().graph() != nullptr)
    return simulation_->world().graph();
  std::optional<NavigationGraph>& kept = with_sight ? graph_with_sight_ : graph_;
  if (!kept) {
    GraphSettings settings = document.scenario()->graph;
    settings.threads = document.threads();
    constexpr double kSight = 40;
    settings.sight_range = with_sight ? kSight : 0;
    auto baked = NavigationGraph::bake(document.scenario()->scene, settings);
    if (!baked) return baked.problems();
    kept = std::move(*baked);
  }
  return &*kept;
}

Result<Json> overlay(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments, const OverlayQuestion& q) {
  if (!document.navigation() || document.scenario() == nullptr)
    return nothing("the scene of this recording has no ground to draw on", "open a scenario");
  const Scenario& scenario = branch->scenario();
  const Scene& scene = scenario.scene;
  if (q.layer >= scene.layers.size())
    return Problem{"message /layer", fmt::format("{} found; there are layers 0 to {}", q.layer, scene.layers.size() - 1), ""};
  const Vec2 origin = document.origin();
  const std::uint64_t step = branch->step_at(q.time);
  const double pixel = std::max(document.high().x - document.low().x, document.high().y - document.low().y) / kPixels;
  JsonStream out(origin);
  std::vector<LegendEntry> legend;
  Json extra = Json::object();

  const std::string& name = q.name;
  const bool is_of_cells =
      name == "cells" || name == "portals" || name == "topology" || name == "zones" || name == "roadmap" || name == "walls";
  const bool is_field = name == "potential" || name == "density_field" || name == "speed_field" || name == "velocity_field";
  if (is_of_cells) {
    // Doors may have closed since the start.
    const Navigation* navigation = &*document.navigation();
    if (edits_scene(scenario))
      if (const auto there = moments.at(document, branch, step)) navigation = &(*there)->world().navigation();
    const NavigationData& data = navigation->data();
    CellsPicture picture;
    picture.layer = q.layer;
    picture.solid = false;
    picture.pixel = pixel;
    picture.portals = name == "cells" || name == "portals";
    picture.bottlenecks = name == "portals";
    picture.roadmap = name == "roadmap";
    picture.walls = name == "walls";
    picture.fill = name == "cells"      ? CellsPicture::kCells
                   : name == "topology" ? CellsPicture::kTopology
                   : name == "zones"    ? CellsPicture::kZones
                                        : CellsPicture::kPlain;
    std::vector<std::uint32_t> zones;
    if (name == "zones") {
      std::uint32_t deepest = 0;
      for (std::uint32_t zone : data.tree.leaf) {
        deepest = std::max<std::uint32_t>(deepest, data.tree.zones[zone].depth);
        while (data.tree.zones[zone].depth > q.depth) zone = data.tree.zones[zone].parent;
        zones.push_back(zone);
      }
      picture.zone_of_cell = zones;
      extra["depth"] = q.depth;
      extra["depths"] = deepest + 1;
    }
    draw_cells(out, data.cells, picture);
    legend = cells_legend(picture);
  } else if (name == "discs" || name == "visibility") {
    const bool sees = name == "visibility";
    const auto graph = moments.graph(document, branch, sees);
    if (!graph) return graph.problems();
    GraphPicture picture;
    picture.pixel = pixel;
    if (sees) {
      const Vec2 eye = (q.at ? *q.at : 0.5 * (document.low() + document.high())) - origin;
      const double z = document.navigation()->data().elevation(eye, q.layer);
      const auto disc = (*graph)->disc_at({eye.x, eye.y, z});
      if (!disc) return Problem{"message /at", "there is no disc at this place", "choose a place on free ground"};
      picture.seen_from = *disc;
      extra["disc"] = *disc;
    }
    draw_graph_picture(out, (*graph)->data(), picture);
    legend = graph_legend((*graph)->data(), picture);
  } else if (name == "flows" || name == "load") {
    if (scenario.flows.empty()) return nothing("this scenario has no flows", "add some under \"flows\"");
    const auto there = moments.at(document, branch, step);
    if (!there) return there.problems();
    const World& world = (*there)->world();
    std::vector<FlowTrips> flows;
    for (std::uint32_t i = 0; i < scenario.flows.size(); ++i) {
      const std::vector<FlowPath>& paths = world.flow(i).paths;
      flows.push_back({paths, name == "load" ? world.load(i).trips : std::vector<std::uint64_t>(paths.size(), 1)});
    }
    const std::vector<LoadedStretch> stretches = throng::stretches_of(world.graph()->data(), flows, {});
    constexpr double kWidest = 20;  // pixels
    draw_load(out, world.graph()->data(), {}, stretches, kWidest * pixel);
    legend = load_legend(stretches);
  } else if (is_field) {
    const auto there = moments.after(document, branch, step);
    if (!there) return there.problems();
    const World& world = (*there)->world();
    const std::vector<FieldInfo> fields = world.fields();
    if (fields.empty())
      return nothing("nobody follows a potential field at this moment",
                     "choose another time, or a run with continuum crowds or flows through regions of level 0");
    if (q.set && *q.set >= fields.size())
      return Problem{"message /set", fmt::format("{} found; there are {} sets", *q.set, fields.size()), "count from 0"};
    const auto most = std::max_element(fields.begin(), fields.end(),
                                       [](const FieldInfo& a, const FieldInfo& b) { return a.people < b.people; });
    const std::size_t chosen = q.set ? *q.set : static_cast<std::size_t>(most - fields.begin());
    const std::vector<FieldTile> tiles = world.field_tiles(chosen);
    FieldPicture picture;
    picture.show = name == "potential"       ? FieldShow::kPotential
                   : name == "density_field" ? FieldShow::kDensity
                   : name == "speed_field"   ? FieldShow::kSpeed
                                             : FieldShow::kVelocity;
    picture.tile = fields[chosen].tile;
    picture.layer = q.layer;
    picture.pixel = pixel;
    draw_field(out, tiles, picture);
    legend = field_legend(tiles, picture);
    extra["set"] = chosen;
    extra["sets"] = fields.size();
    extra["people"] = fields[chosen].people;
  } else if (name == "neighbours" || name == "personal_space") {
    const auto there = moments.after(document, branch, step);
    if (!there) return there.problems();
    const World& world = (*there)->world();
    if (name == "neighbours") {
      draw_neighbours(out, world, q.layer);
      legend = {{"who sees whom", kSkyBlue, LegendEntry::kLine}};
    } else {
      if (!q.agent) return Problem{"message /agent", "nobody is selected", "add \"agent\": number"};
      const auto numbers = world.columns().number;
      const auto found = std::find(numbers.begin(), numbers.end(), *q.agent);
      if (found == numbers.end())
        return Problem{"message /agent", fmt::format("person {} is not there at this moment", *q.agent),
                       "choose somebody who is"};
      draw_personal_space(out, world, scenario, static_cast<std::uint32_t>(found - numbers.begin()));
      legend = {{"personal space", {kSkyBlue.r, kSkyBlue.g, kSkyBlue.b, 70}, LegendEntry::kArea},
                {"will touch", kVermillion, LegendEntry::kDot},
                {"will come close", kOrange, LegendEntry::kDot},
                {"will pass", kBluishGreen, LegendEntry::kDot}};
    }
  } else if (name == "regions") {
    const auto there = moments.at(document, branch, step);
    if (!there) return there.problems();
    const World& world = (*there)->world();
    if (!world.settings().interest.enabled) return nothing("this scenario has no regions of interest", "add settings.interest");
    draw_levels(out, world.level_tiles(), world.settings().interest.tile, {}, q.layer);
    std::vector<Region> regions;
    for (std::uint32_t i = 0; i < world.region_count(); ++i)
      if (const auto region = world.region(i)) regions.push_back(*region);
    draw_regions(out, regions, {}, q.layer);
    legend = level_legend();
  } else if (name == "trails") {
    out.set_shift({});
    CrowdPicture picture;
    picture.color = PeopleColor::kDirection;
    picture.layer = static_cast<std::uint16_t>(q.layer);
    picture.pixel = pixel;
    draw_trails(out, trajectory_until(*branch, step, document.low()), picture);
    legend = crowd_legend(picture.color, {});
  } else if (name == "density" || name == "mean_density") {
    // Doors may have closed since the start: who stands before one is not behind it.
    const Navigation* navigation = &*document.navigation();
    if (edits_scene(scenario))
      if (const auto there = moments.at(document, branch, step)) navigation = &(*there)->world().navigation();
    const Vec2 low = document.low() - origin;
    std::vector<SomePeople> people;
    if (name == "density") {
      const auto frame = branch->frame(step);
      if (!frame) return frame.problems();
      for (const FrameRow& row : (*frame)->rows)
        if (row.layer == q.layer) people.push_back({place_of(row, low)});
    } else {
      const DensityMap map = density_map_of(trajectory_until(*branch, step, low), 0.5, static_cast<std::uint16_t>(q.layer));
      for (std::size_t i = 0; i < map.density.size(); ++i)
        if (map.density[i] > 0)
          people.push_back({map.low + map.square * Vec2{static_cast<double>(i % map.columns) + 0.5,
                                                        static_cast<double>(i / map.columns) + 0.5},
                            map.density[i] * map.square * map.square});
    }
    if (people.empty()) return nothing("nobody is on this layer at this moment", "choose another time or layer");
    out.begin_layer("density");
    out.grid(grid_primitive(ground_density(navigation->data(), q.layer, people), origin));
    legend = density_legend();
  } else {
    return nothing("\"" + name + "\" is no overlay",
                   "cells, portals, topology, zones, roadmap, walls, discs, visibility, flows, load, potential, density_field, "
                   "speed_field, velocity_field, neighbours, personal_space, regions, trails, density, mean_density");
  }
  if (out.count() > kMostPrimitives)
    return nothing(fmt::format("\"{}\" would have {} primitives here; at most {} are sent", name, out.count(), kMostPrimitives),
                   "look at a smaller scene, or draw it with `throng draw`");
  extra["name"] = name;
  extra["count"] = out.count();
  extra["layers"] = out.layers();
  extra["legend"] = legend_json(legend);
  return extra;
}

}  // namespace throng::server
