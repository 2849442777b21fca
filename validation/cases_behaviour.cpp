// SPDX-License-Identifier: MIT
// The list of behaviour cases. Each measures over ValidationSettings::seeds seeds; how is written where it runs
// (behaviour_*.cpp).
#include "behaviour_support.hpp"

namespace throng {

const std::vector<ValidationCase>& behaviour_cases() {
  using namespace behaviour;
  static const std::vector<ValidationCase> cases{
      {"lanes", "Two streams in a corridor of 4 × 40 m, 1 person/m²", "Φ' ≥ 0.7 in every seed (Nowak & Schadschneider 2012)",
       run_lanes},
      {"counterflow", "The same at 2 persons/m²", "≥ 1.0 /(m s) in every seed: no gridlock", run_counterflow},
      {"keep_right", "Two streams under the driving rule, 1 person/m²", "> 0.3 m to their own right (Lamarche & Donikian 2004)",
       run_keep_right},
      {"crossing", "Two streams of 2 persons/s cross at 90°, streets 4 m wide", "outflow ≥ 0.8 of demand, nobody stuck",
       run_crossing},
      {"head_on", "Two people meet in an open place", "deviate ≥ 3 m before they meet, do not stop (Goffman)", run_head_on},
      {"overtaking", "A 3 m corridor in which one in five is slow", "less delay than following", run_overtaking},
      {"circle_swap", "100 people on a circle of 10 m swap places", "within 60 s", run_circle_swap},
      {"bottleneck", "150 people leave a room by a door of 0.8, 1.0, 1.2 m",
       "1.39–1.46, 1.71–2.02, 2.03–2.29 /s ± 15 % (Kretz et al. 2006), nobody left behind", run_bottleneck},
      {"fundamental_diagram", "One stream at 0.25 to 4 persons/m²", "≤ 0.15 m/s RMS to Weidmann 1993", run_fundamental_diagram},
      {"walls", "250 bodies of 0.12 to 0.45 m in each random scene, 125,000 agent-steps a seed", "no wall penetration",
       run_walls},
      {"plaza_quality", "Plaza of 10,000; torus of 4,000 at 0.5, 1, 2 persons/m²",
       "≤ 0.5 overlaps/1000, 0 deep, ≤ 40 before separation, speed ≥ 0.93, progress ≥ 0.86; torus ≥ 0.94/0.85/0.65",
       run_plaza_quality},
      {"stuck", "The named scenes (the city once, at most 200 people of each population)", "nobody stuck or lost", run_stuck},
  };
  return cases;
}

}  // namespace throng
