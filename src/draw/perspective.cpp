// SPDX-License-Identifier: MIT
#include "draw/perspective.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/tasks.hpp"
#include "draw/palette.hpp"

namespace throng {
namespace {

constexpr float kFar = 1e30f;
constexpr double kNear = 0.5;  // m in front of the eye

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr double dot3(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross3(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vec3 unit(Vec3 a) {
  const double length = std::sqrt(dot3(a, a));
  return length > 0 ? (1 / length) * a : Vec3{0, 0, 1};
}

struct Float3 {
  float x, y, z;
};
Float3 narrow(Vec3 a) { return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}; }

/// Light of a colour as it is seen.
const std::array<float, 256>& light_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = std::pow(static_cast<float>(i) / 255.0f, 2.2f);
    return t;
  }();
  return table;
}

/// And back: an index for each 4095th of full light.
const std::array<std::uint8_t, 4096>& shown_table() {
  static const std::array<std::uint8_t, 4096> table = [] {
    std::array<std::uint8_t, 4096> t{};
    for (std::size_t i = 0; i < t.size(); ++i)
      t[i] = static_cast<std::uint8_t>(255.0f * std::pow(static_cast<float>(i) / 4095.0f, 1 / 2.2f) + 0.5f);
    return t;
  }();
  return table;
}

/// A pixel's surface: colour, kind and normal in eight bytes.
struct Texel {
  std::uint8_t r = 0, g = 0, b = 0;
  Material surface = Material::kPlain;
  std::int8_t nx = 0, ny = 0, nz = 127;
  std::uint8_t shade = 255;  ///< how much of the sky it sees
};

Texel texel_of(Color c, Vec3 normal, Material surface, double sky = 1) {
  const auto signed_byte = [](double v) { return static_cast<std::int8_t>(std::lround(127 * v)); };
  return {c.r,
          c.g,
          c.b,
          surface,
          signed_byte(normal.x),
          signed_byte(normal.y),
          signed_byte(normal.z),
          static_cast<std::uint8_t>(255 * sky)};
}

/// Rays of an eye start at one point, those of the sun are parallel: origin and direction are linear in the pixel either way.
/// `depth` counts along the unnormalised direction.
struct Camera {
  int width = 0, height = 0;
  Vec3 origin, origin_x, origin_y;
  Vec3 direction, direction_x, direction_y;
  Vec3 right, up, forward;
  bool is_parallel = false;
  double scale = 1;  // pixels per metre, or per metre at depth 1

  static Camera eye(Vec3 from, Vec3 to, double angle, int width, int height) {
    Camera c;
    c.width = width;
    c.height = height;
    c.forward = unit(to - from);
    c.right = unit(cross3(c.forward, {0, 0, 1}));
    c.up = cross3(c.right, c.forward);
    c.scale = 0.5 * width / std::tan(0.5 * angle);
    c.origin = from;
    c.origin_x = c.origin_y = {0, 0, 0};
    c.direction_x = (1 / c.scale) * c.right;
    c.direction_y = (-1 / c.scale) * c.up;
    c.direction = c.forward - 0.5 * width * c.direction_x - 0.5 * height * c.direction_y;
    return c;
  }
  static Camera sun(Vec3 towards, Vec2 low, Vec2 high, double bottom, double top, int size) {
    Camera c;
    c.is_parallel = true;
    c.width = c.height = size;
    c.forward = -1 * unit(towards);
    c.right = unit(cross3(c.forward, {0, 0, 1}));
    c.up = cross3(c.right, c.forward);
    double least_x = 1e300, least_y = 1e300, most_x = -1e300, most_y = -1e300, least_depth = 1e300;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p{corner & 1 ? low.x : high.x, corner & 2 ? low.y : high.y, corner & 4 ? bottom : top};
      least_x = std::min(least_x, dot3(p, c.right));
      most_x = std::max(most_x, dot3(p, c.right));
      least_y = std::min(least_y, dot3(p, c.up));
      most_y = std::max(most_y, dot3(p, c.up));
      least_depth = std::min(least_depth, dot3(p, c.forward));
    }
    const double extent = std::max({most_x - least_x, most_y - least_y, 1.0});
    c.scale = size / extent;
    c.origin_x = (1 / c.scale) * c.right;
    c.origin_y = (-1 / c.scale) * c.up;
    c.origin = least_x * c.right + most_y * c.up + (least_depth - 50) * c.forward;
    c.direction = c.forward;
    c.direction_x = c.direction_y = {0, 0, 0};
    return c;
  }
  Vec3 origin_at(double x, double y) const { return origin + x * origin_x + y * origin_y; }
  Vec3 direction_at(double x, double y) const { return direction + x * direction_x + y * direction_y; }
  double depth_of(Vec3 p) const { return dot3(p - origin, forward); }
  /// Pixel of a point that is far enough in front.
  Vec2 project(Vec3 p) const {
    const Vec3 q = p - origin;
    if (is_parallel) return {scale * dot3(q, right), -scale * dot3(q, up)};
    const double by = scale / dot3(q, forward);
    return {0.5 * width + by * dot3(q, right), 0.5 * height - by * dot3(q, up)};
  }
};

