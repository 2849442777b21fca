// SPDX-License-Identifier: MIT
// Where effort goes, and what drives: levels of simulation, regions of interest, vehicles.
#include <fmt/format.h>

#include "import/limits.hpp"
#include "scenario/reader.hpp"

namespace throng {
namespace {

constexpr std::size_t kMostRegions = 10'000;
constexpr std::size_t kMostVehicles = 1000;

}  // namespace

/// Its presence switches levels of simulation on.
void ScenarioReader::read_detail(const Json& value) {
  DetailSettings& detail = scenario_.settings.detail;
  const Where where = "/settings/detail";
  check(value, where, allowed_keys(keys::kDetail, detail_settings()));
  read_settings(value, where, detail_settings(), detail);
  detail.enabled = true;
  if (value.contains("patch")) {
    constexpr std::string_view kPatches[] = {"cell", "disc"};
    detail.patch = static_cast<Patch>(read_word(value["patch"], where + "/patch", kPatches).value_or(0));
  }
  if (detail.most_frequency < detail.least_frequency)
    problems_.add(where,
                  fmt::format("most_frequency {:g} is below least_frequency {:g}", detail.most_frequency, detail.least_frequency),
                  "exchange them");
  if (value.contains("viewpoint")) detail.viewpoint = read_viewpoint(value["viewpoint"], where + "/viewpoint");
}

std::optional<Viewpoint> ScenarioReader::read_viewpoint(const Json& value, const Where& where) {
  if (!is_object(value, where, "a viewpoint")) return {};
  Viewpoint viewpoint;
  check(value, where, allowed_keys(keys::kViewpoint, viewpoint_settings()));
  require(value, where, keys::kViewpoint);
  read_settings(value, where, viewpoint_settings(), viewpoint);
  if (value.contains("position")) read_point(value["position"], where + "/position", viewpoint.position);
  const Where direction = where + "/direction";
  if (value.contains("direction") && read_position(value["direction"], direction, false, problems_, viewpoint.direction) &&
      length(viewpoint.direction) == 0)
    problems_.add(direction, "(0, 0) found; a direction has a length", "write [1, 0] for east");
  return viewpoint;
}

void ScenarioReader::read_vehicles(const Json& value) {
  if (value.is_null() || !is_object(value, "/vehicles", "a list of vehicles by name")) return;
  if (value.size() > kMostVehicles) {
    problems_.add("/vehicles", fmt::format("{} vehicles found; at most {} are allowed", value.size(), kMostVehicles),
                  "leave some out");
    return;
  }
  for (const auto& [name, vehicle] : value.items()) {
    const Where where = "/vehicles" + pointer_step(name);
    add_name(vehicles_, name, scenario_.vehicles.size(), where, "a vehicle");
    ScenarioVehicle read{.name = name, .definition = {}};
    if (is_object(vehicle, where, "a vehicle")) {
      check(vehicle, where, allowed_keys(keys::kVehicle, vehicle_settings()));
      require(vehicle, where, keys::kVehicle);
      read_settings(vehicle, where, vehicle_settings(), read.definition);
      if (vehicle.contains("layer")) read.definition.layer = read_layer(vehicle["layer"], where + "/layer").value_or(0);
      if (vehicle.contains("path") && read_points(vehicle["path"], where + "/path", read.definition.path)) {
        double way = 0;
        for (std::size_t i = 1; i < read.definition.path.size(); ++i)
          way += distance(read.definition.path[i - 1], read.definition.path[i]);
        if (way == 0) problems_.add(where + "/path", "it leads nowhere; two different points are needed", "add where it goes to");
      }
    }
    scenario_.vehicles.push_back(std::move(read));
  }
}

/// Its presence switches regions of interest on.
void ScenarioReader::read_interest(const Json& value) {
  InterestSettings& interest = scenario_.settings.interest;
  const Where where = "/settings/interest";
  check(value, where, allowed_keys(keys::kInterest, interest_settings()));
  read_settings(value, where, interest_settings(), interest);
  interest.enabled = true;
  interest.field = field_settings_for(interest.tile);
  if (value.contains("camera")) interest.camera = read_viewpoint(value["camera"], where + "/camera");
  if (value.contains("elsewhere")) read_whole(value["elsewhere"], where + "/elsewhere", "a level", 0, 2, interest.elsewhere);
  if (value.contains("levels") && is_array(value["levels"], where + "/levels", "a list of what serves each level", 3)) {
    if (value["levels"].size() != 3)
      problems_.add(where + "/levels", fmt::format("{} levels found; there are three", value["levels"].size()),
                    "write one for level 0, one for 1, one for 2");
    for (std::size_t i = 0; i < std::min<std::size_t>(3, value["levels"].size()); ++i)
      read_level(value["levels"][i], where + "/levels" + pointer_step(i), interest.levels[i]);
  }
  if (!value.contains("regions") || !is_object(value["regions"], where + "/regions", "a list of regions by name")) return;
  if (value["regions"].size() > kMostRegions) {
    problems_.add(where + "/regions",
                  fmt::format("{} regions found; at most {} are allowed", value["regions"].size(), kMostRegions),
                  "make fewer, larger ones");
    return;
  }
  for (const auto& [name, region] : value["regions"].items()) read_region(name, region, where + "/regions" + pointer_step(name));
  for (const ScenarioRegion& region : scenario_.regions) interest.regions.push_back(region.region);
}

void ScenarioReader::read_region(const std::string& name, const Json& value, const Where& where) {
  add_name(regions_, name, scenario_.regions.size(), where, "a region");
  ScenarioRegion read{.name = name, .region = {}, .vehicle = {}, .is_added = false};
  if (is_object(value, where, "a region")) {
    check(value, where, allowed_keys(keys::kRegion, region_settings()));
    read_settings(value, where, region_settings(), read.region);
    exclude(value, where, "centre", "follow");
    if (value.contains("centre"))
      read_point(value["centre"], where + "/centre", read.region.centre);
    else if (value.contains("follow"))
      read.vehicle = read_name(value["follow"], where + "/follow", "a vehicle", vehicles_);
    else
      problems_.add(where, "neither \"centre\" nor \"follow\" found; a region needs one of them", "add \"centre\": [x, y]");
    if (read.vehicle && !scenario_.vehicles[*read.vehicle].definition.path.empty())
      read.region.centre = scenario_.vehicles[*read.vehicle].definition.path.front();
    if (value.contains("level")) read_whole(value["level"], where + "/level", "a level", 0, 2, read.region.level);
    if (value.contains("layer")) read.region.layer = read_layer(value["layer"], where + "/layer").value_or(kAllLayers);
  }
  scenario_.regions.push_back(std::move(read));
}

void ScenarioReader::read_level(const Json& value, const Where& where, LevelService& out) {
  if (!is_object(value, where, "what serves a level")) return;
  check(value, where, allowed_keys(keys::kLevel));
  out = {};
  if (value.contains("guidance")) {
    constexpr std::string_view kWords[] = {"field", "corridor"};
    out.guidance =
        read_word(value["guidance"], where + "/guidance", kWords).value_or(1) == 0 ? Guidance::kField : Guidance::kCorridor;
  }
  if (!value.contains("model")) return;
  const Json& model = value["model"];
  if (model == "own")
    out.model = kOwnModel;
  else if (model == "straight")
    out.model = kStraightModel;
  else
    out.model = static_cast<std::uint8_t>(read_model_name(model, where + "/model").value_or(kOwnModel));
}

}  // namespace throng
