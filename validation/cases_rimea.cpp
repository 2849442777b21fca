// SPDX-License-Identifier: MIT
// The verification tests of the RiMEA guideline, with those of IMO MSC.1/Circ.1533 and NIST TN 1822 that are like them.
// docs/validation.md describes each; validation/scenarios has the files.
#include "guideline_rules.hpp"

namespace throng {

const std::vector<ValidationCase>& rimea_cases() {
  static const std::vector<ValidationCase> cases = {
      {"rimea_1", "one person, 1.33 m/s, corridor 2 × 40 m", "RiMEA: 26–34 s", judge_rimea_1},
      {"rimea_2", "one person up stairs, 10 m along the slope", "RiMEA: 0.5 m/s along the slope, 20 s ± 5 %", judge_rimea_2},
      {"rimea_3", "one person down stairs, 10 m along the slope", "RiMEA: 0.65 m/s along the slope, 15.4 s ± 5 %", judge_rimea_3},
      {"rimea_5", "pre-movement times of 10, 20 … 100 s", "RiMEA: starts within 2 steps (0.2 s)", judge_rimea_5},
      {"rimea_6", "20 people round a corner 2 m wide", "RiMEA: nobody through the wall, all leave", judge_rimea_6},
      {"rimea_7", "50 adults, speeds by age", "RiMEA: observed = assigned ± 0.03 m/s", judge_rimea_7},
      {"rimea_9", "1000 people, room with 2 or 4 doors", "RiMEA: time of 2 / time of 4 in 1.6–2.4", judge_rimea_9},
      {"rimea_10", "12 rooms, two exits, 23 people", "RiMEA: 100 % use the assigned exit", judge_rimea_10},
      {"rimea_12", "two rooms joined by a neck 5 × 1 m, 150 people", "RiMEA: J(neck) ≥ J(exit) − 0.05, 10 m not faster",
       judge_rimea_12},
      {"rimea_15", "500 people round a corner 20 m wide", "RiMEA: straight 44 m ≤ corner ≤ straight 75.4 m", judge_rimea_15},
      {"imo_1", "one person, 1 m/s, 40 m", "IMO: 40 s (± 0.5)", judge_imo_1},
      {"nist_1_1", "pre-movement times of a distribution", "NIST: Kolmogorov–Smirnov p > 0.05", judge_nist_1_1},
      {"nist_2_3", "120 people wander among walls and pillars", "NIST: nobody outside by more than 1 mm", judge_nist_2_3},
  };
  return cases;
}

}  // namespace throng
