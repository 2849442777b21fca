// SPDX-License-Identifier: MIT
#include "navigation/doctor_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "geometry/polygon.hpp"

namespace throng {
namespace {

constexpr double kWorthMentioning = 0.5;  ///< square metres; smaller pieces of ground are crumbs
constexpr double kLeastCover = 0.01;      ///< square metres of an area that must be ground
constexpr std::uint32_t kNobody = 0xffffffffu;

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, v < 10 ? "%.2f" : "%.0f", v);
  return text;
}

class Leaders {
 public:
  explicit Leaders(std::size_t n) : leader_(n) { std::iota(leader_.begin(), leader_.end(), 0u); }
  std::uint32_t find(std::uint32_t i) {
    while (leader_[i] != i) i = leader_[i] = leader_[leader_[i]];
    return i;
  }
  /// The smaller leader stays, so that the result does not depend on the order.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    leader_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> leader_;
};

struct Shape {
  double area = 0;
  double perimeter = 0;
  Vec2 middle;  ///< centroid; a cell is convex, so it lies inside
};

Shape shape_of(const Cells& cells, CellIndex c) {
  const auto sides = cells.sides_of(c);
  const Vec2 origin = cells.position(sides[0].vertex);
  Shape shape;
  Vec2 moment;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Vec2 a = cells.position(sides[i].vertex) - origin, b = cells.position(sides[(i + 1) % sides.size()].vertex) - origin;
    const double twice = cross(a, b);
    shape.area += twice / 2;
    shape.perimeter += distance(a, b);
    moment = moment + (twice / 6) * (a + b);
  }
  shape.middle = shape.area > 0 ? origin + (1 / shape.area) * moment : origin;
  return shape;
}

std::vector<Vec2> outline_of(const Cells& cells, CellIndex c) {
  std::vector<Vec2> outline;
  for (const Side& s : cells.sides_of(c)) outline.push_back(cells.position(s.vertex));
  outline.push_back(outline.front());
  return outline;
}

/// Component → its area and its largest cell; and which is the largest component.
struct Components {
  struct Entry {
    double area = 0;
    CellIndex largest_cell = kNoCell;
  };
  std::vector<Entry> entries;
  std::uint32_t main = 0;

  Components(const Cells& cells, const std::vector<Shape>& shapes) {
    for (CellIndex c = 0; c < cells.cell_count(); ++c) {
      if (cells.component[c] >= entries.size()) entries.resize(cells.component[c] + 1);
      Entry& e = entries[cells.component[c]];
      e.area += shapes[c].area;
      if (e.largest_cell == kNoCell || shapes[c].area > shapes[e.largest_cell].area) e.largest_cell = c;
    }
    for (std::uint32_t i = 0; i < entries.size(); ++i)
      if (entries[i].area > entries[main].area) main = i;
  }
};

void examine_components(const Cells& cells, const std::vector<Shape>& shapes, const Components& components,
                        std::vector<Finding>& findings) {
  for (std::uint32_t i = 0; i < components.entries.size(); ++i) {
    const auto& e = components.entries[i];
    if (i == components.main || e.largest_cell == kNoCell) continue;
    const Vec2 place = shapes[e.largest_cell].middle;
    findings.push_back({e.area >= kWorthMentioning ? Finding::kWarning : Finding::kNote,
                        "unreachable",
                        place,
                        outline_of(cells, e.largest_cell),
                        {"layer " + std::to_string(cells.layer[e.largest_cell]) + ", ground at " + place_words(place),
                         number(e.area) + " m² cannot be reached from the largest piece of ground",
                         "open a door or passage to it; if nobody belongs there, cover it with an obstacle"}});
  }
}

