// SPDX-License-Identifier: MIT
#include "navigation/locator.hpp"

#include <algorithm>
#include <cmath>

#include "navigation/buckets.hpp"
#include "navigation/free_places.hpp"
#include "navigation/layer_walls.hpp"

namespace throng {
namespace {

constexpr double kBucketsPerCell = 2;
constexpr std::int64_t kMaxBuckets = 1 << 26;

/// Whether an outline that need not quite be convex winds round the point: exact. (A side two units long can point anywhere, and
/// the half-plane left of it then cuts off places metres away.)
bool winds_round(std::span<const Point> outline, Point p) {
  int winding = 0;
  Point a = outline.back();
  for (Point b : outline) {
    if (a.y <= p.y && b.y > p.y && orient(a, b, p) > 0) ++winding;
    if (a.y > p.y && b.y <= p.y && orient(a, b, p) < 0) --winding;
    a = b;
  }
  return winding != 0;
}

bool holds(std::span<const Point> outline, Point p) {
  Point a = outline.back();
  for (Point b : outline) {
    if (orient(a, b, p) < 0) return false;
    a = b;
  }
  return true;
}

double distance_squared_to(const Locator::Wall& wall, Vec2 p) {
  const Vec2 a = to_metres(wall.a), d = to_metres(wall.b) - a, e = p - a;
  const double along = dot(e, d), whole = dot(d, d);
  if (along <= 0) return dot(e, e);
  if (along >= whole) {
    const Vec2 f = e - d;
    return dot(f, f);
  }
  const double height = cross(d, e);
  return height * height / whole;
}

}  // namespace

Locator::Locator(const Cells& cells) {
  const std::uint32_t cell_count = cells.cell_count();
  std::uint32_t layer_count = 0;
  for (std::uint32_t l : cells.layer) layer_count = std::max(layer_count, l + 1);
  outline_start.assign(1, 0);
  outline.reserve(cells.sides.size());
  for (CellIndex c = 0; c < cell_count; ++c) {
    for (const Side& side : cells.sides_of(c)) outline.push_back(cells.vertices[side.vertex]);
    outline_start.push_back(static_cast<std::uint32_t>(outline.size()));
  }
  const auto outline_of = [&](CellIndex c) {
    return std::span<const Point>(outline).subspan(outline_start[c], outline_start[c + 1] - outline_start[c]);
  };

  std::vector<BucketBox> extent(layer_count,
                                BucketBox{{kCoordinateLimit, kCoordinateLimit}, {-kCoordinateLimit, -kCoordinateLimit}});
  std::vector<std::uint32_t> cells_in(layer_count, 0);
  for (CellIndex c = 0; c < cell_count; ++c) {
    const BucketBox box = bounds(outline_of(c));
    BucketBox& whole = extent[cells.layer[c]];
    whole.low = {std::min(whole.low.x, box.low.x), std::min(whole.low.y, box.low.y)};
    whole.high = {std::max(whole.high.x, box.high.x), std::max(whole.high.y, box.high.y)};
    ++cells_in[cells.layer[c]];
  }
  std::uint32_t bucket_count = 0;
  for (std::uint32_t l = 0; l < layer_count; ++l) {
    Grid grid;
    if (cells_in[l] > 0) {
      const double width = extent[l].high.x - extent[l].low.x + 1.0, height = extent[l].high.y - extent[l].low.y + 1.0;
      const double wanted = std::min(kBucketsPerCell * cells_in[l], static_cast<double>(kMaxBuckets) / layer_count);
      grid.bucket_units = std::max(64, static_cast<std::int32_t>(std::ceil(std::sqrt(width * height / wanted))));
      grid.origin = extent[l].low;
      grid.columns = static_cast<std::int32_t>(width / grid.bucket_units) + 1;
      grid.rows = static_cast<std::int32_t>(height / grid.bucket_units) + 1;
    }
    grid.first_bucket = bucket_count;
    bucket_count += static_cast<std::uint32_t>(grid.columns * grid.rows);
    grids.push_back(grid);
  }

  const std::vector<LayerWall> walls = walls_of(cells, [](CellIndex) { return true; });

  // Two passes, count and fill, each in cell order, so that lists come out sorted and without slack.
  const auto make_lists = [&](std::vector<std::uint32_t>& start, auto& list, auto for_each) {
    start.assign(bucket_count + 1, 0);
    for_each([&](std::uint32_t bucket, auto) { ++start[bucket + 1]; });
    for (std::uint32_t b = 0; b < bucket_count; ++b) start[b + 1] += start[b];
    list.resize(start[bucket_count]);
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for_each([&](std::uint32_t bucket, auto item) { list[next[bucket]++] = item; });
  };
  // By triangles, which are convex exactly; cells are not quite.
  make_lists(cell_start, cell_list, [&](auto put) {
    std::vector<CellIndex> last(bucket_count, kNoCell);
    for (CellIndex c = 0; c < cell_count; ++c)
      for (const CellTriangle& t : cells.triangles_of(c)) {
        const std::array<Point, 3> corners = {cells.vertices[t.vertex[0]], cells.vertices[t.vertex[1]],
                                              cells.vertices[t.vertex[2]]};
        for_buckets(grids[cells.layer[c]], corners, [&](std::uint32_t bucket) {
          if (last[bucket] != c) put(bucket, last[bucket] = c);
        });
      }
  });
  make_lists(wall_start, wall_list, [&](auto put) {
    for (const LayerWall& w : walls) {
      const std::array<Point, 2> ends = {w.wall.a, w.wall.b};
      for_buckets(grids[w.layer], ends, [&](std::uint32_t bucket) { put(bucket, w.wall); });
    }
  });
}

CellIndex Locator::cell_at(Vec2 place, std::uint32_t layer) const {
  if (layer >= grids.size() || !fits_grid(place)) return kNoCell;
  const Grid& grid = grids[layer];
  const Point p = snap(place);
  const std::int32_t x = p.x - grid.origin.x, y = p.y - grid.origin.y;
  if (grid.columns == 0 || x < -kConvexityUnits || y < -kConvexityUnits) return kNoCell;
  const std::int32_t column = std::max(x, 0) / grid.bucket_units, row = std::max(y, 0) / grid.bucket_units;
  if (column >= grid.columns || row >= grid.rows) return kNoCell;
  const std::uint32_t bucket = grid.first_bucket + static_cast<std::uint32_t>(row * grid.columns + column);
  const auto outline_of = [&](CellIndex c) {
    return std::span<const Point>(outline.data() + outline_start[c], outline_start[c + 1] - outline_start[c]);
  };
  for (std::uint32_t i = cell_start[bucket]; i < cell_start[bucket + 1]; ++i)
    if (holds(outline_of(cell_list[i]), p)) return cell_list[i];
  CellIndex best = kNoCell;
  double best_distance = kConvexityUnits * kUnit;
  for (std::uint32_t i = cell_start[bucket]; i < cell_start[bucket + 1]; ++i) {
    const auto corners = outline_of(cell_list[i]);
    if (winds_round(corners, p)) return cell_list[i];
    Point a = corners.back();
    for (Point b : corners) {
      const double d = std::sqrt(distance_squared_to({a, b}, to_metres(p)));
      if (d < best_distance) best_distance = d, best = cell_list[i];
      a = b;
    }
  }
  return best;
}

std::size_t Locator::cells_at(Vec2 place, std::uint32_t layer, std::span<CellIndex> found) const {
  const CellIndex first = cell_at(place, layer);
  if (first == kNoCell || found.empty()) return 0;
  const Grid& grid = grids[layer];
  const Point p = snap(place);
  const std::int32_t column = std::max(p.x - grid.origin.x, 0) / grid.bucket_units,
                     row = std::max(p.y - grid.origin.y, 0) / grid.bucket_units;
  const std::uint32_t bucket = grid.first_bucket + static_cast<std::uint32_t>(row * grid.columns + column);
  std::size_t count = 0;
  found[count++] = first;
  for (std::uint32_t i = cell_start[bucket]; i < cell_start[bucket + 1] && count < found.size(); ++i) {
    const CellIndex c = cell_list[i];
    const std::span<const Point> corners(outline.data() + outline_start[c], outline_start[c + 1] - outline_start[c]);
    if (c > first && holds(corners, p)) found[count++] = c;
  }
  return count;
}

double Locator::nearest_wall(const Grid& grid, Vec2 place, double up_to) const {
  const double side = grid.bucket_units * kUnit;
  const Vec2 local = place - to_metres(grid.origin);
  double best = up_to * up_to;
  const auto visit = [&](std::int32_t column, std::int32_t row) {
    const std::uint32_t bucket = grid.first_bucket + static_cast<std::uint32_t>(row * grid.columns + column);
    for (std::uint32_t i = wall_start[bucket]; i < wall_start[bucket + 1]; ++i)
      best = std::min(best, distance_squared_to(wall_list[i], place));
  };
  const auto clamped = [](double v, std::int32_t count) {
    return static_cast<std::int32_t>(std::clamp(std::floor(v), 0.0, count - 1.0));
  };
  const std::int32_t column = clamped(local.x / side, grid.columns), row = clamped(local.y / side, grid.rows);
  visit(column, row);
  // Rings of buckets; a ring is needed while it begins nearer than what was found.
  for (std::int32_t ring = 1;; ++ring) {
    const double reach = std::sqrt(best);
    const double left = local.x - (column - ring + 1) * side, right = (column + ring) * side - local.x;
    const double below = local.y - (row - ring + 1) * side, above = (row + ring) * side - local.y;
    const std::int32_t low_x = std::max(column - ring, 0), high_x = std::min(column + ring, grid.columns - 1);
    bool any = false;
    if (row - ring >= 0 && below <= reach) {
      any = true;
      for (std::int32_t x = low_x; x <= high_x; ++x) visit(x, row - ring);
    }
    if (row + ring < grid.rows && above <= reach) {
      any = true;
      for (std::int32_t x = low_x; x <= high_x; ++x) visit(x, row + ring);
    }
    const std::int32_t low_y = std::max(row - ring + 1, 0), high_y = std::min(row + ring - 1, grid.rows - 1);
    if (column - ring >= 0 && left <= reach) {
      any = true;
      for (std::int32_t y = low_y; y <= high_y; ++y) visit(column - ring, y);
    }
    if (column + ring < grid.columns && right <= reach) {
      any = true;
      for (std::int32_t y = low_y; y <= high_y; ++y) visit(column + ring, y);
    }
    if (!any) return std::sqrt(best);
  }
}

double Locator::clearance(Vec2 place, std::uint32_t layer, double up_to) const {
  if (layer >= grids.size() || grids[layer].columns == 0 || !fits_grid(place)) return 0;
  return nearest_wall(grids[layer], place, up_to);
}

bool Locator::fits(Vec2 place, std::uint32_t layer, double radius) const {
  return cell_at(place, layer) != kNoCell && clearance(place, layer, radius) >= radius - 1e-6;
}

std::optional<Vec2> Locator::nearest_walkable(Vec2 place, std::uint32_t layer, double radius) const {
  if (layer >= grids.size() || grids[layer].columns == 0 || !std::isfinite(place.x) || !std::isfinite(place.y))
    return std::nullopt;
  if (fits(place, layer, radius)) return place;
  const Grid& grid = grids[layer];
  const Vec2 low = to_metres(grid.origin);
  const double side = grid.bucket_units * kUnit;
  const Vec2 high = low + Vec2{grid.columns * side, grid.rows * side};
  // A place far outside is first brought to the border of the layer: the answer is near there, and the search begins small.
  const Vec2 centre = {std::clamp(place.x, low.x, high.x), std::clamp(place.y, low.y, high.y)};
  const double whole = distance(low, high) + distance(place, centre) + radius;
  std::vector<Wall> walls;
  for (double reach = std::max(2 * radius, 0.5 * side) + distance(place, centre);; reach = std::min(2 * reach, whole)) {
    walls.clear();
    for (std::int32_t y = 0; y < grid.rows; ++y) {
      if ((y + 1) * side + low.y < place.y - reach || y * side + low.y > place.y + reach) continue;
      for (std::int32_t x = 0; x < grid.columns; ++x) {
        if ((x + 1) * side + low.x < place.x - reach || x * side + low.x > place.x + reach) continue;
        const std::uint32_t bucket = grid.first_bucket + static_cast<std::uint32_t>(y * grid.columns + x);
        for (std::uint32_t i = wall_start[bucket]; i < wall_start[bucket + 1]; ++i)
          if (distance_squared_to(wall_list[i], place) <= reach * reach) walls.push_back(wall_list[i]);
      }
    }
    std::sort(walls.begin(), walls.end());
    walls.erase(std::unique(walls.begin(), walls.end()), walls.end());
    const auto found = nearest_free_place(walls, place, radius, [&](Vec2 p) { return fits(p, layer, radius); });
    // Nearer places could only touch walls within the reach, so this is the nearest; else widen.
    if (found && distance(*found, place) <= reach - radius) return found;
    if (reach >= whole) return found;
  }
}

std::uint64_t Locator::bytes() const {
  return grids.size() * sizeof(Grid) +
         (cell_start.size() + cell_list.size() + wall_start.size() + outline_start.size()) * sizeof(std::uint32_t) +
         wall_list.size() * sizeof(Wall) + outline.size() * sizeof(Point);
}

}  // namespace throng
