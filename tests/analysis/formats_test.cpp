// SPDX-License-Identifier: MIT
// A run gives the same metrics from our recording, from a JuPedSim SQLite file and from a Jülich text file.
#include "analysis/arching.hpp"
#include "analysis/density.hpp"
#include "analysis/density_map.hpp"
#include "analysis/flow.hpp"
#include "analysis/fundamental_diagram.hpp"
#include "analysis/journeys.hpp"
#include "analysis/lanes.hpp"
#include "analysis/overlaps.hpp"
#include "analysis/velocities.hpp"
#include "trajectory/files.hpp"
#include "trajectory/recording.hpp"
#include "trajectory/walkers.hpp"

namespace throng {
namespace {

/// Every number that the summaries give, in one row. Radii and wishes are not in the other formats: defaults stand for them.
std::vector<double> metrics(const Trajectory& t) {
  const OverlapSummary overlaps = overlaps_of(t, {.default_radius = 0.2});
  const JourneySummary journeys = summarise_journeys(t);
  const FlowSummary flow = flow_through(t, {{10, 0}, {10, 6}});
  const MeasurementArea area{{{8, 1}, {12, 1}, {12, 5}, {8, 5}}, 0};
  const Distribution voronoi = density_in(t, area), speeds = speeds_of(t);
  DensitySettings heads;
  heads.method = DensityMethod::kClassical;
  const Distribution classical = density_in(t, area, heads);
  const FundamentalSummary diagram = summarise_fundamental(fundamental_points(t, area), 0.01);
  const LaneSummary lanes = lanes_of(t);
  const ArchProfile arch = arch_of(t, {.door = {10, 3}});
  const DensityMap map = density_map_of(t);
  std::vector<double> all = {overlaps.per_1000,
                             overlaps.deep_per_1000,
                             overlaps.deepest,
                             static_cast<double>(journeys.agents),
                             static_cast<double>(journeys.finished),
                             journeys.travel_time.mean,
                             journeys.travel_time.p95,
                             journeys.speed.median,
                             journeys.detour,
                             journeys.turning_rate,
                             static_cast<double>(flow.to_left),
                             static_cast<double>(flow.to_right),
                             flow.flow,
                             flow.bottleneck_flow,
                             flow.gap_variation,
                             voronoi.mean,
                             voronoi.high,
                             classical.mean,
                             speeds.mean,
                             speeds.deviation,
                             diagram.rms_to_weidmann,
                             lanes.order,
                             lanes.corrected,
                             arch.mean};
  all.insert(all.end(), map.density.begin(), map.density.end());
  return all;
}

class AllFormats : public FilesTest {};

TEST_F(AllFormats, give_the_same_metrics) {
  Trajectory original = walkers_trajectory(200, 60);
  for (AgentFacts& a : original.agents) a.radius = 0, a.preferred_speed = 0;
  const std::vector<double> expected = metrics(original);
  EXPECT_GT(expected[0], 0);  // there is something to measure
  EXPECT_GT(expected[12], 0);
  EXPECT_GT(expected[15], 0);

  ASSERT_FALSE(write_trajectory(original, path("run.sqlite")));
  ASSERT_FALSE(write_trajectory(original, path("run.txt")));
  auto writer = RecordingWriter::create(path("run.throng"), {.step_seconds = 0.1});
  ASSERT_TRUE(writer);
  for (std::size_t k = 0; k < original.frame_count(); ++k) {
    const FrameView f = original.frame(k);
    std::vector<std::uint32_t> id;
    for (std::size_t i = 0; i < f.size(); ++i) id.push_back(f.facts(i).id);
    ASSERT_FALSE(writer->add_frame({.id = id, .x = f.x, .y = f.y, .heading_x = f.heading_x, .heading_y = f.heading_y}));
  }
  ASSERT_FALSE(writer->finish("{}"));
  for (const char* name : {"run.throng", "run.sqlite", "run.txt"}) {
    const auto file = read_trajectory(path(name));
    ASSERT_TRUE(file) << to_string(file.problems()[0]);
    // Frames with nobody at the end are in the recording only; nothing that is measured here changes with them.
    Trajectory t = file->trajectory;
    while (t.frame_count() < original.frame_count()) t.frame_start.push_back(t.row_count());
    EXPECT_EQ(metrics(t), expected) << name;
  }
}

TEST_F(AllFormats, streaming_a_recording_gives_what_loading_it_gives) {
  auto writer = RecordingWriter::create(path("run.throng"), {.step_seconds = 0.1});
  for (std::uint32_t k = 0; k < 150; ++k) ASSERT_FALSE(writer->add_frame(walkers_at(k, 50).columns()));
  ASSERT_FALSE(writer->finish("{}"));
  const auto recording = Recording::open(path("run.throng"));
  OverlapCounter overlaps;
  JourneyMeter journeys;
  LineCounter line({{10, 0}, {10, 6}, 1});
  FrameCursor frames(*recording);
  while (frames.next()) overlaps.add(frames.frame()), journeys.add(frames.frame()), line.add(frames.frame());
  const auto whole = recording->load();
  EXPECT_EQ(overlaps.summary().pairs, overlaps_of(*whole).pairs);
  EXPECT_GT(overlaps.summary().pairs, 0u);
  EXPECT_EQ(journeys.summary().detour, summarise_journeys(*whole).detour);
  EXPECT_EQ(journeys.summary().speed_ratio, summarise_journeys(*whole).speed_ratio);
  EXPECT_EQ(line.summary().flow, flow_through(*whole, {{10, 0}, {10, 6}, 1}).flow);
  EXPECT_GT(line.crossings().size(), 5u);
}

}  // namespace
}  // namespace throng
