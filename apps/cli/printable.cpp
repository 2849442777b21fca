// SPDX-License-Identifier: MIT
#include "printable.hpp"

namespace throng::cli {
namespace {

/// Bytes of the UTF-8 letter that begins so; 0 if none does.
std::size_t letter_bytes(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

/// Whether `length` bytes are a letter that shows itself and does nothing else.
bool is_shown(std::string_view bytes, std::size_t length) {
  if (length == 0 || length > bytes.size()) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (length == 1) return (at(0) >= 0x20 && at(0) != 0x7F) || at(0) == '\n' || at(0) == '\t';
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xC0) != 0x80) return false;
  return !(at(0) == 0xC2 && at(1) < 0xA0);  // control characters beyond ASCII
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = letter_bytes(static_cast<unsigned char>(text[0]));
    const bool is_letter = is_shown(text, length);
    if (is_letter)
      out.append(text.substr(0, length));
    else
      out += "\uFFFD";
    text.remove_prefix(is_letter ? length : 1);
  }
  return out;
}

}  // namespace throng::cli
