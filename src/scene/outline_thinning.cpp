// SPDX-License-Identifier: MIT
// Fewer vertices for the outlines of sheets (scene/sheet_outlines.hpp).
#include <algorithm>
#include <cmath>

#include "scene/outline_tangles.hpp"
#include "scene/sheet_outlines.hpp"

namespace throng {
namespace {

constexpr double kLost = 0.25;  ///< steps that a wall may move into the ground
constexpr double kWon = 0.1;    ///< … that ground may move into a wall

/// A run of vertices between two where something changes; a closed one ends where it begins.
struct Chain {
  std::vector<std::uint32_t> vertices;
  std::uint32_t sheet, beyond;
};

/// A stretch of a chain that has become one line.
struct Chord {
  std::uint32_t chain, begin, end;
  bool turned;  ///< it runs against its chain: as the sheet beyond a joint sees it
};

class Thinner {
 public:
  Thinner(const Sheets& sheets, double step, SheetOutlines& outlines) : sheets_(sheets), step_(step), outlines_(outlines) {}

  void run() {
    find_junctions();
    find_chains();
    for (std::uint32_t c = 0; c < chains_.size(); ++c) thin(c);
    while (refine()) {
    }
    rebuild();
  }

 private:
  const Point& at(std::uint32_t v) const { return outlines_.vertices[v]; }

  /// Inside a chain there are two walls and no joint, or two pieces of a joint of the same two sheets and no wall.
  void find_junctions() {
    struct Degree {
      std::uint32_t walls = 0, joints = 0;
      std::pair<std::uint32_t, std::uint32_t> sheets;
      bool mixed = false;
    };
    std::vector<Degree> degree(outlines_.vertices.size());
    for (const OutlineEdge& e : outlines_.edges)
      for (const std::uint32_t v : {e.from, e.to}) {
        if (e.beyond == kNoSheet) {
          ++degree[v].walls;
        } else if (e.sheet < e.beyond) {
          const std::pair both{e.sheet, e.beyond};
          degree[v].mixed = degree[v].mixed || (degree[v].joints > 0 && degree[v].sheets != both);
          degree[v].sheets = both;
          ++degree[v].joints;
        }
      }
    keep_.resize(degree.size());
    for (std::size_t v = 0; v < degree.size(); ++v) {
      const Degree& d = degree[v];
      keep_[v] = !((d.walls == 2 && d.joints == 0) || (d.walls == 0 && d.joints == 2 && !d.mixed));
    }
  }

  void find_chains() {
    for (std::size_t r = 0; r < outlines_.ring_count(); ++r) {
      const std::uint32_t begin = outlines_.ring_start[r], count = outlines_.ring_start[r + 1] - begin;
      const auto edge = [&](std::uint32_t k) -> const OutlineEdge& { return outlines_.edges[begin + k % count]; };
      std::uint32_t first = 0;
      while (first < count && !keep_[edge(first).from]) ++first;
      if (first == count) first = 0;
      for (std::uint32_t k = 0; k < count;) {
        const OutlineEdge& start = edge(first + k);
        Chain chain{{start.from}, start.sheet, start.beyond};
        do chain.vertices.push_back(edge(first + k).to);
        while (++k < count && !keep_[edge(first + k).from]);
        if (!keep_[start.from]) start_at_a_tip(chain);
        if (chain.beyond == kNoSheet || chain.sheet < chain.beyond) chains_.push_back(std::move(chain));
      }
    }
  }

  /// A closed chain may begin anywhere: where it is farthest from some vertex, so that none is kept in the middle of a wall.
  void start_at_a_tip(Chain& chain) const {
    auto& v = chain.vertices;
    v.pop_back();
    const auto tip = std::max_element(v.begin(), v.end(), [&](std::uint32_t a, std::uint32_t b) {
      return distance_squared(at(v[0]), at(a)) < distance_squared(at(v[0]), at(b));
    });
    std::rotate(v.begin(), tip, v.end());
    v.push_back(v.front());
  }

  /// How much too far, in tolerances, a vertex would be from the line between two.
  double excess(const Chain& chain, std::uint32_t begin, std::uint32_t end, std::uint32_t k) const {
    const Point a = at(chain.vertices[begin]), b = at(chain.vertices[end]), p = at(chain.vertices[k]);
    const double dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
    const double squared = dx * dx + dy * dy, along = px * dx + py * dy;
    const double t = squared > 0 ? std::clamp(along / squared, 0.0, 1.0) : 0;
    const double away = std::hypot(px - t * dx, py - t * dy) * kUnit / step_;
    // Ground is on the left: a vertex left of the line gives way to ground.
    return away / (chain.beyond != kNoSheet ? kJointSteps : orient(a, b, p) > 0 ? kWon : kLost);
  }
  std::pair<std::uint32_t, double> worst(const Chain& chain, std::uint32_t begin, std::uint32_t end) const {
    std::pair<std::uint32_t, double> found{(begin + end) / 2, 0};
    for (std::uint32_t k = begin + 1; k < end; ++k)
      if (const double e = excess(chain, begin, end, k); e > found.second) found = {k, e};
    return found;
  }

