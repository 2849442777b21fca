// SPDX-License-Identifier: MIT
// Trajectories as JuPedSim's SQLite files: JuPedSim's own viewer, PedPy and Blender's importer open them.
//
// Written is version 2, exactly: trajectory_data(frame, id, pos_x, pos_y, ori_x, ori_y) with an index on (frame, id),
// metadata(key, value) with version, fps, xmin, xmax, ymin, ymax; geometry(hash, wkt); frame_data(frame, geometry_hash). The
// format has no place for radii, speeds, heights and layers: they are left out. Where the ground is unknown, the rectangle around
// all positions stands for it, because the readers insist on one.
//
// Read are versions 1 (geometry without a hash) to 3 (no orientation). A file may come from anywhere: tables must be plain
// tables, no row is believed that the file is too small to hold, and what SQLite finds corrupt is a Problem.
#pragma once
#include <optional>
#include <string>

#include <throng/result.hpp>

#include "trajectory/trajectory.hpp"

namespace throng {

/// Replaces the file, once the new one is complete.
[[nodiscard]] std::optional<Problem> write_jupedsim_sqlite(const Trajectory& trajectory, const std::string& path);
Result<Trajectory> read_jupedsim_sqlite(const std::string& path);

}  // namespace throng
