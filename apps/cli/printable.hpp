// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace throng::cli {

/// Returns the text with U+FFFD for what a terminal could take for a command, and for bytes that are no UTF-8: names come from
/// files.
std::string printable(std::string_view text);

}  // namespace throng::cli
