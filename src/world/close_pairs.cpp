// SPDX-License-Identifier: MIT
#include "world/close_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng {
namespace {

constexpr std::size_t kPairGrain = 1024;
/// The skin is set so that so many pairs a row are listed: more cost more to read, fewer have to be found again sooner.
constexpr double kFewPairs = 2.2, kManyPairs = 5;

/// Half of the eight images of a periodic world: a pair across a border is seen once.
constexpr int kHalfOfImages[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};

bool add_overlap(float dx, float dy, float contact, ClosePairs::Counts& counts, auto&& meets) {
  const float squared = dx * dx + dy * dy;
  if (squared >= contact * contact || !meets()) return false;
  ++counts.overlaps;
  counts.deep += squared < 0.64f * contact * contact;
  return true;
}

}  // namespace

ClosePairs::Box ClosePairs::box_of(float x, float y) const {
  const auto index = [&](float at, std::uint32_t count) {
    const float box = at / side_;
    // The comparison is false for what is no number.
    return box > 0 ? static_cast<std::uint32_t>(std::min(box, static_cast<float>(count - 1))) : 0;
  };
  return {index(x - low_x_, columns_), index(y - low_y_, lines_)};
}

/// Calls visit(first box, last box) for the lines of boxes that may hold rows within a side of a place.
template <class Visit>
void ClosePairs::for_boxes_round(float x, float y, Visit visit) const {
  const Box at = box_of(x, y);
  const std::uint32_t from = at.column == 0 ? 0 : at.column - 1, to = std::min(at.column + 1, columns_ - 1);
  for (std::uint32_t line = at.line == 0 ? 0 : at.line - 1; line <= std::min(at.line + 1, lines_ - 1); ++line)
    visit(line * columns_ + from, line * columns_ + to);
}

/// Lists the rows that are too far from where they were for the list of pairs. False if they are too many, or if there is no
/// list.
bool ClosePairs::find_strays(const Bodies& bodies, TaskRunner& tasks) {
  for (const std::uint32_t row : strays_)
    if (row < is_stray_.size()) is_stray_[row] = 0;
  strays_.clear();
  const std::size_t count = bodies.x.size(), known = std::min(count, x_.size()), most = count / 64 + 4;
  if (x_.empty() || count > known + most) return false;
  const float reach = 0.5f * skin_;
  tasks.parallel_for(known, kPairGrain, [&](std::size_t begin, std::size_t end, unsigned) {
    const float *x = bodies.x.data(), *y = bodies.y.data(), *radius = bodies.radius.data();
    const float *old_x = x_.data(), *old_y = y_.data(), *old_radius = radius_.data();
    std::uint32_t strays = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const float dx = x[i] - old_x[i], dy = y[i] - old_y[i], squared = dx * dx + dy * dy;
      strays += static_cast<std::uint32_t>(squared > reach * reach) | static_cast<std::uint32_t>(radius[i] > old_radius[i]);
    }
    chunks_[begin / kPairGrain].strays = strays;
  });
  std::size_t strays = count - known;
  for (std::size_t chunk = 0; chunk * kPairGrain < known; ++chunk) strays += chunks_[chunk].strays;
  if (strays > most) return false;
  for (std::size_t chunk = 0; chunk * kPairGrain < known; ++chunk) {
    if (chunks_[chunk].strays == 0) continue;
    for (std::size_t i = chunk * kPairGrain; i < std::min(known, (chunk + 1) * kPairGrain); ++i) {
      const float dx = bodies.x[i] - x_[i], dy = bodies.y[i] - y_[i];
      if (dx * dx + dy * dy > reach * reach || bodies.radius[i] > radius_[i]) strays_.push_back(static_cast<std::uint32_t>(i));
    }
  }
  for (std::size_t i = known; i < count; ++i) strays_.push_back(static_cast<std::uint32_t>(i));
  for (const std::uint32_t row : strays_) {
    if (bodies.radius[row] > largest_) return false;
    if (row < known) is_stray_[row] = 1;
  }
  return true;
}

