// SPDX-License-Identifier: MIT
#include "trajectory_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  throng::fuzz::juelich_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
