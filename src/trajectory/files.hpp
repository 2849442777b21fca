// SPDX-License-Identifier: MIT
// Trajectories by file name: whatever of the three formats it is.
#pragma once
#include <optional>
#include <string>

#include <throng/result.hpp>

#include "trajectory/juelich_text.hpp"
#include "trajectory/trajectory.hpp"

namespace throng {

struct TrajectoryFile {
  Trajectory trajectory;
  std::string format;  ///< "recording", "jupedsim sqlite" or "juelich text"
  std::string notice;  ///< something the user should know, such as a recording that ended early; empty otherwise
};

/// The content decides, not the ending: a recording, a SQLite database, anything else is text.
Result<TrajectoryFile> read_trajectory(const std::string& path, const JuelichTextSettings& text = {});
/// The ending decides: .sqlite (JuPedSim) or .txt (Jülich). A file that was there before is replaced once the new one is
/// complete.
[[nodiscard]] std::optional<Problem> write_trajectory(const Trajectory& trajectory, const std::string& path);

}  // namespace throng
