// SPDX-License-Identifier: MIT
// throng bench neighbours: the neighbourhood graph repaired from step to step beside building it anew, and beside the 8 nearest
// by a grid, for walkers that give way to each other.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/random.hpp"
#include "bench.hpp"
#include "geometry/hilbert.hpp"
#include "neighbours/edge_check.hpp"
#include "neighbours/neighbour_graph.hpp"

namespace throng::cli {
namespace {

struct BenchNeighboursArguments {
  std::vector<std::uint32_t> sizes{1000, 10000, 100000};
  std::vector<double> densities{0.5, 2.0};
  std::uint32_t steps = 100;
  unsigned threads = 1;
  bool json = false;
  bool quiet = false;
};

constexpr float kStepSeconds = 0.1f;
constexpr std::uint32_t kStepsPerSort = 64;

/// People of 0.25 m radius at 1.3 m/s in a square, each on a straight way that it leaves to keep a metre from others; stored in
/// spatial order, as the world does.
class Walkers {
 public:
  Walkers(std::uint32_t count, double density) : side_(static_cast<float>(std::sqrt(count / density))) {
    RandomStream random(1, count, 1);
    const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(count)));
    for (std::uint32_t i = 0; i < count; ++i) {
      const double cell = static_cast<double>(side_) / columns, angle = random.between(0, 6.283185307179586);
      x_.push_back(static_cast<float>((i % columns + random.between(0.2, 0.8)) * cell));
      y_.push_back(static_cast<float>((i / columns + random.between(0.2, 0.8)) * cell));
      wish_x_.push_back(static_cast<float>(1.3 * std::cos(angle))), wish_y_.push_back(static_cast<float>(1.3 * std::sin(angle)));
      id_.push_back(i);
    }
    vx_ = wish_x_, vy_ = wish_y_;
    radius_.assign(count, 0.25f);
  }

  NeighbourInput input() const {
    NeighbourInput input;
    input.x = x_, input.y = y_, input.radius = radius_, input.vx = vx_, input.vy = vy_, input.id = id_;
    input.dt = kStepSeconds;
    return input;
  }

  void step(const NeighbourGraph& graph) {
    std::vector<float> x = x_, y = y_;
    for (std::uint32_t i = 0; i < x_.size(); ++i) {
      float ax = wish_x_[i], ay = wish_y_[i];
      for (const std::uint32_t j : graph.of(i)) {
        const float dx = x_[i] - x_[j], dy = y_[i] - y_[j], distance = std::sqrt(dx * dx + dy * dy);
        if (distance >= 1.2f || distance == 0) continue;
        const float push = 4 * (1.2f - distance) * (1.2f - distance) / distance;
        ax += push * (dx - 0.5f * dy), ay += push * (dy + 0.5f * dx);  // back, and to the right
      }
      const float speed = std::sqrt(ax * ax + ay * ay), slow = speed > 1.5f ? 1.5f / speed : 1.0f;
      vx_[i] += 0.5f * (slow * ax - vx_[i]), vy_[i] += 0.5f * (slow * ay - vy_[i]);
      x[i] += kStepSeconds * vx_[i], y[i] += kStepSeconds * vy_[i];
      if ((x[i] < 0 && wish_x_[i] < 0) || (x[i] > side_ && wish_x_[i] > 0)) wish_x_[i] = -wish_x_[i];
      if ((y[i] < 0 && wish_y_[i] < 0) || (y[i] > side_ && wish_y_[i] > 0)) wish_y_[i] = -wish_y_[i];
    }
    x_.swap(x), y_.swap(y);
    if (steps_++ % kStepsPerSort == 0) sort();
  }

 private:
  void sort() {
    std::vector<std::uint64_t> order;
    const auto square = [&](float v) { return static_cast<std::uint32_t>(std::clamp(v / side_, 0.0f, 1.0f) * 65535.0f); };
    for (std::uint32_t i = 0; i < x_.size(); ++i)
      order.push_back(std::uint64_t{hilbert_key(square(x_[i]), square(y_[i]))} << 32 | i);
    std::sort(order.begin(), order.end());
    const auto apply = [&](auto& column) {
      const auto old = column;
      for (std::size_t i = 0; i < old.size(); ++i) column[i] = old[order[i] & 0xffffffffu];
    };
    apply(x_), apply(y_), apply(vx_), apply(vy_), apply(wish_x_), apply(wish_y_), apply(id_);
  }

  float side_;
  std::uint32_t steps_ = 0;
  std::vector<float> x_, y_, vx_, vy_, wish_x_, wish_y_, radius_;
  std::vector<std::uint32_t> id_;
};

