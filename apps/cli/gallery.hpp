// SPDX-License-Identifier: MIT
// A page with a picture of every named scene, for `throng demo --gallery`.
#pragma once
#include <string>

namespace throng::cli {

struct GalleryArguments {
  std::string folder;
  bool quiet = false, json = false;
};

/// Writes FOLDER/gallery.md and FOLDER/images/gallery/NAME.jpg. Exit status, with problems reported.
int make_gallery(const GalleryArguments& arguments);

}  // namespace throng::cli
