// SPDX-License-Identifier: MIT
// throng bench graph: navigation graphs and layered cells of triangle meshes beside Recast's navigation meshes, same body and
// same grid. Which random pairs of places each of them joins, how long the ways are, how much ground there is, what it costs.
//
// Places are drawn from the graph's samples and kept if Recast has ground there as well. Lengths are in plan: Detour's corners
// say little about the height in between. Times are the processor's, so that a busy machine does not decide. Pairs that only one
// of the two joins are sorted by the parts that the other sees, with the place where a way found leaves the one part and enters
// the other.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <tuple>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/profile.hpp"
#include "base/random.hpp"
#include "bench.hpp"
#include "navgraph/graph_path.hpp"
#include "navigation/navigation_data.hpp"
#ifdef THRONG_HAVE_PEERS
#include "peers/recast_peer.hpp"
#endif

namespace throng::cli {
namespace {

struct BenchGraphArguments {
  std::vector<std::string> files;
  std::uint32_t pairs = 1000;
  double cell_size = 0.1;
  double radius = 0.2;
  double step_height = 0.9;  // this and the next two: RecastDemo's
  double slope = 45;
  double head_room = 2;
  bool json = false;
  bool quiet = false;
};

/// Processor time, of all threads.
template <class F>
double microseconds(F&& run) {
  const std::clock_t began = std::clock();
  run();
  return 1e6 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

/// Memory that was freed goes back to the system: otherwise whoever comes second seems to need none.
void forget_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// Square metres where the middle of a body may be, by 200,000 places spread over the ground.
double room_area(const Navigation& navigation, double radius) {
  constexpr std::uint32_t kPlaces = 200'000;
  std::uint32_t free = 0;
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    // A rank-1 lattice (Roberts' R2) spreads places evenly over the ground.
    const double u = std::fmod(0.5 + 0.7548776662466927 * i, 1.0), v = std::fmod(0.5 + 0.5698402909980532 * i, 1.0);
    const WalkablePlace place = navigation.random_walkable(u, v);
    const auto near = navigation.nearest_walkable(place.point, radius, place.layer);
    free += near && distance(*near, place.point) < 1e-3;
  }
  return navigation.report().area * free / kPlaces;
}

#ifdef THRONG_HAVE_PEERS

constexpr double kLeastLength = 1;  ///< metres; ratios of shorter ways say nothing

nlohmann::json json_of(Vec3 p) { return {p.x, p.y, p.z}; }

double plan_length(const std::vector<Vec3>& points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += distance(plan_of(points[i - 1]), plan_of(points[i]));
  return length;
}

/// Where a way leaves the part it starts in, as the other structure sees it.
struct Crossing {
  Vec3 left, entered;
  std::uint32_t from_part = 0, to_part = 0;
};

template <class PartAt>
std::optional<Crossing> first_crossing(const std::vector<Vec3>& way, PartAt part_at) {
  constexpr double kStride = 0.05;  // metres
  Crossing crossing;
  std::optional<std::uint32_t> part;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const int count = 1 + static_cast<int>(distance(way[i], way[i + 1]) / kStride);
    for (int k = 0; k <= count; ++k) {
      const double t = static_cast<double>(k) / count;
      const Vec3 p{way[i].x + t * (way[i + 1].x - way[i].x), way[i].y + t * (way[i + 1].y - way[i].y),
                   way[i].z + t * (way[i + 1].z - way[i].z)};
      const std::optional<std::uint32_t> here = part_at(p);
      if (!here) continue;
      if (part && *here != *part) {
        crossing.entered = p;
        crossing.from_part = *part, crossing.to_part = *here;
        return crossing;
      }
      part = here;
      crossing.left = p;
    }
  }
  return std::nullopt;
}

/// What one of our structures and Detour say about the same pairs.
class Tally {
 public:
  explicit Tally(std::string name) : name_(std::move(name)) {}

