// SPDX-License-Identifier: MIT
// The canvas a file name asks for.
#pragma once
#include <memory>
#include <string>

#include "draw/canvas.hpp"

namespace throng {

/// An SvgCanvas for "….svg", a PngCanvas for "….png" (any case); a Problem for other endings. Nothing is written before `save`.
Result<std::unique_ptr<Canvas>> open_canvas(const std::string& path, const CanvasSettings& settings);

}  // namespace throng