/// Depth and surface of every pixel of a camera. The sun needs depths only.
struct Buffer {
  Camera camera;
  std::vector<float> depth;
  std::vector<Texel> texels;

  void start(const Camera& c, bool with_texels) {
    camera = c;
    const auto count = static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.height);
    depth.assign(count, kFar);
    if (with_texels) texels.assign(count, {});
  }

  /// Fills a plane polygon: rows of crossings, even-odd. Parts behind the eye are cut off.
  void polygon(std::span<const std::vector<Vec3>> rings, Texel texel) {
    std::vector<std::vector<Vec2>> flat;
    Vec3 normal{0, 0, 0}, on_plane{0, 0, 0};
    int first_row = camera.height, last_row = -1;
    for (const std::vector<Vec3>& ring : rings) {
      if (ring.size() < 3) continue;
      if (dot3(normal, normal) == 0) {
        for (std::size_t i = 0; i < ring.size(); ++i)
          normal = normal + cross3(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
        on_plane = ring[0];
        normal = unit(normal);
      }
      std::vector<Vec2> shown;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec3 a = ring[i], b = ring[(i + 1) % ring.size()];
        const double depth_a = camera.depth_of(a) - kNear, depth_b = camera.depth_of(b) - kNear;
        if (camera.is_parallel || depth_a >= 0) shown.push_back(camera.project(a));
        if (!camera.is_parallel && (depth_a >= 0) != (depth_b >= 0))
          shown.push_back(camera.project(a + (depth_a / (depth_a - depth_b)) * (b - a)));
      }
      if (shown.size() < 3) continue;
      for (const Vec2 p : shown) {
        first_row = std::min(first_row, static_cast<int>(std::clamp(std::floor(p.y - 0.5), -1.0, 1e6)) + 1);
        last_row = std::max(last_row, static_cast<int>(std::clamp(std::ceil(p.y - 0.5), -1.0, 1e6)) - 1);
      }
      flat.push_back(std::move(shown));
    }
    // Walls have two faces: the one that is seen is lit.
    if (!texels.empty()) {
      const Vec3 towards = camera.is_parallel ? camera.forward : on_plane - camera.origin;
      if (texel.nx * towards.x + texel.ny * towards.y + texel.nz * towards.z > 0)
        texel.nx = static_cast<std::int8_t>(-texel.nx), texel.ny = static_cast<std::int8_t>(-texel.ny),
        texel.nz = static_cast<std::int8_t>(-texel.nz);
    }
    first_row = std::max(first_row, 0);
    last_row = std::min(last_row, camera.height - 1);
    if (first_row > last_row) return;
    std::vector<std::vector<float>> crossings(static_cast<std::size_t>(last_row - first_row + 1));
    for (const std::vector<Vec2>& ring : flat)
      for (std::size_t i = 0; i < ring.size(); ++i) {
        Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
        if (a.y > b.y) std::swap(a, b);
        if (b.y <= first_row || a.y > last_row + 1 || a.y == b.y) continue;
        const int from = std::max(first_row, static_cast<int>(std::ceil(std::max(a.y, -1.0) - 0.5)));
        const int to = std::min(last_row, static_cast<int>(std::ceil(std::min(b.y, 1e6) - 0.5)) - 1);
        for (int row = from; row <= to; ++row)
          crossings[static_cast<std::size_t>(row - first_row)].push_back(
              static_cast<float>(a.x + (b.x - a.x) * (row + 0.5 - a.y) / (b.y - a.y)));
      }
    for (int row = first_row; row <= last_row; ++row) {
      std::vector<float>& xs = crossings[static_cast<std::size_t>(row - first_row)];
      std::sort(xs.begin(), xs.end());
      for (std::size_t k = 0; k + 1 < xs.size(); k += 2) {
        const int from = std::max(0, static_cast<int>(std::ceil(std::clamp(xs[k], -1.0f, 1e6f) - 0.5f)));
        const int to = std::min(camera.width - 1, static_cast<int>(std::ceil(std::clamp(xs[k + 1], -1.0f, 1e6f) - 0.5f)) - 1);
        for (int column = from; column <= to; ++column) {
          const double x = column + 0.5, y = row + 0.5;
          const double along = dot3(normal, camera.direction_at(x, y));
          if (std::abs(along) < 1e-12) continue;
          const double t = dot3(normal, on_plane - camera.origin_at(x, y)) / along;
          const std::size_t at = index(column, row);
          if (t <= 0 || t >= depth[at]) continue;
          depth[at] = static_cast<float>(t);
          if (!texels.empty()) texels[at] = texel;
        }
      }
    }
  }

  /// An ellipsoid with three orthogonal half axes, within rows [first, last). A ray is followed from the depth of the centre:
  /// single precision then holds the small numbers that decide.
  void ellipsoid(Vec3 centre, const std::array<Vec3, 3>& axes, Texel texel, int first, int last) {
    const double centre_depth = camera.depth_of(centre);
    if (!camera.is_parallel && centre_depth < 2 * kNear) return;
    const Vec2 middle = camera.project(centre);
    const double by = camera.is_parallel ? camera.scale : camera.scale / centre_depth;
    double reach_x = 0, reach_y = 0;
    for (const Vec3& axis : axes) {
      reach_x += dot3(axis, camera.right) * dot3(axis, camera.right);
      reach_y += dot3(axis, camera.up) * dot3(axis, camera.up);
    }
    reach_x = 1.06 * by * std::sqrt(reach_x) + 1;
    reach_y = 1.06 * by * std::sqrt(reach_y) + 1;
    const int x0 = std::max(0, static_cast<int>(std::clamp(middle.x - reach_x, -1e6, 1e6)));
    const int x1 = std::min(camera.width - 1, static_cast<int>(std::clamp(middle.x + reach_x, -1e6, 1e6)));
    const int y0 = std::max(first, static_cast<int>(std::clamp(middle.y - reach_y, -1e6, 1e6)));
    const int y1 = std::min(last - 1, static_cast<int>(std::clamp(middle.y + reach_y, -1e6, 1e6)));
    if (x0 > x1 || y0 > y1) return;
    std::array<Vec3, 3> inverse;
    for (std::size_t i = 0; i < 3; ++i) inverse[i] = (1 / dot3(axes[i], axes[i])) * axes[i];
    const auto into = [&](Vec3 v) { return narrow({dot3(v, inverse[0]), dot3(v, inverse[1]), dot3(v, inverse[2])}); };
    const Float3 dx = into(camera.direction_x), qx = into(camera.origin_x + centre_depth * camera.direction_x);
    for (int row = y0; row <= y1; ++row) {
      const Vec3 ray = camera.direction_at(x0 + 0.5, row + 0.5);
      Float3 d = into(ray), q = into(camera.origin_at(x0 + 0.5, row + 0.5) + centre_depth * ray - centre);
      std::size_t at = index(x0, row);
      for (int column = x0; column <= x1; ++column, ++at) {
        const float a = d.x * d.x + d.y * d.y + d.z * d.z;
        const float b = d.x * q.x + d.y * q.y + d.z * q.z;
        const float c = q.x * q.x + q.y * q.y + q.z * q.z - 1;
        const float root = b * b - a * c;
        if (root > 0) {
          const float s = (-b - std::sqrt(root)) / a;
          const float t = static_cast<float>(centre_depth) + s;
          if (t < depth[at]) {
            depth[at] = t;
            if (!texels.empty()) {
              const double ux = q.x + s * d.x, uy = q.y + s * d.y, uz = q.z + s * d.z;
              const Vec3 n = unit(ux * inverse[0] + uy * inverse[1] + uz * inverse[2]);
              texel.nx = static_cast<std::int8_t>(127 * n.x);
              texel.ny = static_cast<std::int8_t>(127 * n.y);
              texel.nz = static_cast<std::int8_t>(127 * n.z);
              texels[at] = texel;
            }
          }
        }
        d = {d.x + dx.x, d.y + dx.y, d.z + dx.z};
        q = {q.x + qx.x, q.y + qx.y, q.z + qx.z};
      }
    }
  }

  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(camera.width) + static_cast<std::size_t>(column);
  }
};

