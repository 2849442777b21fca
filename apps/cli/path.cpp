// SPDX-License-Identifier: MIT
// throng path: one path, a file of queries, or a question about a place.
#include <fmt/format.h>

#include <throng/world.hpp>

#include <chrono>
#include <cmath>

#include "base/random.hpp"
#include "common.hpp"
#include "graph.hpp"
#include "import/queries.hpp"
#include "navigation/navigation_data.hpp"

namespace throng::cli {
namespace {

struct PathArguments {
  SceneArguments scene;
  std::string from, to, queries, nearest, ray_to, at;
  std::uint32_t random = 0;
  double radius = 0.20;
  std::uint32_t profile = 0;
  std::string planner = "hierarchy";
  GraphArguments graph;
  GraphQuestion flow;
};

nlohmann::json json_of(Vec2 p) { return {p.x, p.y}; }

double microseconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}

PathRequest request_of(const PathArguments& a) {
  PathRequest request;
  request.radius = a.radius;
  request.profile = a.profile;
  request.planner = *planner_from_name(a.planner);
  return request;
}

/// The walks of the cheapest way over links, if it is cheaper than `path` on foot.
struct LinkedWay {
  std::vector<PathRequest> walks;
  std::vector<std::uint32_t> links;
  double ridden = 0;  ///< seconds × speed
};
LinkedWay way_over_links(const Navigation& navigation, const PathRequest& request, const Path& on_foot, PathFinder& finder) {
  const std::vector<BakedLink>& all = navigation.data().links;
  LinkedWay linked{{request}, {}, 0};
  if (all.empty()) return linked;
  const double speed = Person{}.preferred_speed;
  PathRequest leg = request;
  Path path;
  const auto walk = [&](Vec2 from, std::uint32_t from_layer, Vec2 to, std::uint32_t to_layer) {
    leg.from = from, leg.from_layer = from_layer, leg.to = to, leg.to_layer = to_layer;
    return finder.find_pulled(leg, path) == PathStatus::kFound ? path.cost : kNoWalk;
  };
  LinkRoutes::Scratch scratch;
  const auto way = LinkRoutes(navigation).find(request, speed, on_foot.found ? on_foot.cost : kNoWalk, walk, scratch);
  for (std::uint32_t at = way.first; at != kNoRide; at = scratch.next[at]) {
    const auto& [entry, exit] = all[at].ends;
    linked.links.push_back(at);
    linked.ridden += speed * all[at].time;
    linked.walks.back().to = entry.place, linked.walks.back().to_layer = entry.layer;
    linked.walks.push_back(request);
    linked.walks.back().from = exit.place, linked.walks.back().from_layer = exit.layer;
  }
  return linked;
}

int plan_one(const PathArguments& a, const Navigation& navigation, Vec2 origin) {
  const Result<Place> from = parse_place(a.from, "--from"), to = parse_place(a.to, "--to");
  if (!from) return report_problems(from.problems(), a.scene.json);
  if (!to) return report_problems(to.problems(), a.scene.json);
  PathRequest request = request_of(a);
  request.from = from->point - origin;
  request.to = to->point - origin;
  request.from_layer = layer_at(navigation, *from);
  request.to_layer = layer_at(navigation, *to);
  PathFinder finder(navigation);
  Path path;
  finder.find(request, path);  // memory warms up
  const auto began = std::chrono::steady_clock::now();
  const PathStatus status = finder.find(request, path);
  const double time = microseconds_since(began);
  if (status != PathStatus::kFound && status != PathStatus::kNoWay) {
    const Problem problem = navigation.explain(request, status);
    return report_problems({&problem, 1}, a.scene.json);
  }
  const bool is_flat = navigation.report().layers == 1;
  const LinkedWay linked = way_over_links(navigation, request, path, finder);
  std::vector<Vec3> way;
  if (linked.links.empty()) {
    if (!is_flat) way = navigation.in_space(path.points, request.from_layer);
  } else {
    Path whole;
    whole.found = true;
    whole.length = whole.cost = linked.ridden;
    for (const PathRequest& walk : linked.walks) {
      finder.find(walk, path);
      whole.length += path.length, whole.cost += path.cost;
      whole.portals.insert(whole.portals.end(), path.portals.begin(), path.portals.end());
      whole.points.insert(whole.points.end(), path.points.begin(), path.points.end());
      if (is_flat) continue;
      const std::vector<Vec3> points = navigation.in_space(path.points, walk.from_layer);
      way.insert(way.end(), points.begin(), points.end());
    }
    path = std::move(whole);
  }
  std::vector<std::string> links;
  for (const std::uint32_t link : linked.links) {
    const std::string& name = navigation.data().links[link].name;
    links.push_back(name.empty() ? fmt::format("link {}", link) : name);
  }
  if (a.scene.json) {
    nlohmann::json points = nlohmann::json::array();
    if (is_flat)
      for (Vec2 p : path.points) points.push_back(json_of(p + origin));
    for (const Vec3& p : way) points.push_back({p.x + origin.x, p.y + origin.y, p.z});
    print_json({{"found", path.found},
                {"length", path.length},
                {"cost", path.cost},
                {"links", links},
                {"portals", path.portals},
                {"points", points},
                {"time_us", time}});
  } else if (path.found) {
    fmt::print("{:.3f} m through {} portals, {:.1f} µs ({})\n", path.length, path.portals.size(), time, a.planner);
    if (!links.empty()) fmt::print("  over {}; rides count {:.3f} m\n", fmt::join(links, ", "), linked.ridden);
    if (is_flat)
      for (Vec2 p : path.points) fmt::print("  {:.3f}, {:.3f}\n", p.x + origin.x, p.y + origin.y);
    for (const Vec3& p : way) fmt::print("  {:.3f}, {:.3f}, {:.3f}\n", p.x + origin.x, p.y + origin.y, p.z);
  } else {
    fmt::print("{}\n", to_string(navigation.explain(request, status)));
  }
  return kSuccess;
}

nlohmann::json json_of(const Spread& s, bool times) {
  if (times) return {{"mean", s.mean}, {"median", s.median}, {"p99", s.p99}, {"worst", s.worst}};
  return {{"mean", s.mean}, {"p95", s.p95}, {"worst", s.worst}};
}

int plan_file(const PathArguments& a, const Navigation& navigation, Vec2 origin) {
  const Result<std::vector<PathQueryRow>> rows = read_queries(a.queries);
  if (!rows) return report_problems(rows.problems(), a.scene.json);
  PathFinder finder(navigation);
  Path path;
  PathRequest request = request_of(a);
  std::vector<double> times, ratios;
  nlohmann::json results = nlohmann::json::array();
  std::size_t found = 0;
  Progress progress("planning", a.scene.quiet);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const PathQueryRow& row = (*rows)[i];
    request.from = row.from - origin;
    request.to = row.to - origin;
    const auto began = std::chrono::steady_clock::now();
    const PathStatus status = finder.find_pulled(request, path);
    times.push_back(microseconds_since(began));
    found += path.found;
    nlohmann::json result = {{"found", path.found}, {"length", path.length}, {"time_us", times.back()}};
    if (path.found && row.expected > 0) ratios.push_back(path.length / row.expected);
    if (!path.found) result["problem"] = to_string(navigation.explain(request, status));
    if (a.scene.json) results.push_back(std::move(result));
    progress.count(i + 1, rows->size());
  }
  const Spread time = spread_of(times), ratio = spread_of(ratios);
  if (a.scene.json) {
    nlohmann::json document = {
        {"queries", rows->size()}, {"found", found}, {"time_us", json_of(time, true)}, {"results", std::move(results)}};
    document["ratio"] = ratios.empty() ? nlohmann::json(nullptr) : json_of(ratio, false);
    print_json(document);
  } else {
    fmt::print("{} queries, {} found; time mean {:.1f}, median {:.1f}, p99 {:.1f}, worst {:.1f} µs\n", rows->size(), found,
               time.mean, time.median, time.p99, time.worst);
    if (!ratios.empty())
      fmt::print("length against the file's: mean {:.6f}, p95 {:.6f}, worst {:.6f}\n", ratio.mean, ratio.p95, ratio.worst);
  }
  return kSuccess;
}

