// SPDX-License-Identifier: MIT
// throng bench edits: random edits of a city, each beside a full bake of the city as it is then, in one run. After each the
// lengths of `shortest` paths must be those of the bake within a centimetre, and all planners on the roadmap must agree bit for
// bit.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <throng/edits.hpp>

#include "base/random.hpp"
#include "bench.hpp"
#include "scene/city.hpp"

namespace throng::cli {
namespace {

struct Arguments {
  std::uint32_t buildings = 2600;
  std::uint32_t edits = 200;
  std::uint32_t queries = 20;
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
};

double milliseconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

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

int run(const Arguments& a) {
  const Scene scene = make_city(a.buildings);
  Progress progress(fmt::format("{} buildings", a.buildings), a.quiet);
  progress.step("bake");
  const Result<Navigation> navigation = Navigation::bake(scene, {.threads = 1, .editable = true});
  if (!navigation) return report_problems(navigation.problems(), a.json);
  Result<NavigationEditor> editor = NavigationEditor::create(*navigation);
  if (!editor) return report_problems(editor.problems(), a.json);
  RandomStream random(a.seed, 0, 17);
  std::vector<std::uint32_t> there(scene.layers[0].obstacles.size());
  for (std::uint32_t i = 0; i < there.size(); ++i) there[i] = i;
  std::vector<double> edit_ms, bake_ms;
  std::map<std::string, std::vector<double>> stage_ms;
  std::uint32_t local = 0;
  double made = 0;
  Errors errors;
  for (std::uint32_t i = 0; i < a.edits; ++i) {
    progress.step(fmt::format("edit {} of {}", i + 1, a.edits));
    Edit edit;
    const double what = random.unit();
    const Vec2 place = editor->navigation().random_walkable(random.unit(), random.unit()).point;
    const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(there.size()) - 1));
    edit.kind = what < 0.4 ? EditKind::kAddObstacle : what < 0.7 ? EditKind::kMoveObstacle : EditKind::kRemoveObstacle;
    edit.obstacle = there[at];
    if (edit.kind != EditKind::kRemoveObstacle) edit.shape = random_shape(random, place);
    const auto began = std::chrono::steady_clock::now();
    const Result<EditReport> report = editor->apply(edit);
    edit_ms.push_back(milliseconds_since(began));
    if (!report) return report_problems(report.problems(), a.json);
    if (edit.kind == EditKind::kAddObstacle) there.push_back(report->obstacle);
    if (edit.kind == EditKind::kRemoveObstacle) there.erase(there.begin() + static_cast<std::ptrdiff_t>(at));
    local += report->is_local;
    made += report->made;
    std::map<std::string, double> stages;
    for (const BakeStage& s : report->stages) stages[s.name] += s.ms;
    for (const auto& [name, ms] : stages) stage_ms[name].push_back(ms);

    const Scene now = editor->scene();
    const auto bake_began = std::chrono::steady_clock::now();
    const Result<Navigation> baked = Navigation::bake(now, {.threads = 1});
    bake_ms.push_back(milliseconds_since(bake_began));
    if (!baked) return report_problems(baked.problems(), a.json);
    compare(editor->navigation(), *baked, a.queries, random, errors);
  }
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
  const bool is_right = errors.longer == 0 && errors.found_by_one == 0 && errors.costs == 0;
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
  }
  return is_right ? kSuccess : kBadInput;
}

}  // namespace

void add_bench_edits(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = bench.add_subcommand("edits", "edits of a baked city beside full bakes of it");
  verb->add_option("--buildings", a->buildings, "of the city")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--edits", a->edits, "how many")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--queries", a->queries, "compared after each edit")->capture_default_str()->check(CLI::Range(0, 100000));
  verb->add_option("--seed", a->seed, "of the edits")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench edits --edits 200");
  verb->callback([a, &outcome] { outcome.status = run(*a); });
}

}  // namespace throng::cli