/// Part of a figure or a tree.
struct Ellipsoid {
  Vec3 centre;
  std::array<Vec3, 3> axes;
  Texel texel;
};

std::uint32_t scrambled(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7feb352dU;
  value = (value ^ (value >> 15)) * 0x846ca68bU;
  return value ^ (value >> 16);
}

constexpr std::array<Color, 16> kCoats{{{38, 52, 84},
                                        {44, 46, 52},
                                        {176, 138, 94},
                                        {120, 36, 44},
                                        {92, 98, 62},
                                        {226, 216, 196},
                                        {28, 92, 98},
                                        {204, 158, 52},
                                        {168, 78, 46},
                                        {74, 104, 148},
                                        {236, 236, 232},
                                        {128, 132, 140},
                                        {150, 164, 150},
                                        {198, 92, 96},
                                        {62, 70, 60},
                                        {110, 84, 120}}};
constexpr std::array<Color, 6> kTrousers{{{34, 40, 58}, {40, 40, 44}, {70, 66, 62}, {58, 74, 104}, {104, 92, 74}, {52, 44, 42}}};
constexpr std::array<Color, 5> kSkins{{{236, 196, 166}, {222, 176, 140}, {186, 136, 100}, {140, 94, 66}, {92, 62, 46}}};
constexpr std::array<Color, 6> kHairs{{{34, 26, 22}, {62, 42, 28}, {104, 72, 42}, {168, 132, 80}, {150, 148, 146}, {24, 22, 24}}};

