// SPDX-License-Identifier: MIT
// throng bench edits: random edits of a city, each beside a full bake of the city as it is then, in one run. After each the
// lengths of `shortest` paths must be those of the bake within a centimetre, and all planners on the roadmap must agree bit for
// bit. Then the same for the discs of a navigation graph of a smaller city: random places must be joined where a full bake joins
// them, and covered as well.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <throng/edits.hpp>

#include "base/random.hpp"
#include "bench.hpp"
#include "navgraph/graph_editor.hpp"
#include "navigation/graph_ground.hpp"
#include "scene/city.hpp"

namespace throng::cli {
namespace {

struct BenchEditsArguments {
  std::uint32_t buildings = 2600;
  std::uint32_t edits = 200;
  std::uint32_t disc_buildings = 300;
  std::uint32_t queries = 20;
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
};

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

/// A convex outline of 3 to 7 corners.
Polygon random_shape(RandomStream& random, Vec2 centre) {
  const auto corners = random.integer(3, 7);
  const double turn = random.between(0, 6.283), size = random.between(0.5, 8);
  Polygon shape;
  for (std::int64_t i = 0; i < corners; ++i) {
    const double angle = turn + 6.283185307179586 * static_cast<double>(i) / static_cast<double>(corners);
    shape.outer.push_back(centre + size * Vec2{std::cos(angle), std::sin(angle)});
  }
  return shape;
}

/// Obstacles that come, move and go; buildings too.
struct RandomEdits {
  RandomEdits(std::uint64_t seed, const Scene& scene) : random(seed, 0, 17), there(scene.layers[0].obstacles.size()) {
    for (std::uint32_t i = 0; i < there.size(); ++i) there[i] = i;
  }
  /// One more, done. A Problem if it cannot be.
  Result<EditReport> apply(NavigationEditor& editor, double& ms) {
    Edit edit;
    const double what = random.unit();
    const Vec2 place = editor.navigation().random_walkable(random.unit(), random.unit()).point;
    const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(there.size()) - 1));
    edit.kind = what < 0.4 ? EditKind::kAddObstacle : what < 0.7 ? EditKind::kMoveObstacle : EditKind::kRemoveObstacle;
    edit.obstacle = there[at];
    if (edit.kind != EditKind::kRemoveObstacle) edit.shape = random_shape(random, place);
    const auto began = std::chrono::steady_clock::now();
    Result<EditReport> report = editor.apply(edit);
    ms = milliseconds_since(began);
    if (!report) return report;
    if (edit.kind == EditKind::kAddObstacle) there.push_back(report->obstacle);
    if (edit.kind == EditKind::kRemoveObstacle) there.erase(there.begin() + static_cast<std::ptrdiff_t>(at));
    return report;
  }
  RandomStream random;
  std::vector<std::uint32_t> there;
};

struct Errors {
  std::uint32_t compared = 0, longer = 0, found_by_one = 0, costs = 0;
  double worst = 0;  ///< difference of lengths, m
};

void compare(const Navigation& edited, const Navigation& baked, std::uint32_t queries, RandomStream& random, Errors& errors) {
  PathFinder finder(edited), other(baked);
  Path path, reference;
  for (std::uint32_t i = 0; i < queries; ++i) {
    const WalkablePlace from = baked.random_walkable(random.unit(), random.unit());
    const WalkablePlace to = baked.random_walkable(random.unit(), random.unit());
    PathRequest request{.from = from.point, .to = to.point, .planner = Planner::kShortest};
    const PathStatus status = finder.find_pulled(request, path);
    ++errors.compared;
    if (status != other.find_pulled(request, reference)) {
      ++errors.found_by_one;
      continue;
    }
    if (status != PathStatus::kFound) continue;
    const double difference = std::abs(path.length - reference.length);
    errors.worst = std::max(errors.worst, difference);
    errors.longer += difference > 0.01;
    request.planner = Planner::kRoadmap;
    const PathStatus by_roadmap = finder.find_pulled(request, reference);
    for (const Planner planner : {Planner::kHierarchy, Planner::kZones}) {
      request.planner = planner;
      errors.costs += finder.find_pulled(request, path) != by_roadmap || path.cost != reference.cost;
    }
  }
}

struct Discs {
  std::vector<double> edit_ms, bake_ms;
  double first_ms = 0;  ///< what the first edit takes on top if the graph was not baked for edits
  std::uint64_t samples = 0, discs = 0;
  double dropped = 0, made = 0;
  std::uint32_t places = 0, joined_by_one = 0;
  double covered = 1;  ///< the least, relative to a full bake's
};

