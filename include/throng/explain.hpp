// SPDX-License-Identifier: MIT
// Why somebody does what it does: what it wanted, whom it would have met, what was tried about it, and what was taken.
//
//   world.watch(anna);                       // steps note her decision from now on; nothing else changes
//   world.step();
//   if (const auto why = world.explanation()) for (const auto& t : why->tried) …
//
// A decision is made a second time, with a witness, by the very code that moves people; who is not watched costs nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <throng/reactive.hpp>
#include <throng/rules.hpp>
#include <throng/vec.hpp>

namespace throng {

/// What changed the velocity on the way from guidance to the one that was taken, in this order. Of the model `reactive` unless
/// said.
enum class Influence : std::uint8_t {
  kGuidance,       ///< by the corridor, the field or the leader; of all models
  kLookAhead,      ///< round a crowd ahead
  kPersonalSpace,  ///< away from people and walls that are close
  kHeadway,        ///< as slow as whoever is ahead asks for
  kWalls,          ///< along walls
  kPrediction,     ///< the best answer to predicted collisions
  kArriving,       ///< slower before the goal; of `short_term`
  kAside,          ///< to a place beside the way; of `short_term`
  kMakeWay,        ///< aside and back for somebody who wants through
  kBrake,          ///< as printed: in proportion to the time to the next collision
  kInertia,        ///< no faster change than the body allows; of both
  kSecurity,       ///< not into anybody in this step
  kYield,          ///< back for somebody with more urge
};
const char* name_of(Influence influence);
const char* name_of(CollisionType type);
const char* name_of(ReactionModule module);

struct InfluenceStep {
  Influence influence;
  Vec2 velocity;  ///< after it, m/s
};

/// Somebody in the way of a velocity that was considered.
struct PredictedMeeting {
  std::uint32_t other = 0;  ///< number; 0: the middle of a group
  CollisionType type = CollisionType::kFront;
  double time = 0;  ///< s from now
  Vec2 velocity;    ///< that was considered
};

/// A proposal of a reaction module, or a place aside.
struct TriedReaction {
  ReactionModule module = ReactionModule::kRight;  ///< of short_term: kRight and kLeft
  std::uint32_t against = 0;                       ///< number of whom it answers
  CollisionType type = CollisionType::kFront;
  Vec2 velocity;            ///< proposed; of short_term the place, relative
  double quality = 0;       ///< 0 to 1; 0: it has no answer
  bool is_taken = false;    ///< it became the answer
  std::string not_because;  ///< why it did not
};

struct Explanation {
  std::uint32_t number = 0;
  std::uint64_t step = 0;  ///< that was decided
  double time = 0;         ///< s, before it
  std::string model;       ///< by which it walked in this step
  std::uint8_t level = 0;
  Vec2 place, velocity_before;
  std::vector<InfluenceStep> steps;  ///< only those that changed something, after kGuidance
  std::vector<PredictedMeeting> meetings;
  std::vector<TriedReaction> tried;
  bool accepts_meeting = false;        ///< the last of them: the table lets such a collision be
  bool is_emergency = false;           ///< of short_term: somebody is too close, people are pushed apart
  bool is_best_of_bad = false;         ///< nothing avoided everything
  std::optional<RulesDecision> rules;  ///< of `rules`
  Vec2 velocity;                       ///< that the model decided on
  Vec2 moved;                          ///< how it really moved, m/s: others push, walls stop
};

}  // namespace throng