/// Trunk, head and hair, and from near by legs that step and arms that swing.
void add_parts(const Figure& f, bool is_near, std::vector<Ellipsoid>& parts) {
  const std::uint32_t looks = scrambled(f.looks + 1);
  const Color coat = f.has_color ? f.color : kCoats[looks % kCoats.size()];
  const Color trousers = kTrousers[(looks >> 8) % kTrousers.size()];
  const Color skin = kSkins[(looks >> 12) % kSkins.size()], hair = kHairs[(looks >> 16) % kHairs.size()];
  const double h = f.height, wide = std::clamp(f.radius / 0.2, 0.6, 1.6);
  const double norm = std::sqrt(dot(f.heading, f.heading));
  const Vec2 ahead = norm > 1e-6 ? (1 / norm) * f.heading : Vec2{1, 0};
  const Vec3 front{ahead.x, ahead.y, 0}, side{-ahead.y, ahead.x, 0}, up{0, 0, 1};
  const auto at = [&](double forward, double aside, double high) { return f.place + forward * front + aside * side + high * up; };
  const auto add = [&](Vec3 centre, Vec3 a, Vec3 b, Vec3 c, Color color, double sky) {
    parts.push_back({centre, {a, b, c}, texel_of(color, up, Material::kFigure, sky)});
  };
  const double swing = f.stride * std::sin(f.phase);
  const double bob = 0.02 * f.stride * std::abs(std::cos(f.phase));
  // A coat is longer or shorter.
  const double hem = 0.40 + 0.14 * static_cast<double>((looks >> 20) & 3) / 3;
  const double trunk_low = hem * h, trunk_high = 0.84 * h;
  add(at(0, 0, 0.5 * (trunk_low + trunk_high) + bob), 0.125 * wide * front, 0.205 * wide * side,
      0.5 * (trunk_high - trunk_low) * 1.12 * up, coat, 0.95);
  add(at(0.02, 0, 0.925 * h + bob), 0.095 * front, 0.078 * side, 0.068 * h * up, skin, 1);
  add(at(-0.012, 0, 0.945 * h + bob), 0.098 * front, 0.09 * side, 0.06 * h * up, hair, 1);
  if (!is_near) {
    add(at(0, 0, 0.25 * h), 0.10 * wide * front, 0.13 * wide * side, 0.27 * h * up, trousers, 0.6);
    return;
  }
  for (const double which : {-1.0, 1.0}) {
    const double lean = 0.42 * swing * which;
    const Vec3 along = unit({lean * front.x, lean * front.y, 1});
    const Vec3 across = cross3(side, along);
    const Vec3 hip = at(0, 0.085 * wide * which, 0.5 * h + bob);
    // The foot that is ahead lifts a little.
    const double leg = 0.5 * h * (1 - 0.05 * std::max(0.0, -swing * which));
    add(hip - 0.5 * leg * along, 0.075 * across, 0.072 * wide * side, 0.54 * leg * along, trousers, 0.62);
    const Vec3 foot = hip - (leg * 0.98) * along;
    add(foot + 0.05 * front, 0.12 * front, 0.045 * side, 0.04 * up, {36, 32, 30}, 0.5);
    const double arm_lean = -0.36 * swing * which;
    const Vec3 arm = unit({arm_lean * front.x, arm_lean * front.y, 1});
    const Vec3 shoulder = at(0, 0.215 * wide * which, 0.81 * h + bob);
    const double length = 0.36 * h;
    add(shoulder - 0.5 * length * arm, 0.052 * cross3(side, arm), 0.05 * side, 0.55 * length * arm, mixed(coat, {0, 0, 0}, 0.08),
        0.85);
    add(shoulder - length * arm, 0.045 * front, 0.04 * side, 0.05 * up, skin, 0.8);
  }
}

}  // namespace

struct Perspective::State {
  PerspectiveSettings settings;
  TaskPool tasks;
  Buffer still_eye, still_sun, eye, sun;
  std::vector<Ellipsoid> still_parts;  ///< of trees
  bool is_still_complete = false;
  std::vector<float> crowd;  ///< how many people are near, on a grid, for soft shade between them
  std::vector<std::uint8_t> image;
  std::vector<float> light;  ///< of all samples: three a pixel
  Vec3 to_sun = unit({-0.62, -0.42, 0.72});

  explicit State(const PerspectiveSettings& s) : settings(s), tasks(s.threads) {}

