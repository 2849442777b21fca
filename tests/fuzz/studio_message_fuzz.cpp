// SPDX-License-Identifier: MIT
#include "studio_message_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  throng::fuzz::studio_message({reinterpret_cast<const char*>(data), size});
  return 0;
}