/// What a disc of one diameter can do: portals it fits through fall into regions it can move about in.
class Regions {
 public:
  Regions(const Cells& cells, const std::vector<Shape>& shapes, double diameter)
      : cells_(cells),
        shapes_(shapes),
        diameter_(diameter),
        leaders_(cells.portal_count() + cells.cell_count()),
        area_(cells.portal_count() + cells.cell_count()),
        strips_(cells.cell_count()) {
    for (CellIndex c = 0; c < cells.cell_count(); ++c) {
      const auto portals = cells.portals_of(c);
      for (std::uint32_t i = 0; i < portals.size(); ++i)
        for (std::uint32_t j = i + 1; j < portals.size(); ++j)
          if (is_wide(portals[i]) && is_wide(portals[j]) && cells.width(c, i, j) >= diameter)
            leaders_.join(portals[i], portals[j]);
    }
    for (CellIndex c = 0; c < cells.cell_count(); ++c)
      if (const std::uint32_t r = region_of(c); r != kNobody) area_[r] += shapes[c].area;
    for (PortalIndex p = 0; p < cells.portal_count(); ++p)
      if (const auto [a, b] = cells.portals[p].cell; region_of(a) == kNobody && region_of(b) == kNobody) strips_.join(a, b);
  }

  double length(PortalIndex p) const {
    return distance(cells_.position(cells_.portals[p].vertex[0]), cells_.position(cells_.portals[p].vertex[1]));
  }

  /// Reports narrow portals between roomy cells, strips of tight cells, and roomy cells that are narrow inside.
  void report(std::vector<Finding>& findings) {
    struct Contact {
      CellIndex strip;
      PortalIndex portal;
      std::uint32_t region;
    };
    std::vector<Contact> contacts;
    for (PortalIndex p = 0; p < cells_.portal_count(); ++p) {
      if (is_wide(p)) continue;
      const auto [a, b] = cells_.portals[p].cell;
      const std::uint32_t at_a = region_at(a, p), at_b = region_at(b, p);
      if (at_a != kNobody && at_b != kNobody)
        add(middle(p), ends(p), length(p), cells_.layer[a], at_a, at_b, findings);
      else if (at_a != kNobody)
        contacts.push_back({strips_.find(b), p, at_a});
      else if (at_b != kNobody)
        contacts.push_back({strips_.find(a), p, at_b});
    }

    // A strip with several mouths is a passage as narrow as its narrowest portal; with one mouth it is a crevice nobody asked
    // about.
    std::vector<PortalIndex> narrowest(cells_.cell_count(), kNoPortal);
    const auto offer = [&](CellIndex strip, PortalIndex p) {
      if (narrowest[strip] == kNoPortal || length(p) < length(narrowest[strip])) narrowest[strip] = p;
    };
    for (PortalIndex p = 0; p < cells_.portal_count(); ++p)
      if (const auto [a, b] = cells_.portals[p].cell; region_of(a) == kNobody && region_of(b) == kNobody)
        offer(strips_.find(a), p);
    for (const Contact& c : contacts) offer(c.strip, c.portal);
    std::stable_sort(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) { return a.strip < b.strip; });
    for (std::size_t i = 0; i < contacts.size();) {
      std::size_t end = i + 1;
      while (end < contacts.size() && contacts[end].strip == contacts[i].strip) ++end;
      if (end - i >= 2) {
        std::size_t other = i + 1;
        for (std::size_t k = i + 1; k < end; ++k)
          if (contacts[k].region != contacts[i].region) other = k;
        const PortalIndex p = narrowest[contacts[i].strip];
        add(middle(p), ends(p), length(p), cells_.layer[contacts[i].strip], contacts[i].region, contacts[other].region, findings);
      }
      i = end;
    }

