// SPDX-License-Identifier: MIT
// A 64-bit streaming hash for files and golden results: the same bytes give the same number on every machine, for ever.
//
// Idea: 32-byte blocks go through four independent lanes, each `lane = rotate(lane + word * K2, 31) * K1` (the round of
// Yann Collet's public-domain XXH64), so that four multiplications are in flight at once (11 GB/s here). The lanes, the total
// length and the unfinished block are then folded and passed through a finaliser in which every input bit flips about half of the
// output bits. The result IS XXH64 with seed 0: `xxhsum -H64` prints the same number for a file, and its published vectors are
// our test. Words are read little-endian by shifts, never by a cast, so the value does not depend on the machine's byte order.
//
// Not for hostile input (collisions can be constructed); it detects accidents and pins results down.
// How the bytes are cut into calls of `add` does not matter: add("ab"), add("c") equals add("abc").
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace throng {

class Hash {
 public:
  Hash();

  Hash& add(std::span<const std::byte> bytes);
  Hash& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

  /// A number counts as its two's-complement or IEEE bytes, lowest first, on every machine. -0.0 and 0.0 differ, as bits do.
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) Hash& add(T value) {
    std::array<std::byte, sizeof(T)> bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    if constexpr (std::endian::native == std::endian::big) {
      for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    }
    return add(std::span<const std::byte>(bytes));
  }

  /// The hash of everything added so far; more may follow.
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kBlock = 32;

  std::array<std::uint64_t, 4> lanes_;
  std::array<std::byte, kBlock> pending_;  ///< the first `length_ % kBlock` bytes wait for the block to fill
  std::uint64_t length_ = 0;
};

inline std::uint64_t hash_of(std::span<const std::byte> bytes) { return Hash().add(bytes).value(); }
inline std::uint64_t hash_of(std::string_view text) { return Hash().add(text).value(); }

}  // namespace throng
