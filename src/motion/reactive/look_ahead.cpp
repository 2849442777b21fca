// SPDX-License-Identifier: MIT
#include "motion/reactive/look_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace throng {
namespace {

constexpr float kMomentumUnits = 128;
constexpr std::uint32_t kNoBlock = 0xffffffffu;

/// Which square of the plane, never negative.
struct Tile {
  std::uint32_t column, row;
};
Tile tile_of(float x, float y) {
  constexpr std::int32_t kOffset = 1 << 20;
  return {static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(x)) + kOffset),
          static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(y)) + kOffset)};
}
constexpr int kLayerShift = 40;
std::uint64_t block_key(Tile at, std::uint32_t layer) {
  return (std::uint64_t{layer + 1} << kLayerShift) | (std::uint64_t{at.row >> 3} << 20) | (at.column >> 3);
}
std::uint32_t in_block(Tile at) { return ((at.row & 7) << 3) | (at.column & 7); }
std::uint64_t spread(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 32; }

constexpr std::size_t kRowsPerChunk = 512, kBlocksPerChunk = 32;
constexpr std::uint32_t kForgetEvery = 64;  // builds
constexpr int kMomentumBits = 24;

/// One person's share of a square's word. Faster than 256 m/s counts as that.
std::uint64_t packed(float momentum_x, float momentum_y) {
  const auto fixed = [](float v) {
    return std::int64_t{std::clamp(static_cast<std::int32_t>(kMomentumUnits * v), -32767, 32767)};
  };
  return static_cast<std::uint64_t>((std::int64_t{1} << (2 * kMomentumBits)) +
                                    fixed(momentum_x) * (std::int64_t{1} << kMomentumBits) + fixed(momentum_y));
}
CrowdGrid::Square unpacked(std::uint64_t sums) {
  // The lowest sum may be negative and have borrowed from the one above it.
  const auto lowest = [](std::int64_t v) { return v << (64 - kMomentumBits) >> (64 - kMomentumBits); };
  const auto word = static_cast<std::int64_t>(sums);
  const std::int64_t y = lowest(word), rest = (word - y) >> kMomentumBits, x = lowest(rest), people = (rest - x) >> kMomentumBits;
  return {static_cast<float>(people), {static_cast<float>(x) / kMomentumUnits, static_cast<float>(y) / kMomentumUnits}};
}

}  // namespace

std::uint32_t CrowdGrid::find(std::uint64_t key) const {
  for (std::uint64_t at = spread(key) & mask_;; at = (at + 1) & mask_) {
    if (table_[at].key == key) return table_[at].block;
    if (table_[at].key == 0) return kNoBlock;
  }
}

void CrowdGrid::resize_table(std::size_t size) {
  std::vector<Entry> old(size, Entry{});
  old.swap(table_);
  mask_ = size - 1;
  for (const Entry& entry : old) {
    if (entry.key == 0) continue;
    std::uint64_t at = spread(entry.key) & mask_;
    while (table_[at].key != 0) at = (at + 1) & mask_;
    table_[at] = entry;
  }
}

std::uint32_t CrowdGrid::get(std::uint64_t key) {
  if (const std::uint32_t known = find(key); known != kNoBlock) return known;
  if (4 * (block_count_ + 1) > table_.size()) resize_table(2 * table_.size());
  std::uint64_t at = spread(key) & mask_;
  while (table_[at].key != 0) at = (at + 1) & mask_;
  table_[at] = {key, static_cast<std::uint32_t>(block_count_)};
  if (block_count_ == blocks_.size()) blocks_.emplace_back();
  blocks_[block_count_] = {};
  return static_cast<std::uint32_t>(block_count_++);
}

/// Once a scene: the squares that joints pass through, and a hand's breadth beside them.
void CrowdGrid::find_joints(const Cells& cells) {
  cells_ = &cells;
  joint_squares_.clear();
  constexpr double kStep = 0.1;
  for (const Portal& portal : cells.portals) {
    const std::uint32_t layers[2] = {cells.layer[portal.cell[0]], cells.layer[portal.cell[1]]};
    if (layers[0] == layers[1]) continue;
    const Vec2 from = to_metres(portal.position[0]), to = to_metres(portal.position[1]);
    const auto steps = static_cast<int>(length(to - from) / kStep) + 1;
    for (int i = 0; i <= steps; ++i)
      for (const Vec2 beside : {Vec2{-kStep, 0}, Vec2{kStep, 0}, Vec2{0, -kStep}, Vec2{0, kStep}}) {
        const Vec2 p = from + (static_cast<double>(i) / steps) * (to - from) + beside;
        const Tile at = tile_of(static_cast<float>(p.x), static_cast<float>(p.y));
        for (const std::uint32_t layer : layers) joint_squares_.push_back({block_key(at, 0), in_block(at), layer});
      }
  }
  std::sort(joint_squares_.begin(), joint_squares_.end());
  joint_squares_.erase(std::unique(joint_squares_.begin(), joint_squares_.end()), joint_squares_.end());
}

