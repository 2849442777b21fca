// SPDX-License-Identifier: MIT
// Charts: what is counted of a run, step by step. From the stored frames, live or not; each frame is looked at once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "geometry/polygon.hpp"
#include "scenario/scenario.hpp"
#include "studio_questions.hpp"

namespace throng::server {

/// One entry a frame in every list.
struct Series {
  std::vector<std::uint64_t> step;
  std::vector<float> present, walking, mean_speed;
  std::vector<std::vector<std::uint32_t>> crossings;  ///< by line: so far
  std::vector<std::vector<float>> densities, speeds;  ///< by measured area
  std::unordered_map<std::uint32_t, std::uint64_t> first_seen;
  FramePointer last;
};

namespace {

constexpr std::size_t kMostPoints = 2000;
constexpr std::uint16_t kWalks = 10;  // cm/s
constexpr double kFlowWindow = 5;     // s

double rounded(double value) { return std::round(value * 1000) / 1000; }

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

void add_frame(Series& series, const Branch& branch, const Document& document, const FramePointer& frame) {
  const Scenario& scenario = branch.scenario();
  const Vec2 low = document.low() - document.origin();
  const auto place = [&](const FrameRow& row) { return Vec2{low.x + 0.01 * row.x, low.y + 0.01 * row.y}; };
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

  series.crossings.resize(scenario.lines.size());
  for (std::size_t l = 0; l < scenario.lines.size(); ++l) {
    const ScenarioLine& line = scenario.lines[l];
    std::uint32_t count = series.crossings[l].empty() ? 0 : series.crossings[l].back();
    const Vec2 along = line.to - line.from;
    if (series.last) {
      std::size_t at = 0;
      const std::vector<FrameRow>& before = series.last->rows;
      for (const FrameRow& row : frame->rows) {
        while (at < before.size() && before[at].number < row.number) ++at;
        if (at == before.size() || before[at].number != row.number || row.layer != line.layer) continue;
        const Vec2 p = place(before[at]), q = place(row);
        const double a = cross(along, p - line.from), b = cross(along, q - line.from);
        if ((a >= 0) == (b >= 0) || distance(p, q) > 5) continue;
        const double where = dot(p + (a / (a - b)) * (q - p) - line.from, along);
        count += where >= 0 && where <= dot(along, along);
      }
    }
    series.crossings[l].push_back(count);
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
        const Vec2 p = place(row);
        if (row.layer != part.layer || p.x < box.low.x || p.y < box.low.y || p.x > box.high.x || p.y > box.high.y) continue;
        if (!contains(part.shape, p)) continue;
        ++inside;
        sum += 0.01 * row.speed;
      }
    }
    series.densities[a].push_back(static_cast<float>(inside / area_of(area)));
    series.speeds[a].push_back(inside > 0 ? static_cast<float>(sum / inside) : 0);
  }
  series.last = frame;
}

/// Brings a branch's own series up to its present.
const Series& up_to_date(Branch& branch, const Document& document) {
  if (!branch.series) branch.series = std::make_shared<Series>();
  Series& series = *branch.series;
  FrameStore& frames = branch.frames();
  for (std::uint64_t number = series.step.size(); number < frames.frame_count(); ++number) {
    const auto frame = frames.at(number);
    if (!frame) break;
    add_frame(series, branch, document, *frame);
  }
  return series;
}

/// How many had arrived, and when: of a live run from its tally, of a file from its events.
struct Arrivals {
  std::vector<std::pair<double, double>> list;  ///< time, and how long it took
};
Arrivals arrivals_of(Branch& branch, const Series& series) {
  Arrivals arrivals;
  const auto recording = branch.frames().recording();
  if (!recording) return arrivals;
  const auto events = (*recording)->events();
  if (!events) return arrivals;
  std::unordered_map<std::uint32_t, double> last;
  for (const RecordedEvent& event : *events)
    if (event.kind == "arrived" || event.kind == "left") last.insert_or_assign(event.agent, event.time);
  for (const auto& [agent, time] : last) {
    const auto seen = series.first_seen.find(agent);
    const double born = seen == series.first_seen.end() ? 0 : static_cast<double>(seen->second) * branch.dt();
    arrivals.list.emplace_back(time, time - born);
  }
  std::sort(arrivals.list.begin(), arrivals.list.end());
  return arrivals;
}

/// A branch and its parents as one.
struct Joined {
  std::vector<double> time;
  std::vector<double> present, arrived, walking, mean_speed;
  std::vector<std::vector<double>> flow, density, speed;
  std::size_t people = 0;  ///< who were ever there
  std::vector<double> travel_times;
  std::vector<std::string> phase_names;
  std::vector<std::vector<double>> phase_ms;
};

