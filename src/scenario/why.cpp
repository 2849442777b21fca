// SPDX-License-Identifier: MIT
#include "scenario/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

using Json = nlohmann::ordered_json;

std::string velocity_words(Vec2 v) {
  const double speed = length(v);
  if (speed < 0.005) return "standing";
  constexpr double kDegrees = 57.29577951308232;
  return fmt::format("{:.2f} m/s at {:.0f}°", speed, std::atan2(v.y, v.x) * kDegrees);
}

std::string person_words(std::uint32_t number) {
  return number == 0 ? std::string("the middle of a group") : fmt::format("person {}", number);
}

const char* words_of(CollisionType type) {
  switch (type) {
    case CollisionType::kStatic:
      return "stands in the way";
    case CollisionType::kRear:
      return "comes from behind";
    case CollisionType::kFront:
      return "comes towards it";
    case CollisionType::kBack:
      return "is caught up with";
  }
  return "";
}

const char* words_of(Influence influence) {
  switch (influence) {
    case Influence::kGuidance:
      return "its way asks for";
    case Influence::kLookAhead:
      return "looking ahead it turns round the crowd";
    case Influence::kPersonalSpace:
      return "it keeps its distance from people and walls";
    case Influence::kHeadway:
      return "it adapts to whoever is ahead";
    case Influence::kWalls:
      return "walls turn it aside";
    case Influence::kPrediction:
      return "it avoids predicted collisions";
    case Influence::kArriving:
      return "it slows down before its goal";
    case Influence::kAside:
      return "it walks to a place aside";
    case Influence::kMakeWay:
      return "it makes way for somebody who wants through";
    case Influence::kBrake:
      return "it brakes for an imminent collision";
    case Influence::kInertia:
      return "its body changes velocity only so fast";
    case Influence::kSecurity:
      return "it does not walk into anybody in this step";
    case Influence::kYield:
      return "it yields to somebody with more urge";
  }
  return "";
}

void add_rules(const RulesDecision& d, std::vector<std::string>& lines) {
  lines.push_back(fmt::format(
      "on the tile at ({:.2f}, {:.2f}) it wanted the one at ({:.2f}, {:.2f}); priority {}, blocked for {} steps{}", d.from.x,
      d.from.y, d.wanted.x, d.wanted.y, d.priority, d.blocked, d.replanned ? ", has planned a way round" : ""));
  if (d.met) {
    lines.push_back(fmt::format("met {}: {}, {}; it is agent {} of the pair",
                                d.opponent == 0 ? std::string("an obstacle") : person_words(d.opponent), name_of(d.collision),
                                name_of(d.type), d.is_first ? 1 : 2));
    for (std::uint8_t row = 0; row < d.rows; ++row)
      lines.push_back(fmt::format("  row {}: {}{}", row + 1, name_of(d.reasons[row]),
                                  d.whose[row] == 0 ? "" : fmt::format(" (agent {})", d.whose[row])));
    lines.push_back(d.row >= 0 ? fmt::format("took row {} of the table", d.row + 1) : "no row was possible");
  } else {
    lines.push_back("met nobody");
  }
  lines.push_back(fmt::format("did: {}, to ({:.2f}, {:.2f})", name_of(d.behaviour), d.taken.x, d.taken.y));
}

Json json_of(Vec2 v) { return {v.x, v.y}; }

}  // namespace

std::optional<Explanation> explain_step(Simulation& simulation, AgentId agent) {
  simulation.world().watch(agent);
  simulation.step();
  const std::optional<Explanation> said = simulation.world().explanation();
  simulation.world().watch({});
  return said;
}

Result<Explanation> why_at(Replay& replay, std::uint32_t number, double time) {
  if (const auto went = replay.go_to_time(time); !went) return went.problems();
  AgentId who;
  const World::Columns rows = replay.world().columns();
  for (std::uint32_t row = 0; row < rows.number.size() && !who; ++row)
    if (rows.number[row] == number) who = replay.world().id_at(row);
  if (!who) {
    const auto range = std::minmax_element(rows.number.begin(), rows.number.end());
    return Problem{fmt::format("person {}", number), fmt::format("is not there at {:g} s", replay.world().time()),
                   rows.number.empty() ? "nobody is: name another time"
                                       : fmt::format("people from {} to {} are", *range.first, *range.second)};
  }
  const std::optional<Explanation> said = explain_step(replay.simulation(), who);
  if (!said)
    return Problem{fmt::format("person {}", number), "was not looked at in this step: it rode a lift, or kept its velocity",
                   "name a moment some tenths of a second later"};
  return *said;
}

