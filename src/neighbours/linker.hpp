// SPDX-License-Identifier: MIT
// From triangulations to lists of rows: sight once per edge, then each agent's list from the edges round it, then the contact
// net.
#pragma once
#include "base/lanes.hpp"
#include "neighbours/contact_net.hpp"
#include "neighbours/link_job.hpp"

namespace throng {

class Linker {
 public:
  /// Writes the lists of all agents. `meshes` has one triangulation a layer.
  void link(const NeighbourInput& input, const VertexColumns& columns, std::span<const std::unique_ptr<MovingDelaunay>> meshes,
            const NeighbourSettings& settings, TaskRunner& tasks, NeighbourLists& lists, NeighbourReport& report);

 private:
  /// Rows found round one agent, unsorted.
  struct Found {
    static constexpr std::uint32_t kUsual = 32;
    std::uint32_t rows[kUsual];
    std::uint32_t count = 0;
    std::vector<std::uint32_t> many;  // instead of `rows`, for more, and for groups
  };

  /// The edges round a vertex, for the usual one that has at most eight.
  struct Star {
    alignas(32) std::int32_t around[kLanes];  // vertices
    std::uint32_t edges[kLanes];
    std::int32_t degree = 0;
    bool is_whole = false;  // else there are more
  };
  static constexpr std::uint32_t kTogether = 4;

  void look(const LinkJob& job, TaskRunner& tasks);
  static void walk_round(const LinkJob& job, std::uint32_t row, std::uint32_t count, Star (&stars)[kTogether]);
  std::uint32_t write_star(const LinkJob& job, std::uint32_t row, const Star& star, std::uint32_t* out, std::uint32_t& cut);
  void write_block(const LinkJob& job, std::uint32_t begin, std::uint32_t end, NeighbourLists& lists, std::uint32_t& cut);
  [[gnu::noinline]] void collect(const LinkJob& job, std::uint32_t row, Found& found, std::uint32_t& cut);
  void collect_groups(const LinkJob& job, std::uint32_t row, Found& found, std::uint32_t& cut);

  std::vector<std::vector<std::uint8_t>> visible_;  // layer → edge; only with walls
  PlaceGroups groups_;
  ContactNet net_;
  std::vector<std::uint32_t> cut_;  // by block: half-edges that are no link
};

}  // namespace throng
