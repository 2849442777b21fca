// SPDX-License-Identifier: MIT
// "Did you mean": the known name nearest to a mistyped one. Verbs, options, keys, models, scenes and doors all ask here.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace throng {

/// Returns the name that is at most two typing mistakes away from `name` (one, if it has fewer than five letters); failing that
/// the only one that begins with it (three letters at least). A mistake is a letter too many, too few or wrong, or two letters
/// exchanged. Upper and lower case are alike. Of equally near names the first is returned. O(names × length²).
std::optional<std::string_view> nearest_name(std::string_view name, std::span<const std::string_view> names);

/// "a, b, c", with "…" in place of what is beyond `most` names.
std::string listed(std::span<const std::string_view> names, std::size_t most = 12);

}  // namespace throng
