// SPDX-License-Identifier: MIT
#include "draw/open_canvas.hpp"

#include <algorithm>

#include "draw/png_canvas.hpp"
#include "draw/svg_canvas.hpp"

namespace throng {

Result<std::unique_ptr<Canvas>> open_canvas(const std::string& path, const CanvasSettings& settings) {
  std::string ending = path.size() < 4 ? "" : path.substr(path.size() - 4);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (ending == ".svg") return std::unique_ptr<Canvas>(std::make_unique<SvgCanvas>(settings));
  if (ending == ".png") return std::unique_ptr<Canvas>(std::make_unique<PngCanvas>(settings));
  return Problem{path, "pictures are written as .svg or .png", "choose a file name with one of these endings"};
}

}  // namespace throng
