// SPDX-License-Identifier: MIT
// A simulation as bytes, and back: people, sources and tally, then the world's own snapshot. Little-endian, versioned; a
// fingerprint of the scenario says whose it is and a checksum ends it. Everything is verified before anything changes.
#include <bit>
#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {
namespace {

constexpr std::string_view kMagic = "THRONGS1";
static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

class Out {
 public:
  template <class... Values>
  void put(const Values&... values) {
    (bytes_.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

class In {
 public:
  explicit In(std::string_view bytes) : rest_(bytes) {}
  template <class... Values>
  void get(Values&... values) {
    (get_one(values), ...);
  }
  /// A count of entries that take at least `size` bytes each; 0 if there cannot be so many.
  std::size_t get_count(std::size_t size) {
    std::uint64_t count = 0;
    get(count);
    if (count > rest_.size() / size) is_whole_ = false;
    return is_whole_ ? static_cast<std::size_t>(count) : 0;
  }
  std::string_view get_text() {
    const std::size_t size = get_count(1);
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  bool is_whole() const { return is_whole_; }
  bool is_at_end() const { return is_whole_ && rest_.empty(); }

 private:
  template <class Value>
  void get_one(Value& value) {
    static_assert(std::is_arithmetic_v<Value>);
    if (rest_.size() < sizeof value) is_whole_ = false;
    if (!is_whole_) return;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  std::string_view rest_;
  bool is_whole_ = true;
};

/// Calls f with references to all plain numbers of a tally, in a fixed order.
template <class F>
void for_each_number(const Cohesion& c, F&& f) {
  f(c.people, c.in_groups, c.pair_distance, c.pairs, c.to_middle, c.abreast, c.followers);
}
template <class F>
void for_each_number(Cohesion& c, F&& f) {
  f(c.people, c.in_groups, c.pair_distance, c.pairs, c.to_middle, c.abreast, c.followers);
}
template <class SomeTally, class F>
void for_each_number(SomeTally& t, F&& f) {
  f(t.people, t.arrived, t.left, t.goals_reached, t.stuck, t.lost, t.agent_steps, t.walker_steps, t.counted_steps,
    t.overlaps_per_1000, t.before_separate_per_1000, t.deep_overlaps, t.wall_penetrations, t.speed_ratio, t.progress_ratio,
    t.last_arrival);
}

/// Of all of a scenario but its duration: a run can be prolonged.
std::uint64_t fingerprint_of(const Scenario& scenario) {
  auto document = nlohmann::json::parse(scenario.text, nullptr, false);
  if (!document.is_object() || !document.contains("settings") || !document["settings"].is_object())
    return hash_of(std::string_view(scenario.text));
  document["settings"].erase("duration");
  const std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return hash_of(std::string_view(text));
}

Problem damaged(const char* what) { return {"snapshot", what, "take another snapshot, or run again from the start"}; }

}  // namespace

std::string Simulation::snapshot() const {
  State& s = *state_;
  if (s.fingerprint == 0) s.fingerprint = fingerprint_of(s.scenario);
  Out out;
  out.bytes().append(kMagic);
  out.put(s.fingerprint);
  out.put(static_cast<std::uint64_t>(s.people.size()));
  for (const State::Person& p : s.people) {
    const std::uint32_t flags = p.has_arrived | p.was_stuck << 1 | p.was_lost << 2;
    out.put(p.id.slot, p.id.generation, p.start, p.population, p.last_entry, p.x, p.y, flags);
  }
  out.put(static_cast<std::uint64_t>(s.sources.size()));
  for (const State::SourceState& source : s.sources)
    out.put(source.next_time, source.due, source.inside, source.next_entry, source.was_blocked, source.tries);
  for_each_number(s.tally, [&](const auto&... numbers) { out.put(numbers...); });
  out.put(static_cast<std::uint64_t>(s.tally.travel_times.size()));
  for (const double time : s.tally.travel_times) out.put(time);
  for (const auto& line : s.tally.lines) {
    out.put(static_cast<std::uint64_t>(line.size()));
    for (const Tally::Crossing& c : line) out.put(c.time, c.number, c.to_left);
  }
  for (const Tally::Density& d : s.tally.densities) out.put(d.sum, d.most, d.steps);
  if (has_groups(s.scenario)) for_each_number(s.tally.groups, [&](const auto&... numbers) { out.put(numbers...); });
  out.put(static_cast<std::uint64_t>(s.notices.size()));
  for (const Problem& notice : s.notices) out.put_text(notice.where), out.put_text(notice.what), out.put_text(notice.fix);
  for (const std::uint8_t happened : s.has_happened) out.put(happened);
  for (const std::uint32_t number : s.obstacle_numbers) out.put(number);
  if (adds_regions(s.scenario))
    for (const std::uint32_t number : s.region_numbers) out.put(number);
  out.put_text(s.world.snapshot());
  out.put(hash_of(std::string_view(out.bytes())));
  return std::move(out.bytes());
}

Result<bool> Simulation::restore(std::string_view bytes) {
  State& s = *state_;
  if (bytes.size() < kMagic.size() + 16 || !bytes.starts_with(kMagic))
    return damaged("these bytes are no snapshot of a simulation");
  std::uint64_t sum = 0, print = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  if (hash_of(bytes) != sum) return damaged("the checksum does not fit: bytes were changed or cut off");
  In in(bytes.substr(kMagic.size()));
  in.get(print);
  // Older programs wrote that of the whole text.
  if (print != fingerprint_of(s.scenario) && print != hash_of(std::string_view(s.scenario.text)))
    return Problem{"snapshot", "it belongs to another scenario",
                   "restore it into a simulation of the scenario it was taken from"};
  constexpr std::size_t kPersonBytes = 36;
  std::vector<State::Person> people(in.get_count(kPersonBytes));
  for (State::Person& p : people) {
    std::uint32_t flags = 0;
    in.get(p.id.slot, p.id.generation, p.start, p.population, p.last_entry, p.x, p.y, flags);
    p.has_arrived = flags & 1, p.was_stuck = flags >> 1 & 1, p.was_lost = flags >> 2 & 1;
  }
  std::vector<State::SourceState> sources(in.get_count(32));
  for (State::SourceState& source : sources)
    in.get(source.next_time, source.due, source.inside, source.next_entry, source.was_blocked, source.tries);
  if (sources.size() != s.scenario.sources.size()) return damaged("sources differ in number");
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (std::isnan(sources[i].next_time) || sources[i].inside > sources[i].due ||
        sources[i].next_entry > s.scenario.sources[i].timetable.size())
      return damaged("a source's values are out of range");
  Tally tally;
  for_each_number(tally, [&](auto&... numbers) { in.get(numbers...); });
  tally.travel_times.resize(in.get_count(sizeof(double)));
  for (double& time : tally.travel_times) in.get(time);
  tally.lines.resize(s.scenario.lines.size());
  for (auto& line : tally.lines) {
    line.resize(in.get_count(16));
    for (Tally::Crossing& c : line) in.get(c.time, c.number, c.to_left);
  }
  tally.densities.resize(s.scenario.density_areas.size());
  for (Tally::Density& d : tally.densities) in.get(d.sum, d.most, d.steps);
  if (has_groups(s.scenario)) for_each_number(tally.groups, [&](auto&... numbers) { in.get(numbers...); });
  std::vector<Problem> notices(in.get_count(24));
  for (Problem& notice : notices) notice.where = in.get_text(), notice.what = in.get_text(), notice.fix = in.get_text();
  std::vector<std::uint8_t> has_happened(s.has_happened.size());
  for (std::uint8_t& happened : has_happened) in.get(happened);
  std::vector<std::uint32_t> obstacle_numbers(s.obstacle_numbers.size());
  for (std::uint32_t& number : obstacle_numbers) in.get(number);
  std::vector<std::uint32_t> region_numbers(s.region_numbers.size());
  for (std::uint32_t i = 0; i < region_numbers.size(); ++i) {
    region_numbers[i] = i;
    if (adds_regions(s.scenario)) in.get(region_numbers[i]);
  }
  const std::string_view world = in.get_text();
  if (!in.is_at_end()) return damaged("it ends too early, or there is more than a snapshot");
  // Numbers of agents are indices into `people`, once the world is back: hold both against each other on a trial world.
  const std::string before = s.world.snapshot();
  if (const auto restored = s.world.restore(world); !restored) return restored.problems();
  for (const auto numbers : {s.world.columns().number, s.world.riders()})
    for (const std::uint32_t number : numbers)
      if (number == 0 || number > people.size()) {
        (void)s.world.restore(before);
        return damaged("an agent is nobody's");
      }
  // Where no event adds one, those that are gone are the world's to know.
  for (std::uint32_t& number : region_numbers) {
    if (number == State::kNotThere || s.world.region(number)) continue;
    if (adds_regions(s.scenario)) {
      (void)s.world.restore(before);
      return damaged("a region is not there");
    }
    number = State::kNotThere;
  }
  s.fingerprint = print;  // what is restored from an older program's is written as that program wrote it
  s.people = std::move(people);
  s.has_happened = std::move(has_happened);
  s.obstacle_numbers = std::move(obstacle_numbers);
  s.region_numbers = std::move(region_numbers);
  s.finder = PathFinder(s.world.navigation());
  s.sources = std::move(sources);
  s.tally = std::move(tally);
  s.notices = std::move(notices);
  return true;
}

Result<bool> Simulation::continue_from(const Simulation& other) {
  State& s = *state_;
  const State& from = *other.state_;
  const auto differ = [](const char* what) {
    return Problem{"the run to continue", std::string(what) + " differ", "change nothing but events behind those there are"};
  };
  if (s.scenario.sources.size() != from.scenario.sources.size()) return differ("its sources");
  if (s.scenario.populations.size() != from.scenario.populations.size()) return differ("its populations");
  if (s.scenario.lines.size() != from.scenario.lines.size() ||
      s.scenario.density_areas.size() != from.scenario.density_areas.size())
    return differ("its measurements");
  if (s.has_happened.size() < from.has_happened.size() || s.obstacle_numbers.size() < from.obstacle_numbers.size() ||
      s.region_numbers.size() < from.region_numbers.size())
    return differ("its events");
  if (const auto restored = s.world.restore(from.world.snapshot()); !restored) return restored.problems();
  s.people = from.people;
  s.sources = from.sources;
  s.tally = from.tally;
  s.notices = from.notices;
  std::copy(from.has_happened.begin(), from.has_happened.end(), s.has_happened.begin());
  std::fill(s.has_happened.begin() + static_cast<std::ptrdiff_t>(from.has_happened.size()), s.has_happened.end(), 0);
  std::copy(from.obstacle_numbers.begin(), from.obstacle_numbers.end(), s.obstacle_numbers.begin());
  std::fill(s.obstacle_numbers.begin() + static_cast<std::ptrdiff_t>(from.obstacle_numbers.size()), s.obstacle_numbers.end(),
            State::kNotThere);
  std::fill(std::copy(from.region_numbers.begin(), from.region_numbers.end(), s.region_numbers.begin()), s.region_numbers.end(),
            State::kNotThere);
  s.finder = PathFinder(s.world.navigation());
  return true;
}

}  // namespace throng
