// SPDX-License-Identifier: MIT
// The samples of a surface again where walls have come or gone (ALGORITHMS §1.19: "resample the touched columns").
//
// Columns in and round the changed boxes are asked what ground they have now. Nodes that stand on it stay, those whose ground is
// gone are left without links and with a clearance of −1 (so they come back cheaply), and new ones are put at the end of their
// column. Links between these columns are cut where a wall crosses them. Nodes that the scene's layers know nothing of (a mesh
// may have more) stay as they are.
#pragma once
#include <array>
#include <span>
#include <vector>

#include <throng/edits.hpp>

#include "navgraph/ground_source.hpp"
#include "navgraph/wall_pieces.hpp"

namespace throng {

/// A rectangle of columns, ends included.
struct ColumnBox {
  ColumnPlace low, high;
};

class SurfacePatch {
 public:
  /// Looks at the ground; changes nothing.
  SurfacePatch(const Surface& surface, std::span<const float> clearance, std::span<const EditBox> boxes,
               const GroundSource& source);

  /// Whether nodes must be added before anything else: `new_node` is then where each old node goes, and arrays by node need as
  /// many entries as the surface has afterwards.
  bool needs_nodes() const { return !missing_.empty(); }
  std::vector<NodeIndex> add_nodes(Surface& surface);

  /// Finds links and wall pieces of the nodes that are there. Needs all nodes.
  void find_links(const Surface& surface, std::span<const float> clearance);

  std::span<const NodeIndex> gone() const { return gone_; }        ///< nodes without ground now
  std::span<const NodeIndex> changed() const { return changed_; }  ///< nodes with other links than before, those included
  std::span<const NodeIndex> there() const { return there_; }      ///< all nodes of these columns that are there
  /// Writes links and pieces.
  void apply(Surface& surface, WallPieces& pieces) const;
  /// Metres from a place to the pieces that may have changed; 0 among them.
  double distance_to_change(Vec2 place) const;

 private:
  /// A node on a layer's ground.
  struct Spot {
    NodeIndex node;  ///< kNoNode until it is added
    Footing footing;
    std::array<NodeIndex, 8> next;
  };
  struct Zone {
    ColumnBox box;
    std::vector<std::uint32_t> start;  ///< of each column into spots
    std::vector<Spot> spots;
    std::vector<std::uint32_t> wall_start;  ///< of each column into wall_list
    std::vector<std::uint32_t> wall_list;
    std::int32_t width() const { return box.high.i - box.low.i + 1; }
    std::int32_t height() const { return box.high.j - box.low.j + 1; }
    bool has(ColumnPlace p) const { return p.i >= box.low.i && p.j >= box.low.j && p.i <= box.high.i && p.j <= box.high.j; }
    std::size_t column(ColumnPlace p) const {
      return static_cast<std::size_t>(p.j - box.low.j) * static_cast<std::size_t>(width()) +
             static_cast<std::size_t>(p.i - box.low.i);
    }
  };
  struct Wall {
    std::uint32_t layer;
    Segment line;
  };
  struct Missing {
    std::uint32_t zone, spot;
    ColumnPlace place;
    float z;
  };

  void find_zones(const Surface& surface, std::span<const EditBox> boxes);
  void find_spots(const Surface& surface, std::span<const float> clearance, std::uint32_t zone);
  void find_walls(const Surface& surface, Zone& zone);
  bool is_in_changed_box(Vec2 place, double z, double tolerance, double margin) const;
  NodeIndex partner(const Surface& surface, const Zone& zone, const Spot& spot, ColumnPlace at, int direction) const;
  void make_pieces(const Surface& surface, const Zone& zone, const Spot& spot, ColumnPlace at);

  std::span<const EditBox> boxes_;
  const GroundSource& source_;
  std::vector<Zone> zones_;
  std::vector<Wall> walls_;
  std::vector<Missing> missing_;
  std::vector<NodeIndex> gone_, changed_, there_;
  std::vector<WallPiece> pieces_;
  std::vector<std::uint32_t> piece_start_;  ///< of each of there_
  double step_ = 0;
  Vec2 origin_;
};

}  // namespace throng
