// SPDX-License-Identifier: MIT
// What the behaviour cases share: a case is one measurement, repeated over seeds for a few variants of the model.
//
// Idea: `measure(model, seed)` builds a world, walks it, and returns numbers by name. `measure_variants` calls it for every
// variant (the model asked about, a control in which the cause of the behaviour is switched off, and the paper's pipe alone) and
// every seed, in parallel: worlds of one thread each, so the figures do not depend on the number of threads. The case then judges
// distributions over seeds; everything measured stays in the figures of the outcome.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <throng/world.hpp>

#include "analysis/statistics.hpp"
#include "base/random.hpp"
#include "case.hpp"
#include "trajectory/trajectory.hpp"

namespace throng::behaviour {

using Figures = nlohmann::json;

struct Variant {
  std::string name;
  ReactiveSettings model;
};
inline const std::string kModel = "model", kControl = "control", kPaper = "reactive_2004";

/// The model, its control and `reactive_2004`, as most cases compare them; the last is left out where it is the model itself.
std::vector<Variant> with_control(const ReactiveSettings& model, const ReactiveSettings& control);

/// What was measured: by variant, by seed, by name.
class Measurements {
 public:
  explicit Measurements(Figures figures) : figures_(std::move(figures)) {}
  bool has(const std::string& variant) const { return figures_.contains(variant); }
  /// Over seeds; those without a value (null) do not count.
  Distribution of(const std::string& variant, const std::string& name) const;
  const Figures& figures() const { return figures_; }

 private:
  Figures figures_;
};

/// `measure` must be a pure function: it is called from several threads.
using Measure = std::function<Result<Figures>(const ReactiveSettings& model, std::uint64_t seed)>;
Result<Measurements> measure_variants(const ValidationSettings& settings, const std::vector<Variant>& variants,
                                      const Measure& measure);

/// "1.42 (1.39 to 1.46)": mean and extremes over seeds.
std::string spread(const Distribution& over_seeds, int digits = 2);
/// `describe` for the control and, where it was measured, for reactive_2004: "without prediction: …; reactive_2004: …".
std::string beside(const Measurements& measured, const std::string& control_name,
                   const std::function<std::string(const std::string& variant)>& describe);

Polygon rectangle(double low_x, double low_y, double high_x, double high_y);
Scene scene_of(std::vector<Polygon> walkable);
/// A world of one thread on such a scene, of any model.
Result<World> make_world(std::vector<Polygon> walkable, const MotionModel& model, std::uint64_t seed,
                         WorldSettings settings = {});
/// A free place of an area, or a problem that says how full it is. Tries harder than a source does, in many draws from `draw` on.
Result<Vec2> place_in(const World& world, std::uint32_t area, double radius, std::uint64_t& draw);
/// Speeds of adults (VALIDATION.md): 1.34 ± 0.26 m/s, cut off at 0.8 and 1.8.
double adult_speed(RandomStream& random);

/// People in a straight corridor whose ends are the same place. They walk east (direction 1) or west (-1).
struct CorridorDef {
  double length = 40, width = 4;
  std::uint32_t people = 0;
};
struct CorridorWalker {
  double direction = 1;
  double speed = 1.34;
};
struct Corridor {
  World world;
  std::vector<AgentId> people;
  std::vector<CorridorWalker> walkers;  ///< of each
  double low_x = 0;                     ///< where the period begins
};
Result<Corridor> make_corridor(const CorridorDef& definition, const MotionModel& model, std::uint64_t seed,
                               const std::function<CorridorWalker(std::uint32_t index, RandomStream&)>& walker);

/// Collects the frames of a world for the metrics of analysis/.
class FrameCollector {
 public:
  explicit FrameCollector(double frame_seconds) { trajectory_.frame_seconds = frame_seconds; }
  void add(const World& world);
  const Trajectory& trajectory() const { return trajectory_; }

 private:
  Trajectory trajectory_;
  std::vector<std::uint32_t> index_of_number_;
};

/// Distance from a place to the outlines of a scene as it was drawn: one convex walkable polygon, convex obstacles; negative
/// inside an obstacle or outside. It knows nothing of cells, so it can contradict the engine's own check.
double drawn_clearance(const Scene& scene, Vec2 place);  // behaviour_safety.cpp

/// Two streams of adults, half of the people each, that meet in such a corridor of 4 × 40 m, for two minutes; the second is
/// measured: order of lanes (`corrected_order` is Φ'), flow, side.
Result<Figures> measure_counterflow(const MotionModel& model, std::uint64_t seed, double density);  // behaviour_streams.cpp
/// Mean speed of adults who all walk one way in it, in the second half of a minute.
Result<double> measure_speed_at(const MotionModel& model, std::uint64_t seed, double density);

/// Two streams of a flow that meet in a street of 12 × 60 m, all of it at one level of interest; order of lanes in its middle, in
/// the second of two minutes.
struct RegionLanes {
  std::uint8_t level = 0;
  double density = 0.75;  ///< per m²
  double tile = 3;        ///< m, of levels and fields
  FieldSettings field = field_settings_for(3);
  /// Models: 0 is short_term, 1 linear.
  std::array<LevelService, 3> levels = InterestSettings{}.levels;
};
Result<Figures> measure_region_lanes(const RegionLanes& definition, std::uint64_t seed);  // behaviour_regions.cpp

// The cases, by file.
Result<ValidationOutcome> run_lanes(const ValidationSettings& settings);  // behaviour_streams.cpp
Result<ValidationOutcome> run_counterflow(const ValidationSettings& settings);
Result<ValidationOutcome> run_keep_right(const ValidationSettings& settings);
Result<ValidationOutcome> run_overtaking(const ValidationSettings& settings);
Result<ValidationOutcome> run_fundamental_diagram(const ValidationSettings& settings);
Result<ValidationOutcome> run_head_on(const ValidationSettings& settings);  // behaviour_encounters.cpp
Result<ValidationOutcome> run_crossing(const ValidationSettings& settings);
Result<ValidationOutcome> run_circle_swap(const ValidationSettings& settings);
Result<ValidationOutcome> run_bottleneck(const ValidationSettings& settings);  // behaviour_bottleneck.cpp
Result<ValidationOutcome> run_walls(const ValidationSettings& settings);       // behaviour_safety.cpp
Result<ValidationOutcome> run_plaza_quality(const ValidationSettings& settings);
Result<ValidationOutcome> run_stuck(const ValidationSettings& settings);

}  // namespace throng::behaviour
