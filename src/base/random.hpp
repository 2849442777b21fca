// SPDX-License-Identifier: MIT
// Random numbers as a pure function of (seed, agent, step, purpose): no hidden state, so the number that agent 17 draws in step
// 900 is the same for any number of threads, any order of agents and after any rewind.
//
// The function is Philox4x32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11): ten rounds
// of multiply-and-xor on a 128-bit counter under a 64-bit key. It passes BigCrush, needs 20 multiplications, and every machine
// gives the same bits.
#pragma once
#include <array>
#include <cstdint>

namespace throng {

/// One block of Philox4x32-10: 128 random bits for a counter and a key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

/// 64 random bits. `agent` is whoever draws (an agent, a district, a worker's task), `purpose` what for: two purposes never share
/// numbers.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint32_t agent, std::uint64_t step, std::uint32_t purpose) {
  const auto block = philox({static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32), agent, purpose},
                            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return std::uint64_t{block[1]} << 32 | block[0];
}

/// Uniform in [0, 1), a multiple of 2^-53.
constexpr double unit_from_bits(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Uniform in 0 … count-1 (count > 0), by Lemire's multiplication; the bias is below count / 2^64.
constexpr std::uint64_t index_from_bits(std::uint64_t bits, std::uint64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{bits} * count >> 64);
}

/// A sequence of draws for generators that run one after the other: a cursor over the pure function above.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::uint32_t agent, std::uint32_t purpose)
      : seed_(seed), agent_(agent), purpose_(purpose) {}

  constexpr std::uint64_t bits() { return random_bits(seed_, agent_, step_++, purpose_); }
  constexpr double unit() { return unit_from_bits(bits()); }
  constexpr double between(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform over low, low+1, …, high, both included; low ≤ high.
  constexpr std::int64_t integer(std::int64_t low, std::int64_t high) {
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t drawn = bits();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + (span == 0 ? drawn : index_from_bits(drawn, span)));
  }
  constexpr bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t seed_;
  std::uint64_t step_ = 0;
  std::uint32_t agent_;
  std::uint32_t purpose_;
};

}  // namespace throng