Joined join(Branch& branch, const Document& document) {
  std::vector<Branch*> chain;
  for (Branch* b = &branch; b != nullptr; b = b->parent().get()) chain.insert(chain.begin(), b);
  Joined out;
  const std::size_t lines = branch.scenario().lines.size(), areas = branch.scenario().density_areas.size();
  out.flow.resize(lines), out.density.resize(areas), out.speed.resize(areas);
  std::vector<std::vector<double>> crossings(lines);
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t c = 0; c < chain.size(); ++c) {
    Branch& b = *chain[c];
    const Series& series = up_to_date(b, document);
    const StepLog log = b.log();
    const std::uint64_t end = c + 1 < chain.size() ? chain[c + 1]->first_step() : std::numeric_limits<std::uint64_t>::max();
    for (const auto& [number, step] : series.first_seen)
      if (step < end) seen.insert(number);
    const Arrivals arrivals = b.is_live() ? Arrivals{} : arrivals_of(b, series);
    std::size_t arrived = 0;
    std::vector<double> base(lines, 0);
    for (std::size_t l = 0; l < lines; ++l) base[l] = crossings[l].empty() ? 0 : crossings[l].back();
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
      for (std::size_t l = 0; l < lines; ++l) crossings[l].push_back(base[l] + series.crossings[l][i]);
      for (std::size_t a = 0; a < areas; ++a) {
        out.density[a].push_back(series.densities[a][i]);
        out.speed[a].push_back(series.speeds[a][i]);
      }
      for (std::size_t p = 0; p < out.phase_ms.size(); ++p)
        out.phase_ms[p].push_back(is_logged && p < log.phase_ms.size() && i < log.phase_ms[p].size() ? log.phase_ms[p][i] : 0);
    }
    if (c + 1 == chain.size()) {
      if (b.is_live())
        out.travel_times = log.travel_times;
      else
        for (const auto& [time, took] : arrivals.list) out.travel_times.push_back(took);
    }
  }
  out.people = seen.size();
  // Flow: crossings within the last seconds.
  for (std::size_t l = 0; l < lines; ++l) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < out.time.size(); ++i) {
      while (out.time[i] - out.time[from] > kFlowWindow) ++from;
      const double seconds = out.time[i] - out.time[from];
      out.flow[l].push_back(seconds > 0 ? (crossings[l][i] - crossings[l][from]) / std::max(seconds, 1.0) : 0);
    }
  }
  return out;
}

/// At most kMostPoints of a list; the last one always.
Json thinned(const std::vector<double>& values) {
  Json list = Json::array();
  const std::size_t stride = values.empty() ? 1 : (values.size() - 1) / (kMostPoints - 1) + 1;
  for (std::size_t i = 0; i < values.size(); i += stride) list.push_back(rounded(values[i]));
  if (!values.empty() && (values.size() - 1) % stride != 0) list.push_back(rounded(values.back()));
  return list;
}

}  // namespace

Json series_of(Branch& branch, const Document& document) {
  const Joined all = join(branch, document);
  const Scenario& scenario = branch.scenario();
  Json lines = Json::array(), areas = Json::array(), phases = Json::array();
  for (std::size_t l = 0; l < all.flow.size(); ++l)
    lines.push_back({{"name", scenario.lines[l].name}, {"flow", thinned(all.flow[l])}});
  for (std::size_t a = 0; a < all.density.size(); ++a)
    areas.push_back({{"name", scenario.areas[scenario.density_areas[a]].name},
                     {"density", thinned(all.density[a])},
                     {"speed", thinned(all.speed[a])}});
  for (std::size_t p = 0; p < all.phase_names.size(); ++p)
    phases.push_back({{"name", all.phase_names[p]}, {"ms", thinned(all.phase_ms[p])}});
  Json travel = Json::array();
  const std::size_t stride = all.travel_times.size() / 20000 + 1;
  for (std::size_t i = 0; i < all.travel_times.size(); i += stride) travel.push_back(rounded(all.travel_times[i]));
  return {{"branch", branch.number()},       {"time", thinned(all.time)},       {"present", thinned(all.present)},
          {"arrived", thinned(all.arrived)}, {"walking", thinned(all.walking)}, {"mean_speed", thinned(all.mean_speed)},
          {"lines", std::move(lines)},       {"areas", std::move(areas)},       {"travel_times", std::move(travel)},
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
      {"people", all.people},
      {"present", all.present.empty() ? 0.0 : all.present.back()},
      {"arrived", all.arrived.empty() ? 0.0 : all.arrived.back()},
      {"mean_travel_time", all.travel_times.empty() ? Json() : Json(rounded(sum / static_cast<double>(all.travel_times.size())))},
      {"end", all.time.empty() ? 0.0 : all.time.back()},
      {"curve", std::move(curve)}};
}

}  // namespace throng::server