/// Nanoseconds an agent, least and mean.
struct Nanoseconds {
  double best = std::numeric_limits<double>::infinity(), sum = 0;
  std::uint32_t runs = 0;
  template <class F>
  void time(std::uint32_t agents, F&& work) {
    const auto began = std::chrono::steady_clock::now();
    work();
    const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() / agents;
    best = std::min(best, ns);
    sum += ns;
    ++runs;
  }
  double mean() const { return runs == 0 ? 0 : sum / runs; }
};

struct BenchNeighboursRow {
  std::uint32_t agents = 0;
  double density = 0;
  Nanoseconds repair, rebuild, nearest;                       ///< a whole update, lists and contact net included
  Nanoseconds mesh_repair, mesh_rebuild;                      ///< the triangulation alone
  Nanoseconds edge_pass, edge_pass_plain;                     ///< the check of all edges, which is part of the repair
  double flips = 0, inverted = 0, degree = 0, net = 0;  ///< an agent and step
  std::uint32_t stages[5] = {};
  bool right = true;
};

bool same_lists(const NeighbourGraph& a, const NeighbourGraph& b) {
  for (std::uint32_t i = 0; i < a.size(); ++i)
    if (!std::ranges::equal(a.of(i), b.of(i))) return false;
  return a.size() == b.size();
}

/// The triangulation by itself, over the same walk: what the figures of ALGORITHMS §7.3 are about.
class BareMesh {
 public:
  void set(const NeighbourInput& input) {
    columns_.point.resize(input.size() + 1);
    columns_.first.resize(input.size() + 1, kNoHalfEdge);
    for (std::uint32_t i = 0; i < input.size(); ++i)
      columns_.point[i + 1] = snap({static_cast<double>(input.x[i]), static_cast<double>(input.y[i])});
  }
  void rebuild() {
    vertices_.resize(columns_.point.size() - 1);
    for (std::size_t i = 0; i < vertices_.size(); ++i) vertices_[i] = static_cast<Vertex>(i + 1);
    mesh_.rebuild(vertices_);
  }
  void repair(TaskRunner& tasks) {
    RepairReport report;
    bool good = mesh_.aliases().empty() && mesh_.repair(tasks, report);
    if (good && report.taken_out != 0)
      for (Vertex v = 1; v < columns_.first.size() && good; ++v)
        if (columns_.first[v] == kNoHalfEdge) good = mesh_.insert(v);
    if (!good) rebuild();
  }
  void lay_out() { mesh_.lay_out(); }
  template <class Pass>
  void pass(Pass&& find) {
    doubtful_.clear();
    find(mesh_.corners(), columns_.point, 0, mesh_.edge_slots(), doubtful_);
  }

 private:
  VertexColumns columns_;
  MovingDelaunay mesh_{columns_};
  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> doubtful_;
};

BenchNeighboursRow measure(const BenchNeighboursArguments& a, std::uint32_t agents, double density, Progress& progress) {
  BenchNeighboursRow row;
  row.agents = agents, row.density = density;
  const std::unique_ptr<TaskRunner> tasks = make_task_runner(a.threads);
  Walkers walkers(agents, density);
  NeighbourSettings nearest_settings;
  nearest_settings.mode = NeighbourSettings::Mode::kNearest;
  NeighbourGraph graph, fresh, nearest(nearest_settings);
  BareMesh mesh;
  graph.update(walkers.input(), *tasks);
  constexpr std::uint32_t kWarmUp = 30;
  for (std::uint32_t step = 0; step < kWarmUp + a.steps; ++step) {
    progress.count(step + 1, kWarmUp + a.steps);
    walkers.step(graph);
    const NeighbourInput input = walkers.input();
    const bool sorted = step % kStepsPerSort == 0;
    if (step < kWarmUp) {
      graph.update(input, *tasks);
      continue;
    }
    row.repair.time(agents, [&] { graph.update(input, *tasks); });
    row.nearest.time(agents, [&] { nearest.update(input, *tasks); });
    mesh.set(input);
    if (sorted || step == kWarmUp)
      mesh.rebuild(), mesh.lay_out();
    else
      row.mesh_repair.time(agents, [&] { mesh.repair(*tasks); });
    row.edge_pass.time(agents, [&] { mesh.pass(find_doubtful_edges); });
    row.edge_pass_plain.time(agents, [&] { mesh.pass(find_doubtful_edges_plain); });
    // Rebuilding is the same work in every step: a few of them tell.
    if (step % 10 == 0) {
      fresh.reset();
      row.rebuild.time(agents, [&] { fresh.update(input, *tasks); });
      row.right = row.right && same_lists(graph, fresh);
      BareMesh anew;
      anew.set(input);
      row.mesh_rebuild.time(agents, [&] { anew.rebuild(); });
    }
    const NeighbourReport& report = graph.report();
    const double share = 1.0 / (static_cast<double>(agents) * a.steps);
    row.flips += share * report.flips, row.inverted += share * report.inverted, row.net += share * report.net_links;
    row.degree += share * 2 * (report.edges - report.cut_edges);
    ++row.stages[static_cast<int>(report.stage)];
  }
  return row;
}