/// --at, --nearest, --ray-to, --random: spatial questions beside planning.
int answer_question(const PathArguments& a, const Navigation& navigation, Vec2 origin) {
  nlohmann::json document = nlohmann::json::object();
  if (a.random > 0) {
    document["points"] = nlohmann::json::array();
    for (std::uint32_t i = 0; i < a.random; ++i) {
      RandomStream random(1, i, 1);
      const double u = random.unit(), v = random.unit();
      document["points"].push_back(json_of(navigation.random_walkable(u, v).point + origin));
    }
  }
  for (const auto& [text, option] : {std::pair{a.at, "--at"}, {a.nearest, "--nearest"}, {a.ray_to, "--ray-to"}}) {
    if (text.empty()) continue;
    const Result<Place> place = parse_place(text, option);
    if (!place) return report_problems(place.problems(), a.scene.json);
    const std::uint32_t layer = layer_at(navigation, *place);
    const Vec2 point = place->point - origin;
    if (option == std::string("--at")) {
      const auto cell = navigation.cell_at(point, layer);
      document["cell"] = cell ? nlohmann::json(*cell) : nlohmann::json(nullptr);
    } else if (option == std::string("--nearest")) {
      const auto nearest = navigation.nearest_walkable(point, a.radius, layer);
      document["nearest"] = nearest ? json_of(*nearest + origin) : nlohmann::json(nullptr);
    } else {
      const Result<Place> from = parse_place(a.from, "--from");
      if (!from) return report_problems(from.problems(), a.scene.json);
      const auto hit = navigation.ray_cast(from->point - origin, point, layer);
      document["hit"] = hit ? json_of(*hit + origin) : nlohmann::json(nullptr);
    }
  }
  print_json(document);
  return kSuccess;
}

