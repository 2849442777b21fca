// SPDX-License-Identifier: MIT
#include "frame_codec.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace throng::server {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are sent as they lie in memory");
constexpr std::uint32_t kNowhere = 0xffffffffu;
constexpr std::int32_t kMost = 7;  // cm in half a byte
constexpr char kUnmoved = static_cast<char>(0x88);

template <class... Values>
void put(std::string& out, Values... values) {
  (out.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
}

void put_row(std::string& out, const FrameRow& r) {
  put(out, r.number, r.x, r.y, r.z, r.heading, r.layer, r.level, r.model, r.kind, r.group, r.goal, r.radius, r.figure,
      r.preferred, r.speed);
}

bool fits_short(std::int64_t value) { return value >= INT16_MIN && value <= INT16_MAX; }

}  // namespace

std::string FrameCoder::encode(const Frame& frame, std::uint16_t branch) {
  const bool is_key = is_fresh_ || branch != branch_;
  is_fresh_ = false;
  branch_ = branch;
  if (is_key) known_.clear();

  // Both lists by number, side by side. The viewer's is in order but for those who came back from a ride.
  const auto by_number = [&](std::uint32_t a, std::uint32_t b) { return known_[a].row.number < known_[b].row.number; };
  order_.resize(known_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  if (!std::is_sorted(order_.begin(), order_.end(), by_number)) std::sort(order_.begin(), order_.end(), by_number);
  row_of_.assign(known_.size(), kNowhere);
  added_.clear();
  std::size_t at = 0;
  for (std::uint32_t r = 0; r < frame.rows.size(); ++r) {
    const std::uint32_t number = frame.rows[r].number;
    while (at < order_.size() && known_[order_[at]].row.number < number) ++at;
    if (at < order_.size() && known_[order_[at]].row.number == number)
      row_of_[order_[at++]] = r;
    else
      added_.push_back(r);
  }
  removed_.clear();
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < known_.size(); ++i) {
    if (row_of_[i] == kNowhere) {
      removed_.push_back(i);
      continue;
    }
    if (kept != i) known_[kept] = known_[i];
    row_of_[kept++] = row_of_[i];
  }
  known_.resize(kept);

  changed_.clear();
  codes_.clear(), escapes_.clear(), headings_.clear(), heights_.clear();
  bool has_heights = false;
  for (std::uint32_t i = 0; i < kept; ++i) {
    Known& known = known_[i];
    const FrameRow& row = frame.rows[row_of_[i]];
    const std::int64_t dx = std::int64_t{row.x} - known.row.x - known.step_x,
                       dy = std::int64_t{row.y} - known.row.y - known.step_y;
    const int dz = row.z - known.row.z;
    headings_.push_back(static_cast<char>(row.heading));
    if (!row.has_attributes_of(known.row) || !fits_short(dx) || !fits_short(dy) || dz < -127 || dz > 127) {
      changed_.push_back(i);
      codes_.push_back(kUnmoved);
      heights_.push_back(0);
      known = {row, 0, 0};
      continue;
    }
    if (dx >= -kMost && dx <= kMost && dy >= -kMost && dy <= kMost) {
      codes_.push_back(static_cast<char>((dx + 8) << 4 | (dy + 8)));
    } else {
      codes_.push_back(0);
      put(escapes_, static_cast<std::int16_t>(dx), static_cast<std::int16_t>(dy));
    }
    heights_.push_back(static_cast<char>(dz));
    has_heights = has_heights || dz != 0;
    known.step_x = row.x - known.row.x;
    known.step_y = row.y - known.row.y;
    known.row = row;
  }

  std::string out;
  constexpr std::size_t kHeader = 36, kRecord = 32;
  out.reserve(kHeader + 4 * removed_.size() + kRecord * added_.size() + (kRecord + 4) * changed_.size() + 3 * kept +
              escapes_.size() + sizeof(FrameVehicle) * frame.vehicles.size());
  put(out, std::uint8_t{1}, static_cast<std::uint8_t>((is_key ? 1 : 0) | (has_heights ? 2 : 0)), branch, frame.step, frame.time,
      static_cast<std::uint32_t>(frame.rows.size()), static_cast<std::uint32_t>(removed_.size()),
      static_cast<std::uint32_t>(added_.size()), static_cast<std::uint32_t>(changed_.size()),
      static_cast<std::uint16_t>(frame.vehicles.size()), std::uint16_t{0});
  for (const std::uint32_t i : removed_) put(out, i);
  for (const std::uint32_t r : added_) {
    put_row(out, frame.rows[r]);
    known_.push_back({frame.rows[r], 0, 0});
  }
  for (const std::uint32_t i : changed_) {
    put(out, i);
    put_row(out, known_[i].row);
  }
  if (!is_key) {
    out += codes_;
    out += escapes_;
    out += headings_;
    if (has_heights) out += heights_;
  }
  for (const FrameVehicle& v : frame.vehicles) put(out, v.x, v.y, v.z, v.heading, v.length, v.width);
  return out;
}

}  // namespace throng::server
