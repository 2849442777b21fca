// SPDX-License-Identifier: MIT
// throng compare: one scenario under several motion models, side by side: how long people take, what gets through, how they walk,
// and what it costs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "analysis/journeys.hpp"
#include "analysis/lanes.hpp"
#include "analysis/velocities.hpp"
#include "behaviour_support.hpp"
#include "common.hpp"
#include "draw/crowd_picture.hpp"
#include "draw/open_canvas.hpp"
#include "inputs.hpp"
#include "run_summary.hpp"
#include "scenario/ground_outline.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct CompareArguments {
  std::string scenario;
  std::vector<std::string> models{"reactive", "short_term", "rules"};
  std::uint32_t seeds = 1;
  std::optional<double> duration;
  std::string output;
  std::string show = "trails";
  double pixel_width = 1600;
  unsigned threads = 1;
  bool json = false;
  bool quiet = false;
};

/// One run of a model.
struct ModelRun {
  OrderedJson figures;
  Trajectory trajectory;
  std::vector<Polygon> ground;
};

/// Mean size of the changes of velocity, m/s²: how jerkily people walk.
double mean_acceleration(const Trajectory& t) {
  const std::vector<Vec2> velocities = velocities_of(t);
  constexpr Vec2 kUnknown{1e9, 1e9};
  std::vector<Vec2> before(t.agents.size(), kUnknown);
  double sum = 0;
  std::uint64_t count = 0;
  for (std::size_t number = 0; number < t.frame_count(); ++number) {
    const FrameView frame = t.frame(number);
    for (std::size_t row = 0; row < frame.size(); ++row) {
      const Vec2 velocity = velocities[t.frame_start[number] + row];
      Vec2& last = before[frame.agent[row]];
      // Who stands, or has not set out, is as smooth as can be in any model.
      if (last != kUnknown && length(velocity) + length(last) > 0.1) sum += length(velocity - last) / t.frame_seconds, ++count;
      last = velocity;
    }
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// The axis along which people get about most.
Vec2 main_axis(const Trajectory& t) {
  Vec2 sum{};
  for (const Vec2& v : velocities_of(t)) sum = sum + Vec2{std::abs(v.x), std::abs(v.y)};
  return sum.x >= sum.y ? Vec2{1, 0} : Vec2{0, 1};
}

Result<ModelRun> run_model(const CompareArguments& a, const std::filesystem::path& file, const std::string& model, std::uint64_t seed) {
  ScenarioOverrides overrides{.duration = a.duration, .model = model};
  if (seed != 0) overrides.seed = seed;
  const auto scenario = load_scenario(file, overrides);
  if (!scenario) {
    std::vector<Problem> problems = scenario.problems();
    if (problems.front().where == "--model") problems.front().where = "--models";
    return problems;
  }
  BakeSettings bake;
  bake.threads = a.threads;
  bake.editable = edits_scene(*scenario);
  const auto navigation = Navigation::bake(scenario->scene, bake);
  if (!navigation) return navigation.problems();
  auto simulation = Simulation::create(*scenario, *navigation, a.threads);
  if (!simulation) return simulation.problems();
  behaviour::FrameCollector frames(scenario->settings.dt);
  RunTimes times;
  frames.add(simulation->world());
  while (!simulation->is_done()) {
    const auto began = std::chrono::steady_clock::now();
    simulation->step();
    times.wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    frames.add(simulation->world());
  }
  ModelRun run{{}, frames.trajectory(), ground_outline(simulation->world().navigation())};
  const OrderedJson summary = summarise(*simulation, times);
  const JourneySummary journeys = summarise_journeys(run.trajectory);
  const double seconds = summary["simulated_s"];
  run.figures = {{"people", summary["agents"]},
                 {"arrived", summary["arrived"]},
                 {"stuck", summary["stuck"]},
                 {"simulated_s", seconds},
                 {"travel_mean_s", summary["travel_time_s"]["mean"]},
                 {"travel_p95_s", summary["travel_time_s"]["p95"]},
                 {"arrivals_per_s", seconds > 0 ? summary["goals_reached"].get<double>() / seconds : 0},
                 {"speed_ratio", summary["speed_ratio"]},
                 {"overlaps_per_1000", summary["overlaps_per_1000"]},
                 {"deep_overlaps", summary["deep_overlaps"]},
                 {"lanes", lanes_of(run.trajectory, {.along = main_axis(run.trajectory)}).corrected},
                 {"turning_rad_per_s", journeys.turning_rate},
                 {"acceleration_m_per_s2", mean_acceleration(run.trajectory)},
                 {"ns_per_agent_step", summary["ns_per_agent_step"]}};
  OrderedJson lines = OrderedJson::object();
  for (const auto& [name, line] : summary["lines"].items()) lines[name] = line["specific_flow"];
  run.figures["flow_per_m_and_s"] = lines;
  return run;
}

/// A stream that draws beside where it is told.
class Beside final : public DrawStream {
 public:
  Beside(DrawStream& out, Vec2 shift) : out_(out), shift_(shift) {}
  void begin_layer(std::string_view name) override { out_.begin_layer(name); }
  void polyline(std::span<const Vec2> points, Pen pen) override { out_.polyline(shifted(points, points_), pen); }
  void polygon(std::span<const std::span<const Vec2>> rings, Color fill) override {
    rings_.resize(rings.size());
    std::vector<std::span<const Vec2>> moved;
    for (std::size_t i = 0; i < rings.size(); ++i) moved.push_back(shifted(rings[i], rings_[i]));
    out_.polygon(moved, fill);
  }
  void disc(Vec2 centre, double radius, Color fill) override { out_.disc(centre + shift_, radius, fill); }
  void text(Vec2 at, std::string_view words, double size, Color color) override { out_.text(at + shift_, words, size, color); }

 private:
  std::span<const Vec2> shifted(std::span<const Vec2> points, std::vector<Vec2>& into) const {
    into.assign(points.begin(), points.end());
    for (Vec2& p : into) p = p + shift_;
    return into;
  }
  DrawStream& out_;
  Vec2 shift_;
  std::vector<Vec2> points_;
  std::vector<std::vector<Vec2>> rings_;
};

/// All models on one sheet: side by side where the scene is tall, one above the other where it is wide.
Result<bool> draw(const CompareArguments& a, const std::string& name, const std::vector<ModelRun>& runs) {
  const auto [low, high] = bounds_of(runs[0].trajectory, runs[0].ground);
  const Vec2 size = high - low;
  const double caption = 0.08 * std::max(size.y, 0.3 * size.x);
  const bool is_wide = size.x > 1.5 * size.y;
  const Vec2 pitch = is_wide ? Vec2{0, -(size.y + 1.5 * caption)} : Vec2{size.x + 0.5 * caption, 0};
  const double last = static_cast<double>(runs.size() - 1);
  CanvasSettings sheet{.low = low + Vec2{0, is_wide ? last * pitch.y : 0}, .high = high + Vec2{last * pitch.x, 1.5 * caption}};
  sheet.pixel_width = a.pixel_width;
  sheet.title = name;
  sheet.border = false;
  const PeopleColor color = PeopleColor::kDirection;
  sheet.legend = crowd_legend(a.show == "trails" ? color : PeopleColor::kSpeed, runs[0].trajectory.kinds);
  auto canvas = open_canvas(a.output, sheet);
  if (!canvas) return canvas.problems();
  const double pixel = (*canvas)->metres_per_pixel();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Beside out(**canvas, static_cast<double>(i) * pitch);
    const Trajectory& t = runs[i].trajectory;
    draw_ground(out, runs[i].ground, low, high, pixel);
    CrowdPicture picture{.color = a.show == "trails" ? color : PeopleColor::kSpeed, .layer = 0, .pixel = pixel};
    if (a.show == "trails") {
      draw_trails(out, t, picture);
    } else if (t.frame_count() > 2) {
      // The same moment in all: half of the shortest run.
      std::size_t at = t.frame_count();
      for (const ModelRun& run : runs) at = std::min(at, run.trajectory.frame_count());
      const FrameView before = t.frame(at / 2 - 1);
      draw_people(out, t.frame(at / 2), &before, t.frame_seconds, picture);
    }
    out.text({0.5 * (low.x + high.x), high.y + 0.7 * caption}, a.models[i], caption, {40, 40, 40, 255});
  }
  if (auto saved = (*canvas)->save(a.output); !saved) return saved.problems();
  return true;
}

OrderedJson mean_of(const std::vector<OrderedJson>& figures) {
  OrderedJson mean = figures[0];
  for (auto& [key, value] : mean.items()) {
    if (value.is_object()) {
      for (auto& [name, flow] : value.items()) {
        double sum = 0;
        for (const OrderedJson& f : figures) sum += f[key][name].get<double>();
        flow = sum / static_cast<double>(figures.size());
      }
      continue;
    }
    double sum = 0;
    for (const OrderedJson& f : figures) sum += f[key].get<double>();
    value = sum / static_cast<double>(figures.size());
  }
  return mean;
}

void print(const CompareArguments& a, const OrderedJson& document) {
  fmt::print("{}, {} seed{} each\n{:<28}", document["scenario"].get<std::string>(), a.seeds, a.seeds == 1 ? "" : "s", "");
  for (const std::string& model : a.models) fmt::print("{:>16}", model);
  fmt::print("\n");
  const auto row = [&](const char* words, const char* key, int digits) {
    fmt::print("{:<28}", words);
    for (const OrderedJson& m : document["models"]) fmt::print("{:>16.{}f}", m[key].get<double>(), digits);
    fmt::print("\n");
  };
  row("people", "people", 0);
  row("arrived", "arrived", 0);
  row("stuck", "stuck", 0);
  row("travel time, mean s", "travel_mean_s", 2);
  row("travel time, 95 % s", "travel_p95_s", 2);
  row("goals reached /s", "arrivals_per_s", 3);
  row("speed / preferred", "speed_ratio", 3);
  row("overlaps per 1000", "overlaps_per_1000", 2);
  row("deep overlaps", "deep_overlaps", 0);
  row("lanes, order 0 to 1", "lanes", 2);
  row("turning rad/s", "turning_rad_per_s", 3);
  row("acceleration m/s2", "acceleration_m_per_s2", 3);
  row("ns an agent and step", "ns_per_agent_step", 0);
  for (const auto& [name, flow] : document["models"][0]["flow_per_m_and_s"].items()) {
    fmt::print("{:<28}", "flow at " + name + " /(m s)");
    for (const OrderedJson& m : document["models"]) fmt::print("{:>16.3f}", m["flow_per_m_and_s"][name].get<double>());
    fmt::print("\n");
  }
  if (!a.output.empty()) fmt::print("drawn to {}\n", a.output);
}

int run_compare(const CompareArguments& a) {
  const auto file = find_scenario(a.scenario);
  if (!file) return report_problems(file.problems(), a.json);
  Progress progress("compare", a.quiet);
  OrderedJson document{{"scenario", file->stem().string()}, {"seeds", a.seeds}, {"models", OrderedJson::array()}};
  std::vector<ModelRun> shown;
  for (const std::string& model : a.models) {
    std::vector<OrderedJson> figures;
    for (std::uint32_t seed = 0; seed < a.seeds; ++seed) {
      progress.step(fmt::format("{}, run {} of {}", model, seed + 1, a.seeds));
      // The first with the scenario's own seed.
      Result<ModelRun> run = run_model(a, *file, model, seed);
      if (!run) return report_problems(run.problems(), a.json);
      figures.push_back(run->figures);
      if (seed == 0) shown.push_back(std::move(*run));
    }
    OrderedJson mean = mean_of(figures);
    OrderedJson entry{{"model", model}};
    entry.update(mean);
    document["models"].push_back(entry);
  }
  if (!a.output.empty())
    if (const auto drawn = draw(a, file->stem().string(), shown); !drawn) return report_problems(drawn.problems(), a.json);
  if (a.json)
    print_json(document);
  else
    print(a, document);
  return kSuccess;
}

}  // namespace

