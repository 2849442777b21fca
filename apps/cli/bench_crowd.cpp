// SPDX-License-Identifier: MIT
// throng bench crowd: whole steps of a crowd on the plaza and the torus, beside DetourCrowd, from a thousand to a hundred
// thousand.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "base/profile.hpp"
#include "base/tasks.hpp"
#include "bench.hpp"
#include "crowd_scenes.hpp"
#include "draw/plot.hpp"
#ifdef THRONG_HAVE_PEERS
#include "peers/detour_crowd_peer.hpp"
#endif

namespace throng::cli {
namespace {

struct BenchCrowdArguments {
  std::vector<std::uint32_t> sizes{1000, 3000, 10000, 30000, 100000};
  std::uint32_t compare = 10000;
  std::uint32_t steps = 100;
  std::uint32_t repeats = 3;
  std::string plot = "out/bench/crowd.svg";
  bool json = false;
  bool quiet = false;
};

constexpr int kCrowdWarmUp = 20;
constexpr double kCrowdDt = 0.1;
double since(Clock::time_point t) { return std::chrono::duration<double>(Clock::now() - t).count(); }

/// Sums of a measured stretch of steps.
struct Figures {
  double overlaps = 0, deep = 0, before = 0, speed = 0, progress = 0, density_steps = 0;
  std::uint64_t wall_penetrations = 0;
  void add(const StepReport& r) {
    const double n = std::max(1u, r.agents);
    overlaps += 1000 * r.overlaps / n;
    deep += 1000 * r.deep_overlaps / n;
    before += 1000 * r.before_separate / n;
    speed += r.speed_ratio;
    progress += r.progress_ratio;
    wall_penetrations += r.wall_penetrations;
    ++density_steps;
  }
};

struct Measured {
  nlohmann::json row;
  double ns = 0;
  double neighbour_share = 0;
};

struct Task {
  CrowdScene scene;
  std::string name;
  std::string engine = "throng";
  unsigned threads = 1;
  std::uint32_t steps = 100;
  std::uint32_t repeats = 3;
  ReactiveSettings model = reactive();
};

/// Timed without counting contacts, best of several runs; a further run counts.
Result<Measured> measure(const Task& task) {
  WorldSettings settings;
  settings.dt = kCrowdDt;
  settings.threads = task.threads;
  settings.models = {task.model};
  Measured best;
  best.ns = 1e300;
  const auto agents = static_cast<double>(task.scene.starts.size());
  for (std::uint32_t repeat = 0; repeat < task.repeats; ++repeat) {
    const std::uint64_t before = resident_memory_bytes();
    Result<CrowdRun> run = CrowdRun::create(task.scene, settings);
    if (!run) return run.problems();
    for (int i = 0; i < kCrowdWarmUp; ++i) run->step();
    std::vector<Phase> phases = run->world.phases();
    double seconds = 0;
    for (std::uint32_t i = 0; i < task.steps; ++i) {
      const auto began = Clock::now();
      run->world.step();
      seconds += since(began);
    }
    const double ns = 1e9 * seconds / (agents * task.steps);
    if (ns >= best.ns) continue;
    best.ns = ns;
    nlohmann::json shares;
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const double share = (run->world.phases()[i].seconds - phases[i].seconds) / seconds;
      if (share > 0.0005) shares[phases[i].name] = share;
      if (std::string_view(phases[i].name) == "neighbours") best.neighbour_share = share;
    }
    best.row["phases"] = shares;
    if (repeat == 0 && resident_memory_bytes() > before)
      best.row["bytes_per_agent"] = static_cast<double>(resident_memory_bytes() - before) / agents;
  }
  settings.count_contacts = true;
  Result<CrowdRun> run = CrowdRun::create(task.scene, settings);
  if (!run) return run.problems();
  Figures figures;
  for (std::uint32_t i = 0; i < kCrowdWarmUp + task.steps; ++i) {
    const StepReport& report = run->step();
    if (i >= kCrowdWarmUp) figures.add(report);
  }
  const double n = figures.density_steps;
  best.row.update({{"scene", task.name},
                   {"agents", task.scene.starts.size()},
                   {"threads", task.threads},
                   {"engine", task.engine},
                   {"steps", task.steps},
                   {"ns_per_agent_step", best.ns},
                   {"overlaps_per_1000", figures.overlaps / n},
                   {"deep_overlaps", figures.deep / n},
                   {"before_separate_per_1000", figures.before / n},
                   {"wall_penetrations", figures.wall_penetrations},
                   {"speed_ratio", figures.speed / n},
                   {"progress_ratio", figures.progress / n}});
  return best;
}

#ifdef THRONG_HAVE_PEERS
/// The same crowd, goals and definitions for DetourCrowd.
Result<nlohmann::json> measure_detour(const CrowdScene& scene, std::uint32_t steps) {
  RandomStream random(scene.settings.seed, 1, 79);
  const double inset = scene.radius;
  const std::uint64_t before = resident_memory_bytes();
  Result<DetourCrowdPeer> crowd =
      DetourCrowdPeer::create(scene.scene, scene.starts, scene.radius, scene.speed, [&](std::uint32_t) {
        const double x = random.between(inset, scene.side - inset);
        return Vec2{x, random.between(inset, scene.side - inset)};
      });
  if (!crowd) return crowd.problems();
  const auto n = static_cast<double>(scene.starts.size());
  double seconds = 0, speed = 0, progress = 0, overlaps = 0, deep = 0;
  std::vector<Vec2> old(scene.starts.size());
  for (std::uint32_t step = 0; step < kCrowdWarmUp + steps; ++step) {
    const bool counts = step >= kCrowdWarmUp;
    std::vector<Vec2> goals;
    for (std::size_t i = 0; i < old.size(); ++i) {
      old[i] = crowd->agents()[i].position;
      goals.push_back(crowd->agents()[i].goal);
    }
    const double taken = crowd->step(kCrowdDt);
    if (!counts) continue;
    seconds += taken;
    std::vector<std::pair<double, std::size_t>> by_x;
    for (std::size_t i = 0; i < old.size(); ++i) {
      const Vec2 at = crowd->agents()[i].position, moved = (1 / kCrowdDt) * (at - old[i]), to = goals[i] - old[i];
      speed += length(moved) / scene.speed;
      if (length(to) > 0) progress += dot(moved, to) / (length(to) * scene.speed);
      by_x.push_back({at.x, i});
    }
    // Sweep along x: an independent count of the pairs that overlap.
    std::sort(by_x.begin(), by_x.end());
    const double contact = 2 * scene.radius;
    for (std::size_t a = 0; a < by_x.size(); ++a)
      for (std::size_t b = a + 1; b < by_x.size() && by_x[b].first - by_x[a].first < contact; ++b) {
        const double d = distance(crowd->agents()[by_x[a].second].position, crowd->agents()[by_x[b].second].position);
        overlaps += d < contact;
        deep += d < 0.8 * contact;
      }
  }
  const std::uint64_t after = resident_memory_bytes();
  const double agent_steps = n * steps;
  return nlohmann::json{{"scene", "plaza"},
                        {"agents", scene.starts.size()},
                        {"threads", 1},
                        {"engine", "detourcrowd"},
                        {"steps", steps},
                        {"ns_per_agent_step", 1e9 * seconds / agent_steps},
                        {"overlaps_per_1000", 1000 * overlaps / agent_steps},
                        {"deep_overlaps", 1000 * deep / agent_steps},
                        {"before_separate_per_1000", nullptr},  // it has no such phase
                        {"speed_ratio", speed / agent_steps},
                        {"progress_ratio", progress / agent_steps},
                        {"bytes_per_agent", after > before ? static_cast<double>(after - before) / n : 0}};
}
#endif

/// What two threads give on work that shares nothing: the machine's own limit, in this run.
double ideal_speed_up() {
  const auto work = [](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      volatile double x = 1 + static_cast<double>(i);
      for (int k = 0; k < 4000; ++k) x = x + 1 / x;
    }
  };
  InlineTasks one;
  TaskPool two(2);
  double best_one = 1e300, best_two = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    auto began = Clock::now();
    one.parallel_for(4000, 64, work);
    best_one = std::min(best_one, since(began));
    began = Clock::now();
    two.parallel_for(4000, 64, work);
    best_two = std::min(best_two, since(began));
  }
  return best_one / best_two;
}

