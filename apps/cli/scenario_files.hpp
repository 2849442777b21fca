// SPDX-License-Identifier: MIT
// How a SCENARIO is named on the command line.
#pragma once
#include <filesystem>
#include <string>

#include <throng/result.hpp>

namespace throng::cli {

/// A file, or the name of a scenario that comes with the program ("bottleneck"): scenes/NAME.json here, beside the program or
/// above it. A problem lists the names there are.
Result<std::filesystem::path> find_scenario(const std::string& scenario);

}  // namespace throng::cli