  template <class OurParts, class TheirParts>
  void add(Vec3 from, Vec3 to, const std::vector<Vec3>* ours, const DetourPeer::Path& theirs, OurParts our_part,
           TheirParts their_part) {
    ++pairs_;
    if (ours != nullptr && theirs.found) {
      ++both_;
      const double length = plan_length(*ours);
      if (theirs.length >= kLeastLength) ratios_.push_back(length / theirs.length);
      if (theirs.length >= kLeastLength) ours_length_ += length, theirs_length_ += theirs.length;
    } else if (ours != nullptr) {
      disagree(name_, from, to, first_crossing(*ours, their_part));
    } else if (theirs.found) {
      disagree("detour", from, to, first_crossing(theirs.points, our_part));
    } else {
      ++neither_;
    }
  }

  nlohmann::json result(double microseconds_in_all) const {
    const Spread ratio = spread_of(ratios_);
    nlohmann::json groups = nlohmann::json::array();
    for (const auto& [key, group] : groups_) groups.push_back(group);
    return {{"both", both_},
            {"neither", neither_},
            {"agreement", (both_ + neither_) / static_cast<double>(pairs_)},
            {"length_ratio", {{"mean", ratio.mean}, {"median", ratio.median}, {"p95", ratio.p95}, {"worst", ratio.worst}}},
            {"length_sum_ratio", theirs_length_ > 0 ? ours_length_ / theirs_length_ : 0},
            {"query_us", microseconds_in_all / pairs_},
            {"disagreements", disagreements_},
            {"disagreements_by_place", groups}};
  }

 private:
  void disagree(const std::string& joined_by, Vec3 from, Vec3 to, const std::optional<Crossing>& crossing) {
    nlohmann::json pair = {{"joined_by", joined_by}, {"from", json_of(from)}, {"to", json_of(to)}};
    std::tuple<std::string, std::uint32_t, std::uint32_t> key{joined_by, 0, 0};
    if (crossing) {
      pair["left"] = json_of(crossing->left);
      pair["entered"] = json_of(crossing->entered);
      const auto [low, high] = std::minmax(crossing->from_part, crossing->to_part);
      key = {joined_by, low, high};
    }
    disagreements_.push_back(pair);
    nlohmann::json& group = groups_[key];
    if (group.is_null()) group = {{"count", 0}, {"example", pair}};
    group["count"] = group["count"].get<int>() + 1;
  }

  std::string name_;
  std::uint32_t pairs_ = 0, both_ = 0, neither_ = 0;
  std::vector<double> ratios_;
  double ours_length_ = 0, theirs_length_ = 0;
  nlohmann::json disagreements_ = nlohmann::json::array();
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, nlohmann::json> groups_;
};

/// The pairs of one mesh, asked of all three.
class Comparison {
 public:
  Comparison(const NavGraph& graph, const Navigation& cells, DetourPeer& detour, const BenchGraphArguments& a)
      : graph_(graph), cells_(cells), detour_(detour), a_(a) {
    for (NodeIndex n = 0; n < graph.surface.node_count(); ++n)
      if (graph.owner[n] != kNoDisc) nodes_.push_back(n);
  }

  void run(Progress& progress) {
    GraphSearch search(graph_);
    PathFinder finder(cells_);
    GraphPath on_graph;
    Path on_cells;
    DetourPeer::Path theirs;
    const auto their_part = [&](Vec3 p) { return detour_.part_at(p, a_.radius, a_.step_height); };
    for (std::uint32_t i = 0; i < a_.pairs; ++i) {
      const Vec3 from = common_place(), to = common_place();
      graph_us_ += microseconds([&] { search.find(from, to, on_graph); });
      detour_us_ += microseconds([&] { detour_.find(from, to, theirs); });
      const PathRequest request = request_for(from, to);
      cells_us_ += microseconds([&] { finder.find(request, on_cells); });
      graph_tally_.add(
          from, to, on_graph.found ? &on_graph.points : nullptr, theirs,
          [&](Vec3 p) -> std::optional<std::uint32_t> {
            const auto disc = disc_at(graph_, p);
            if (!disc) return std::nullopt;
            return graph_.component[*disc];
          },
          their_part);
      const std::vector<Vec3> way = on_cells.found ? cells_.in_space(on_cells.points, request.from_layer) : std::vector<Vec3>{};
      cells_tally_.add(
          from, to, on_cells.found ? &way : nullptr, theirs,
          [&](Vec3 p) -> std::optional<std::uint32_t> {
            const auto cell = cells_.cell_at({p.x, p.y}, cells_.layer_at({p.x, p.y}, p.z));
            if (!cell) return std::nullopt;
            return cells_.data().cells.component[*cell];
          },
          their_part);
      progress.count(i + 1, a_.pairs);
    }
  }

