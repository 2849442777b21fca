// SPDX-License-Identifier: MIT
#include "trajectory/frame_codec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace throng {
namespace {

constexpr std::uint8_t kHasHeights = 1;  // a field that nobody changed is left out
constexpr std::uint8_t kHasLayers = 2;
constexpr std::uint8_t kKnownFlags = kHasHeights | kHasLayers;

/// A float's bits as an integer that grows with the float; a bijection, NaN included.
std::uint32_t ordered(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
float from_ordered(std::uint32_t order) { return std::bit_cast<float>(order >> 31 ? order & 0x7FFFFFFFu : ~order); }
/// Small numbers of either sign become small numbers.
std::uint32_t zigzag(std::uint32_t difference) {
  return difference << 1 ^ static_cast<std::uint32_t>(static_cast<std::int32_t>(difference) >> 31);
}
std::uint32_t from_zigzag(std::uint32_t coded) { return coded >> 1 ^ (0u - (coded & 1)); }

std::uint32_t predict(const std::uint32_t (&last)[2], std::uint8_t age) { return age < 2 ? last[0] : 2 * last[0] - last[1]; }
void push(std::uint32_t (&last)[2], std::uint32_t value) {
  last[1] = last[0];
  last[0] = value;
}

/// Which component of the heading the other follows from: the one that was smaller, because there the circle is steep.
bool x_is_smaller(const AgentHistory& h) { return std::abs(h.heading_x) < std::abs(h.heading_y); }
float other_component(float smaller, float last_larger) {
  return std::copysign(std::sqrt(std::max(0.0f, 1.0f - smaller * smaller)), last_larger);
}

/// Residuals go out as planes: all lowest bytes, then all second ones …
class Planes {
 public:
  Planes(char* bytes, std::size_t count) : bytes_(bytes), count_(count) {}
  void set(std::size_t row, std::uint32_t value) {
    for (int b = 0; b < 4; ++b) bytes_[b * count_ + row] = static_cast<char>(value >> (8 * b));
  }

 private:
  char* bytes_;
  std::size_t count_;
};

bool read_planes(ByteReader& in, std::size_t count, std::vector<std::uint32_t>& values) {
  const char* bytes = in.take_bytes(4 * count);
  if (!bytes) return false;
  values.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    std::uint32_t value = 0;
    for (int b = 0; b < 4; ++b) value |= std::uint32_t{static_cast<std::uint8_t>(bytes[b * count + row])} << (8 * b);
    values[row] = value;
  }
  return true;
}

template <class Value>
Value value_or_zero(std::span<const Value> column, std::size_t row) {
  return column.empty() ? Value{} : column[row];
}

}  // namespace

void FrameEncoder::sort_by_id(std::span<const std::uint32_t> id) {
  if (std::equal(id.begin(), id.end(), last_id_.begin(), last_id_.end())) return;
  last_id_.assign(id.begin(), id.end());
  order_.resize(id.size());
  for (std::size_t row = 0; row < id.size(); ++row) order_[row] = std::uint64_t{id[row]} << 32 | row;
  std::sort(order_.begin(), order_.end());
}

void FrameEncoder::write_changes(const FrameColumns& frame, ByteWriter& out) {
  left_.clear(), appeared_.clear(), merged_.clear();
  std::size_t old = 0;
  for (const std::uint64_t key : order_) {
    const auto id = static_cast<std::uint32_t>(key >> 32);
    const auto row = static_cast<std::uint32_t>(key);
    for (; old < history_.size() && history_[old].facts.id < id; ++old) left_.push_back(static_cast<std::uint32_t>(old));
    if (old < history_.size() && history_[old].facts.id == id) {
      merged_.push_back(history_[old++]);
    } else {
      appeared_.push_back(row);
      AgentHistory fresh;
      fresh.facts = {id, value_or_zero(frame.radius, row), value_or_zero(frame.preferred_speed, row),
                     value_or_zero(frame.kind, row), value_or_zero(frame.group, row)};
      merged_.push_back(fresh);
    }
  }
  for (; old < history_.size(); ++old) left_.push_back(static_cast<std::uint32_t>(old));
  history_.swap(merged_);

  out.add_varint(left_.size());
  std::uint32_t before = 0;
  for (const std::uint32_t index : left_) {
    out.add_varint(index - before);
    before = index;
  }
  out.add_varint(appeared_.size());
  before = 0;
  for (const std::uint32_t row : appeared_) {
    const std::uint32_t id = frame.id[row];
    out.add_varint(id - before);
    out.add(value_or_zero(frame.radius, row));
    out.add(value_or_zero(frame.preferred_speed, row));
    // The group above the 16 bits of the kind: 0 costs nothing.
    out.add_varint((std::uint64_t{value_or_zero(frame.group, row)} << 16) | value_or_zero(frame.kind, row));
    before = id;
  }
}

