// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <throng/vec.hpp>

namespace throng {

/// A closed outline without its repeated last point.
using Ring = std::vector<Vec2>;

/// A simple polygon: outer ring counter-clockwise, holes clockwise (readers normalise the direction).
struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
};

struct Segment {
  Vec2 a;
  Vec2 b;
};

/// Heights of ground at the points of a square grid, wherever there is ground: rows from south to north, in each row runs of
/// neighbouring points from west to east. Memory grows with the ground, not with its extent.
struct HeightGrid {
  struct Run {
    std::int32_t column = 0;  ///< of its first point
    std::uint32_t first = 0;  ///< of `heights`; the run ends where the next begins
  };
  Vec2 origin;      ///< of column 0 and row 0
  double step = 0;  ///< metres between points
  double rise = 0;  ///< metres; neighbours farther apart than this in height are on different ground
  std::int32_t first_row = 0;
  std::vector<std::uint32_t> row_start;  ///< the runs of each row (CSR)
  std::vector<Run> runs;
  std::vector<float> heights;
  bool empty() const { return heights.empty(); }
};

/// One storey or sheet of a scene.
///
/// Walkable ground is the union of `walkable` (everything inside a frame around the geometry if it is empty) minus
/// the union of `obstacles`. `walls` are further lines nobody crosses. With `seeds`, only ground that can be reached
/// from one of them without crossing a line counts, as in Lamarche & Donikian's map extraction; polygons may then be absent.
struct Layer {
  std::string name;
  double elevation = 0;  ///< at (0, 0)
  Vec2 slope;            ///< rise per metre east and north: stairs and ramps
  HeightGrid heights;    ///< of uneven ground; where it has none, `elevation` and `slope` count
  /// Factors on people's free speed, along the slope, straight up and straight down it; 0: by its steepness
  /// (navigation/slope_speed.hpp). Allowed are 0.1 to 1.
  double speed_up = 0, speed_down = 0;
  std::vector<Polygon> walkable;
  std::vector<Polygon> obstacles;
  std::vector<Segment> walls;
  std::vector<Vec2> seeds;
  /// Near-collinear wall vertices closer than this to their chord are dropped; 0 drops exactly collinear ones only.
  double simplify = 0;
};

/// Where two layers meet: a line on the outline of both. People cross it like any portal.
struct Joint {
  std::array<std::uint32_t, 2> layer{};
  Segment line;
};

/// A named polygon of a scene. Where its cost or bans differ from the surroundings, cells do not merge across its border.
struct Area {
  std::string name;
  std::uint32_t layer = 0;
  Polygon shape;
  double cost = 1;                        ///< factor on path length inside, at least 1
  std::vector<std::string> forbidden_to;  ///< names of profiles that may not enter
};

/// A ride from one area to another: one way of a lift, an escalator. Whoever is in the first area boards, rides, and appears in
/// the second.
struct Link {
  std::string name;
  std::uint32_t from = 0, to = 0;  ///< indices into Scene::areas
  double time = 0;                 ///< s, of a ride
  std::uint32_t capacity = 0;      ///< most people aboard at once; 0: no limit
};

/// Whom a hierarchy is built for: a body and what it thinks of areas.
struct Profile {
  std::string name = "default";
  double radius = 0.20;             ///< metres; the default body of this profile
  std::vector<double> other_radii;  ///< further radii that get labels of their own
};

/// Triangles as a file gave them, z up, metres.
struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  bool empty() const { return triangles.empty(); }
};

/// A place: geometry and meaning, in metres relative to `origin`.
struct Scene {
  std::string name;
  Vec2 origin;  ///< what was subtracted from the file's coordinates; (0, 0) unless they were too large
  std::vector<Layer> layers;
  std::vector<Joint> joints;
  std::vector<Area> areas;
  std::vector<Link> links;
  std::vector<Profile> profiles;  ///< empty means one default Profile
  Mesh mesh;                      ///< geometry still to be cut into layers (throng/layers.hpp, scene/cut.hpp)
};

}  // namespace throng