/// Slope of log time per step against log agents, by least squares.
double exponent_of(const std::vector<Vec2>& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(points.size());
  for (const Vec2 p : points) {
    const double x = std::log(p.x), y = std::log(p.y);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

int run_bench_crowd(const BenchCrowdArguments& a) {
  Progress progress("crowd", a.quiet);
  nlohmann::json rows = nlohmann::json::array();
  std::vector<Problem> problems;
  const auto take = [&](const Task& task) -> std::optional<Measured> {
    progress.step(fmt::format("{} of {}, {}, {} thread{}", task.name, task.scene.starts.size(), task.engine, task.threads,
                              task.threads == 1 ? "" : "s"));
    Result<Measured> measured = measure(task);
    if (!measured) {
      problems = measured.problems();
      return std::nullopt;
    }
    rows.push_back(measured->row);
    return std::move(*measured);
  };
  std::vector<Vec2> step_ms, neighbours_ms;
  for (const std::uint32_t size : a.sizes) {
    const auto measured = take({make_plaza(size), "plaza", "throng", 1, a.steps, a.repeats});
    if (!measured) return report_problems(problems, a.json);
    const double ms = measured->ns * size * 1e-6;
    step_ms.push_back({static_cast<double>(size), ms});
    neighbours_ms.push_back({static_cast<double>(size), ms * measured->neighbour_share});
  }
  const CrowdScene compared = make_plaza(a.compare);
  const double ideal = ideal_speed_up();
  ReactiveSettings control = reactive();
  control.prediction = false;
  const Task others[] = {
      {compared, "plaza", "throng", 2, a.steps, a.repeats},
      {compared, "plaza", "throng:reactive_2004", 1, a.steps, a.repeats, reactive_2004()},
      {compared, "plaza", "throng without prediction", 1, a.steps, 1, control},
      {compared, "plaza, 800 steps", "throng", 1, 800, 1},
      {make_torus(a.compare, 0.5), "torus 0.5 /m²", "throng", 1, a.steps, 1},
      {make_torus(a.compare, 1), "torus 1 /m²", "throng", 1, a.steps, 1},
      {make_torus(a.compare, 2), "torus 2 /m²", "throng", 1, a.steps, 1},
  };
  for (const Task& task : others)
    if (!take(task)) return report_problems(problems, a.json);
#ifdef THRONG_HAVE_PEERS
  progress.step(fmt::format("plaza of {}, DetourCrowd", a.compare));
  const Result<nlohmann::json> peer = measure_detour(compared, a.steps);
  if (!peer) return report_problems(peer.problems(), a.json);
  rows.push_back(*peer);
#endif
  const double exponent = step_ms.size() > 1 ? exponent_of(step_ms) : 0;
  Plot plot;
  plot.title = "A step of the plaza on one thread";
  plot.x = {"people", true, {}, {}};
  plot.y = {"ms", true, {}, {}};
  plot.series = {{"whole step", step_ms, {}, true, true}, {"neighbourhood graph", neighbours_ms, {}, true, true}};
  std::error_code ignored;  // the file says it if the folder is not there
  std::filesystem::create_directories(std::filesystem::path(a.plot).parent_path(), ignored);
  const auto saved = save_plot(plot, a.plot);
  if (!saved) return report_problems(saved.problems(), a.json);
  if (a.json) {
    print_json({{"rows", rows}, {"exponent", exponent}, {"ideal_speed_up_2_threads", ideal}, {"plot", a.plot}});
    return kSuccess;
  }
  fmt::print("{:<18}{:>8} {:<26}{:>4}{:>10}{:>10}{:>7}{:>8}{:>7}{:>10}{:>12}\n", "scene", "agents", "engine", "thr", "ns/agent",
             "overlaps", "deep", "before", "speed", "progress", "neighbours");
  double ours = 0, theirs = 0, ours_two = 0, largest = 0;
  for (const auto& r : rows) {
    const double ns = r["ns_per_agent_step"].get<double>();
    const auto number = [&](const char* key) { return r[key].is_number() ? r[key].get<double>() : std::nan(""); };
    fmt::print("{:<18}{:>8} {:<26}{:>4}{:>10.0f}{:>10.2f}{:>7.2f}{:>8.1f}{:>7.3f}{:>10.3f}", r["scene"].get<std::string>(),
               r["agents"].get<std::uint64_t>(), r["engine"].get<std::string>(), r["threads"].get<unsigned>(), ns,
               number("overlaps_per_1000"), number("deep_overlaps"), number("before_separate_per_1000"), number("speed_ratio"),
               number("progress_ratio"));
    if (r.contains("phases")) fmt::print("{:>10.0f} %", 100 * r["phases"].value("neighbours", 0.0));
    fmt::print("\n");
    if (r["scene"] == "plaza" && r["agents"] == a.compare) {
      if (r["engine"] == "throng") (r["threads"] == 1 ? ours : ours_two) = ns;
      if (r["engine"] == "detourcrowd") theirs = ns;
    }
    if (r["scene"] == "plaza" && r["engine"] == "throng" && r["threads"] == 1) largest = ns;
  }
  fmt::print("overlaps, deep, before: pairs per 1000 people and step; before: those the `separate` phase finds\n");
  fmt::print("exponent of time against people {:.3f}; per agent at {} / at {}: {:.2f}\n", exponent, a.sizes.back(), a.compare,
             largest / ours);
  if (theirs > 0) fmt::print("DetourCrowd / Throng at {}: {:.1f}\n", a.compare, theirs / ours);
  if (ours_two > 0) fmt::print("two threads: {:.2f} times one; work that shares nothing: {:.2f}\n", ours / ours_two, ideal);
  fmt::print("the paper spends 20-25 % on the neighbourhood graph; plot: {}\n", a.plot);
  return kSuccess;
}

}  // namespace

void add_bench_crowd(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchCrowdArguments>();
  CLI::App* verb = bench.add_subcommand("crowd", "whole steps of a crowd beside DetourCrowd");
  verb->add_option("--sizes", a->sizes, "numbers of people on the plaza")->delimiter(',')->check(CLI::Range(10, 1000000));
  verb->add_option("--compare", a->compare, "people where engines are compared")
      ->capture_default_str()
      ->check(CLI::Range(10, 20000));
  verb->add_option("--steps", a->steps, "measured steps")->capture_default_str()->check(CLI::Range(1, 100000));
  verb->add_option("--repeats", a->repeats, "runs, of which the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  verb->add_option("--plot", a->plot, "where the plot goes, .svg or .png")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench crowd --sizes 1000,10000");
  verb->callback([a, &outcome] { outcome.status = run_bench_crowd(*a); });
}

}  // namespace throng::cli