std::vector<std::string> lines_of(const Explanation& why) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("person {} at {:.2f} s, at ({:.2f}, {:.2f}), {}, by the model {}", why.number, why.time,
                              why.place.x, why.place.y, velocity_words(why.velocity_before), why.model));
  if (why.rules) {
    add_rules(*why.rules, lines);
  } else {
    for (const InfluenceStep& step : why.steps)
      lines.push_back(fmt::format("{}: {}", words_of(step.influence), velocity_words(step.velocity)));
    for (const PredictedMeeting& meeting : why.meetings)
      lines.push_back(fmt::format("with {} it would meet {} in {:.1f} s, who {}", velocity_words(meeting.velocity),
                                  person_words(meeting.other), meeting.time, words_of(meeting.type)));
    for (const TriedReaction& tried : why.tried)
      lines.push_back(fmt::format(
          "  {} for {}: {}{}", name_of(tried.module), person_words(tried.against),
          tried.quality > 0 ? fmt::format("{}, quality {:.2f}, ", velocity_words(tried.velocity), tried.quality) : std::string(),
          tried.is_taken ? "taken" : tried.not_because));
    if (why.accepts_meeting) lines.push_back("that collision is left to the other one");
    if (why.is_emergency) lines.push_back("somebody is too close: the two are pushed apart");
    if (why.is_best_of_bad) lines.push_back("nothing avoids everybody: the best of it, slower");
    if (why.meetings.empty() && !why.is_emergency) lines.push_back("met nobody");
  }
  lines.push_back(fmt::format("decided: {}; moved: {}", velocity_words(why.velocity), velocity_words(why.moved)));
  return lines;
}

nlohmann::ordered_json json_of(const Explanation& why) {
  Json document{{"number", why.number},
                {"step", why.step},
                {"time", why.time},
                {"model", why.model},
                {"level", why.level},
                {"place", json_of(why.place)},
                {"velocity_before", json_of(why.velocity_before)}};
  document["influences"] = Json::array();
  for (const InfluenceStep& step : why.steps)
    document["influences"].push_back({{"influence", name_of(step.influence)}, {"velocity", json_of(step.velocity)}});
  document["meetings"] = Json::array();
  for (const PredictedMeeting& m : why.meetings)
    document["meetings"].push_back(
        {{"other", m.other}, {"class", name_of(m.type)}, {"in_s", m.time}, {"velocity", json_of(m.velocity)}});
  document["tried"] = Json::array();
  for (const TriedReaction& t : why.tried)
    document["tried"].push_back({{"module", name_of(t.module)},
                                 {"against", t.against},
                                 {"class", name_of(t.type)},
                                 {"velocity", json_of(t.velocity)},
                                 {"quality", t.quality},
                                 {"is_taken", t.is_taken},
                                 {"not_because", t.not_because}});
  document["accepts_meeting"] = why.accepts_meeting;
  document["is_emergency"] = why.is_emergency;
  document["is_best_of_bad"] = why.is_best_of_bad;
  if (why.rules) {
    const RulesDecision& d = *why.rules;
    Json rows = Json::array();
    for (std::uint8_t row = 0; row < d.rows; ++row)
      rows.push_back({{"reason", name_of(d.reasons[row])}, {"agent", d.whose[row]}});
    document["rules"] = {{"behaviour", name_of(d.behaviour)},
                         {"met", d.met},
                         {"class", name_of(d.collision)},
                         {"type", name_of(d.type)},
                         {"opponent", d.opponent},
                         {"is_first", d.is_first},
                         {"row", d.row},
                         {"rows", rows},
                         {"from", json_of(d.from)},
                         {"wanted", json_of(d.wanted)},
                         {"taken", json_of(d.taken)},
                         {"blocked", d.blocked},
                         {"replanned", d.replanned},
                         {"priority", d.priority}};
  }
  document["velocity"] = json_of(why.velocity);
  document["moved"] = json_of(why.moved);
  document["words"] = lines_of(why);
  return document;
}

}  // namespace throng
