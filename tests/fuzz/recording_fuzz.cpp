// SPDX-License-Identifier: MIT
#include "trajectory_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  throng::fuzz::recording({reinterpret_cast<const char*>(data), size});
  return 0;
}
