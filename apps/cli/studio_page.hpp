// SPDX-License-Identifier: MIT
// The studio's built page, and a recording inside it as one file.
#pragma once
#include <filesystem>
#include <string>

#include <throng/result.hpp>

namespace throng::cli {

/// The folder of the built page: where the environment says, beside the program, or in the source tree above it; empty if it is
/// not built.
std::filesystem::path find_page();

/// Writes a page that replays a recording in 3D without a server, from one moment to another. Goals of people, which a
/// recording does not hold, take another run of the scenario.
Result<bool> write_page(const std::string& recording, const std::string& output, double from, double to, bool with_goals);

}  // namespace throng::cli
