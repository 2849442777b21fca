// SPDX-License-Identifier: MIT
// Numbers as the studio's messages carry them: in thousandths, so that a page is not sent digits that it cannot show.
#pragma once
#include <cmath>

#include <throng/vec.hpp>

#include "message.hpp"

namespace throng::server {

inline double rounded(double value) { return std::round(value * 1000) / 1000; }
inline Json rounded_point(Vec2 p) { return {rounded(p.x), rounded(p.y)}; }

}  // namespace throng::server
