// SPDX-License-Identifier: MIT
// Who comes while the run goes on, and who changes its mind about where to.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/math.hpp"
#include "scenario/simulation_state.hpp"

namespace throng {
namespace {

constexpr int kPlaceTries = 64;     // a step; who finds nothing tries again in the next
constexpr int kLeaderTries = 4;     // likewise, of places for the leader of a group
constexpr double kSameTime = 1e-9;  // s: times are multiples of a step, rounded

}  // namespace

/// When the next one comes, after `due` have.
void Simulation::State::plan_next(std::uint32_t index) {
  const Source& source = scenario.sources[index];
  SourceState& state = sources[index];
  if (source.arrivals == Arrivals::kRegular) {
    state.next_time = source.from + state.due / source.rate;
    return;
  }
  const double unit = random(source_stream(index), state.due, Purpose::kArrival).unit();
  state.next_time += -logarithm(1 - unit) / source.rate;
}

void Simulation::State::start_sources() {
  sources.resize(scenario.sources.size());
  for (std::uint32_t index = 0; index < sources.size(); ++index) {
    sources[index].next_time = scenario.sources[index].from;
    if (scenario.sources[index].rate > 0) plan_next(index);
  }
}

bool Simulation::State::is_exhausted(std::uint32_t index) const {
  const Source& source = scenario.sources[index];
  const SourceState& state = sources[index];
  if (state.inside < state.due) return false;
  if (!source.timetable.empty()) return state.next_entry == source.timetable.size();
  return !will_bring_more(index);
}

/// By its rate.
bool Simulation::State::will_bring_more(std::uint32_t index) const {
  const Source& source = scenario.sources[index];
  const SourceState& state = sources[index];
  return source.rate > 0 && state.next_time <= source.until && (source.limit == 0 || state.due < source.limit);
}

void Simulation::State::count_due(std::uint32_t index) {
  const Source& source = scenario.sources[index];
  SourceState& state = sources[index];
  const double now = world.time() + kSameTime;
  while (state.next_entry < source.timetable.size() && source.timetable[state.next_entry].at <= now)
    state.due += source.timetable[state.next_entry++].count;
  while (source.rate > 0 && state.next_time <= std::min(now, source.until) && (source.limit == 0 || state.due < source.limit)) {
    ++state.due;
    plan_next(index);
  }
}

/// How many come in: one, or nobody for want of room.
std::uint32_t Simulation::State::bring_one(std::uint32_t index) {
  const Source& source = scenario.sources[index];
  SourceState& state = sources[index];
  const Body body = draw_body(source, source_stream(index), state.inside);
  // A new stream for every attempt, or those who wait would try the same places again.
  RandomStream bits = random(source_stream(index), static_cast<std::uint32_t>(state.tries++), Purpose::kPlace);
  const auto place = find_place(source, body, bits, kPlaceTries);
  return place && put(body, *place, kFromSource) ? 1 : 0;
}

/// All of a group, or nobody.
std::uint32_t Simulation::State::bring_group(std::uint32_t index, std::uint32_t size) {
  const Source& source = scenario.sources[index];
  SourceState& state = sources[index];
  const std::vector<Body> bodies = draw_group(source, source_stream(index), state.inside, size);
  RandomStream bits = random(source_stream(index), static_cast<std::uint32_t>(state.tries++), Purpose::kPlace);
  const std::vector<WalkablePlace> places = find_places(source, bodies, bits, kPlaceTries, kLeaderTries);
  // The scene may have changed since its areas were drawn: a group does not lose those whom the world would refuse.
  for (std::size_t k = 0; k < places.size(); ++k)
    if (!world.is_free(places[k].point, places[k].layer, bodies[k].person.radius)) return 0;
  return put_group(bodies, places, kFromSource);
}

void Simulation::State::bring_people() {
  bool is_filled = false;
  for (std::uint32_t index = 0; index < sources.size(); ++index) {
    count_due(index);
    SourceState& state = sources[index];
    const Source& source = scenario.sources[index];
    while (state.inside < state.due) {
      std::uint32_t size = 1;
      if (!source.groups.empty()) {
        // A group comes once all of it is due: the rate is that of people, whatever their groups. Nobody waits for mates who
        // will not come, or come by a later entry of the timetable.
        size = draw_group_size(source, source_stream(index), state.inside);
        if (size > state.due - state.inside && will_bring_more(index)) break;
        size = std::min(size, state.due - state.inside);
      }
      if (!is_filled) {
        occupancy.clear();
        const World::Columns rows = world.columns();
        for (std::size_t i = 0; i < rows.x.size(); ++i)
          occupancy.add({rows.x[i], rows.y[i]}, layer_of(rows.cell[i]), rows.radius[i]);
        is_filled = true;
      }
      const std::uint32_t came = source.groups.empty() ? bring_one(index) : bring_group(index, size);
      if (came == 0) {
        if (state.was_blocked == 0)
          notices.push_back({fmt::format("/sources/{}", index),
                             fmt::format("no room at {:g} s: people wait outside until there is", world.time()),
                             "lower the rate or make the area larger"});
        state.was_blocked = 1;
        break;
      }
      state.inside += came;
    }
  }
}

/// New headings, at random times that do not remember: each step has the same chance.
void Simulation::State::turn_heads() {
  for (std::uint32_t index = 0; index < scenario.populations.size(); ++index) {
    const double time = scenario.populations[index].heading_time;
    if (time <= 0) continue;
    for (std::uint32_t number = 0; number < people.size(); ++number) {
      if (people[number].population != index) continue;
      const std::uint64_t step = world.steps();
      constexpr std::uint32_t kTurn = 0x20000000u, kWhere = 0x20000001u;
      if (unit_from_bits(random_bits(scenario.settings.seed, number, step, kTurn)) * time >= scenario.settings.dt) continue;
      const double turn = unit_from_bits(random_bits(scenario.settings.seed, number, step, kWhere));
      const auto [sine, cosine] = sine_cosine(2 * 3.141592653589793 * turn);
      world.set_heading(people[number].id, {cosine, sine});
    }
  }
}

}  // namespace throng
