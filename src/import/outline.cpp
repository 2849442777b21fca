// SPDX-License-Identifier: MIT
#include "import/outline.hpp"

#include <vector>

namespace throng::outline {

std::uint64_t estimate_crossing_work(std::span<const Ring> rings) {
  constexpr std::size_t kSmall = 500;  // below it even all pairs are nothing
  constexpr std::size_t kSamples = 64;
  std::vector<Segment> edges;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]});
  }
  if (edges.size() <= kSmall) return edges.size() * edges.size();
  std::uint64_t met = 0, state = edges.size();
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // any spread will do, but not a regular one
    const Segment s = edges[(state >> 33) % edges.size()];
    const double west = std::min(s.a.x, s.b.x), east = std::max(s.a.x, s.b.x), south = std::min(s.a.y, s.b.y),
                 north = std::max(s.a.y, s.b.y);
    for (const Segment& e : edges) {
      met += std::min(e.a.x, e.b.x) <= east && std::max(e.a.x, e.b.x) >= west && std::min(e.a.y, e.b.y) <= north &&
             std::max(e.a.y, e.b.y) >= south;
    }
  }
  return met * edges.size() / kSamples;
}

}  // namespace throng::outline