  void add_results(nlohmann::json& row) const {
    row["pairs"] = a_.pairs;
    row["common_share"] = static_cast<double>(2 * a_.pairs) / static_cast<double>(drawn_);
    row["graph"].update(graph_tally_.result(graph_us_));
    row["cells"].update(cells_tally_.result(cells_us_));
    row["recast"]["query_us"] = detour_us_ / a_.pairs;
  }

 private:
  Vec3 common_place() {
    for (;;) {
      ++drawn_;
      const NodeIndex n = nodes_[index_from_bits(random_.bits(), nodes_.size())];
      const Vec2 at = graph_.surface.position(n);
      const Vec3 p{at.x, at.y, graph_.surface.z[n]};
      if (detour_.part_at(p, 0, a_.step_height)) return p;
    }
  }

  /// Places where the body just fits by one measure of the walls may be a hair too narrow by another.
  PathRequest request_for(Vec3 from, Vec3 to) const {
    PathRequest request;
    request.radius = a_.radius;
    const auto put = [&](Vec3 p, Vec2& point, std::uint32_t& layer) {
      point = {p.x, p.y};
      layer = cells_.layer_at(point, p.z);
      if (const auto near = cells_.nearest_walkable(point, a_.radius, layer); near && distance(*near, point) < a_.cell_size)
        point = *near;
    };
    put(from, request.from, request.from_layer);
    put(to, request.to, request.to_layer);
    return request;
  }