void add_compare(CLI::App& app, Outcome& outcome) {
  auto a = std::make_shared<CompareArguments>();
  CLI::App* verb = app.add_subcommand("compare", "one scenario under several motion models: table and picture side by side");
  verb->add_option("SCENARIO", a->scenario, "a file, or the name of one that comes with the program")->required();
  verb->add_option("--models", a->models, "names, of the program or of the scenario")->delimiter(',')->capture_default_str();
  verb->add_option("--seeds", a->seeds, "runs of each model, whose means are shown")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  verb->add_option("--duration", a->duration, "seconds, instead of the scenario's");
  verb->add_option("-o,--output", a->output, "picture of all models, .png or .svg");
  verb->add_option("--show", a->show, "what is drawn of each")->capture_default_str()->check(CLI::IsMember({"trails", "frame"}));
  verb->add_option("--width", a->pixel_width, "of the picture, pixels")->capture_default_str();
  verb->add_option("--threads", a->threads, "0: one per core")->capture_default_str();
  verb->add_flag("--json", a->json, "one JSON document");
  verb->add_flag("--quiet", a->quiet, "no progress");
  verb->footer("Example: throng compare rules_narrow_passage --models reactive,short_term,rules -o compare.png");
  verb->callback([a, &outcome] { outcome.status = run_compare(*a); });
}

}  // namespace throng::cli