nlohmann::json to_json(const BenchNeighboursRow& r) {
  const auto clock = [](const Nanoseconds& c) { return nlohmann::json{{"best_ns", c.best}, {"mean_ns", c.mean()}}; };
  return {{"agents", r.agents},
          {"density", r.density},
          {"repair", clock(r.repair)},
          {"rebuild", clock(r.rebuild)},
          {"nearest", clock(r.nearest)},
          {"triangulation_repair", clock(r.mesh_repair)},
          {"triangulation_rebuild", clock(r.mesh_rebuild)},
          {"edge_pass", clock(r.edge_pass)},
          {"edge_pass_plain", clock(r.edge_pass_plain)},
          {"flips_per_agent_step", r.flips},
          {"inverted_per_agent_step", r.inverted},
          {"mean_degree", r.degree},
          {"net_links_per_agent_step", r.net},
          {"stages",
           {{"unchanged", r.stages[0]},
            {"flipped", r.stages[1]},
            {"untangled", r.stages[2]},
            {"reinserted", r.stages[3]},
            {"rebuilt", r.stages[4]}}},
          {"equals_fresh", r.right}};
}

int run_bench_neighbours(const BenchNeighboursArguments& a) {
  nlohmann::json rows = nlohmann::json::array();
  bool right = true;
  if (!a.json) {
    fmt::print("ns an agent and step, best of {} steps ({} thread{})\n", a.steps, a.threads, a.threads == 1 ? "" : "s");
    fmt::print("                    whole update              triangulation alone         edge pass      per agent and step\n");
    fmt::print("  agents  /m²   repair rebuild nearest   repair rebuild  factor   vector  plain    flips inverted\n");
  }
  for (const std::uint32_t agents : a.sizes)
    for (const double density : a.densities) {
      Progress progress(fmt::format("{} agents at {} /m²", agents, density), a.quiet);
      const BenchNeighboursRow r = measure(a, agents, density, progress);
      right = right && r.right;
      rows.push_back(to_json(r));
      if (a.json) continue;
      fmt::print("{:>8} {:>4.1f}  {:>7.0f} {:>7.0f} {:>7.0f}  {:>7.0f} {:>7.0f} {:>7.1f}  {:>7.1f} {:>6.1f}  {:>7.3f} {:>8.5f}\n",
                 agents, density, r.repair.best, r.rebuild.best, r.nearest.best, r.mesh_repair.best, r.mesh_rebuild.best,
                 r.mesh_rebuild.best / r.mesh_repair.best, r.edge_pass.best, r.edge_pass_plain.best, r.flips, r.inverted);
    }
  if (a.json) print_json({{"threads", a.threads}, {"steps", a.steps}, {"rows", rows}});
  if (!right) fmt::print(stderr, "a repaired graph differs from a fresh one\n");
  return right ? kSuccess : kBadInput;
}

}  // namespace

void add_bench_neighbours(CLI::App& bench, Outcome& outcome) {
  auto a = std::make_shared<BenchNeighboursArguments>();
  CLI::App* verb = bench.add_subcommand("neighbours", "the neighbourhood graph: repair beside rebuild beside the 8 nearest");
  verb->add_option("--sizes", a->sizes, "numbers of agents")->delimiter(',')->check(CLI::Range(10, 10000000));
  verb->add_option("--densities", a->densities, "agents per square metre")->delimiter(',')->check(CLI::Range(0.01, 4.0));
  verb->add_option("--steps", a->steps, "measured, after 30 of warm-up")->capture_default_str()->check(CLI::Range(10, 100000));
  verb->add_option("--threads", a->threads, "0: one per core")->capture_default_str()->check(CLI::Range(0, 256));
  verb->add_flag("--json", a->json, "one JSON document on stdout");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng bench neighbours --sizes 10000 --densities 0.5");
  verb->callback([a, &outcome] { outcome.status = run_bench_neighbours(*a); });
}

}  // namespace throng::cli
