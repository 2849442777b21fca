// SPDX-License-Identifier: MIT
// What tests do to the seeds of a fuzzer: cut them short, and change them in a few places.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace throng::fuzz {

/// Calls `run` with about 200 beginnings of the seed, and with the whole of it.
template <class Run>
void run_truncations(std::string_view seed, Run run) {
  for (std::size_t length = 0; length < seed.size(); length += seed.size() / 200 + 1) run(seed.substr(0, length));
  run(seed);
}

/// Calls `run` with `rounds` copies of the seed that have up to four bytes changed, dropped, repeated, or replaced by one of
/// `signs`, which mean something in the format.
template <class Run>
void run_mutations(const std::string& seed, int rounds, std::string_view signs, std::mt19937& random, Run run) {
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = seed;
    for (std::uint32_t change = 0; change <= random() % 4 && !bytes.empty(); ++change) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 8);
          break;
        case 2:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 16));
          break;
        default:
          bytes[at] = signs[random() % signs.size()];
          break;
      }
    }
    run(std::string_view(bytes));
  }
}

}  // namespace throng::fuzz
