// SPDX-License-Identifier: MIT
#include "scenario_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  throng::fuzz::scenario({reinterpret_cast<const char*>(data), size});
  return 0;
}