  static constexpr double kCrowdSquare = 0.25;
  std::size_t crowd_columns = 0, crowd_rows = 0;

  float crowd_at(double x, double y) const {
    const double column = (x - settings.low.x) / kCrowdSquare, row = (y - settings.low.y) / kCrowdSquare;
    if (!(column >= 0) || !(row >= 0) || column >= static_cast<double>(crowd_columns) || row >= static_cast<double>(crowd_rows))
      return 0;
    return crowd[static_cast<std::size_t>(row) * crowd_columns + static_cast<std::size_t>(column)];
  }

  void polygon(std::span<const std::vector<Vec3>> rings, Texel texel) {
    still_eye.polygon(rings, texel);
    still_sun.polygon(rings, texel);
  }

  /// Share of sunlight at a point: the mean of four neighbours in the sun's buffer, weighted by nearness.
  float sunlight(Vec3 p) const {
    const Vec2 at = sun.camera.project(p);
    const double x = at.x - 0.5, y = at.y - 0.5;
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    if (column < 0 || row < 0 || column + 1 >= sun.camera.width || row + 1 >= sun.camera.height) return 1;
    const float depth = static_cast<float>(sun.camera.depth_of(p)) - 0.06f;
    const float fx = static_cast<float>(x - column), fy = static_cast<float>(y - row);
    const std::size_t i = sun.index(column, row);
    const auto lit = [&](std::size_t k) { return sun.depth[k] >= depth ? 1.0f : 0.0f; };
    const auto below = i + static_cast<std::size_t>(sun.camera.width);
    return (1 - fy) * ((1 - fx) * lit(i) + fx * lit(i + 1)) + fy * ((1 - fx) * lit(below) + fx * lit(below + 1));
  }

  void shade_row(int row);
  void add_crowd(std::span<const Figure> people);
};

void Perspective::State::add_crowd(std::span<const Figure> people) {
  std::fill(crowd.begin(), crowd.end(), 0.0f);
  constexpr double kReach = 0.8;
  for (const Figure& f : people) {
    const double x = (f.place.x - settings.low.x) / kCrowdSquare, y = (f.place.y - settings.low.y) / kCrowdSquare;
    constexpr int kSquares = static_cast<int>(kReach / kCrowdSquare) + 1;
    for (int dy = -kSquares; dy <= kSquares; ++dy)
      for (int dx = -kSquares; dx <= kSquares; ++dx) {
        const double column = std::floor(x) + dx, row = std::floor(y) + dy;
        if (column < 0 || row < 0 || column >= static_cast<double>(crowd_columns) || row >= static_cast<double>(crowd_rows))
          continue;
        const double away = std::hypot(column + 0.5 - x, row + 0.5 - y) * kCrowdSquare / kReach;
        if (away < 1)
          crowd[static_cast<std::size_t>(row) * crowd_columns + static_cast<std::size_t>(column)] +=
              static_cast<float>((1 - away) * (1 - away));
      }
  }
}

