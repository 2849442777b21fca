// SPDX-License-Identifier: MIT
// Trajectories as the text files of Forschungszentrum Jülich: what PeTrack writes from videos, what the Pedestrian Dynamics Data
// Archive holds, and what JuPedSim's tools and PedPy read.
//
//   # framerate: 25 fps
//   # id frame x/m y/m z/m
//   1 0 3.30 3.33 1.76
//
// Lines with # are comments; of them the reader understands the frame rate, the names of the columns with their unit (m or cm),
// and our own "# geometry: WKT". Columns may be in any order and followed by others; without names they are id frame x y z. Older
// files name neither rate nor unit: the caller then says them.
#pragma once
#include <string>
#include <string_view>

#include <throng/result.hpp>

#include "trajectory/trajectory.hpp"

namespace throng {

/// What a file leaves out. What it says itself counts more.
struct JuelichTextSettings {
  double frames_per_second = 0;  ///< 0: the file must say it
  double unit_metres = 0;        ///< 1 for metres, 0.01 for centimetres; 0: the file must say it
};

/// Problems name the line; at most 20 are reported.
Result<Trajectory> read_juelich_text(std::string_view text, const std::string& name, const JuelichTextSettings& settings = {});

/// Metres; numbers have as many digits as it takes to read the same floats again.
std::string write_juelich_text(const Trajectory& trajectory);

}  // namespace throng
