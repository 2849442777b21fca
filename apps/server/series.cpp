// SPDX-License-Identifier: MIT
// Charts: what is counted of a run, step by step. From the stored frames, live or not; each frame is looked at once.
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "analysis/statistics.hpp"
#include "gauges.hpp"
#include "ground_density.hpp"
#include "geometry/polygon.hpp"
#include "json_numbers.hpp"
#include "studio_questions.hpp"

namespace throng::server {

/// One entry a frame in every list.
struct Series {
  std::vector<std::uint64_t> step;
  std::vector<float> present, walking, mean_speed;
  struct AtLine {
    std::vector<std::uint32_t> crossed;  ///< so far
    std::vector<float> density, speed;   ///< of who is beside it
  };
  std::vector<AtLine> lines;
  std::vector<std::vector<float>> densities, speeds;  ///< by measured area
  std::unordered_map<std::uint32_t, std::uint64_t> first_seen;
  FramePointer last;
  std::uint64_t next = 0;  ///< frame to be looked at
  /// The densest place of each second.
  struct Peak {
    std::uint64_t step = 0;
    double density = 0;
    Vec2 place;
    std::uint32_t layer = 0;
  };
  std::vector<Peak> peaks;
  /// Of a file: its events of arrival, and how far they have been looked up.
  std::optional<std::vector<RecordedEvent>> arrival_events;
  std::vector<StepLog::Arrival> arrivals;
  /// Of a file, where all there is to know of them is there from the start: who arrived, and when.
  std::optional<std::vector<std::pair<std::uint32_t, double>>> recorded_arrivals;
};

namespace {

constexpr std::uint16_t kWalks = 10;  // cm/s
constexpr double kBeside = 1;         // m: as far from a line its density is counted

/// Square metres of a measured area; charts need no more than its outline.
double area_of(const ScenarioArea& area) {
  double sum = 0;
  for (const ScenarioArea::Part& part : area.parts) {
    sum += std::abs(signed_area(part.shape.outer));
    for (const Ring& hole : part.shape.holes) sum -= std::abs(signed_area(hole));
  }
  return std::max(sum, 0.01);
}

struct Box {
  Vec2 low{1e9, 1e9}, high{-1e9, -1e9};
};

/// As the overlay has it; on the ground as it was at the start.
Series::Peak peak_of(const Frame& frame, const Document& document, Vec2 low) {
  Series::Peak peak{frame.step, 0, {}, 0};
  if (!document.navigation()) return peak;
  std::vector<std::vector<SomePeople>> people;
  for (const FrameRow& row : frame.rows) {
    if (row.layer >= people.size()) people.resize(row.layer + std::size_t{1});
    people[row.layer].push_back({place_of(row, low)});
  }
  for (std::uint32_t layer = 0; layer < people.size(); ++layer) {
    if (people[layer].empty()) continue;
    const DensityMap map = ground_density(document.navigation()->data(), layer, people[layer]);
    const auto most = std::max_element(map.density.begin(), map.density.end());
    if (most == map.density.end() || *most <= peak.density) continue;
    const auto at = static_cast<std::size_t>(most - map.density.begin());
    peak.density = *most;
    peak.layer = layer;
    peak.place =
        map.low + map.square * Vec2{static_cast<double>(at % map.columns) + 0.5, static_cast<double>(at / map.columns) + 0.5};
  }
  return peak;
}

void add_frame(Series& series, const Branch& branch, const Document& document, const FramePointer& frame) {
  const Scenario& scenario = branch.scenario();
  const Vec2 low = document.low() - document.origin();
  double speeds = 0;
  std::uint32_t walking = 0;
  for (const FrameRow& row : frame->rows) {
    if (row.speed >= kWalks) ++walking, speeds += 0.01 * row.speed;
    series.first_seen.try_emplace(row.number, frame->step);
  }
  series.step.push_back(frame->step);
  series.present.push_back(static_cast<float>(frame->rows.size()));
  series.walking.push_back(static_cast<float>(walking));
  series.mean_speed.push_back(walking > 0 ? static_cast<float>(speeds / walking) : 0);

  series.lines.resize(scenario.lines.size());
  for (std::size_t l = 0; l < scenario.lines.size(); ++l) {
    const ScenarioLine& line = scenario.lines[l];
    Series::AtLine& at = series.lines[l];
    const std::uint32_t before = at.crossed.empty() ? 0 : at.crossed.back();
    at.crossed.push_back(before + (series.last ? crossings(line, *series.last, *frame, low) : 0));
    const Presence near = beside(line, kBeside, *frame, low);
    const double area = 2 * kBeside * std::max(distance(line.from, line.to), 0.01);
    at.density.push_back(static_cast<float>(near.people / area));
    at.speed.push_back(static_cast<float>(near.mean_speed));
  }

  series.densities.resize(scenario.density_areas.size());
  series.speeds.resize(scenario.density_areas.size());
  for (std::size_t a = 0; a < scenario.density_areas.size(); ++a) {
    const ScenarioArea& area = scenario.areas[scenario.density_areas[a]];
    std::uint32_t inside = 0;
    double sum = 0;
    for (const ScenarioArea::Part& part : area.parts) {
      Box box;
      for (const Vec2& p : part.shape.outer) {
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
      }
      for (const FrameRow& row : frame->rows) {
        const Vec2 p = place_of(row, low);
        if (row.layer != part.layer || p.x < box.low.x || p.y < box.low.y || p.x > box.high.x || p.y > box.high.y) continue;
        if (!contains(part.shape, p)) continue;
        ++inside;
        sum += 0.01 * row.speed;
      }
    }
    series.densities[a].push_back(static_cast<float>(inside / area_of(area)));
    series.speeds[a].push_back(inside > 0 ? static_cast<float>(sum / inside) : 0);
  }
  const auto steps = static_cast<std::uint64_t>(std::max(1.0, std::round(1 / branch.dt())));
  if (frame->step % steps == 0 || series.peaks.empty()) series.peaks.push_back(peak_of(*frame, document, low));
  series.last = frame;
}

/// At which goals people arrive in a file: looked up in its frames, which tell where they were a step before.
bool look_up_arrivals(Branch& branch, const Document& document, Series& series, CountingClock::time_point until) {
  if (!series.arrival_events) {
    series.arrival_events.emplace();
    const auto recording = branch.frames().recording();
    if (const auto events = recording ? (*recording)->events() : Result<std::vector<RecordedEvent>>(recording.problems()))
      for (const RecordedEvent& event : *events)
        if (event.kind == "arrived") series.arrival_events->push_back(event);
  }
  const GoalPlaces goals(branch.scenario());
  const Vec2 low = document.low() - document.origin();
  while (series.arrivals.size() < series.arrival_events->size()) {
    const RecordedEvent& event = (*series.arrival_events)[series.arrivals.size()];
    StepLog::Arrival arrival{event.time, kNoGoal};
    const auto step = static_cast<std::uint64_t>(std::max(0.0, event.time / branch.dt() - 0.5));
    if (const auto frame = branch.frames().at_step(std::max(step, branch.first_step()))) {
      const auto& rows = (*frame)->rows;
      const auto row = std::lower_bound(rows.begin(), rows.end(), event.agent,
                                        [](const FrameRow& r, std::uint32_t number) { return r.number < number; });
      if (row != rows.end() && row->number == event.agent) arrival.goal = goals.at(place_of(*row, low), row->layer, row->goal);
    }
    series.arrivals.push_back(arrival);
    if (CountingClock::now() >= until) break;
  }
  return series.arrivals.size() == series.arrival_events->size();
}

/// Brings a branch's own series nearer to its present; whether it is there.
bool look_on(Branch& branch, const Document& document, CountingClock::time_point until) {
  if (!branch.series) branch.series = std::make_shared<Series>();
  Series& series = *branch.series;
  return look_on(branch.frames(), series.next, until,
                 [&](const FramePointer& frame) { add_frame(series, branch, document, frame); });
}

/// How many had arrived, and when: of a live run from its tally, of a file from its events.
struct Arrivals {
  std::vector<std::pair<double, double>> list;  ///< time, and how long it took
};
Arrivals arrivals_of(Branch& branch, Series& series) {
  if (!series.recorded_arrivals) {
    series.recorded_arrivals.emplace();
    const auto recording = branch.frames().recording();
    const auto events = recording ? (*recording)->events() : Result<std::vector<RecordedEvent>>(recording.problems());
    std::unordered_map<std::uint32_t, double> last;
    if (events)
      for (const RecordedEvent& event : *events)
        if (event.kind == "arrived" || event.kind == "left") last.insert_or_assign(event.agent, event.time);
    series.recorded_arrivals->assign(last.begin(), last.end());
  }
  Arrivals arrivals;
  for (const auto& [agent, time] : *series.recorded_arrivals) {
    // Who was not seen yet is not counted yet.
    const auto seen = series.first_seen.find(agent);
    if (seen != series.first_seen.end()) arrivals.list.emplace_back(time, time - static_cast<double>(seen->second) * branch.dt());
  }
  std::sort(arrivals.list.begin(), arrivals.list.end());
  return arrivals;
}

/// A branch and its parents as one.
struct Joined {
  std::vector<double> time;
  std::vector<double> present, arrived, walking, mean_speed;
  struct AtLine {
    std::vector<double> crossed, density, speed;
  };
  std::vector<AtLine> lines;
  std::vector<std::vector<double>> density, speed;  ///< by measured area
  std::size_t people = 0;                           ///< who were ever there
  bool is_complete = true;                          ///< nothing that is computed is still to be counted
  std::vector<double> travel_times;
  std::vector<StepLog::Arrival> arrivals;  ///< at goals, in order of time
  Series::Peak peak;
  std::vector<std::string> phase_names;
  std::vector<std::vector<double>> phase_ms;
};

Joined join(Branch& branch, const Document& document) {
  const auto until = end_of_slice();
  Joined out;
  const std::size_t lines = branch.scenario().lines.size(), areas = branch.scenario().density_areas.size();
  out.lines.resize(lines), out.density.resize(areas), out.speed.resize(areas);
  std::unordered_set<std::uint32_t> seen;
  for (const auto& [one, end] : stretches_of(branch)) {
    Branch& b = *one;
    if (!look_on(b, document, until)) out.is_complete = false;
    Series& series = *b.series;
    const StepLog log = b.log();
    for (const auto& [number, step] : series.first_seen)
      if (step < end) seen.insert(number);
    for (const Series::Peak& peak : series.peaks)
      if (peak.step < end && peak.density > out.peak.density) out.peak = peak;
    if (!b.is_live() && !look_up_arrivals(b, document, series, until)) out.is_complete = false;
    const double end_time = (static_cast<double>(end) - 0.5) * b.dt();
    for (const StepLog::Arrival& arrival : b.is_live() ? log.arrivals : series.arrivals)
      if (arrival.time < end_time) out.arrivals.push_back(arrival);
    const Arrivals arrivals = b.is_live() ? Arrivals{} : arrivals_of(b, series);
    std::size_t arrived = 0;
    std::vector<double> base(lines, 0);
    for (std::size_t l = 0; l < lines; ++l) base[l] = out.lines[l].crossed.empty() ? 0 : out.lines[l].crossed.back();
    if (b.is_live()) out.phase_names = log.phase_names;
    out.phase_ms.resize(out.phase_names.size());
    for (std::size_t i = 0; i < series.step.size() && series.step[i] < end; ++i) {
      const double time = static_cast<double>(series.step[i]) * b.dt();
      out.time.push_back(time);
      const bool is_logged = b.is_live() && i < log.present.size();
      while (arrived < arrivals.list.size() && arrivals.list[arrived].first <= time + 1e-9) ++arrived;
      out.present.push_back(series.present[i]);
      out.arrived.push_back(is_logged ? log.arrived[i] : static_cast<double>(arrived));
      out.walking.push_back(is_logged ? log.walking[i] : series.walking[i]);
      out.mean_speed.push_back(is_logged ? log.mean_speed[i] : series.mean_speed[i]);
      for (std::size_t l = 0; l < lines; ++l) {
        out.lines[l].crossed.push_back(base[l] + series.lines[l].crossed[i]);
        out.lines[l].density.push_back(series.lines[l].density[i]);
        out.lines[l].speed.push_back(series.lines[l].speed[i]);
      }
      for (std::size_t a = 0; a < areas; ++a) {
        out.density[a].push_back(series.densities[a][i]);
        out.speed[a].push_back(series.speeds[a][i]);
      }
      for (std::size_t p = 0; p < out.phase_ms.size(); ++p)
        out.phase_ms[p].push_back(is_logged && p < log.phase_ms.size() && i < log.phase_ms[p].size() ? log.phase_ms[p][i] : 0);
    }
    if (one == &branch) {
      if (b.is_live())
        out.travel_times = log.travel_times;
      else
        for (const auto& [time, took] : arrivals.list) out.travel_times.push_back(took);
    }
  }
  out.people = seen.size();
  return out;
}

/// At most `most` points of a list; the last one always.
Json thinned_to(std::size_t most, const std::vector<double>& values) {
  Json list = Json::array();
  const std::size_t stride = values.empty() ? 1 : (values.size() - 1) / (most - 1) + 1;
  for (std::size_t i = 0; i < values.size(); i += stride) list.push_back(rounded(values[i]));
  if (!values.empty() && (values.size() - 1) % stride != 0) list.push_back(rounded(values.back()));
  return list;
}

}  // namespace

Json series_of(Branch& branch, const Document& document, std::uint32_t points) {
  const auto thinned = [points](const std::vector<double>& values) { return thinned_to(points, values); };
  const Joined all = join(branch, document);
  const Scenario& scenario = branch.scenario();
  Json lines = Json::array(), areas = Json::array(), phases = Json::array();
  for (std::size_t l = 0; l < all.lines.size(); ++l)
    lines.push_back({{"name", scenario.lines[l].name},
                     {"flow", thinned(flow_of(all.time, all.lines[l].crossed))},
                     {"density", thinned(all.lines[l].density)},
                     {"speed", thinned(all.lines[l].speed)}});
  for (std::size_t a = 0; a < all.density.size(); ++a)
    areas.push_back({{"name", scenario.areas[scenario.density_areas[a]].name},
                     {"density", thinned(all.density[a])},
                     {"speed", thinned(all.speed[a])}});
  for (std::size_t p = 0; p < all.phase_names.size(); ++p)
    phases.push_back({{"name", all.phase_names[p]}, {"ms", thinned(all.phase_ms[p])}});
  Json goals = Json::array();
  const GoalPlaces places(scenario);
  for (const std::uint16_t goal : places.areas()) {
    std::vector<double> sum;
    std::size_t next = 0, count = 0;
    for (const double time : all.time) {
      for (; next < all.arrivals.size() && all.arrivals[next].time <= time + 1e-9; ++next)
        count += all.arrivals[next].goal == goal;
      sum.push_back(static_cast<double>(count));
    }
    if (count > 0) goals.push_back({{"name", scenario.areas[goal].name}, {"index", goal}, {"arrived", thinned(sum)}});
  }
  Json travel = Json::array();
  const std::size_t stride = all.travel_times.size() / (10 * points) + 1;
  for (std::size_t i = 0; i < all.travel_times.size(); i += stride) travel.push_back(rounded(all.travel_times[i]));
  return {{"branch", branch.number()},
          {"complete", all.is_complete},
          {"time", thinned(all.time)},
          {"present", thinned(all.present)},
          {"arrived", thinned(all.arrived)},
          {"walking", thinned(all.walking)},
          {"mean_speed", thinned(all.mean_speed)},
          {"lines", std::move(lines)},
          {"areas", std::move(areas)},
          {"travel_times", std::move(travel)},
          {"goals", std::move(goals)},
          {"phases", std::move(phases)}};
}

Json compare_branch(Branch& branch, const Document& document) {
  const Joined all = join(branch, document);
  double sum = 0;
  for (const double time : all.travel_times) sum += time;
  Json curve = Json::array();
  const std::size_t stride = all.time.size() / 500 + 1;
  for (std::size_t i = 0; i < all.time.size(); i += stride)
    curve.push_back({rounded(all.time[i]), all.present[i], all.arrived[i]});
  return {
      {"branch", branch.number()},
      {"complete", all.is_complete},
      {"people", all.people},
      {"present", all.present.empty() ? 0.0 : all.present.back()},
      {"arrived", all.arrived.empty() ? 0.0 : all.arrived.back()},
      {"mean_travel_time", all.travel_times.empty() ? Json() : Json(rounded(sum / static_cast<double>(all.travel_times.size())))},
      {"end", all.time.empty() ? 0.0 : all.time.back()},
      {"curve", std::move(curve)}};
}

Result<Json> results_of(Document& document, const std::shared_ptr<Branch>& branch, Moments& moments) {
  const Joined all = join(*branch, document);
  const Scenario& scenario = branch->scenario();
  const Distribution times = distribution_of(all.travel_times);
  Json out = {{"branch", branch->number()},
              {"complete", all.is_complete},
              {"done", branch->is_done()},
              {"time", all.time.empty() ? 0.0 : all.time.back()},
              {"people", all.people},
              {"arrived", all.arrived.empty() ? 0.0 : all.arrived.back()},
              {"still_there", all.present.empty() ? 0.0 : all.present.back()},
              {"last_arrival", all.arrivals.empty() ? Json() : Json(rounded(all.arrivals.back().time))}};
  out["travel_time"] = times.count == 0 ? Json()
                                        : Json{{"count", times.count},
                                               {"mean", rounded(times.mean)},
                                               {"median", rounded(times.median)},
                                               {"p95", rounded(times.p95)},
                                               {"high", rounded(times.high)}};
  Json goals = Json::array();
  const GoalPlaces places(scenario);
  for (const std::uint16_t goal : places.areas()) {
    std::size_t count = 0;
    double first = 0, last = 0;
    for (const StepLog::Arrival& arrival : all.arrivals) {
      if (arrival.goal != goal) continue;
      if (count++ == 0) first = arrival.time;
      last = arrival.time;
    }
    goals.push_back({{"name", scenario.areas[goal].name},
                     {"index", goal},
                     {"arrived", count},
                     {"first", count > 0 ? Json(rounded(first)) : Json()},
                     {"last", count > 0 ? Json(rounded(last)) : Json()}});
  }
  out["goals"] = std::move(goals);
  if (all.peak.density > 0) {
    const Vec2 place = all.peak.place + document.origin();
    out["peak"] = {{"density", rounded(all.peak.density)},
                   {"time", rounded(static_cast<double>(all.peak.step) * branch->dt())},
                   {"x", rounded(place.x)},
                   {"y", rounded(place.y)},
                   {"layer", all.peak.layer}};
  }
  // What only the engine knows; a file of another tool has none.
  if (const auto there = moments.at(document, branch, branch->end_step())) {
    const Tally& tally = (*there)->tally();
    const auto activity = (*there)->world().columns().activity;
    out["people"] = tally.people;
    out["arrived"] = tally.arrived;
    out["lost"] = std::count(activity.begin(), activity.end(), Activity::kLost);
    out["was_lost"] = tally.lost;
    out["stuck"] = tally.stuck;
    out["waiting_outside"] = (*there)->waiting_outside();
    Json notices = Json::array();
    for (const Problem& notice : (*there)->notices()) notices.push_back(to_string(notice));
    out["notices"] = std::move(notices);
  }
  return out;
}

}  // namespace throng::server
