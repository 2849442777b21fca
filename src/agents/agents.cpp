// SPDX-License-Identifier: MIT
#include "agents/agents.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace throng {

std::uint32_t Agents::add_row() {
  for_each_column([](auto& column) { column.emplace_back(); });
  return count++;
}

void Agents::remove_row(std::uint32_t row) {
  for_each_column([row](auto& column) {
    column[row] = column.back();
    column.pop_back();
  });
  --count;
}

void Agents::copy_row(const Agents& from, std::uint32_t row) {
  scratch_.clear();
  from.for_each_column([&](const auto& column) {
    const auto* of_value = reinterpret_cast<const std::byte*>(&column[row]);
    scratch_.insert(scratch_.end(), of_value, of_value + sizeof column[row]);
  });
  const std::byte* bytes = scratch_.data();
  for_each_column([&](auto& column) {
    std::memcpy(&column.emplace_back(), bytes, sizeof column.back());
    bytes += sizeof column.back();
  });
  ++count;
}

void Agents::swap_rows(std::uint32_t a, std::uint32_t b) {
  for_each_column([a, b](auto& column) { std::swap(column[a], column[b]); });
}

void Agents::reorder(std::span<const std::uint32_t> order) {
  for_each_column([&](auto& column) {
    using Value = typename std::remove_reference_t<decltype(column)>::value_type;
    static_assert(std::is_trivially_copyable_v<Value>);
    if (scratch_.size() < order.size() * sizeof(Value)) scratch_.resize(order.size() * sizeof(Value));
    for (std::size_t i = 0; i < order.size(); ++i)
      std::memcpy(scratch_.data() + i * sizeof(Value), &column[order[i]], sizeof(Value));
    if (!order.empty()) std::memcpy(column.data(), scratch_.data(), order.size() * sizeof(Value));
  });
}

void Agents::set_images(std::span<const Image> list) {
  image.assign(list.begin(), list.end());
  images = static_cast<std::uint32_t>(list.size());
  for_each_column([&](auto& column) {
    column.resize(std::size_t{count} + images);
    for (std::size_t i = 0; i < image.size(); ++i) column[count + i] = column[image[i].of];
  });
  for (std::size_t i = 0; i < image.size(); ++i) now.x[count + i] += image[i].shift_x, now.y[count + i] += image[i].shift_y;
}

AgentId Slots::add(std::uint32_t row) {
  std::uint32_t slot;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({row, 1});
  } else {
    slot = free_.back();
    free_.pop_back();
    entries_[slot].row = row;
  }
  return {slot, entries_[slot].generation};
}

void Slots::remove(AgentId id) {
  Entry& entry = entries_[id.slot];
  entry.row = kNoRow;
  if (++entry.generation == 0) entry.generation = 1;
  free_.push_back(id.slot);
}

std::uint32_t Slots::row_of(AgentId id) const { return is_alive(id) ? entries_[id.slot].row : kNoRow; }

}  // namespace throng