void Perspective::State::shade_row(int row) {
  const Camera& camera = eye.camera;
  const auto& light_of = light_table();
  const Float3 sun_color{1.70f, 1.46f, 1.12f}, sky_color{0.40f, 0.50f, 0.66f}, ground_color{0.26f, 0.23f, 0.20f};
  const Float3 haze{0.60f, 0.67f, 0.76f};
  const double pixel_at_one = 1 / camera.scale;
  for (int column = 0; column < camera.width; ++column) {
    const std::size_t at = eye.index(column, row);
    float* const out = light.data() + 3 * at;
    const float depth = eye.depth[at];
    const Vec3 ray = camera.direction_at(column + 0.5, row + 0.5);
    if (depth >= kFar) {
      const float high = static_cast<float>(std::clamp(4 * unit(ray).z + 0.15, 0.0, 1.0));
      out[0] = haze.x + high * (0.30f - haze.x);
      out[1] = haze.y + high * (0.50f - haze.y);
      out[2] = haze.z + high * (0.82f - haze.z);
      continue;
    }
    const Texel& texel = eye.texels[at];
    const Vec3 p = camera.origin_at(column + 0.5, row + 0.5) + static_cast<double>(depth) * ray;
    const double footprint = pixel_at_one * depth;  // m a pixel covers
    Float3 n{texel.nx / 127.0f, texel.ny / 127.0f, texel.nz / 127.0f};
    Float3 c{light_of[texel.r], light_of[texel.g], light_of[texel.b]};
    float sky = texel.shade / 255.0f, gloss = 0;
    const auto scale = [&](float by) { c = {c.x * by, c.y * by, c.z * by}; };
    switch (texel.surface) {
      case Material::kPaving: {
        // Slabs of 2 m whose tones differ a little, and joints where a pixel can show them.
        const double u = std::floor(p.x / 2), v = std::floor(p.y / 2);
        const std::uint32_t tone =
            scrambled(static_cast<std::uint32_t>(static_cast<std::int32_t>(u) * 7919 + static_cast<std::int32_t>(v) * 104729));
        const float fade = static_cast<float>(std::clamp(1.4 - footprint / 0.5, 0.0, 1.0));
        scale(1 + fade * (static_cast<float>(tone & 255) / 255.0f - 0.5f) * 0.09f);
        const double joint = std::min(std::abs(p.x / 2 - std::round(p.x / 2)), std::abs(p.y / 2 - std::round(p.y / 2))) * 2;
        if (joint < 0.03 && footprint < 0.12) scale(0.86f);
        break;
      }
      case Material::kSteps: {
        const double step = p.z / 0.175 - std::floor(p.z / 0.175);
        const float fade = static_cast<float>(std::clamp(1.5 - footprint / 0.16, 0.0, 1.0));
        if (step > 0.62)
          scale(1 - 0.30f * fade);
        else
          scale(1 + 0.06f * fade);
        break;
      }
      case Material::kFacade: {
        const double u = (p.x * -n.y + p.y * n.x) / 2.6, v = (p.z - settings.bottom) / 3.3;
        const double fu = u - std::floor(u), fv = v - std::floor(v);
        const float fade = static_cast<float>(std::clamp(1.5 - footprint / 0.5, 0.0, 1.0));
        if (fu > 0.28 && fu < 0.72 && fv > 0.28 && fv < 0.80) {
          const std::uint32_t pane = scrambled(static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(u)) * 31 +
                                                                          static_cast<std::int32_t>(std::floor(v)) * 1009));
          const Float3 glass = (pane & 15) == 0 ? Float3{0.50f, 0.42f, 0.26f} : Float3{0.10f, 0.13f, 0.17f};
          c = {c.x + fade * (glass.x - c.x), c.y + fade * (glass.y - c.y), c.z + fade * (glass.z - c.z)};
        } else if (fv < 0.06) {
          scale(1 - 0.18f * fade);
        }
        sky *= static_cast<float>(std::clamp(0.55 + 0.06 * (p.z - settings.bottom), 0.55, 1.0));
        break;
      }
      case Material::kLawn: {
        const std::uint32_t blade = scrambled(static_cast<std::uint32_t>(
            static_cast<std::int32_t>(std::floor(p.x * 6)) * 7919 + static_cast<std::int32_t>(std::floor(p.y * 6)) * 104729));
        scale(0.92f + 0.16f * static_cast<float>(blade & 255) / 255.0f);
        break;
      }
      case Material::kWater: {
        const double wave = std::sin(7 * p.x + 3 * p.y) + std::sin(-4 * p.x + 9 * p.y);
        n.x += static_cast<float>(0.06 * wave);
        gloss = 0.5f;
        break;
      }
      case Material::kFigure:
      case Material::kPlain:
      case Material::kRoof:
        break;
    }
    if (texel.surface != Material::kFigure && texel.nz > 60) sky /= 1 + 0.55f * crowd_at(p.x, p.y);
    if (texel.surface == Material::kFigure) sky /= 1 + 0.10f * crowd_at(p.x, p.y);
    const float facing = std::max(
        0.0f, n.x * static_cast<float>(to_sun.x) + n.y * static_cast<float>(to_sun.y) + n.z * static_cast<float>(to_sun.z));
    const double lift = texel.surface == Material::kFigure ? 0.04 : std::max(0.04, 1.3 / sun.camera.scale);
    const Vec3 lifted = p + lift * Vec3{n.x, n.y, n.z};
    const float direct = facing > 0 ? facing * sunlight(lifted) : 0;
    const float up = 0.5f + 0.5f * n.z;
    Float3 light_here{direct * sun_color.x + sky * (up * sky_color.x + (1 - up) * ground_color.x),
                      direct * sun_color.y + sky * (up * sky_color.y + (1 - up) * ground_color.y),
                      direct * sun_color.z + sky * (up * sky_color.z + (1 - up) * ground_color.z)};
    Float3 seen{c.x * light_here.x + gloss * 0.2f, c.y * light_here.y + gloss * 0.26f, c.z * light_here.z + gloss * 0.34f};
    const float far = static_cast<float>(1 - std::exp(-std::max(0.0, depth - 30.0) / 1800));
    seen = {seen.x + far * (haze.x - seen.x), seen.y + far * (haze.y - seen.y), seen.z + far * (haze.z - seen.z)};
    out[0] = seen.x;
    out[1] = seen.y;
    out[2] = seen.z;
  }
}

