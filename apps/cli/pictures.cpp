// SPDX-License-Identifier: MIT
#include "pictures.hpp"

#include "base/random.hpp"
#include "common.hpp"
#include "draw/cells_picture.hpp"
#include "draw/open_canvas.hpp"
#include "draw/palette.hpp"
#include "navigation/navigation_data.hpp"

namespace throng::cli {
Result<std::pair<Vec2, Vec2>> parse_crop(const std::string& text, Vec2 origin) {
  const std::size_t second = text.find(',', text.find(',') + 1);
  if (second != std::string::npos) {
    const Result<Place> low = parse_place(text.substr(0, second), "--crop"),
                        high = parse_place(text.substr(second + 1), "--crop");
    if (low && high && low->point.x < high->point.x && low->point.y < high->point.y)
      return std::pair{low->point - origin, high->point - origin};
  }
  return Problem{"--crop", "\"" + text + "\" is not a rectangle", "write X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1, in metres"};
}

std::vector<std::uint32_t> zones_at_depth(const Navigation& navigation, std::uint32_t depth) {
  const Abstraction& tree = navigation.data().tree;
  std::vector<std::uint32_t> zones;
  for (std::uint32_t zone : tree.leaf) {
    while (tree.zones[zone].depth > depth) zone = tree.zones[zone].parent;
    zones.push_back(zone);
  }
  return zones;
}

Result<PictureSize> draw_navigation(const Navigation& navigation, const PictureArguments& arguments,
                                    std::span<const std::vector<Vec2>> paths, const std::string& file) {
  const NavigationData& data = navigation.data();
  if (arguments.layer && *arguments.layer >= data.layer_names.size())
    return Problem{"--layer", "layer " + std::to_string(*arguments.layer) + " does not exist",
                   "layers count from 0 to " + std::to_string(data.layer_names.size() - 1)};
  CellsPicture picture;
  picture.layer = arguments.layer.value_or(0);
  picture.portals = arguments.portals;
  picture.bottlenecks = arguments.bottlenecks;
  picture.roadmap = arguments.roadmap;
  std::vector<std::uint32_t> zones;
  if (arguments.fill == "plain") picture.fill = CellsPicture::kPlain;
  if (arguments.fill == "topology") picture.fill = CellsPicture::kTopology;
  if (arguments.fill == "components") picture.fill = CellsPicture::kComponents;
  if (arguments.fill == "zones") {
    picture.fill = CellsPicture::kZones;
    zones = zones_at_depth(navigation, arguments.depth);
    picture.zone_of_cell = zones;
  }
  CanvasSettings sheet;
  std::tie(sheet.low, sheet.high) = bounds_of(data.cells, arguments.layer);
  if (!arguments.crop.empty()) {
    const auto crop = parse_crop(arguments.crop, data.origin);
    if (!crop) return crop.problems();
    std::tie(sheet.low, sheet.high) = *crop;
  }
  sheet.pixel_width = arguments.pixel_width;
  sheet.title = arguments.title;
  sheet.legend = cells_legend(picture);
  if (data.layer_names.size() > 1) sheet.legend.push_back({"joint of two layers", kReddishPurple, LegendEntry::kLine});
  if (!paths.empty()) sheet.legend.push_back({paths.size() == 1 ? "path" : "paths", kind_color(0), LegendEntry::kLine});
  Result<std::unique_ptr<Canvas>> canvas = open_canvas(file, sheet);
  if (!canvas) return canvas.problems();
  picture.pixel = (*canvas)->metres_per_pixel();
  if (arguments.layer)
    draw_cells(**canvas, data.cells, picture);
  else
    draw_storeys(**canvas, data.cells, static_cast<std::uint32_t>(data.layer_names.size()), picture);
  for (std::size_t i = 0; i < paths.size(); ++i) draw_path(**canvas, paths[i], kind_color(i), picture.pixel);
  if (const auto saved = (*canvas)->save(file); !saved) return saved.problems();
  return PictureSize{(*canvas)->sheet_width(), (*canvas)->sheet_height()};
}

std::vector<PathRequest> random_requests(const Navigation& navigation, std::size_t count, PathRequest request,
                                         std::uint64_t seed) {
  std::vector<PathRequest> requests;
  PathFinder finder(navigation);
  Path path;
  request.planner = Planner::kHierarchy;
  for (std::uint32_t attempt = 0; requests.size() < count && attempt < 100 * count + 1000; ++attempt) {
    RandomStream random(seed, attempt, 1);
    const auto draw = [&](Vec2& point, std::uint32_t& layer) {
      const double u = random.unit(), v = random.unit();
      const WalkablePlace place = navigation.random_walkable(u, v);
      point = place.point;
      layer = place.layer;
    };
    draw(request.from, request.from_layer);
    draw(request.to, request.to_layer);
    if (finder.find_pulled(request, path) == PathStatus::kFound) requests.push_back(request);
  }
  return requests;
}

std::vector<std::vector<Vec2>> random_paths(const Navigation& navigation, std::size_t count, const PathRequest& request) {
  std::vector<std::vector<Vec2>> paths;
  PathFinder finder(navigation);
  Path path;
  for (PathRequest r : random_requests(navigation, count, request)) {
    r.planner = request.planner;
    if (finder.find(r, path) == PathStatus::kFound) paths.push_back(path.points);
  }
  return paths;
}

}  // namespace throng::cli
