// SPDX-License-Identifier: MIT
// Runs as files to take away, and pictures of scenes.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include <throng/result.hpp>

#include "document.hpp"

namespace throng::server {

struct ExportSettings {
  double from = 0, to = 1e9;  ///< s
  double speed = 1;           ///< of a video, times real time
  double pixel_width = 1280;
  std::uint32_t layer = 0;
  bool with_goals = true;  ///< of a page: what a recording lacks is found by running it again
  std::filesystem::path page;  ///< the built page
};

// Each writes a file of its own in the document's workshop.
/// The recording as far as it is. Of a branch: with the scenario that leads to it, from the moment it left its parent.
Result<std::filesystem::path> export_recording(Document& document, Branch& branch);
/// The page with the run inside: plays anywhere, without a server.
Result<std::filesystem::path> export_html(Document& document, const std::shared_ptr<Branch>& branch,
                                          const ExportSettings& settings);
/// By ffmpeg, as `throng draw -o x.mp4` makes it.
Result<std::filesystem::path> export_video(Document& document, Branch& branch, const ExportSettings& settings);

/// A picture of a scenario some seconds after its start, in the colours of the page by day or by night; kept in `folder` and, across starts, in the user's cache.
Result<std::filesystem::path> scene_picture(const std::filesystem::path& scenario, const std::filesystem::path& folder, bool dark);

/// Letters, digits and a few signs: for names of files.
std::string printable_name(const std::string& name);
std::string base64(std::string_view bytes);

}  // namespace throng::server