  void thin(std::uint32_t c) {
    const Chain& chain = chains_[c];
    const auto last = static_cast<std::uint32_t>(chain.vertices.size() - 1);
    keep_[chain.vertices[0]] = keep_[chain.vertices[last]] = true;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, last}};
    while (!open.empty()) {
      const auto [begin, end] = open.back();
      open.pop_back();
      if (end - begin < 2) continue;
      const auto [k, e] = worst(chain, begin, end);
      // A closed chain needs a second vertex whatever its size.
      if (e <= 1 && chain.vertices[begin] != chain.vertices[end]) continue;
      keep_[chain.vertices[k]] = true;
      open.push_back({begin, k});
      open.push_back({k, end});
    }
  }

  /// Splits chords that touch or cross others or have swallowed a vertex. Whether there were any.
  bool refine() {
    std::vector<std::vector<Chord>> chords(sheets_.layer_count);
    for (std::uint32_t c = 0; c < chains_.size(); ++c) {
      const Chain& chain = chains_[c];
      for (std::uint32_t begin = 0, end = 1; end < chain.vertices.size(); ++end) {
        if (!keep_[chain.vertices[end]]) continue;
        chords[sheets_.layer_of_sheet[chain.sheet]].push_back({c, begin, end, false});
        if (chain.beyond != kNoSheet) chords[sheets_.layer_of_sheet[chain.beyond]].push_back({c, begin, end, true});
        begin = end;
      }
    }
    bool changed = false;
    for (const auto& layer : chords) changed = refine_layer(layer) || changed;
    return changed;
  }

  bool refine_layer(const std::vector<Chord>& chords) {
    std::vector<OutlineLine> lines;
    for (const Chord& c : chords) {
      const auto& v = chains_[c.chain].vertices;
      lines.push_back(c.turned ? OutlineLine{v[c.end], v[c.begin]} : OutlineLine{v[c.begin], v[c.end]});
    }
    const OutlineGrid grid(outlines_.vertices, lines);
    std::vector<std::uint32_t> bad;
    grid.tangles([&](std::uint32_t a, std::uint32_t b) { return is_collapsed(chords[a], chords[b]); },
                 [&](std::uint32_t a, std::uint32_t b) { bad.push_back(a), bad.push_back(b); });
    for (const OutlineLine& l : lines)
      grid.near(at(l.from), kJointSteps * step_, [&](std::uint32_t c) {
        if (chords[c].end - chords[c].begin > 1 && has_swallowed(chords[c], l.from)) bad.push_back(c);
      });
    std::sort(bad.begin(), bad.end());
    bad.erase(std::unique(bad.begin(), bad.end()), bad.end());
    bool changed = false;
    for (const std::uint32_t c : bad) {
      const Chord& chord = chords[c];
      if (chord.end - chord.begin < 2) continue;
      const std::uint32_t v = chains_[chord.chain].vertices[worst(chains_[chord.chain], chord.begin, chord.end).first];
      changed = changed || !keep_[v];
      keep_[v] = true;
    }
    return changed;
  }

  /// There and back on the same two vertices: a thin wall that has become a line, or ground that must not.
  bool is_collapsed(const Chord& a, const Chord& b) const { return doubled_area(a) + doubled_area(b) > 0; }
  /// Twice the area between a chord and what it replaces, seen from its left side.
  std::int64_t doubled_area(const Chord& c) const {
    const auto& v = chains_[c.chain].vertices;
    const Point origin = at(v[c.begin]);
    std::int64_t sum = 0;
    for (std::uint32_t k = c.begin + 1; k < c.end; ++k) sum += orient(origin, at(v[k]), at(v[k + 1]));
    return c.turned ? -sum : sum;
  }

  /// Whether a vertex lies between a chord and what it replaces.
  bool has_swallowed(const Chord& c, std::uint32_t vertex) const {
    const auto& v = chains_[c.chain].vertices;
    const Point p = at(vertex);
    bool inside = false;
    for (std::uint32_t k = c.begin; k <= c.end; ++k) {
      if (v[k] == vertex) return false;
      const Point a = at(v[k]), b = at(v[k < c.end ? k + 1 : c.begin]);
      if ((a.y > p.y) == (b.y > p.y)) continue;
      if ((orient(a, b, p) > 0) == (b.y > a.y)) inside = !inside;
    }
    return inside;
  }

  void rebuild() {
    std::vector<OutlineEdge> edges;
    std::vector<std::uint32_t> starts{0};
    for (std::size_t r = 0; r < outlines_.ring_count(); ++r) {
      const std::size_t first = edges.size();
      for (std::uint32_t e = outlines_.ring_start[r]; e < outlines_.ring_start[r + 1]; ++e)
        if (keep_[outlines_.edges[e].from]) edges.push_back(outlines_.edges[e]);
      for (std::size_t e = first; e < edges.size(); ++e) edges[e].to = edges[e + 1 < edges.size() ? e + 1 : first].from;
      starts.push_back(static_cast<std::uint32_t>(edges.size()));
    }
    outlines_.edges = std::move(edges);
    outlines_.ring_start = std::move(starts);
  }

  const Sheets& sheets_;
  double step_;
  SheetOutlines& outlines_;
  std::vector<std::uint8_t> keep_;  ///< of each vertex
  std::vector<Chain> chains_;
};

}  // namespace

void thin_outlines(const Sheets& sheets, double step, SheetOutlines& outlines) { Thinner(sheets, step, outlines).run(); }

}  // namespace throng
