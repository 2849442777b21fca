// SPDX-License-Identifier: MIT
#include <throng/reactive.hpp>

namespace throng {
namespace {

constexpr int kStatic = static_cast<int>(CollisionType::kStatic), kRear = static_cast<int>(CollisionType::kRear),
              kFront = static_cast<int>(CollisionType::kFront), kBack = static_cast<int>(CollisionType::kBack);
constexpr int kRight = static_cast<int>(ReactionModule::kRight), kLeft = static_cast<int>(ReactionModule::kLeft),
              kDecelerate = static_cast<int>(ReactionModule::kDecelerate),
              kAccelerate = static_cast<int>(ReactionModule::kAccelerate);

/// What all three share: changing speed for those met or caught up with, and letting those behind look out themselves.
ReactionTable speed_changes(const char* name) {
  ReactionTable table;
  table.name = name;
  for (int type : {kFront, kBack}) {
    table.rows[type][kDecelerate] = {true, 1, 1, 1};
    table.rows[type][kAccelerate] = {true, 1, 5, 1};
  }
  table.accepts[kRear] = true;
  return table;
}

}  // namespace

ReactionTable driving_rule() {
  ReactionTable table = speed_changes("driving_rule");
  table.rows[kFront][kRight] = table.rows[kStatic][kRight] = {true, 1, 1, 1};
  table.rows[kBack][kLeft] = table.rows[kStatic][kLeft] = {true, 1, 1, 1};
  return table;
}

ReactionTable minimal_adjustment() {
  ReactionTable table = speed_changes("minimal_adjustment");
  for (int type : {kFront, kBack, kStatic}) table.rows[type][kRight] = table.rows[type][kLeft] = {true, 1, 1, 1};
  return table;
}

ReactionTable keep_right(float wrong_side) {
  ReactionTable table = minimal_adjustment();
  table.name = "keep_right";
  table.rows[kFront][kLeft].factor = table.rows[kStatic][kLeft].factor = wrong_side;
  table.rows[kBack][kRight].factor = wrong_side;
  return table;
}

ReactiveSettings reactive() { return {}; }

ReactiveSettings reactive_2004() {
  ReactiveSettings settings;
  settings.name = "reactive_2004";
  settings.table = driving_rule();
  settings.margin = 0.1f;
  settings.max_pops = 32;
  settings.printed_security = true;
  settings.max_acceleration = 2.5f;
  settings.look_ahead = settings.headway = settings.wall_slide = settings.directional_security = settings.yielding =
      settings.squeeze = false;
  return settings;
}

}  // namespace throng