/// The sums of a square's layers, to each of them.
void CrowdGrid::add_up_at_joints() {
  const auto key_of = [](const JointSquare& at) { return at.key + (std::uint64_t{at.layer} << kLayerShift); };
  for (std::size_t begin = 0, end = 0; begin < joint_squares_.size(); begin = end) {
    Sums sums = 0;
    for (; end < joint_squares_.size() && joint_squares_[end].key == joint_squares_[begin].key &&
           joint_squares_[end].square == joint_squares_[begin].square;
         ++end)
      if (const std::uint32_t block = find(key_of(joint_squares_[end])); block != kNoBlock)
        sums += blocks_[block].square[joint_squares_[end].square];
    if (sums == 0) continue;
    for (std::size_t k = begin; k < end; ++k) blocks_[get(key_of(joint_squares_[k]))].square[joint_squares_[k].square] = sums;
  }
}

void CrowdGrid::build(const Agents& agents, const Cells& cells, TaskRunner& tasks) {
  if (cells_ != &cells) find_joints(cells);
  if (table_.empty()) resize_table(64);
  if (builds_++ % kForgetEvery == 0) {
    std::fill(table_.begin(), table_.end(), Entry{});
    block_count_ = 0;
  }
  tasks.parallel_for(block_count_, kBlocksPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::fill(blocks_.data() + begin, blocks_.data() + end, Block{});
  });
  const std::size_t rows = std::size_t{agents.active_count()} + agents.images,
                    chunks = (rows + kRowsPerChunk - 1) / kRowsPerChunk;
  if (newcomers_.size() < chunks) newcomers_.resize(chunks);
  const bool is_shared = tasks.worker_count() > 1;
  tasks.parallel_for(rows, kRowsPerChunk, [&](std::size_t begin, std::size_t end, unsigned) {
    add(agents, cells.layer, begin, end, is_shared, newcomers_[begin / kRowsPerChunk]);
  });
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (const Newcomer& newcomer : newcomers_[chunk]) blocks_[get(newcomer.key)].square[newcomer.square] += newcomer.sums;
  add_up_at_joints();
}

void CrowdGrid::add(const Agents& agents, const std::vector<std::uint32_t>& layer_of_cell, std::size_t begin, std::size_t end,
                    bool is_shared, std::vector<Newcomer>& newcomers) {
  newcomers.clear();
  std::uint64_t last_key = 0;
  std::uint32_t block = kNoBlock;
  for (std::size_t i = begin; i < end; ++i) {
    const Tile at = tile_of(agents.now.x[i], agents.now.y[i]);
    const std::uint64_t key = block_key(at, layer_of_cell[agents.cell[i]]);
    // Rows are in spatial order: mostly the block is that of the one before.
    if (key != last_key) block = find(key), last_key = key;
    const Sums sums =
        packed(0.7f * agents.now.vx[i] + 0.3f * agents.desired_x[i], 0.7f * agents.now.vy[i] + 0.3f * agents.desired_y[i]);
    if (block == kNoBlock) {
      newcomers.push_back({key, in_block(at), sums});
    } else if (Sums& square = blocks_[block].square[in_block(at)]; is_shared) {
      std::atomic_ref(square).fetch_add(sums, std::memory_order_relaxed);
    } else {
      square += sums;
    }
  }
}

CrowdGrid::Square CrowdGrid::at(float x, float y, std::uint32_t layer, Cursor& cursor) const {
  const Tile at = tile_of(x, y);
  const std::uint64_t key = block_key(at, layer);
  if (key != cursor.key) cursor = {key, find(key)};
  return cursor.block == kNoBlock ? Square{0, {}} : unpacked(blocks_[cursor.block].square[in_block(at)]);
}

namespace reactive_rules {

int look_ahead(const CrowdGrid& grid, const Ground& ground, std::span<const std::uint32_t> layer_of_cell, Vec2f place,
               CellIndex cell, Vec2f direction, float preferred_speed, int previous, float right_bias) {
  constexpr float kDistance[3] = {1.3f, 2.3f, 3.3f}, kWeight[3] = {1, 0.8f, 0.5f};
  constexpr float kStraightIsFine = 2, kRadiansPerTurn = 0.34906585f;
  CrowdGrid::Cursor cursor;
  const auto cost = [&](int turn) {
    const Vec2f d = turned(direction, turn);
    float sum = 0;
    Walk at{place.x, place.y, cell, false};
    for (int q = 0; q < 3; ++q) {
      const Vec2f sample = place + kDistance[q] * d;
      at = walk(ground, at.cell, at.x, at.y, sample.x, sample.y);
      if (at.is_blocked) return sum + static_cast<float>(3 - q);
      const CrowdGrid::Square square = grid.at(sample.x, sample.y, layer_of_cell[at.cell], cursor);
      const float against = square.people - dot(square.momentum, d) / preferred_speed;
      if (against > 0) sum += kWeight[q] * 0.5f * against;
    }
    return sum;
  };
  const float straight = cost(0);
  if (straight < kStraightIsFine) return 0;
  int best = 0;
  float best_worth = -1e30f;
  for (int turn = -3; turn <= 3; ++turn) {
    const float angle = kRadiansPerTurn * static_cast<float>(turn);
    const float change = kRadiansPerTurn * std::abs(static_cast<float>(turn - previous));
    const float worth = kTurnCosine[turn + 3] - 0.4f * (turn == 0 ? straight : cost(turn)) - 0.05f * change - right_bias * angle;
    if (worth > best_worth) best_worth = worth, best = turn;
  }
  return best;
}

}  // namespace reactive_rules
}  // namespace throng
