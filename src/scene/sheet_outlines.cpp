// SPDX-License-Identifier: MIT
#include "scene/sheet_outlines.hpp"

#include <algorithm>
#include <unordered_map>

namespace throng {
namespace {

constexpr double kPull = 0.15;  ///< steps that a corner without walls is pulled towards its fan

/// A node and one of the corners of its square: north-east, north-west, south-west, south-east.
struct Corner {
  NodeIndex node;
  int at;
  friend bool operator==(Corner, Corner) = default;
};

/// Round a corner counter-clockwise: the direction of the link, and the same corner seen from the next square.
constexpr int direction_after(int at) { return 2 * at; }
constexpr int direction_before(int at) { return (2 * ((at + 3) % 4)) ^ 4; }

class Tracer {
 public:
  Tracer(const Surface& surface, const Sheets& sheets) : s_(surface), sheets_(sheets) {}

  SheetOutlines run() {
    outlines_.ring_start.push_back(0);
    std::vector<std::uint8_t> done(s_.node_count(), 0);  // a bit for each side
    for (NodeIndex n = 0; n < s_.node_count(); ++n)
      for (int side = 0; side < 4; ++side)
        if (!(done[n] >> side & 1) && is_end(n, 2 * side)) trace(n, side, done);
    for (const Post& post : find_posts(s_, sheets_)) add(post);
    for (const RawVertex& v : raw_) outlines_.vertices.push_back(v.corner);
    for (std::size_t v = 0; v < raw_.size(); ++v)
      if (!raw_[v].is_corner) outlines_.vertices[v] = snap(place_vertex(s_, fans_[v]));
    untangle_outlines(sheets_, raw_, outlines_);
    thin_outlines(sheets_, s_.step, outlines_);
    return std::move(outlines_);
  }

 private:
  bool is_end(NodeIndex n, int direction) const {
    const NodeIndex other = s_.neighbour(n, direction);
    return other == kNoNode || sheets_.of[other] != sheets_.of[n];
  }

  /// The ring that runs along a side of a square, counter-clockwise round it.
  void trace(NodeIndex n, int side, std::vector<std::uint8_t>& done) {
    const NodeIndex first_node = n;
    const int first_side = side;
    do {
      done[n] |= static_cast<std::uint8_t>(1 << side);
      const NodeIndex other = s_.neighbour(n, 2 * side);
      outlines_.edges.push_back(
          {vertex_at({n, (side + 3) % 4}), vertex_at({n, side}), sheets_.of[n], other == kNoNode ? kNoSheet : sheets_.of[other]});
      // Round the corner at the side's end, through squares of this sheet, to its next side.
      side = (side + 1) % 4;
      while (!is_end(n, 2 * side)) {
        n = s_.neighbour(n, 2 * side);
        side = (side + 3) % 4;
      }
    } while (n != first_node || side != first_side);
    outlines_.ring_start.push_back(static_cast<std::uint32_t>(outlines_.edges.size()));
  }

  void add(const Post& post) {
    const auto first = static_cast<std::uint32_t>(raw_.size()), count = static_cast<std::uint32_t>(post.ring.size());
    for (std::uint32_t k = 0; k < count; ++k) {
      raw_.push_back({post.ring[k], true});
      fans_.push_back({});
      outlines_.edges.push_back({first + k, first + (k + 1) % count, sheets_.of[post.node], kNoSheet});
    }
    outlines_.ring_start.push_back(static_cast<std::uint32_t>(outlines_.edges.size()));
  }

  Corner after(Corner c) const { return {s_.neighbour(c.node, direction_after(c.at)), (c.at + 1) % 4}; }
  Corner before(Corner c) const { return {s_.neighbour(c.node, direction_before(c.at)), (c.at + 3) % 4}; }

  /// The vertex of the fan that a corner of a square belongs to. Links are mutual, so a fan is a path or a cycle; each is named
  /// after its least member.
  std::uint32_t vertex_at(Corner c) {
    Corner first = c, last = c;
    std::uint64_t name = key(c);
    bool is_cycle = false;
    for (Corner next = after(c); next.node != kNoNode; next = after(next)) {
      if (next == c) {
        is_cycle = true;
        break;
      }
      last = next;
      name = std::min(name, key(next));
    }
    for (Corner next = before(c); !is_cycle && next.node != kNoNode; next = before(next))
      first = next, name = std::min(name, key(next));
    const auto [found, is_new] = vertex_.try_emplace(name, static_cast<std::uint32_t>(raw_.size()));
    if (is_new) add(c, first, last, is_cycle);
    return found->second;
  }
  static std::uint64_t key(Corner c) { return std::uint64_t{c.node} << 2 | static_cast<std::uint64_t>(c.at); }

  void add(Corner c, Corner first, Corner last, bool is_cycle) {
    const auto offset = [](int at) { return Vec2{at == 0 || at == 3 ? 0.5 : -0.5, at < 2 ? 0.5 : -0.5}; };
    const Vec2 middle = s_.position(c.node) + s_.step * offset(c.at);
    FanEnds fan{first.node, last.node, direction_before(first.at), direction_after(last.at), middle, false};
    Vec2 pull;
    if (!is_cycle) {
      int count = 0;
      for (Corner member = first;; member = after(member)) {
        pull = pull - offset(member.at);
        ++count;
        if (member == last) break;
      }
      pull = (2 * kPull * s_.step / count) * pull;
      fan.between = count == 4;
    }
    raw_.push_back({snap(middle + pull), is_cycle});
    fans_.push_back(fan);
  }

  const Surface& s_;
  const Sheets& sheets_;
  SheetOutlines outlines_;
  std::vector<RawVertex> raw_;
  std::vector<FanEnds> fans_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertex_;  // by the name of its fan
};

}  // namespace

SheetOutlines trace_outlines(const Surface& surface, const Sheets& sheets) { return Tracer(surface, sheets).run(); }

}  // namespace throng