void ClosePairs::make_list(const Bodies& bodies, Period period, TaskRunner& tasks) {
  const std::size_t count = bodies.x.size();
  ++version_;
  strays_.clear();
  x_.assign(bodies.x.begin(), bodies.x.end());
  y_.assign(bodies.y.begin(), bodies.y.end());
  radius_.assign(bodies.radius.begin(), bodies.radius.end());
  is_stray_.assign(count, 0);
  float high_x = x_[0], high_y = y_[0];
  low_x_ = x_[0];
  low_y_ = y_[0];
  largest_ = 0.01f;
  for (std::size_t i = 0; i < count; ++i) {
    largest_ = std::max(largest_, radius_[i]);
    low_x_ = std::min(low_x_, x_[i]);
    low_y_ = std::min(low_y_, y_[i]);
    high_x = std::max(high_x, x_[i]);
    high_y = std::max(high_y, y_[i]);
  }
  if (skin_ == 0) skin_ = 4 * largest_;
  const float extent = std::max({std::abs(low_x_), std::abs(low_y_), std::abs(high_x), std::abs(high_y), period.x, period.y});
  slack_ = 1e-3f + 8 * std::numeric_limits<float>::epsilon() * extent;
  side_ = 2 * largest_ + skin_ + 2 * slack_;
  // Coarser where boxes would outnumber the rows.
  const float width = std::max(high_x - low_x_, side_), height = std::max(high_y - low_y_, side_);
  side_ = std::max(side_, std::sqrt(width / static_cast<float>(2 * count)) * std::sqrt(height));
  columns_ = static_cast<std::uint32_t>((high_x - low_x_) / side_) + 1;
  lines_ = static_cast<std::uint32_t>((high_y - low_y_) / side_) + 1;

  box_start_.assign(std::size_t{columns_} * lines_ + 2, 0);
  box_of_row_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Box box = box_of(x_[i], y_[i]);
    box_of_row_[i] = box.line * columns_ + box.column;
    ++box_start_[box_of_row_[i] + 2];
  }
  for (std::size_t b = 2; b < box_start_.size(); ++b) box_start_[b] += box_start_[b - 1];
  sorted_x_.resize(count);
  sorted_y_.resize(count);
  sorted_radius_.resize(count);
  sorted_row_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t at = box_start_[box_of_row_[i] + 1]++;
    sorted_x_[at] = x_[i];
    sorted_y_[at] = y_[i];
    sorted_radius_[at] = radius_[i];
    sorted_row_[at] = static_cast<std::uint32_t>(i);
  }
  // Now box b holds [box_start_[b], box_start_[b + 1]).
  const std::size_t chunks = (count + kPairGrain - 1) / kPairGrain;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  for (Chunk& chunk : chunks_) chunk.pair_count = 0;
  tasks.parallel_for(count, kPairGrain,
                     [&](std::size_t begin, std::size_t end, unsigned) { find_pairs(begin, end, chunks_[begin / kPairGrain]); });
  find_pairs_across(period);
  stray_in_.assign(std::size_t{columns_} * lines_, 0);
  std::size_t pairs = 0;
  for (const Chunk& chunk : chunks_) pairs += chunk.pair_count;
  // For the next list; this one keeps the skin it was made with.
  const double each = static_cast<double>(pairs) / static_cast<double>(count);
  next_skin_ = each > kManyPairs ? 0.8f * skin_ : each < kFewPairs ? 1.25f * skin_ : skin_;
  next_skin_ = std::clamp(next_skin_, 0.5f * largest_, 8 * largest_);
}

/// Pairs whose first row, in the order of boxes, is in [begin, end) of the sorted rows.
void ClosePairs::find_pairs(std::size_t begin, std::size_t end, Chunk& chunk) const {
  const float whole = skin_ + slack_;
  const float *x = sorted_x_.data(), *y = sorted_y_.data(), *radius = sorted_radius_.data();
  const std::uint32_t* rows = sorted_row_.data();
  std::size_t found = 0;
  for (std::size_t p = begin; p < end; ++p) {
    const std::uint32_t box = box_of_row_[rows[p]], line = box / columns_, column = box - line * columns_;
    const std::uint32_t from = column == 0 ? box : box - 1, to = column + 1 == columns_ ? box : box + 1;
    const std::uint32_t same_end = box_start_[to + 1];
    const bool has_next = line + 1 < lines_;
    const std::uint32_t next_begin = has_next ? box_start_[from + columns_] : 0,
                        next_end = has_next ? box_start_[to + columns_ + 1] : 0;
    const std::size_t candidates = (same_end - p - 1) + (next_end - next_begin);
    if (chunk.pairs.size() < found + candidates + 1) chunk.pairs.resize(2 * (found + candidates) + 64);
    Pair* pairs = chunk.pairs.data();
    const float at_x = x[p], at_y = y[p], mine = radius[p];
    const std::uint32_t row = rows[p];
    // Without branches: which pair is near is past guessing.
    const auto look = [&](std::size_t q) {
      const float dx = x[q] - at_x, dy = y[q] - at_y, contact = mine + radius[q];
      const float squared = dx * dx + dy * dy, far = contact + whole;
      pairs[found] = {std::min(row, rows[q]), std::max(row, rows[q])};
      found += static_cast<std::size_t>(squared < far * far);
    };
    for (std::size_t q = p + 1; q < same_end; ++q) look(q);
    for (std::size_t q = next_begin; q < next_end; ++q) look(q);
  }
  chunk.pair_count = found;
}