Perspective::Perspective(const PerspectiveSettings& settings) : state_(std::make_unique<State>(settings)) {
  State& s = *state_;
  s.settings.samples = std::clamp(settings.samples, 1, 4);
  s.settings.width = std::clamp(settings.width, 16, 16000);
  s.settings.height = std::clamp(settings.height, 16, 16000);
  const int k = s.settings.samples;
  s.still_eye.start(Camera::eye(settings.eye, settings.target, settings.view_angle, k * s.settings.width, k * s.settings.height),
                    true);
  s.still_sun.start(Camera::sun(s.to_sun, settings.low, settings.high, settings.bottom, settings.top, settings.shadow_size),
                    false);
  const auto squares = [](double from, double to) {
    return static_cast<std::size_t>(std::clamp((to - from) / State::kCrowdSquare, 1.0, 8000.0));
  };
  s.crowd_columns = squares(settings.low.x, settings.high.x);
  s.crowd_rows = squares(settings.low.y, settings.high.y);
  s.crowd.assign(s.crowd_columns * s.crowd_rows, 0.0f);
  s.image.assign(static_cast<std::size_t>(s.settings.width) * static_cast<std::size_t>(s.settings.height) * 4, 0);
}

Perspective::~Perspective() = default;
Perspective::Perspective(Perspective&&) noexcept = default;

void Perspective::add_ground(const Polygon& polygon, double height, Vec2 slope, Color color, Material surface) {
  std::vector<std::vector<Vec3>> rings;
  const auto lift = [&](const Ring& ring) {
    std::vector<Vec3> lifted;
    for (const Vec2 p : ring) lifted.push_back({p.x, p.y, height + dot(slope, p)});
    rings.push_back(std::move(lifted));
  };
  lift(polygon.outer);
  for (const Ring& hole : polygon.holes) lift(hole);
  state_->polygon(rings, texel_of(color, unit({-slope.x, -slope.y, 1}), surface));
}

void Perspective::add_wall(Vec3 a, Vec3 b, double low, Color color, Material surface) {
  if ((a.x == b.x && a.y == b.y) || !(std::max(a.z, b.z) > low)) return;
  const std::vector<Vec3> ring{{a.x, a.y, low}, {b.x, b.y, low}, b, a};
  state_->polygon({&ring, 1}, texel_of(color, unit({b.y - a.y, a.x - b.x, 0}), surface));
}

void Perspective::add_block(const Polygon& polygon, double low, double high, Color wall, Color roof, Material surface) {
  const auto walls = [&](const Ring& ring, bool is_hole) {
    double area = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) area += cross(ring[i], ring[(i + 1) % ring.size()]);
    const bool turns_left = area > 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec2 p = ring[i], q = ring[(i + 1) % ring.size()];
      const Vec3 a{p.x, p.y, high}, b{q.x, q.y, high};
      if (turns_left != is_hole)
        add_wall(a, b, low, wall, surface);
      else
        add_wall(b, a, low, wall, surface);
    }
  };
  walls(polygon.outer, false);
  for (const Ring& hole : polygon.holes) walls(hole, true);
  add_ground(polygon, high, {0, 0}, roof, Material::kRoof);
}

void Perspective::add_tree(Vec2 at, double ground, double height, std::uint32_t looks) {
  std::vector<Ellipsoid>& parts = state_->still_parts;
  const Vec3 up{0, 0, 1};
  parts.push_back({{at.x, at.y, ground + 0.25 * height},
                   {Vec3{0.16, 0, 0}, Vec3{0, 0.16, 0}, (0.3 * height) * up},
                   texel_of({92, 74, 58}, up, Material::kPlain, 0.7)});
  for (std::uint32_t k = 0; k < 90; ++k) {
    const std::uint32_t dice = scrambled(looks * 128 + k);
    const double turn = 6.2832 * (dice & 1023) / 1024, out = 0.28 * height * std::sqrt(((dice >> 10) & 1023) / 1024.0);
    const double lift = (((dice >> 20) & 1023) / 1024.0 - 0.5) * 0.5 * height;
    const double size = (0.055 + 0.045 * ((dice >> 5) & 7) / 7) * height;
    const auto tone = static_cast<std::uint8_t>(((dice >> 14) & 31));
    const Color leaf{static_cast<std::uint8_t>(74 + tone), static_cast<std::uint8_t>(104 + tone),
                     static_cast<std::uint8_t>(48 + tone / 2)};
    parts.push_back({{at.x + out * std::cos(turn), at.y + out * std::sin(turn), ground + 0.70 * height + lift},
                     {Vec3{size, 0, 0}, Vec3{0, size, 0}, (0.85 * size) * up},
                     texel_of(leaf, up, Material::kPlain, 0.75 + 0.25 * std::clamp(0.5 + lift / height, 0.0, 1.0))});
  }
}

