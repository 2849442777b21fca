// SPDX-License-Identifier: MIT
// Which potential field of a replayed run a picture shows, and what it is called.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <throng/fields.hpp>
#include <throng/result.hpp>

#include "draw/field_picture.hpp"
#include "scenario/replay.hpp"

namespace throng::cli {

/// "potential", "density", "speed", "velocity".
FieldShow field_show(const std::string& name);

struct ChosenField {
  FieldInfo info;
  std::vector<FieldTile> tiles;
  std::string words;  ///< "70 people to east"
};
/// The fields by which people walked on from the present moment: computed with the next step, which is taken. The set of a
/// number, or that of the most people.
Result<ChosenField> choose_field(Replay& replay, std::optional<std::uint32_t> set);

}  // namespace throng::cli
