// SPDX-License-Identifier: MIT
#include "neighbours/roll_call.hpp"

#include <algorithm>

namespace throng {

void RollCall::compare(std::span<const std::uint32_t> old_ids, std::span<const std::uint32_t> new_ids,
                       std::span<const std::uint32_t> changed) {
  moved.clear(), vanished.clear(), appeared.clear(), before_.clear(), after_.clear();
  for (const std::uint32_t row : changed) {
    after_.push_back({new_ids[row], row});
    if (row < old_ids.size()) before_.push_back({old_ids[row], row});
  }
  for (auto row = static_cast<std::uint32_t>(new_ids.size()); row < old_ids.size(); ++row) before_.push_back({old_ids[row], row});
  std::sort(before_.begin(), before_.end());
  std::sort(after_.begin(), after_.end());
  auto b = before_.begin();
  auto a = after_.begin();
  while (b != before_.end() || a != after_.end()) {
    if (a == after_.end() || (b != before_.end() && b->first < a->first)) {
      vanished.push_back((b++)->second);
    } else if (b == before_.end() || a->first < b->first) {
      appeared.push_back((a++)->second);
    } else {
      moved.push_back({(b++)->second, (a++)->second});
    }
  }
}

}  // namespace throng
