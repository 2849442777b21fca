// SPDX-License-Identifier: MIT
// A scenario whose floors are joined by lifts and escalators only.
#include "fixtures.hpp"

namespace throng {
namespace {

/// Two floors of 20 × 10 m, a lift of five up in the east, an escalator down that carries people from the east to the west, over
/// a line in the middle of the ground floor.
const char* const kBuilding = R"({"throng_scenario": 1,
  "scene": {"throng_scene": 1, "name": "linked",
    "layers": [{"name": "ground", "walkable": [[[0,0],[20,0],[20,10],[0,10]]]},
               {"name": "upper", "elevation": 4, "walkable": [[[0,0],[20,0],[20,10],[0,10]]]}],
    "areas": [{"name": "lift", "layer": "ground", "polygon": [[16,1],[19,1],[19,4],[16,4]]},
              {"name": "landing", "layer": "upper", "polygon": [[16,1],[19,1],[19,4],[16,4]]},
              {"name": "head", "layer": "upper", "polygon": [[16,6],[19,6],[19,9],[16,9]]},
              {"name": "foot", "layer": "ground", "polygon": [[2,6],[5,6],[5,9],[2,9]]}],
    "links": [{"name": "lift", "from": "lift", "to": "landing", "time": 8, "capacity": 5},
              {"name": "escalator", "from": "head", "to": "foot", "time": 12}]},
  "areas": {"east": {"box": [12, 0.5, 15, 9.5], "layer": "ground"}, "gallery": {"box": [6, 4, 12, 9], "layer": "upper"},
            "hall": {"box": [6, 1, 8, 5], "layer": "ground"}},
  "plans": {"round trip": {"goals": ["gallery", "hall"], "end": "leave"}},
  "sources": [{"area": "east", "rate": 1, "limit": 40, "plan": "round trip"}],
  "measurements": {"lines": {"middle": {"from": [10, 0], "to": [10, 10], "layer": "ground"}}},
  "settings": {"duration": 400}})";

TEST(LinkedFloors, people_go_up_by_lift_and_down_by_escalator_and_ride_over_no_line) {
  Simulation simulation = start(kBuilding);
  std::size_t most = 0;
  std::string half_way;
  while (!simulation.is_done()) {
    simulation.step();
    most = std::max(most, simulation.world().riders().size());
    if (half_way.empty() && simulation.world().riders().size() >= 8) half_way = simulation.snapshot();
  }
  EXPECT_EQ(simulation.tally().left, 40u);
  EXPECT_EQ(simulation.tally().lost, 0u);
  EXPECT_EQ(simulation.tally().stuck, 0u);
  EXPECT_GT(most, 5u);
  EXPECT_TRUE(simulation.tally().lines[0].empty());
  EXPECT_LT(simulation.world().time(), 300);
  // From the middle of rides on, the same.
  Simulation again = start(kBuilding, 4);
  ASSERT_FALSE(half_way.empty());
  ASSERT_TRUE(again.restore(half_way));
  while (!again.is_done()) again.step();
  EXPECT_EQ(again.hash(), simulation.hash());
}

}  // namespace
}  // namespace throng