std::ptrdiff_t FrameEncoder::encode(const FrameColumns& frame, ByteWriter& out) {
  const std::size_t count = frame.id.size();
  for (std::size_t row = 0; row < count; ++row) {
    const bool good = is_near(frame.x[row]) && is_near(frame.y[row]) && is_near(value_or_zero(frame.z, row)) &&
                      std::isfinite(frame.heading_x[row]) && std::isfinite(frame.heading_y[row]);
    if (!good) return static_cast<std::ptrdiff_t>(row);
  }
  sort_by_id(frame.id);
  write_changes(frame, out);

  std::uint8_t flags = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint32_t>(order_[i]);
    if (ordered(value_or_zero(frame.z, row)) != history_[i].z) flags |= kHasHeights;
    if (value_or_zero(frame.layer, row) != history_[i].layer) flags |= kHasLayers;
  }
  out.add(flags);

  char* const bytes = out.extend(16 * count);
  Planes x(bytes, count), y(bytes + 4 * count, count), smaller(bytes + 8 * count, count), larger(bytes + 12 * count, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint32_t>(order_[i]);
    AgentHistory& h = history_[i];
    const std::uint32_t at_x = ordered(frame.x[row]), at_y = ordered(frame.y[row]);
    x.set(i, zigzag(at_x - predict(h.x, h.age)));
    y.set(i, zigzag(at_y - predict(h.y, h.age)));
    const bool by_x = x_is_smaller(h);
    const float small = by_x ? frame.heading_x[row] : frame.heading_y[row];
    const float large = by_x ? frame.heading_y[row] : frame.heading_x[row];
    smaller.set(i, zigzag(ordered(small) - ordered(by_x ? h.heading_x : h.heading_y)));
    larger.set(i, zigzag(ordered(large) - ordered(other_component(small, by_x ? h.heading_y : h.heading_x))));
    push(h.x, at_x), push(h.y, at_y);
    h.heading_x = frame.heading_x[row], h.heading_y = frame.heading_y[row];
    if (h.age < 2) ++h.age;
  }
  if (flags & kHasHeights) {
    Planes z(out.extend(4 * count), count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t at = ordered(value_or_zero(frame.z, static_cast<std::uint32_t>(order_[i])));
      z.set(i, zigzag(at - history_[i].z));
      history_[i].z = at;
    }
  }
  if (flags & kHasLayers) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t at = value_or_zero(frame.layer, static_cast<std::uint32_t>(order_[i]));
      out.add(static_cast<std::uint16_t>(at ^ history_[i].layer));
      history_[i].layer = at;
    }
  }
  return -1;
}