    for (CellIndex c = 0; c < cells_.cell_count(); ++c) {
      const auto portals = cells_.portals_of(c);
      for (std::uint32_t i = 0; i < portals.size(); ++i)
        for (std::uint32_t j = i + 1; j < portals.size(); ++j)
          if (is_wide(portals[i]) && is_wide(portals[j]) && cells_.width(c, i, j) < diameter_ &&
              leaders_.find(portals[i]) != leaders_.find(portals[j]))
            add(shapes_[c].middle, outline_of(cells_, c), cells_.width(c, i, j), cells_.layer[c], leaders_.find(portals[i]),
                leaders_.find(portals[j]), findings);
    }
  }

 private:
  bool is_wide(PortalIndex p) const { return length(p) >= diameter_; }
  Vec2 middle(PortalIndex p) const {
    return 0.5 * (cells_.position(cells_.portals[p].vertex[0]) + cells_.position(cells_.portals[p].vertex[1]));
  }
  std::vector<Vec2> ends(PortalIndex p) const {
    return {cells_.position(cells_.portals[p].vertex[0]), cells_.position(cells_.portals[p].vertex[1])};
  }

  /// The region of a cell: that of its first wide portal; its own if it has none but is roomy; nobody's if it is tight.
  std::uint32_t region_of(CellIndex c) {
    for (const PortalIndex p : cells_.portals_of(c))
      if (is_wide(p)) return leaders_.find(p);
    return 2 * shapes_[c].area >= diameter_ * shapes_[c].perimeter ? cells_.portal_count() + c : kNobody;
  }

  /// The region one gets to in cell c from its narrow portal `from`: through the wide portal with the most room between.
  std::uint32_t region_at(CellIndex c, PortalIndex from) {
    const auto portals = cells_.portals_of(c);
    const std::uint32_t slot = cells_.portals[from].slot[cells_.end_of(from, c)];
    std::uint32_t best = kNobody;
    float most = -1;
    for (std::uint32_t i = 0; i < portals.size(); ++i)
      if (is_wide(portals[i]) && cells_.width(c, slot, i) > most)
        most = cells_.width(c, slot, i), best = leaders_.find(portals[i]);
    return best != kNobody ? best : region_of(c);
  }

  void add(Vec2 place, std::vector<Vec2> outline, double width, std::uint32_t layer, std::uint32_t a, std::uint32_t b,
           std::vector<Finding>& findings) {
    const std::string where = "layer " + std::to_string(layer) + ", passage at " + place_words(place);
    const std::string narrow = number(width) + " m wide, a person needs " + number(diameter_) + " m";
    if (a == b) {
      findings.push_back({Finding::kNote,
                          "narrow-gap",
                          place,
                          std::move(outline),
                          {where, narrow + "; there is another way round", "widen it if people should pass"}});
      return;
    }
    const double behind = std::min(area_[a], area_[b]);
    if (behind < kWorthMentioning) return;
    findings.push_back(
        {Finding::kWarning,
         "narrow-passage",
         place,
         std::move(outline),
         {where, narrow + ", and " + number(behind) + " m² lie behind it", "widen it, or plan for a smaller radius"}});
  }

  const Cells& cells_;
  const std::vector<Shape>& shapes_;
  double diameter_;
  Leaders leaders_;           ///< of portals, then of cells that are regions of their own
  std::vector<double> area_;  ///< of regions, by leader
  Leaders strips_;            ///< of tight cells
};

/// Area of the part of a ring inside a convex cell (Sutherland & Hodgman); both counter-clockwise.
double common_area(const Ring& ring, const std::vector<Vec2>& cell) {
  std::vector<Vec2> part(ring.begin(), ring.end()), next;
  for (std::size_t i = 0; i + 1 < cell.size() && !part.empty(); ++i) {  // `cell` repeats its first corner
    next.clear();
    const Vec2 a = cell[i], along = cell[i + 1] - a;
    for (std::size_t k = 0; k < part.size(); ++k) {
      const Vec2 p = part[k], q = part[(k + 1) % part.size()];
      const double dp = cross(along, p - a), dq = cross(along, q - a);
      if (dp >= 0) next.push_back(p);
      if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) next.push_back(p + (dp / (dp - dq)) * (q - p));
    }
    part.swap(next);
  }
  double twice = 0;
  for (std::size_t k = 1; k + 1 < part.size(); ++k) twice += cross(part[k] - part[0], part[k + 1] - part[0]);
  return std::abs(twice) / 2;
}

