// SPDX-License-Identifier: MIT
// Baked files: what cannot be derived is stored, everything else is made again, and nothing is believed.
//
// Layout: magic, version, payload size, hash of the payload, payload. The payload is a fixed sequence of fields, vectors as count
// and raw little-endian elements (docs/formats/nav.md). After reading, every count, index and order a query relies on is verified
// (nav_check.cpp).
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.hpp"
#include "cells/facing.hpp"
#include "navigation/nav_check.hpp"
#include "navigation/navigation_data.hpp"

namespace throng {
namespace {

static_assert(std::endian::native == std::endian::little, "baked files are little-endian");
static_assert(sizeof(Point) == 8 && sizeof(Side) == 8 && sizeof(Portal) == 64 && sizeof(CellTriangle) == 12 &&
              sizeof(Zone) == 32 && sizeof(Vec2) == 16 && sizeof(HeightGrid::Run) == 8);

constexpr char kMagic[8] = {'T', 'H', 'R', 'O', 'N', 'G', 'N', 'V'};
constexpr std::uint32_t kVersion = 5;
constexpr std::size_t kHeader = sizeof kMagic + 4 + 8 + 8;

class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(std::uint64_t{list.size()});
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!list.empty()) bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    } else {
      for (const T& item : list) (*this)(item);
    }
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Fails once and for good; a count is checked against the bytes left before memory is taken for it.
class NavReader {
 public:
  explicit NavReader(std::string_view bytes) : left_(bytes) {}
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) {
    if (!take(sizeof value)) return;
    std::memcpy(&value, left_.data() - sizeof value, sizeof value);
  }
  void operator()(std::string& text) {
    const std::uint64_t n = count(1);
    if (take(n)) text.assign(left_.data() - n, n);
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      const std::uint64_t n = count(sizeof(T));
      if (!take(n * sizeof(T))) return;
      list.resize(n);
      if (n > 0) std::memcpy(static_cast<void*>(list.data()), left_.data() - n * sizeof(T), n * sizeof(T));
    } else {
      const std::uint64_t n = count(8);  // an item holds at least one count
      list.resize(n);
      for (T& item : list) (*this)(item);
    }
  }
  bool failed() const { return failed_; }
  bool at_end() const { return left_.empty(); }

 private:
  std::uint64_t count(std::size_t item_size) {
    std::uint64_t n = 0;
    (*this)(n);
    if (failed_ || n > left_.size() / item_size) failed_ = true, n = 0;
    return n;
  }
  bool take(std::uint64_t size) {
    if (failed_ || size > left_.size()) return failed_ = true, false;
    left_.remove_prefix(size);
    return true;
  }
  std::string_view left_;
  bool failed_ = false;
};

/// The one list of fields, for both directions.
template <class Archive, class Data>
void visit(Archive& archive, Data& data) {
  archive(data.scene_name);
  archive(data.origin);
  archive(data.layer_names);
  archive(data.layer_elevations);
  archive(data.layer_slopes);
  archive(data.layer_speeds);
  if constexpr (!std::is_const_v<Data>) data.layer_heights.resize(data.layer_names.size());
  for (auto& grid : data.layer_heights) {
    archive(grid.origin);
    archive(grid.step);
    archive(grid.rise);
    archive(grid.first_row);
    archive(grid.row_start);
    archive(grid.runs);
    archive(grid.heights);
  }
  archive(data.area_names);
  std::uint64_t link_count = data.links.size();
  archive(link_count);
  if constexpr (!std::is_const_v<Data>) data.links.resize(std::min<std::uint64_t>(link_count, kMostLinks + 1));
  for (auto& link : data.links) {
    archive(link.name);
    archive(link.time);
    archive(link.capacity);
    for (auto& end : link.ends) {
      archive(end.layer);
      archive(end.shape.outer);
      archive(end.shape.holes);
      archive(end.place);
    }
  }
  auto& c = data.cells;
  archive(c.vertices);
  archive(c.vertex_kind);
  archive(c.side_start);
  archive(c.sides);
  archive(c.portals);
  archive(c.portal_start);
  archive(c.cell_portals);
  archive(c.width_start);
  archive(c.widths);
  archive(c.triangle_start);
  archive(c.triangles);
  archive(c.access_start);
  archive(c.access);
  archive(c.layer);
  archive(c.component);
  archive(c.area_set);
  archive(c.area_sets);
  archive(c.topology);
  archive(data.tree.zones);
  archive(data.tree.leaf);
  archive(data.tree.roots);
  auto& r = data.report;
  for (auto* n : {&r.cells, &r.portals, &r.walls, &r.holes, &r.components, &r.layers, &r.joints, &r.links, &r.bottlenecks,
                  &r.feet, &r.refused, &r.unguarded, &r.zones, &r.depth})
    archive(*n);
  for (auto* x : {&r.area, &r.wall_length}) archive(*x);
  for (auto* n : {&r.doubled_map_area, &r.doubled_cell_area}) archive(*n);
  for (auto* n : {&r.stored_paths, &r.label_entries, &r.bytes}) archive(*n);
}

