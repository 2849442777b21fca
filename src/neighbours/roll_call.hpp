// SPDX-License-Identifier: MIT
// Who is new, who has gone, and who stands in another row: by comparing two columns of stable numbers.
//
// In most steps nothing differs and one pass over the column is all. Otherwise only rows that differ are sorted and matched:
// a swap-remove costs two of them, a re-sort of the storage all.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng {

class RollCall {
 public:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;  ///< (old row, new row), different
  std::vector<std::uint32_t> vanished;                         ///< old rows
  std::vector<std::uint32_t> appeared;                         ///< new rows

  /// `changed`: new rows, ascending, among them all that the old column does not have or holds another id in.
  void compare(std::span<const std::uint32_t> old_ids, std::span<const std::uint32_t> new_ids,
               std::span<const std::uint32_t> changed);
  bool is_same() const { return moved.empty() && vanished.empty() && appeared.empty(); }

 private:
  using Entry = std::pair<std::uint32_t, std::uint32_t>;  // id, row
  std::vector<Entry> before_, after_;
};

}  // namespace throng
