// SPDX-License-Identifier: MIT
#include "base/hash.hpp"

#include <algorithm>

namespace throng {
namespace {

// The five odd primes of XXH64: their bits look random, so products spread a word over all 64.
constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;

// Compilers turn the shifts into one load on little-endian machines.
std::uint64_t read64(const std::byte* p) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
  return word;
}
std::uint64_t read32(const std::byte* p) {
  std::uint64_t word = 0;
  for (int i = 0; i < 4; ++i) word |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
  return word;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * kPrime2, 31) * kPrime1; }

void add_block(std::array<std::uint64_t, 4>& lanes, const std::byte* block) {
  for (int i = 0; i < 4; ++i) lanes[i] = round(lanes[i], read64(block + 8 * i));
}

}  // namespace

Hash::Hash() : lanes_{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1}, pending_{} {}

Hash& Hash::add(std::span<const std::byte> bytes) {
  const std::size_t waiting = length_ % kBlock;
  length_ += bytes.size();
  if (waiting > 0) {
    const std::size_t taken = std::min(kBlock - waiting, bytes.size());
    std::copy_n(bytes.begin(), taken, pending_.begin() + static_cast<std::ptrdiff_t>(waiting));
    bytes = bytes.subspan(taken);
    if (waiting + taken < kBlock) return *this;
    add_block(lanes_, pending_.data());
  }
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) add_block(lanes_, bytes.data());
  std::copy(bytes.begin(), bytes.end(), pending_.begin());
  return *this;
}

std::uint64_t Hash::value() const {
  std::uint64_t hash = kPrime5;
  if (length_ >= kBlock) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
  }
  hash += length_;

  const std::byte* p = pending_.data();
  std::size_t left = length_ % kBlock;
  for (; left >= 8; left -= 8, p += 8) hash = std::rotl(hash ^ round(0, read64(p)), 27) * kPrime1 + kPrime4;
  if (left >= 4) {
    hash = std::rotl(hash ^ (read32(p) * kPrime1), 23) * kPrime2 + kPrime3;
    left -= 4, p += 4;
  }
  for (; left > 0; --left, ++p) hash = std::rotl(hash ^ (std::to_integer<std::uint64_t>(*p) * kPrime5), 11) * kPrime1;

  // Finaliser: without it the last bytes would reach only some of the output bits.
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace throng
