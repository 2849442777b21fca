// SPDX-License-Identifier: MIT
// Scenes that need no file: "city:2600", "office:40", with an optional ",seed=7".
#pragma once
#include <optional>
#include <string_view>

#include <throng/result.hpp>
#include <throng/scene.hpp>

namespace throng {

/// The built-in scene that `spec` names, or why its numbers are not allowed; nothing if `spec` is not a built-in name (then it is
/// a file).
std::optional<Result<Scene>> make_builtin(std::string_view spec);
/// Whether `spec` names one, with numbers right or wrong.
bool is_builtin(std::string_view spec);

}  // namespace throng
