// SPDX-License-Identifier: MIT
// Pictures and videos of recordings, for `draw` and `demo`.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "trajectory/juelich_text.hpp"

namespace throng::cli {

struct RecordingPicture {
  std::string recording;  ///< a file of any of the three formats, or the folder of a run
  std::string output;     ///< .svg, .png or .mp4
  std::string show = "frame";
  std::string people = "dots";  ///< or "figures": in perspective
  bool with_people = false;     ///< in a density map: those of the moment
  std::string color;            ///< empty: the speed of dots, the clothes of figures
  std::string field = "potential";   ///< what of a field, with show == "field"
  std::optional<std::uint32_t> set;  ///< whose; default: that of the most people
  std::optional<double> time;        ///< of a frame, default the middle; where a video begins, default 0
  std::optional<double> length;      ///< of a video, seconds it plays; default: all
  std::string camera;                ///< of figures: X,Y,Z,X,Y,Z; otherwise from `turn` and `tilt`
  double turn = 0, tilt = 35;        ///< degrees
  std::string crop;
  std::string title;
  std::uint16_t layer = 0;
  double pixel_width = 1600;
  double frames_per_second = 25;
  double speed = 1;
  JuelichTextSettings text;  ///< what a text file leaves out
  bool json = false;
  bool quiet = false;
};

/// Whether this names a recording rather than a scene.
bool is_recording(const std::string& path);
/// The recording's file, if the folder of a run is named.
std::string recording_file(const std::string& path);
/// Exit status, with problems reported; what was drawn is printed, or handed over if somebody asks for it.
int draw_recording(const RecordingPicture& picture, nlohmann::json* drawn = nullptr);

}  // namespace throng::cli
