// SPDX-License-Identifier: MIT
// The state of a world as bytes, and back.
//
// All columns, ids and routes; what a step derives anew (neighbours, images, grids) is left out, and is a function of the columns
// alone, so that a run continues with the same bits. Areas, plans and settings are the caller's: a snapshot goes back into a
// world that was made the same way, which a fingerprint checks. Little-endian; a checksum ends it. Nothing in it can do harm:
// every count, index and number is verified before the world changes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/hash.hpp"
#include "world/state.hpp"

namespace throng {
namespace {

constexpr std::string_view kMagic = "THRONGW1";
constexpr std::string_view kMagicOfGroups = "THRONGG1";  // the same, of a world with groups
constexpr std::string_view kMagicOfEdited = "THRONGE1";  // edits of the scene come first, then one of the two
static_assert(std::endian::native == std::endian::little, "columns are written as they lie in memory");

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void put_all(const std::vector<T>& values, std::size_t count) {
    if (count > 0) bytes_.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
  }
  template <class T>
  void put_list(const std::vector<T>& values) {
    put(static_cast<std::uint32_t>(values.size()));
    put_all(values, values.size());
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

class SnapshotReader {
 public:
  explicit SnapshotReader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  bool get(T& value) {
    if (rest_.size() < sizeof value) return false;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  template <class T>
  bool get_all(std::vector<T>& values, std::size_t count) {
    if (count > rest_.size() / sizeof(T)) return false;
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return true;
  }
  template <class T>
  bool get_list(std::vector<T>& values) {
    std::uint32_t count = 0;
    return get(count) && get_all(values, count);
  }
  bool is_at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// What must be the same where a snapshot is put back.
std::uint64_t fingerprint(const NavigationData& data, const NavGraph* graph, const WorldSettings& settings, std::size_t plans,
                          std::size_t areas, std::size_t vehicles) {
  Hash hash;
  hash.add(std::string_view(data.scene_name)).add(data.cells.cell_count()).add(data.cells.portal_count());
  hash.add(settings.dt).add(settings.seed).add(settings.models.size()).add(plans).add(areas).add(vehicles);
  hash.add(std::as_bytes(std::span(data.cells.vertices)));
  for (const BakedLink& link : data.links) hash.add(link.time).add(link.capacity);
  if (settings.detail.enabled) hash.add(std::string_view("levels"));
  if (settings.interest.enabled) hash.add(std::string_view("regions")).add(settings.interest.tile);
  if (graph != nullptr) hash.add(graph->disc_count()).add(graph->gates.size()).add(std::as_bytes(std::span(graph->radius)));
  return hash.value();
}

// Field by field: a struct's padding has no value.
void put_region(Writer& out, const Region& region) {
  out.put(region.centre), out.put(region.radius), out.put(region.level), out.put(region.layer);
  out.put(static_cast<std::uint8_t>(region.is_limit));
}
bool get_region(SnapshotReader& in, Region& region) {
  std::uint8_t is_limit = 0;
  const bool is_whole = in.get(region.centre) && in.get(region.radius) && in.get(region.level) && in.get(region.layer) &&
                        in.get(is_limit) && region.level <= 2;
  region.is_limit = is_limit != 0;
  return is_whole;
}
bool get_regions(SnapshotReader& in, std::vector<Region>& list) {
  std::uint32_t count = 0;
  bool is_whole = in.get(count);
  for (std::uint32_t i = 0; is_whole && i < count; ++i) is_whole = get_region(in, list.emplace_back());
  return is_whole;
}
void put_camera(Writer& out, const std::optional<Viewpoint>& camera) {
  out.put(static_cast<std::uint8_t>(camera.has_value()));
  out.put(camera.value_or(Viewpoint{}));
}
bool get_camera(SnapshotReader& in, std::optional<Viewpoint>& camera) {
  std::uint8_t is_there = 0;
  Viewpoint read;
  if (!in.get(is_there) || !in.get(read)) return false;
  if (is_there != 0) camera = read;
  return is_there == 0 || sees_anything(read);
}

// Without what a step makes anew.
void put_groups(Writer& out, const std::vector<Group>& groups, const std::vector<std::uint32_t>& free, std::uint32_t made) {
  out.put(made);
  out.put_list(free);
  out.put(static_cast<std::uint32_t>(groups.size()));
  for (const Group& group : groups) {
    out.put(group.number), out.put(group.count), out.put(group.leader), out.put(group.waited);
    for (std::uint32_t k = 0; k < group.count; ++k) {
      const GroupMember& member = group.members[k];
      out.put(member.slot), out.put(member.pace), out.put(member.beside), out.put(member.follows);
      out.put(static_cast<std::uint8_t>(member.is_split));
    }
  }
}
bool get_groups(SnapshotReader& in, std::vector<Group>& groups, std::vector<std::uint32_t>& free, std::uint32_t& made) {
  std::uint32_t count = 0;
  if (!in.get(made) || !in.get_list(free) || !in.get(count)) return false;
  std::vector<std::uint8_t> is_free;
  for (std::uint32_t g = 0; g < count; ++g) {
    Group& group = groups.emplace_back();
    if (!in.get(group.number) || !in.get(group.count) || !in.get(group.leader) || !in.get(group.waited)) return false;
    if (group.count > kMostMembers || (group.count == 0) != (group.number == 0) || group.number > made ||
        !(group.waited >= 0 && group.waited < 1e6f) ||
        (group.leader != Group::kNobody && group.leader >= std::max(1u, group.count)))
      return false;
    for (std::uint32_t k = 0; k < group.count; ++k) {
      GroupMember& member = group.members[k];
      std::uint8_t is_split = 0;
      if (!in.get(member.slot) || !in.get(member.pace) || !in.get(member.beside) || !in.get(member.follows) || !in.get(is_split))
        return false;
      if (!(member.pace > 0.1f && member.pace < 10) || member.follows > Follows::kSeeks || std::abs(member.beside) > 64)
        return false;
      member.is_split = is_split != 0;
    }
    is_free.push_back(group.number == 0);
  }
  for (const std::uint32_t g : free)
    if (g >= count || is_free[g]-- != 1) return false;
  return std::none_of(is_free.begin(), is_free.end(), [](std::uint8_t left) { return left != 0; });
}

// The edits that led to the scene as it is.
void put_ring(Writer& out, const Ring& ring) { out.put_list(ring); }
void put_edit(Writer& out, const Edit& edit) {
  out.put(edit.kind), out.put(edit.layer), out.put(edit.obstacle);
  put_ring(out, edit.shape.outer);
  out.put(static_cast<std::uint32_t>(edit.shape.holes.size()));
  for (const Ring& hole : edit.shape.holes) put_ring(out, hole);
  out.put_list(std::vector<char>(edit.door.begin(), edit.door.end()));
}
bool get_edit(SnapshotReader& in, Edit& edit) {
  std::uint32_t holes = 0;
  std::vector<char> door;
  bool is_whole =
      in.get(edit.kind) && in.get(edit.layer) && in.get(edit.obstacle) && in.get_list(edit.shape.outer) && in.get(holes);
  for (std::uint32_t i = 0; is_whole && i < holes; ++i) is_whole = in.get_list(edit.shape.holes.emplace_back());
  is_whole = is_whole && in.get_list(door);
  edit.door.assign(door.begin(), door.end());
  return is_whole && edit.kind <= EditKind::kOpenDoor;
}
bool are_same(std::span<const Edit> a, std::span<const Edit> b) {
  Writer one, two;
  for (const Edit& edit : a) put_edit(one, edit);
  for (const Edit& edit : b) put_edit(two, edit);
  return one.bytes() == two.bytes();
}

Problem damaged(const char* what) { return {"snapshot", what, "take another snapshot, or run again from the start"}; }

}  // namespace

std::uint64_t World::State::hash() const {
  Hash hash;
  hash.add(steps).add(next_number).add(agents.count);
  const std::size_t count = agents.count;
  agents.for_each_column([&](auto& column) { hash.add(std::as_bytes(std::span(column.data(), count))); });
  if (agents.has_levels) hash.add(agents.active);
  for (const Group& group : groups) {
    hash.add(group.number).add(group.leader).add(group.waited);
    for (std::uint32_t k = 0; k < group.count; ++k)
      hash.add(group.members[k].slot).add(group.members[k].pace).add(group.members[k].beside).add(group.members[k].is_split);
  }
  for (const Vehicle& vehicle : vehicles) hash.add(vehicle.driven).add(vehicle.speed);
  if (agents.has_links) {
    hash.add(aboard.count);
    aboard.for_each_column([&](auto& column) { hash.add(std::as_bytes(std::span(column))); });
  }
  if (has_edits()) hash.add(editor->edits().size()).add(replans.size());
  return hash.value();
}

std::string World::State::snapshot() const {
  Writer out;
  if (has_edits()) {
    out.bytes().append(kMagicOfEdited);
    out.put(static_cast<std::uint32_t>(editor->edits().size()));
    for (const Edit& made : editor->edits()) put_edit(out, made);
    out.put_list(replans);
    out.put(replans_per_step);
    out.put(static_cast<std::uint32_t>(early_events.size()));
    for (const Event& e : early_events) out.put(e.time), out.put(e.kind), out.put(e.number), out.put(e.entry);
  }
  out.bytes().append(agents.has_groups ? kMagicOfGroups : kMagic);
  out.put(fingerprint(base.data(), base_graph ? &base_graph->data() : nullptr, settings, plans.size(), areas.size(),
                      vehicles.size()));
  out.put(steps);
  out.put(next_number);
  out.put(agents.count);
  agents.for_each_column([&](auto& column) { out.put_all(column, agents.count); });
  if (agents.has_levels) {
    out.put(agents.active);
    out.put(static_cast<std::uint8_t>(settings.detail.viewpoint.has_value()));
    out.put(settings.detail.viewpoint.value_or(Viewpoint{}));
  }
  for (const Vehicle& vehicle : vehicles) {
    out.put(vehicle.driven), out.put(vehicle.speed);
    out.put(static_cast<std::uint8_t>(vehicle.is_there)), out.put(static_cast<std::uint8_t>(vehicle.is_gone));
  }
  if (has_interest()) {
    put_camera(out, settings.interest.camera);
    out.put(static_cast<std::uint32_t>(regions.size()));
    for (const LiveRegion& live : regions) {
      put_region(out, live.region);
      out.put(live.leader), out.put(live.vehicle);
      out.put(static_cast<std::uint8_t>(live.is_alive));
    }
    for (const std::vector<Region>* list : {&paid_regions, &interest.rated().regions}) {
      out.put(static_cast<std::uint32_t>(list->size()));
      for (const Region& region : *list) put_region(out, region);
    }
    put_camera(out, interest.rated().camera);
  }
  if (agents.has_groups) put_groups(out, groups, free_groups, groups_made);
  if (agents.has_links) {
    out.put(aboard.count);
    aboard.for_each_column([&](auto& column) { out.put_all(column, aboard.count); });
  }
  if (graph) {
    out.put_list(people_in_disc);
    out.put_list(bound_for_gate);
    out.put_list(gate_trips);
    for (const WorldFlow& flow : flows) out.put_list(flow.trips);
  }
  out.put_list(slots.entries());
  out.put_list(slots.free());
  for (std::uint32_t row = 0; row < agents.count; ++row) {
    const Route& route = routes[agents.slot[row]];
    out.put(route.next);
    out.put_list(route.portals);
    out.put_list(route.cells);
    if (!agents.has_rules) continue;
    const auto& itineraries = models.rules().itineraries();
    out.put_list(agents.slot[row] < itineraries.size() ? itineraries[agents.slot[row]] : std::vector<TileIndex>());
  }
  out.put(hash_of(std::string_view(out.bytes())));
  return std::move(out.bytes());
}

/// The edits come first: the rest is about the scene that they lead to. If the rest is damaged, the scene goes back to what it
/// was.
Result<bool> World::State::restore(std::string_view bytes) {
  const std::string_view magic = bytes.substr(0, kMagic.size());
  const bool is_edited = magic == kMagicOfEdited;
  if (bytes.size() < kMagic.size() + 16 || (!is_edited && magic != kMagic && magic != kMagicOfGroups))
    return damaged("these bytes are no snapshot of a world");
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  if (hash_of(bytes) != sum) return damaged("the checksum does not fit: bytes were changed or cut off");
  SnapshotReader in(bytes.substr(is_edited ? kMagic.size() : 0));
  std::vector<Edit> edits_read;
  std::vector<AgentId> replans_read;
  std::vector<Event> early_read;
  std::uint32_t per_step = 0;
  if (is_edited) {
    std::uint32_t count = 0, early = 0;
    bool is_whole = in.get(count);
    for (std::uint32_t i = 0; is_whole && i < count; ++i) is_whole = get_edit(in, edits_read.emplace_back());
    is_whole = is_whole && in.get_list(replans_read) && in.get(per_step) && in.get(early);
    for (std::uint32_t i = 0; is_whole && i < early; ++i) {
      Event& e = early_read.emplace_back();
      is_whole = in.get(e.time) && in.get(e.kind) && in.get(e.number) && in.get(e.entry) && e.kind <= EventKind::kMoved;
    }
    if (!is_whole) return damaged("its edits are broken");
  }
  const bool is_other_scene = !are_same(edits_read, editor ? std::span<const Edit>(editor->edits()) : std::span<const Edit>());
  std::optional<NavigationEditor> editor_read;
  const Navigation before = navigation;
  // All that an edit changes and a damaged snapshot must not: flows and who is on them go by the discs.
  std::optional<NavigationGraph> graph_read = base_graph;
  std::optional<GraphEditor> graph_editor_read;
  struct Kept {
    std::optional<NavigationGraph> graph;
    std::vector<WorldFlow> flows;
    std::vector<std::uint32_t> gate_trips;
  };
  std::optional<Kept> kept;
  if (is_other_scene) {
    if (!edits_read.empty()) {
      Result<NavigationEditor> fresh = NavigationEditor::create(base);
      if (!fresh) return fresh.problems();
      for (const Edit& made : edits_read) {
        const NavigationData* last = &fresh->navigation().data();
        const Result<EditReport> done = fresh->apply(made);
        if (!done) return done.problems();
        if (graph && &fresh->navigation().data() != last) edit_graph(*fresh, *done, graph_editor_read, *graph_read);
      }
      editor_read.emplace(std::move(*fresh));
    }
    retired.push_back(before);
    if (graph) kept = Kept{std::exchange(graph, graph_read), flows, gate_trips};
    adopt(editor_read ? editor_read->navigation() : base);
    lay_flows_again(nullptr);
  }
  Result<bool> rest = restore_people(in.rest());
  if (!rest) {
    if (kept) graph = std::move(kept->graph), flows = std::move(kept->flows), gate_trips = std::move(kept->gate_trips);
    if (is_other_scene) adopt(before);
    return rest;
  }
  if (is_other_scene) editor = std::move(editor_read), graph_editor = std::move(graph_editor_read);
  replans = std::move(replans_read);
  replans_per_step = per_step;
  early_events = std::move(early_read);
  return rest;
}

Result<bool> World::State::restore_people(std::string_view bytes) {
  const bool has_groups = bytes.substr(0, kMagic.size()) == kMagicOfGroups;
  if (bytes.size() < kMagic.size() || (bytes.substr(0, kMagic.size()) != kMagic && !has_groups))
    return damaged("these bytes are no snapshot of a world");
  SnapshotReader in(bytes.substr(kMagic.size()));
  std::uint64_t print = 0, steps_read = 0;
  std::uint32_t next_read = 0, count = 0;
  Agents read;
  if (!in.get(print) || !in.get(steps_read) || !in.get(next_read) || !in.get(count)) return damaged("it ends too early");
  if (print !=
      fingerprint(base.data(), base_graph ? &base_graph->data() : nullptr, settings, plans.size(), areas.size(), vehicles.size()))
    return Problem{"snapshot", "it belongs to another scene, scenario or step length",
                   "create the world as it was when the snapshot was taken"};
  read.take_columns_of(agents);
  read.has_groups = has_groups;
  Agents riders;
  riders.take_columns_of(read);
  bool is_whole = true;
  read.for_each_column([&](auto& column) { is_whole = is_whole && in.get_all(column, count); });
  read.count = count;
  std::uint8_t has_viewpoint = 0;
  Viewpoint viewpoint;
  if (read.has_levels) {
    is_whole = is_whole && in.get(read.active) && in.get(has_viewpoint) && in.get(viewpoint);
    if (is_whole && (read.active > count || (has_viewpoint != 0 && !sees_anything(viewpoint))))
      return damaged("its levels of simulation are out of range");
  }
  std::vector<Vehicle> driving = vehicles;
  for (Vehicle& vehicle : driving) {
    std::uint8_t is_there = 0, is_gone = 0;
    is_whole = is_whole && in.get(vehicle.driven) && in.get(vehicle.speed) && in.get(is_there) && in.get(is_gone);
    if (!(vehicle.driven >= 0 && vehicle.driven <= vehicle.until.back() && vehicle.speed >= 0 && vehicle.speed < 1000))
      return damaged("its vehicles are out of range");
    vehicle.is_there = is_there != 0, vehicle.is_gone = is_gone != 0;
    vehicle.box = box_of(vehicle, vehicle.driven);
  }
  std::optional<Viewpoint> camera;
  std::vector<LiveRegion> live_regions;
  std::vector<Region> paid_read;
  InterestMap::Rated rated;
  if (has_interest()) {
    std::uint32_t live_count = 0;
    is_whole = is_whole && get_camera(in, camera) && in.get(live_count);
    for (std::uint32_t i = 0; is_whole && i < live_count; ++i) {
      LiveRegion& live = live_regions.emplace_back();
      std::uint8_t is_alive = 0;
      is_whole = get_region(in, live.region) && in.get(live.leader) && in.get(live.vehicle) && in.get(is_alive);
      live.is_alive = is_alive != 0;
    }
    is_whole = is_whole && get_regions(in, paid_read) && get_regions(in, rated.regions) && get_camera(in, rated.camera);
    if (!is_whole) return damaged("its regions of interest are out of range");
  }
  std::vector<Group> groups_read;
  std::vector<std::uint32_t> free_groups_read;
  std::uint32_t groups_made_read = 0;
  if (has_groups && !(is_whole && get_groups(in, groups_read, free_groups_read, groups_made_read)))
    return damaged("its groups are out of range");
  if (read.has_links) {
    is_whole = is_whole && in.get(riders.count);
    riders.for_each_column([&](auto& column) { is_whole = is_whole && in.get_all(column, riders.count); });
  }
  std::vector<std::uint32_t> people_read, bound_read, trips_read;
  std::vector<std::vector<std::uint64_t>> flow_trips(flows.size());
  if (graph) {
    is_whole = is_whole && in.get_list(people_read) && in.get_list(bound_read) && in.get_list(trips_read);
    for (auto& trips : flow_trips) is_whole = is_whole && in.get_list(trips);
    if (!is_whole) return damaged("it ends too early");
    const std::uint32_t discs = graph->data().disc_count();
    bool is_sound = (people_read.empty() || people_read.size() == discs) && trips_read.size() == gate_trips.size() &&
                    bound_read.size() == (people_read.empty() ? 0 : gate_trips.size());
    for (std::size_t f = 0; f < flows.size(); ++f) is_sound = is_sound && flow_trips[f].size() == flows[f].trips.size();
    for (std::uint32_t row = 0; row < count; ++row) {
      const FlowLeg leg =
          read.on_flow[row] == 1 && (read.plan[row] == kNoPlan || read.plan[row] < plans.size()) ? flow_of(read, row) : FlowLeg{};
      is_sound = is_sound && (read.on_flow[row] == 0 ||
                              (read.on_flow[row] == 1 && leg.flow < flows.size() && flows[leg.flow].has(read.path[row])));
      if (read.has_levels) is_sound = is_sound && read.disc[row] < std::max(1u, discs);
    }
    if (!is_sound) return damaged("its flows are out of range");
  }
  std::vector<Slots::Entry> entries;
  std::vector<std::uint32_t> free;
  if (!is_whole || !in.get_list(entries) || !in.get_list(free)) return damaged("it ends too early");
  if (entries.size() != std::size_t{count} + riders.count + free.size()) return damaged("ids and agents differ in number");
  std::vector<std::uint8_t> is_taken(entries.size(), 0);  // each id is free, of one in the crowd, or of one aboard
  const auto take = [&](std::uint32_t slot, std::uint32_t row) {
    return slot < entries.size() && entries[slot].row == row && is_taken[slot]++ == 0;
  };
  for (const std::uint32_t slot : free)
    if (!take(slot, kNoRow)) return damaged("a free id is in use");
  const Cells& cells = data().cells;
  std::size_t in_groups = 0;
  const auto is_sound_row = [&](const Agents& store, std::uint32_t row) {
    bool is_sound = store.cell[row] < cells.cell_count() && store.model[row] < settings.models.size() &&
                    store.profile[row] < data().profiles.size() && store.radius[row] > 0 && store.radius[row] <= 5 &&
                    (store.plan[row] == kNoPlan || store.plan[row] < plans.size()) && store.activity[row] <= Activity::kRiding &&
                    store.goal_layer[row] < data().locator.grids.size() && store.turn[row] >= -3 && store.turn[row] <= 3 &&
                    store.preferred_speed[row] > 0;
    const double limit = kCoordinateLimit * kUnit;
    for (const float v : {store.now.x[row], store.now.y[row], store.goal_x[row], store.goal_y[row]})
      is_sound = is_sound && std::abs(v) < limit;
    for (const float v :
         {store.now.vx[row], store.now.vy[row], store.now.intent_x[row], store.now.intent_y[row], store.now.body[row],
          store.preferred_speed[row], store.max_speed[row], store.wait[row], store.cone_tangent[row]})
      is_sound = is_sound && std::abs(v) < 1e6f;
    if (store.has_levels)
      is_sound = is_sound && store.level[row] <= 2 && std::abs(store.leg_x[row]) < limit && std::abs(store.leg_y[row]) < limit;
    if (store.has_short_term) is_sound = is_sound && std::abs(store.aside_x[row]) < limit && std::abs(store.aside_y[row]) < limit;
    if (store.has_links)
      is_sound = is_sound && (store.link[row] == kNoRide || store.link[row] < links.size()) &&
                 std::abs(store.final_x[row]) < limit && std::abs(store.final_y[row]) < limit &&
                 store.final_layer[row] < data().locator.grids.size();
    if (store.has_groups && store.group[row] != 0) {
      const std::uint32_t band = store.band[row], member = store.member[row];
      is_sound = is_sound && band < groups_read.size() && groups_read[band].number == store.group[row] &&
                 member < groups_read[band].count && groups_read[band].members[member].slot == store.slot[row];
      in_groups += is_sound;
    }
    return is_sound && (store.activity[row] == Activity::kRiding) == (&store == &riders);
  };
  const auto is_sound_on_tiles = [&](const Agents& store, std::uint32_t row, SnapshotReader& bytes_left,
                                     std::vector<TileIndex>& itinerary) {
    if (!bytes_left.get_list(itinerary)) return false;
    const RulesGround* rules = models.rules().ground_of(store.model[row]);
    const std::uint32_t tiles = rules == nullptr ? 0 : rules->tiles.tile_count();
    const auto doorways = rules == nullptr ? 0 : rules->rooms.doorways().size();
    const auto is_tile = [&](std::uint32_t t) { return t == kNoTile || t < tiles; };
    const double limit = kCoordinateLimit * kUnit;
    return is_tile(store.rules_tile[row]) && is_tile(store.rules_from[row]) && is_tile(store.rules_goal[row]) &&
           (store.rules_doorway[row] == kNoDoorway || store.rules_doorway[row] < doorways) && store.rules_phase[row] >= 0 &&
           store.rules_phase[row] <= 1 && store.rules_pace[row] > 0 && store.rules_pace[row] < 100 &&
           store.rules_heading[row] < 8 && std::abs(store.priority[row]) <= 1000 && std::abs(store.rules_start_x[row]) < limit &&
           std::abs(store.rules_start_y[row]) < limit &&
           std::all_of(itinerary.begin(), itinerary.end(), [&](TileIndex t) { return t < tiles; });
  };
  for (std::uint32_t row = 0; row < riders.count; ++row) {
    if (!take(riders.slot[row], kNoRow)) return damaged("a rider has no id");
    if (!is_sound_row(riders, row) || riders.link[row] == kNoRide || !(std::abs(riders.until[row]) < 1e12))
      return damaged("a rider's values are out of range");
  }
  LargeTable<Route> routes_read(entries.size());
  std::vector<std::vector<TileIndex>> itineraries_read(read.has_rules ? entries.size() : 0);
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::uint32_t slot = read.slot[row];
    if (!take(slot, row)) return damaged("an agent has no id");
    const bool is_sound = is_sound_row(read, row);
    if (!is_sound) return damaged("an agent's values are out of range");
    Route& route = routes_read[slot];
    if (!in.get(route.next) || !in.get_list(route.portals) || !in.get_list(route.cells)) return damaged("it ends too early");
    if (read.has_rules && !is_sound_on_tiles(read, row, in, itineraries_read[slot])) return damaged("an itinerary is broken");
    if (route.cells.empty() ? !route.portals.empty() || route.next != 0
                            : route.cells.size() != route.portals.size() + 1 || route.next >= route.cells.size())
      return damaged("a route is broken");
    const bool needs_way = read.activity[row] == Activity::kWalking && read.has_heading[row] == 0;
    const bool is_led = read.has_groups && read.group[row] != 0 &&
                        groups_read[read.band[row]].members[read.member[row]].follows == Follows::kLeader;
    if (needs_way && route.cells.empty() && !is_led) read.needs_route[row] = 1;
    for (std::size_t i = 0; i < route.cells.size(); ++i) {
      if (route.cells[i] >= cells.cell_count()) return damaged("a route leads nowhere");
      if (i == route.portals.size()) continue;
      if (route.portals[i] >= cells.portal_count()) return damaged("a route leads nowhere");
      const Portal& portal = cells.portals[route.portals[i]];
      const CellIndex from = route.cells[i], to = route.cells[i + 1];
      if (!(portal.cell[0] == from && portal.cell[1] == to) && !(portal.cell[1] == from && portal.cell[0] == to))
        return damaged("a route is broken");
    }
  }
  if (!in.is_at_end()) return damaged("there is more than a snapshot");
  for (const Group& group : groups_read) in_groups -= group.count;
  if (in_groups != 0) return damaged("its groups have members who are not there");
  agents = std::move(read);
  aboard = std::move(riders);
  count_riders();
  slots.assign(std::move(entries), std::move(free));
  routes = std::move(routes_read);
  if (agents.has_rules) models.rules().itineraries() = std::move(itineraries_read);
  steps = steps_read;
  next_number = next_read;
  events.clear();
  people.is_valid = false;
  due.clear();
  if (agents.has_levels) {
    settings.detail.viewpoint = has_viewpoint != 0 ? std::optional(viewpoint) : std::nullopt;
    if (!has_interest()) rate_patches();
  }
  vehicles = std::move(driving);
  if (group_finder) group_finder.emplace();
  groups = std::move(groups_read);
  free_groups = std::move(free_groups_read);
  groups_made = groups_made_read;
  if (has_interest()) {
    settings.interest.camera = camera;
    regions = std::move(live_regions);
    paid_regions = std::move(paid_read);
    interest.rate_by(grid, settings.interest, std::move(rated));
    apply_interest(/*wakes=*/false);
  }
  if (graph) {
    people_in_disc = std::move(people_read);
    are_paths_weighed = false;
    bound_for_gate = std::move(bound_read);
    gate_trips = std::move(trips_read);
    for (std::size_t f = 0; f < flow_trips.size(); ++f) flows[f].trips = std::move(flow_trips[f]);
  }
  return true;
}

}  // namespace throng