bool FrameDecoder::read_changes() {
  const std::uint64_t left_count = in_.take_count(1);
  merged_.clear();
  std::uint64_t next = 0, index = 0;
  for (std::uint64_t i = 0; i < left_count; ++i) {
    index += in_.take_varint();
    if (in_.failed() || index >= history_.size() || index < next) return false;
    merged_.insert(merged_.end(), history_.begin() + static_cast<std::ptrdiff_t>(next),
                   history_.begin() + static_cast<std::ptrdiff_t>(index));
    next = index + 1;
  }
  if (left_count > 0) {
    merged_.insert(merged_.end(), history_.begin() + static_cast<std::ptrdiff_t>(next), history_.end());
    history_.swap(merged_);
  }

  constexpr std::size_t kSmallestFacts = 1 + 4 + 4 + 1;
  const std::uint64_t appeared_count = in_.take_count(kSmallestFacts);
  merged_.clear();
  std::uint64_t id = 0;
  std::size_t old = 0;
  for (std::uint64_t i = 0; i < appeared_count; ++i) {
    const std::uint64_t difference = in_.take_varint();
    if ((i > 0 && difference == 0) || difference > 0xFFFFFFFFu) return false;
    id += difference;
    AgentHistory fresh;
    fresh.facts.radius = in_.take<float>();
    fresh.facts.preferred_speed = in_.take<float>();
    const std::uint64_t kind = in_.take_varint(), group = kind >> 16;
    if (in_.failed() || id > 0xFFFFFFFFu || group > 0xFFFFFFFFu) return false;
    if (!(fresh.facts.radius >= 0 && fresh.facts.radius <= kFarthest)) return false;
    if (!(fresh.facts.preferred_speed >= 0 && fresh.facts.preferred_speed <= kFarthest)) return false;
    fresh.facts.id = static_cast<std::uint32_t>(id);
    fresh.facts.kind = static_cast<std::uint16_t>(kind & 0xFFFFu);
    fresh.facts.group = static_cast<std::uint32_t>(group);
    while (old < history_.size() && history_[old].facts.id < id) merged_.push_back(history_[old++]);
    if (old < history_.size() && history_[old].facts.id == id) return false;
    merged_.push_back(fresh);
  }
  if (appeared_count > 0) {
    merged_.insert(merged_.end(), history_.begin() + static_cast<std::ptrdiff_t>(old), history_.end());
    history_.swap(merged_);
  }
  return !in_.failed();
}

bool FrameDecoder::decode(DecodedFrame& frame) {
  if (!read_changes()) return false;
  const auto flags = in_.take<std::uint8_t>();
  if (in_.failed() || flags > kKnownFlags) return false;
  const std::size_t count = history_.size();
  const bool same_size = frame.facts.size() == count;
  frame.facts.resize(count);
  frame.same_agents = same_size;
  for (std::size_t i = 0; i < count; ++i) {
    if (frame.facts[i].id != history_[i].facts.id) frame.same_agents = false;
    frame.facts[i] = history_[i].facts;
  }
  for (auto* column : {&frame.x, &frame.y, &frame.heading_x, &frame.heading_y, &frame.z}) column->resize(count);
  frame.layer.resize(count);

  if (!read_planes(in_, count, residual_)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    AgentHistory& h = history_[i];
    push(h.x, from_zigzag(residual_[i]) + predict(h.x, h.age));
    frame.x[i] = from_ordered(h.x[0]);
  }
  if (!read_planes(in_, count, residual_)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    AgentHistory& h = history_[i];
    push(h.y, from_zigzag(residual_[i]) + predict(h.y, h.age));
    frame.y[i] = from_ordered(h.y[0]);
    if (h.age < 2) ++h.age;
  }
  if (!read_planes(in_, count, residual_)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const AgentHistory& h = history_[i];
    const bool by_x = x_is_smaller(h);
    (by_x ? frame.heading_x : frame.heading_y)[i] =
        from_ordered(from_zigzag(residual_[i]) + ordered(by_x ? h.heading_x : h.heading_y));
  }
  if (!read_planes(in_, count, residual_)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    AgentHistory& h = history_[i];
    const bool by_x = x_is_smaller(h);
    const float small = (by_x ? frame.heading_x : frame.heading_y)[i];
    (by_x ? frame.heading_y : frame.heading_x)[i] =
        from_ordered(from_zigzag(residual_[i]) + ordered(other_component(small, by_x ? h.heading_y : h.heading_x)));
    h.heading_x = frame.heading_x[i], h.heading_y = frame.heading_y[i];
    if (!is_near(frame.x[i]) || !is_near(frame.y[i]) || !std::isfinite(h.heading_x) || !std::isfinite(h.heading_y)) return false;
  }
  if ((flags & kHasHeights) && !read_planes(in_, count, residual_)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (flags & kHasHeights) history_[i].z += from_zigzag(residual_[i]);
    frame.z[i] = from_ordered(history_[i].z);
    if (!is_near(frame.z[i])) return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (flags & kHasLayers) history_[i].layer ^= in_.take<std::uint16_t>();
    frame.layer[i] = history_[i].layer;
  }
  return !in_.failed();
}

}  // namespace throng