/// Whether an area says what an obstacle is (a tree, a fountain): it lies within the obstacle's outline, so no way is missed.
bool names_an_obstacle(const Scene& scene, const Area& area) {
  if (area.layer >= scene.layers.size() || area.shape.outer.empty()) return false;
  Vec2 middle{0, 0};
  for (const Vec2& corner : area.shape.outer) middle = middle + (1.0 / static_cast<double>(area.shape.outer.size())) * corner;
  const auto lies_in = [&](const Polygon& obstacle) {
    return std::all_of(area.shape.outer.begin(), area.shape.outer.end(),
                       [&](Vec2 corner) { return contains(obstacle.outer, middle + 0.99 * (corner - middle)); });
  };
  const std::vector<Polygon>& obstacles = scene.layers[area.layer].obstacles;
  return std::any_of(obstacles.begin(), obstacles.end(), lies_in);
}

void examine_areas(const Scene& scene, const Cells& cells, const Components& components, std::vector<Finding>& findings) {
  struct Box {
    Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
    void grow(Vec2 p) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)}, high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    bool meets(const Box& o) const { return low.x < o.high.x && o.low.x < high.x && low.y < o.high.y && o.low.y < high.y; }
  };
  if (scene.areas.empty()) return;
  std::vector<Box> boxes(cells.cell_count());
  for (CellIndex c = 0; c < cells.cell_count(); ++c)
    for (const Side& s : cells.sides_of(c)) boxes[c].grow(cells.position(s.vertex));
  for (std::size_t i = 0; i < scene.areas.size(); ++i) {
    const Area& area = scene.areas[i];
    if (area.shape.outer.size() < 3) continue;
    Box box;
    for (const Vec2 v : area.shape.outer) box.grow(v);
    const auto covered_on = [&](std::uint32_t layer) {
      double covered = 0;
      for (CellIndex c = 0; c < cells.cell_count() && covered < kLeastCover; ++c)
        if (cells.layer[c] == layer && cells.component[c] == components.main && boxes[c].meets(box))
          covered += common_area(area.shape.outer, outline_of(cells, c));
      return covered;
    };
    if (covered_on(area.layer) >= kLeastCover || names_an_obstacle(scene, area)) continue;
    std::string fix = "move it onto walkable ground, or open a way to it";
    for (std::uint32_t layer = 0; layer < scene.layers.size(); ++layer) {
      if (layer == area.layer || covered_on(layer) < kLeastCover) continue;
      const std::string& name = scene.layers[layer].name;
      fix = "layer " + (name.empty() ? std::to_string(layer) : "\"" + name + "\"") + " has ground there: change its \"layer\"";
      break;
    }
    std::vector<Vec2> outline(area.shape.outer.begin(), area.shape.outer.end());
    outline.push_back(outline.front());
    const Vec2 place = 0.5 * (box.low + box.high);
    findings.push_back({Finding::kWarning,
                        "area-off-ground",
                        place,
                        std::move(outline),
                        {"area \"" + area.name + "\" at " + place_words(place),
                         "no part of it lies on the largest piece of ground, so nobody can go there", std::move(fix)}});
  }
}

}  // namespace

std::vector<Finding> examine_cells(const Scene& scene, const Cells& cells, double person_radius) {
  std::vector<Finding> findings;
  if (cells.cell_count() == 0) return findings;
  std::vector<Shape> shapes;
  shapes.reserve(cells.cell_count());
  for (CellIndex c = 0; c < cells.cell_count(); ++c) shapes.push_back(shape_of(cells, c));
  const Components components(cells, shapes);
  examine_components(cells, shapes, components, findings);
  Regions(cells, shapes, 2 * person_radius).report(findings);
  examine_areas(scene, cells, components, findings);
  return shortened(std::move(findings));
}

}  // namespace throng