/// Few rows are near a border: each is held against the rows near the opposite one.
void ClosePairs::find_pairs_across(Period period) {
  across_.clear();
  if (period.x <= 0 && period.y <= 0) return;
  const float high_x = low_x_ + static_cast<float>(columns_) * side_, high_y = low_y_ + static_cast<float>(lines_) * side_;
  for (std::uint32_t i = 0; i < x_.size(); ++i)
    for (const auto& turn : kHalfOfImages) {
      if ((turn[0] != 0 && period.x <= 0) || (turn[1] != 0 && period.y <= 0)) continue;
      const float shift_x = static_cast<float>(turn[0]) * period.x, shift_y = static_cast<float>(turn[1]) * period.y;
      const float at_x = x_[i] - shift_x, at_y = y_[i] - shift_y;
      if (at_x < low_x_ - side_ || at_y < low_y_ - side_ || at_x > high_x + side_ || at_y > high_y + side_) continue;
      for_boxes_round(at_x, at_y, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t k = box_start_[from]; k < box_start_[to + 1]; ++k) {
          const std::uint32_t j = sorted_row_[k];
          const float dx = x_[j] - at_x, dy = y_[j] - at_y, far = radius_[i] + radius_[j] + skin_ + slack_;
          if (dx * dx + dy * dy < far * far) across_.push_back({i, j, shift_x, shift_y});
        }
      });
    }
}

/// Pairs of which one at least is a stray. Known rows are looked for where they were: they are within half a skin of it.
void ClosePairs::count_strays(const Bodies& bodies, Period period, Meet meet, Counts& counts) {
  const auto& [x, y, radius] = bodies;
  next_.assign(strays_.size() + 1, 0);
  const auto hold = [&](std::uint32_t i, std::uint32_t j, float shift_x, float shift_y) {
    add_overlap(x[j] + shift_x - x[i], y[j] + shift_y - y[i], radius[i] + radius[j], counts, [&] { return meet(i, j); });
  };
  /// Calls against(j) for the rows that may be near a place: known rows that are no strays, and the strays entered so far.
  const auto for_rows_round = [&](float at_x, float at_y, auto&& against) {
    for_boxes_round(at_x, at_y, [&](std::uint32_t from, std::uint32_t to) {
      for (std::uint32_t k = box_start_[from]; k < box_start_[to + 1]; ++k)
        if (const std::uint32_t j = sorted_row_[k]; j < x.size() && is_stray_[j] == 0) against(j);
      for (std::uint32_t box = from; box <= to; ++box)
        for (std::uint32_t entry = stray_in_[box]; entry != 0; entry = next_[entry]) against(strays_[entry - 1]);
    });
  };
  for (std::uint32_t k = 0; k < strays_.size(); ++k) {
    const std::uint32_t i = strays_[k];
    for_rows_round(x[i], y[i], [&](std::uint32_t j) { hold(i, j, 0, 0); });
    for (const auto& turn : kHalfOfImages) {
      if ((turn[0] != 0 && period.x <= 0) || (turn[1] != 0 && period.y <= 0)) continue;
      const float shift_x = static_cast<float>(turn[0]) * period.x, shift_y = static_cast<float>(turn[1]) * period.y;
      for_rows_round(x[i] - shift_x, y[i] - shift_y, [&](std::uint32_t j) { hold(i, j, shift_x, shift_y); });
      for_rows_round(x[i] + shift_x, y[i] + shift_y, [&](std::uint32_t j) { hold(j, i, shift_x, shift_y); });
    }
    const Box at = box_of(x[i], y[i]);
    const std::uint32_t box = at.line * columns_ + at.column;
    next_[k + 1] = stray_in_[box];
    stray_in_[box] = k + 1;
  }
  for (const std::uint32_t i : strays_) {
    const Box at = box_of(x[i], y[i]);
    stray_in_[at.line * columns_ + at.column] = 0;
  }
}

ClosePairs::Counts ClosePairs::count(const Bodies& bodies, Period period, Meet meet, TaskRunner& tasks) {
  Counts counts;
  if (bodies.x.empty()) return counts;
  if (!find_strays(bodies, tasks)) {
    if (next_skin_ > 0) skin_ = next_skin_;
    make_list(bodies, period, tasks);
  }
  const float *x = bodies.x.data(), *y = bodies.y.data(), *radius = bodies.radius.data();
  const std::size_t rows = bodies.x.size();
  tasks.parallel_for(chunks_.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t c = begin; c < end; ++c) {
      Chunk& chunk = chunks_[c];
      Counts found;
      const auto look = [&](const Pair& pair) {
        if (pair.b >= rows) return;
        add_overlap(x[pair.b] - x[pair.a], y[pair.b] - y[pair.a], radius[pair.a] + radius[pair.b], found,
                    [&] { return is_stray_[pair.a] == 0 && is_stray_[pair.b] == 0 && meet(pair.a, pair.b); });
      };
      for (std::size_t k = 0; k < chunk.pair_count; ++k) look(chunk.pairs[k]);
      chunk.counts = found;
    }
  });
  for (const Chunk& chunk : chunks_) {
    counts.overlaps += chunk.counts.overlaps;
    counts.deep += chunk.counts.deep;
  }
  for (const auto& [a, b, shift_x, shift_y] : across_) {
    if (std::max(a, b) >= rows || is_stray_[a] != 0 || is_stray_[b] != 0) continue;
    add_overlap(x[b] + shift_x - x[a], y[b] + shift_y - y[a], radius[a] + radius[b], counts, [&] { return meet(a, b); });
  }
  if (!strays_.empty()) count_strays(bodies, period, meet, counts);
  return counts;
}

}  // namespace throng
