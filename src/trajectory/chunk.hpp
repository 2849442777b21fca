// SPDX-License-Identifier: MIT
// The container of a recording: chunks that each carry their kind, sizes and checksum, so that any of them can be read without
// the others and a file that ends in the middle loses one.
//
//   0  u32  kind, four letters
//   4  u32  count: frames or events inside, 1 for the rest
//   8  u64  first: number of the first frame, or the step of a snapshot
//  16  u64  raw size: of the payload when it is unpacked
//  24  u64  stored size: of the payload as it follows, one zstd frame
//  32  u64  XXH64 of the 32 bytes above and the payload
//
// Sizes are believed only as far as the file and kLargestChunk reach, and unpacking stops at the raw size, so a small hostile
// file takes little memory.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace throng {

constexpr std::uint32_t four_letters(const char (&letters)[5]) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(letters[i]);
  return value;
}

enum class ChunkKind : std::uint32_t {
  kHeader = four_letters("HEAD"),
  kFrames = four_letters("FRAM"),
  kEvents = four_letters("EVNT"),
  kSnapshot = four_letters("SNAP"),
  kSummary = four_letters("DONE"),
};

inline constexpr std::size_t kChunkHeader = 40;
/// Unpacked bytes of one chunk: ten million people in a frame.
inline constexpr std::uint64_t kLargestChunk = std::uint64_t{256} << 20;

struct ChunkHeader {
  ChunkKind kind = ChunkKind::kHeader;
  std::uint32_t count = 1;
  std::uint64_t first = 0;
  std::uint64_t raw_size = 0;
  std::uint64_t stored_size = 0;
  std::uint64_t hash = 0;
};

/// Nothing if the kind is unknown or a size beyond its limit. `bytes` has at least kChunkHeader.
std::optional<ChunkHeader> read_chunk_header(std::string_view bytes);
/// Whether `bytes`, a header and its payload, have the hash that the header says.
bool has_right_hash(std::string_view bytes);
/// The payload unpacked: exactly raw_size bytes, or nothing.
std::optional<std::string> unpack(std::string_view payload, std::uint64_t raw_size);

/// Packs what is added piece by piece, so that the work of a large chunk is spread over the steps that fill it.
class ChunkPacker {
 public:
  ChunkPacker();
  void add(std::string_view bytes);
  std::uint64_t raw_size() const { return raw_size_; }
  /// The finished chunk, header included; the packer is empty again. Valid until the next call.
  std::string_view finish(ChunkKind kind, std::uint32_t count, std::uint64_t first);

 private:
  void pack(std::string_view bytes, bool end);

  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::string chunk_;
  std::size_t used_ = kChunkHeader;  ///< of chunk_; its header is filled in at the end
  std::uint64_t raw_size_ = 0;
};

}  // namespace throng