template <class Archive, class Routing>
void visit_routing(Archive& archive, Routing& routing) {
  archive(routing.name);
  archive(routing.blocked);
  archive(routing.roadmap.key_points);
  archive(routing.roadmap.factor);
  archive(routing.zone_paths.radius);
  archive(routing.zone_paths.cost);
  archive(routing.zone_paths.width);
  archive(routing.zone_paths.via_start);
  archive(routing.zone_paths.via);
}

template <class Archive, class L>
void visit_labels(Archive& archive, L& labels) {
  archive(labels.radius);
  archive(labels.cost);
  archive(labels.hops);
}

Problem broken(const std::string& name, const std::string& what) {
  return {name, what, "bake the scene again with `throng bake SCENE -o FILE.nav`"};
}

}  // namespace

std::string Navigation::save() const {
  Writer payload;
  visit(payload, *data_);
  payload(std::uint64_t{data_->profiles.size()});
  for (const ProfileRouting& p : data_->profiles) {
    visit_routing(payload, p);
    payload(std::uint64_t{p.labels.size()});
    for (const Labels& l : p.labels) visit_labels(payload, l);
  }
  Writer file;
  for (char c : kMagic) file(c);
  file(kVersion);
  file(std::uint64_t{payload.bytes().size()});
  file(hash_of(payload.bytes()));
  return file.bytes() + payload.bytes();
}

Result<Navigation> Navigation::load(std::string_view bytes, const std::string& name) {
  if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    return broken(name, "this is not a baked Throng scene");
  NavReader header(bytes.substr(sizeof kMagic, kHeader - sizeof kMagic));
  std::uint32_t version = 0;
  std::uint64_t size = 0, hash = 0;
  header(version), header(size), header(hash);
  if (version != kVersion)
    return broken(name, "it has version " + std::to_string(version) + ", this program reads version " + std::to_string(kVersion));
  const std::string_view payload = bytes.substr(kHeader);
  if (payload.size() != size)
    return broken(name, "it is " + std::string(payload.size() < size ? "cut short" : "longer than it says") + ": " +
                            std::to_string(payload.size()) + " bytes of " + std::to_string(size));
  if (hash_of(payload) != hash) return broken(name, "its checksum does not match: it was damaged");

  auto data = std::make_shared<NavigationData>();
  NavReader reader(payload);
  visit(reader, *data);
  std::uint64_t profile_count = 0;
  reader(profile_count);
  if (reader.failed() || profile_count == 0 || profile_count > 1000)
    return broken(name, "its contents are not consistent (profiles)");
  if (auto what = check_cells(*data)) return broken(name, "its contents are not consistent (" + *what + ")");
  for (std::uint64_t i = 0; i < profile_count && !reader.failed(); ++i) {
    ProfileRouting routing;
    visit_routing(reader, routing);
    std::uint64_t label_sets = 0;
    reader(label_sets);
    if (reader.failed() || label_sets > 1000) return broken(name, "its contents are not consistent (labels)");
    routing.labels.resize(label_sets);
    for (Labels& l : routing.labels) visit_labels(reader, l);
    if (reader.failed()) break;
    if (auto what = complete_routing(*data, routing)) return broken(name, "its contents are not consistent (" + *what + ")");
    data->profiles.push_back(std::move(routing));
  }
  if (reader.failed() || !reader.at_end()) return broken(name, "its contents are not consistent (length)");
  find_facing(data->cells);
  data->locator = Locator(data->cells);
  data->sampler = PlaceSampler(data->cells);
  return Navigation(std::move(data));
}

}  // namespace throng