/// Every tenth edit is held against a full bake.
std::optional<std::vector<Problem>> edit_discs(const BenchEditsArguments& a, Progress& progress, Discs& discs) {
  const Scene scene = make_city(a.disc_buildings);
  GraphSettings settings{.min_radius = 0.75, .threads = 1};
  progress.step("discs");
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1, .editable = true});
  if (!navigation) return navigation.problems();
  Result<NavigationEditor> editor = NavigationEditor::create(*navigation);
  if (!editor) return editor.problems();
  Result<NavigationGraph> graph = NavigationGraph::bake(scene, settings);
  if (!graph) return graph.problems();
  discs.samples = graph->report().samples;
  discs.discs = graph->report().discs;
  const auto first = std::chrono::steady_clock::now();
  GraphEditor graph_editor(*graph);
  discs.first_ms = milliseconds_since(first);
  RandomEdits edits(a.seed, scene);
  for (std::uint32_t i = 0; i < a.edits; ++i) {
    progress.step(fmt::format("edit {} of {} of discs", i + 1, a.edits));
    double ms = 0;
    const Result<EditReport> report = edits.apply(*editor, ms);
    if (!report) return report.problems();
    const auto began = std::chrono::steady_clock::now();
    const GraphChange change = graph_editor.apply(*graph, report->boxes, GraphGround(editor->navigation().data()));
    discs.edit_ms.push_back(milliseconds_since(began));
    discs.dropped += change.dropped;
    discs.made += change.made;
    constexpr std::uint32_t kEvery = 10;
    if (i % kEvery != kEvery - 1) continue;
    const auto bake_began = std::chrono::steady_clock::now();
    const Result<NavigationGraph> baked = NavigationGraph::bake(editor->scene(), settings);
    if (!baked) return baked.problems();
    discs.bake_ms.push_back(milliseconds_since(bake_began));
    discs.covered = std::min(discs.covered, graph->report().covered / baked->report().covered);
    for (std::uint32_t q = 0; q < kEvery * a.queries; ++q) {
      std::optional<std::uint32_t> ours[2], its[2];
      for (int end = 0; end < 2; ++end) {
        const Vec2 p = editor->navigation().random_walkable(edits.random.unit(), edits.random.unit()).point;
        ours[end] = graph->disc_at({p.x, p.y, 0}), its[end] = baked->disc_at({p.x, p.y, 0});
      }
      const auto are_joined = [](const NavigationGraph& g, const auto& disc) {
        return disc[0] && disc[1] && g.data().component[*disc[0]] == g.data().component[*disc[1]];
      };
      ++discs.places;
      discs.joined_by_one += are_joined(*graph, ours) != are_joined(*baked, its);
    }
  }
  return std::nullopt;
}