int run_path(const PathArguments& a) {
  const bool question = !a.at.empty() || !a.nearest.empty() || !a.ray_to.empty() || a.random > 0;
  if (!question && a.queries.empty() && (a.from.empty() || a.to.empty())) {
    return report_usage("throng path", "there is no question to answer",
                        "give --from X,Y and --to X,Y, or --queries FILE, --at, --nearest, --ray-to or --random", a.scene.json);
  }
  if (a.planner == "graph" || a.flow.flow) {
    if (question || !a.queries.empty()) {
      return report_usage("throng path", "--planner graph and --flow answer --from and --to only",
                          "leave the other question out, or choose another planner", a.scene.json);
    }
    GraphArguments graph = a.graph;
    graph.radius = a.radius;
    GraphQuestion asked = a.flow;
    asked.from = a.from;
    asked.to = a.to;
    return ask_graph(a.scene, graph, asked);
  }
  const Result<Navigation> navigation = open_navigation(a.scene);
  if (!navigation) return report_problems(navigation.problems(), a.scene.json);
  const Vec2 origin = navigation->origin();
  if (question) return answer_question(a, *navigation, origin);
  return a.queries.empty() ? plan_one(a, *navigation, origin) : plan_file(a, *navigation, origin);
}

}  // namespace

void add_path(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<PathArguments>();
  CLI::App* verb = app.add_subcommand("path", "plan one path, or a file of them");
  a->scene.add_to(*verb);
  verb->add_option("--from", a->from, "X,Y[,Z]");
  verb->add_option("--to", a->to, "X,Y[,Z]");
  verb->add_option("--queries", a->queries, "MovingAI .scen or CSV sx,sy,gx,gy[,length]");
  verb->add_option("--radius", a->radius, "of the body, metres; 0 is a point")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  verb->add_option("--profile", a->profile, "number of the scene's profile")->capture_default_str();
  verb->add_option("--planner", a->planner)
      ->check(CLI::IsMember({"hierarchy", "zones", "roadmap", "shortest", "graph"}))
      ->capture_default_str();
  a->graph.add_to(*verb);
  a->flow.add_to(*verb);
  verb->add_option("--at", a->at, "X,Y: which cell is there?");
  verb->add_option("--nearest", a->nearest, "X,Y: where is the nearest place with room for the radius?");
  verb->add_option("--ray-to", a->ray_to, "X,Y: where does the line of sight from --from meet a wall?");
  verb->add_option("--random", a->random, "so many random walkable points")->check(CLI::Range(1, 1000000));
  verb->footer(
      "Example: throng path city:200 --from 20,20 --to 340,300 --radius 0.25\n"
      "         throng path level.obj --planner graph --from 3,4,0 --to 20,4,6 --step-height 0.4\n"
      "         throng path level.obj --layers --from 3,4,0 --to 20,4,6 --step-height 0.4\n"
      "         throng path city:105 --flow --from 20,20 --to 200,200 --flow-max 8");
  verb->callback([a, &outcome] { outcome.status = run_path(*a); });
}

}  // namespace throng::cli
