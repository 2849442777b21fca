// SPDX-License-Identifier: MIT
// Numbers as bytes of a recording: little-endian, or as variable-length integers (seven bits a byte, lowest first, the top bit
// says that more follow). The reader fails once and for good; nobody needs to check before the end.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace throng {

static_assert(std::endian::native == std::endian::little, "recordings are written as the machine holds numbers");

class ByteWriter {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(Number value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void add_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void add_text(std::string_view text) {
    add_varint(text.size());
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }
  /// `count` more bytes, to be filled in by the caller; valid until the next call.
  char* extend(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return bytes_.data() + bytes_.size() - count;
  }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number> Number take() {
    Number value{};
    if (const char* bytes = take_bytes(sizeof value)) std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  std::uint64_t take_varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;  // eleven bytes or more are no number
    return 0;
  }
  std::string_view take_text() {
    const std::uint64_t size = take_varint();
    const char* bytes = take_bytes(size);
    return bytes ? std::string_view(bytes, size) : std::string_view();
  }
  /// A count of things that take at least `item_size` bytes each: never more than can still come.
  std::uint64_t take_count(std::size_t item_size) {
    const std::uint64_t count = take_varint();
    if (count > left_.size() / item_size) failed_ = true;
    return failed_ ? 0 : count;
  }
  /// Null if there are not so many.
  const char* take_bytes(std::uint64_t count) {
    if (failed_ || count > left_.size()) return failed_ = true, nullptr;
    const char* bytes = left_.data();
    left_.remove_prefix(count);
    return bytes;
  }
  bool failed() const { return failed_; }
  bool at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
  bool failed_ = false;
};

}  // namespace throng