  const NavGraph& graph_;
  const Navigation& cells_;
  DetourPeer& detour_;
  const BenchGraphArguments& a_;
  RandomStream random_{1, 0, 0};
  std::vector<NodeIndex> nodes_;
  std::uint64_t drawn_ = 0;
  Tally graph_tally_{"graph"}, cells_tally_{"cells"};
  double graph_us_ = 0, cells_us_ = 0, detour_us_ = 0;
};

#endif

Result<nlohmann::json> measure(const BenchGraphArguments& a, const std::string& file) {
  Progress progress(file, a.quiet);
  progress.step("reading");
  SceneArguments opened;
  opened.scene = file;
  opened.quiet = true;
  const Result<Scene> scene = open_uncut_scene(opened);
  if (!scene) return scene.problems();
  if (scene->mesh.empty()) return Problem{file, "has no triangles", "give a mesh, e.g. an OBJ file"};

  progress.step("baking the graph");
  forget_freed_memory();
  const std::uint64_t before = reset_peak_memory() ? resident_memory_bytes() : 0;
  GraphSettings settings;
  settings.grid_step = a.cell_size;
  settings.body_radius = a.radius;
  settings.min_radius = std::max(settings.min_radius, 1.5 * a.cell_size);
  settings.step_height = a.step_height;
  settings.slope = a.slope;
  settings.head_room = a.head_room;
  settings.threads = 1;
  std::optional<Result<NavigationGraph>> baked;
  const double graph_us = microseconds([&] { baked = NavigationGraph::bake(*scene, settings); });
  const Result<NavigationGraph>& graph = *baked;
  if (!graph) return graph.problems();
  const GraphReport& r = graph->report();
  nlohmann::json row = {{"file", std::filesystem::path(file).filename().string()},
                        {"triangles", scene->mesh.triangles.size()},
                        {"graph",
                         {{"bake_ms", graph_us / 1000},
                          {"bytes", r.bytes},
                          {"peak_bytes", peak_memory_bytes() - before},
                          {"area", r.feasible_area},
                          {"parts", r.components},
                          {"discs", r.discs},
                          {"gates", r.gates},
                          {"stages", stages_json(r.stages)}}}};
  progress.step("baking layered cells");
  forget_freed_memory();
  const std::uint64_t before_cells = reset_peak_memory() ? resident_memory_bytes() : 0;
  LayerSettings layers;
  layers.grid_step = a.cell_size;
  layers.step_height = a.step_height;
  layers.slope = a.slope;
  layers.head_room = a.head_room;
  layers.threads = 1;
  std::optional<Result<LayeredScene>> split;
  std::optional<Result<Navigation>> navigation;
  const double cells_us = microseconds([&] {
    split = split_into_layers(*scene, layers);
    if (*split) {
      (*split)->scene.profiles = {Profile{.radius = a.radius}};
      navigation = Navigation::bake((*split)->scene, {.threads = 1});
    }
  });
  if (!*split) return split->problems();
  if (!*navigation) return navigation->problems();
  const Navigation& cells = **navigation;
  std::vector<BakeStage> stages = (*split)->stages;
  stages.insert(stages.end(), cells.report().stages.begin(), cells.report().stages.end());
  row["cells"] = {{"bake_ms", cells_us / 1000},
                  {"bytes", cells.report().bytes},
                  {"peak_bytes", peak_memory_bytes() - before_cells},
                  {"area", room_area(cells, a.radius)},
                  {"parts", cells.report().components},
                  {"layers", cells.report().layers},
                  {"joints", cells.report().joints},
                  {"sheets", (*split)->sheets},
                  {"cells", cells.report().cells},
                  {"portals", cells.report().portals},
                  {"stages", stages_json(stages)}};
#ifdef THRONG_HAVE_PEERS
  progress.step("Recast");
  forget_freed_memory();
  std::optional<Result<DetourPeer>> built;
  const double recast_us = microseconds([&] {
    built = DetourPeer::build(scene->mesh, {.cell_size = a.cell_size,
                                            .radius = a.radius,
                                            .head_room = a.head_room,
                                            .climb = a.step_height,
                                            .slope = a.slope,
                                            .min_island = settings.min_island});
  });
  Result<DetourPeer>& detour = *built;
  if (!detour) return detour.problems();
  const DetourPeer::Statistics& s = detour->statistics();
  row["recast"] = {{"bake_ms", recast_us / 1000},    {"bytes", s.bytes},
                   {"peak_bytes", s.peak_bytes},     {"area", s.area},
                   {"parts", detour->part_count()},  {"polygons", s.polygon_count},
                   {"stages", stages_json(s.stages)}};
  for (const char* ours : {"graph", "cells"}) row[ours]["area_ratio"] = row[ours]["area"].get<double>() / s.area;
  progress.step("pairs");
  Comparison comparison(graph->data(), cells, *detour, a);
  comparison.run(progress);
  comparison.add_results(row);
#endif
  return row;
}

void print_row(const nlohmann::json& row) {
  fmt::print("{}, {} triangles; layered cells: {} layers, {} joints\n  {:<10}{:>10}{:>10}{:>10}{:>12}{:>8}{:>12}\n",
             row["file"].get<std::string>(), row["triangles"].get<std::size_t>(), row["cells"]["layers"].get<std::size_t>(),
             row["cells"]["joints"].get<std::size_t>(), "", "bake ms", "kept MB", "peak MB", "area m²", "parts", "query µs");
  for (const char* engine : {"graph", "cells", "recast"}) {
    if (!row.contains(engine)) continue;
    const auto& r = row[engine];
    fmt::print("  {:<10}{:>10.0f}{:>10.1f}{:>10.1f}{:>12.1f}{:>8}", engine, r["bake_ms"].get<double>(),
               r["bytes"].get<double>() / 1e6, r["peak_bytes"].get<double>() / 1e6, r["area"].get<double>(),
               r["parts"].get<std::uint32_t>());
    if (r.contains("query_us")) fmt::print("{:>12.1f}", r["query_us"].get<double>());
    fmt::print("\n");
  }
  if (!row.contains("recast")) return;
  fmt::print("  of the graph's samples {:.1f} % are on Recast's ground; {} pairs of them\n",
             100 * row["common_share"].get<double>(), row["pairs"].get<int>());
  const auto place = [](const nlohmann::json& p) {
    return fmt::format("({:.2f}, {:.2f}, {:.2f})", p[0].get<double>(), p[1].get<double>(), p[2].get<double>());
  };
  for (const char* engine : {"graph", "cells"}) {
    const auto& r = row[engine];
    const auto& ratio = r["length_ratio"];
    fmt::print("  {} / Recast: area {:.4f}; both join {}, neither {}: they agree on {:.1f} %\n", engine,
               r["area_ratio"].get<double>(), r["both"].get<int>(), r["neither"].get<int>(), 100 * r["agreement"].get<double>());
    fmt::print("    length in plan, {} / Detour: mean {:.4f}, median {:.4f}, p95 {:.4f}, worst {:.3f}; of the sums {:.4f}\n",
               engine, ratio["mean"].get<double>(), ratio["median"].get<double>(), ratio["p95"].get<double>(),
               ratio["worst"].get<double>(), r["length_sum_ratio"].get<double>());
    for (const auto& group : r["disagreements_by_place"]) {
      const auto& pair = group["example"];
      fmt::print("    {} joined only by {}, e.g. {} to {}", group["count"].get<int>(), pair["joined_by"].get<std::string>(),
                 place(pair["from"]), place(pair["to"]));
      if (pair.contains("left")) fmt::print("; between {} and {}", place(pair["left"]), place(pair["entered"]));
      fmt::print("\n");
    }
  }
}

/// The two game levels that come with Recast's demo.
std::vector<std::string> default_files() {
  const char* said = std::getenv("THRONG_EXTERNAL_DATA");
  const auto folder = (said ? std::filesystem::path(said) : std::filesystem::path("..") / "shared" / "data") / "scenes";
  return {(folder / "nav_test.obj").string(), (folder / "dungeon.obj").string()};
}

int run_bench_graph(const BenchGraphArguments& a) {
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& file : a.files.empty() ? default_files() : a.files) {
    const Result<nlohmann::json> row = measure(a, file);
    if (!row) return report_problems(row.problems(), a.json);
    rows.push_back(*row);
  }
  if (a.json) {
    print_json({{"cell_size", a.cell_size},
                {"radius", a.radius},
                {"step_height", a.step_height},
                {"slope", a.slope},
                {"head_room", a.head_room},
                {"rows", rows}});
    return kSuccess;
  }
  fmt::print("cells of {} m, body radius {} m, steps up to {} m, slopes up to {}°, head room {} m; one thread\n", a.cell_size,
             a.radius, a.step_height, a.slope, a.head_room);
  for (const auto& row : rows) print_row(row);
  return kSuccess;
}

}  // namespace

void add_bench_graph(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchGraphArguments>();
  CLI::App* verb =
      bench.add_subcommand("graph", "graphs and layered cells of meshes beside Recast: who joins what, lengths, costs");
  verb->add_option("FILE", a->files, "meshes (default: nav_test.obj and dungeon.obj of $THRONG_EXTERNAL_DATA)");
  verb->add_option("--pairs", a->pairs, "random pairs of places a mesh")->capture_default_str()->check(CLI::Range(1, 1000000));
  verb->add_option("--cell-size", a->cell_size, "of both, metres")->capture_default_str()->check(CLI::Range(0.05, 1.0));
  verb->add_option("--radius", a->radius, "of the body")->capture_default_str()->check(CLI::Range(0.0, 10.0));
  verb->add_option("--step-height", a->step_height, "what is lower is stepped over, metres")->capture_default_str();
  verb->add_option("--slope", a->slope, "the steepest ground, degrees")->capture_default_str()->check(CLI::Range(1.0, 80.0));
  verb->add_option("--head-room", a->head_room, "metres")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench graph level.obj --radius 0.3");
  verb->callback([a, &outcome] { outcome.status = run_bench_graph(*a); });
}

}  // namespace throng::cli