void Perspective::render(std::span<const Figure> people) {
  State& s = *state_;
  if (!s.is_still_complete) {
    for (const Ellipsoid& part : s.still_parts) {
      s.still_eye.ellipsoid(part.centre, part.axes, part.texel, 0, s.still_eye.camera.height);
      s.still_sun.ellipsoid(part.centre, part.axes, part.texel, 0, s.still_sun.camera.height);
    }
    s.eye.camera = s.still_eye.camera;
    s.sun.camera = s.still_sun.camera;
    s.eye.depth.resize(s.still_eye.depth.size());
    s.eye.texels.resize(s.still_eye.texels.size());
    s.sun.depth.resize(s.still_sun.depth.size());
    s.light.resize(3 * s.still_eye.depth.size());
    s.is_still_complete = true;
  }
  // Figures of a few pixels need no limbs.
  constexpr double kLimbPixels = 16;
  const Camera& camera = s.eye.camera;
  std::vector<std::vector<Ellipsoid>> parts(people.size());
  s.add_crowd(people);
  s.tasks.parallel_for(people.size(), 256, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const double depth = camera.depth_of(people[i].place);
      const bool is_near = depth > 0 && people[i].height * camera.scale / depth > kLimbPixels;
      add_parts(people[i], is_near, parts[i]);
    }
  });
  // A band of rows belongs to one worker: it copies what stands still, adds people and lights them.
  const auto paint = [&](Buffer& buffer, const Buffer& still, int first, int last) {
    const std::size_t from = buffer.index(0, first), to = buffer.index(0, last);
    std::copy(still.depth.begin() + static_cast<std::ptrdiff_t>(from), still.depth.begin() + static_cast<std::ptrdiff_t>(to),
              buffer.depth.begin() + static_cast<std::ptrdiff_t>(from));
    if (!still.texels.empty())
      std::copy(still.texels.begin() + static_cast<std::ptrdiff_t>(from), still.texels.begin() + static_cast<std::ptrdiff_t>(to),
                buffer.texels.begin() + static_cast<std::ptrdiff_t>(from));
    for (std::size_t i = 0; i < people.size(); ++i) {
      // Two metres and a half round the feet hold every part.
      const double depth = buffer.camera.depth_of(people[i].place);
      if (!buffer.camera.is_parallel && depth < 2 * kNear) continue;
      const double reach = 2.5 * buffer.camera.scale / (buffer.camera.is_parallel ? 1 : depth) + 2;
      const double row = buffer.camera.project(people[i].place).y;
      if (row + reach < first || row - reach > last) continue;
      for (const Ellipsoid& part : parts[i]) buffer.ellipsoid(part.centre, part.axes, part.texel, first, last);
    }
  };
  constexpr int kBand = 64;
  const auto bands = [](int rows) { return static_cast<std::size_t>((rows + kBand - 1) / kBand); };
  const int sun_rows = s.sun.camera.height, eye_rows = camera.height;
  s.tasks.parallel_for(bands(sun_rows), 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t b = begin; b < end; ++b)
      paint(s.sun, s.still_sun, static_cast<int>(b) * kBand, std::min(sun_rows, static_cast<int>(b + 1) * kBand));
  });
  s.tasks.parallel_for(bands(eye_rows), 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t b = begin; b < end; ++b) {
      const int first = static_cast<int>(b) * kBand, last = std::min(eye_rows, static_cast<int>(b + 1) * kBand);
      paint(s.eye, s.still_eye, first, last);
      for (int row = first; row < last; ++row) s.shade_row(row);
    }
  });
  const int samples = s.settings.samples;
  const auto& shown = shown_table();
  const float share = 1.0f / static_cast<float>(samples * samples);
  s.tasks.parallel_for(static_cast<std::size_t>(s.settings.height), 16, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t row = begin; row < end; ++row)
      for (int column = 0; column < s.settings.width; ++column) {
        float sum[3] = {0, 0, 0};
        for (int y = 0; y < samples; ++y)
          for (int x = 0; x < samples; ++x) {
            const float* const from = s.light.data() + 3 * s.eye.index(column * samples + x, static_cast<int>(row) * samples + y);
            for (int channel = 0; channel < 3; ++channel) {
              // A soft shoulder: bright light fades to white instead of breaking off. Before the mean, so that edges stay smooth.
              const float v = from[channel];
              sum[channel] += v * (1 + v * 0.12f) / (1 + v * 0.50f);
            }
          }
        std::uint8_t* const out =
            s.image.data() + 4 * (row * static_cast<std::size_t>(s.settings.width) + static_cast<std::size_t>(column));
        for (int channel = 0; channel < 3; ++channel)
          out[2 - channel] = shown[static_cast<std::size_t>(std::clamp(4095 * 1.18f * share * sum[channel], 0.0f, 4095.0f))];
      }
  });
}

std::span<const std::byte> Perspective::pixels() const { return std::as_bytes(std::span(state_->image)); }
int Perspective::width() const { return state_->settings.width; }
int Perspective::height() const { return state_->settings.height; }

}  // namespace throng