int run_bench_edits(const BenchEditsArguments& a) {
  const Scene scene = make_city(a.buildings);
  Progress progress(fmt::format("{} buildings", a.buildings), a.quiet);
  progress.step("bake");
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1, .editable = true});
  if (!navigation) return report_problems(navigation.problems(), a.json);
  Result<NavigationEditor> editor = NavigationEditor::create(*navigation);
  if (!editor) return report_problems(editor.problems(), a.json);
  RandomEdits edits(a.seed, scene);
  std::vector<double> edit_ms, bake_ms;
  std::map<std::string, std::vector<double>> stage_ms;
  std::uint32_t local = 0;
  double made = 0;
  Errors errors;
  for (std::uint32_t i = 0; i < a.edits; ++i) {
    progress.step(fmt::format("edit {} of {}", i + 1, a.edits));
    double ms = 0;
    const Result<EditReport> report = edits.apply(*editor, ms);
    if (!report) return report_problems(report.problems(), a.json);
    edit_ms.push_back(ms);
    local += report->is_local;
    made += report->made;
    std::map<std::string, double> stages;
    for (const BakeStage& s : report->stages) stages[s.name] += s.ms;
    for (const auto& [name, sum] : stages) stage_ms[name].push_back(sum);

    const Scene now = editor->scene();
    const auto bake_began = std::chrono::steady_clock::now();
    const Result<Navigation> baked = Navigation::bake(now, {.threads = 1});
    bake_ms.push_back(milliseconds_since(bake_began));
    if (!baked) return report_problems(baked.problems(), a.json);
    compare(editor->navigation(), *baked, a.queries, edits.random, errors);
  }
  Discs discs;
  const bool has_discs = a.disc_buildings > 0 && a.edits >= 10;
  if (has_discs)
    if (const auto problems = edit_discs(a, progress, discs)) return report_problems(*problems, a.json);
  nlohmann::json result = {
      {"buildings", a.buildings},
      {"edits", a.edits},
      {"local", local},
      {"cells_made", made / a.edits},
      {"edit_ms", {{"p50", percentile(edit_ms, 0.5)}, {"p95", percentile(edit_ms, 0.95)}, {"worst", percentile(edit_ms, 1)}}},
      {"bake_ms", {{"p50", percentile(bake_ms, 0.5)}, {"p95", percentile(bake_ms, 0.95)}}},
      {"queries", errors.compared},
      {"lengths_apart", errors.longer},
      {"largest_difference", errors.worst},
      {"found_by_one_only", errors.found_by_one},
      {"costs_apart", errors.costs}};
  for (const auto& [name, list] : stage_ms) result["stages_ms"][name] = percentile(list, 0.5);
  const double median = percentile(bake_ms, 0.5);
  result["faster"] = {{"p50", median / percentile(edit_ms, 0.5)}, {"p95", median / percentile(edit_ms, 0.95)}};
  // A body that just fits may pass in one grid of samples and not in another; more than one in a hundred is a mistake.
  const bool are_discs_right = discs.joined_by_one * 100 <= discs.places && discs.covered > 0.98;
  const bool is_right = errors.longer == 0 && errors.found_by_one == 0 && errors.costs == 0 && are_discs_right;
  if (has_discs)
    result["discs"] = {{"buildings", a.disc_buildings},
                       {"samples", discs.samples},
                       {"discs", discs.discs},
                       {"edit_ms",
                        {{"p50", percentile(discs.edit_ms, 0.5)},
                         {"p95", percentile(discs.edit_ms, 0.95)},
                         {"worst", percentile(discs.edit_ms, 1)}}},
                       {"bake_ms", percentile(discs.bake_ms, 0.5)},
                       {"basis_ms", discs.first_ms},
                       {"dropped", discs.dropped / a.edits},
                       {"made", discs.made / a.edits},
                       {"pairs", discs.places},
                       {"joined_by_one_only", discs.joined_by_one},
                       {"least_cover", discs.covered}};
  if (a.json) {
    print_json(result);
  } else {
    fmt::print("{} edits of city:{}, {} in place, {:.0f} cells made on average\n", a.edits, a.buildings, local, made / a.edits);
    fmt::print("  full bake  {:>8.1f} ms (median)\n  an edit    {:>8.1f} ms (p50), {:.1f} ms (p95), {:.1f} ms (worst)\n", median,
               percentile(edit_ms, 0.5), percentile(edit_ms, 0.95), percentile(edit_ms, 1));
    for (const auto& [name, list] : stage_ms) fmt::print("    {:<20}{:>8.2f} ms (p50)\n", name, percentile(list, 0.5));
    fmt::print("  faster by  {:>8.1f} (p50), {:.1f} (p95)\n", median / percentile(edit_ms, 0.5),
               median / percentile(edit_ms, 0.95));
    fmt::print("  {} queries: lengths differ by {:.2g} m at most, {} found by one only, {} costs apart\n", errors.compared,
               errors.worst, errors.found_by_one, errors.costs);
    if (has_discs) {
      fmt::print("{} edits of the discs of city:{} ({} discs, {} samples), {:.0f} dropped and {:.0f} made on average\n", a.edits,
                 a.disc_buildings, discs.discs, discs.samples, discs.dropped / a.edits, discs.made / a.edits);
      fmt::print("  full bake  {:>8.1f} ms (median)\n  an edit    {:>8.2f} ms (p50), {:.2f} ms (p95), {:.1f} ms (worst)\n",
                 percentile(discs.bake_ms, 0.5), percentile(discs.edit_ms, 0.5), percentile(discs.edit_ms, 0.95),
                 percentile(discs.edit_ms, 1));
      fmt::print("  {} pairs: {} joined by one only; cover at least {:.3f} of a full bake's\n", discs.places, discs.joined_by_one,
                 discs.covered);
    }
  }
  return is_right ? kSuccess : kBadInput;
}

}  // namespace

void add_bench_edits(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchEditsArguments>();
  CLI::App* verb = bench.add_subcommand("edits", "edits of a baked city beside full bakes of it");
  verb->add_option("--buildings", a->buildings, "of the city")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--edits", a->edits, "how many")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--discs", a->disc_buildings, "buildings of the city whose discs are edited; 0: none")
      ->capture_default_str()
      ->check(CLI::Range(0, 5000));
  verb->add_option("--queries", a->queries, "compared after each edit")->capture_default_str()->check(CLI::Range(0, 100000));
  verb->add_option("--seed", a->seed, "of the edits")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench edits --edits 200");
  verb->callback([a, &outcome] { outcome.status = run_bench_edits(*a); });
}

}  // namespace throng::cli
