// SPDX-License-Identifier: MIT
#include "trajectory/chunk.hpp"

#include <zstd.h>

#include <algorithm>

#include "base/hash.hpp"
#include "trajectory/bytes.hpp"

namespace throng {
namespace {

// Level 1: on residuals of frames, higher levels save below 2 % and take up to four times as long (docs/formats/recording.md).
constexpr int kLevel = 1;
// Limits the memory a hostile payload can ask for; level 1 writes windows of 2^19.
constexpr int kLargestWindowLog = 23;
constexpr std::size_t kHashAt = 32;

}  // namespace

std::optional<ChunkHeader> read_chunk_header(std::string_view bytes) {
  ByteReader in(bytes);
  ChunkHeader header;
  header.kind = static_cast<ChunkKind>(in.take<std::uint32_t>());
  header.count = in.take<std::uint32_t>();
  header.first = in.take<std::uint64_t>();
  header.raw_size = in.take<std::uint64_t>();
  header.stored_size = in.take<std::uint64_t>();
  header.hash = in.take<std::uint64_t>();
  switch (header.kind) {
    case ChunkKind::kHeader:
    case ChunkKind::kFrames:
    case ChunkKind::kEvents:
    case ChunkKind::kSnapshot:
    case ChunkKind::kSummary:
      break;
    default:
      return std::nullopt;
  }
  if (in.failed() || header.raw_size > kLargestChunk || header.stored_size > ZSTD_compressBound(kLargestChunk))
    return std::nullopt;
  return header;
}

bool has_right_hash(std::string_view bytes) {
  ByteReader hash(bytes.substr(kHashAt));
  return Hash().add(bytes.substr(0, kHashAt)).add(bytes.substr(kChunkHeader)).value() == hash.take<std::uint64_t>();
}

std::optional<std::string> unpack(std::string_view payload, std::uint64_t raw_size) {
  const auto free = [](ZSTD_DCtx* context) { ZSTD_freeDCtx(context); };
  const std::unique_ptr<ZSTD_DCtx, decltype(free)> context(ZSTD_createDCtx(), free);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  // Memory grows with what really comes out, not with what the file says will.
  std::string raw(std::min<std::uint64_t>(raw_size, 16 * payload.size() + 4096), '\0');
  ZSTD_inBuffer in{payload.data(), payload.size(), 0};
  ZSTD_outBuffer out{raw.data(), raw.size(), 0};
  while (true) {
    const std::size_t before_in = in.pos, before_out = out.pos;
    const std::size_t state = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(state)) return std::nullopt;
    if (state == 0) break;
    if (out.pos == out.size && raw.size() < raw_size) {
      raw.resize(std::min<std::uint64_t>(raw_size, 2 * raw.size()));
      out.dst = raw.data(), out.size = raw.size();
    } else if (in.pos == before_in && out.pos == before_out) {
      return std::nullopt;  // cut short, or more comes out than was said
    }
  }
  if (out.pos != raw_size || in.pos != in.size) return std::nullopt;
  return raw;
}

void ChunkPacker::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

ChunkPacker::ChunkPacker() : context_(ZSTD_createCCtx()) {
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
}

void ChunkPacker::add(std::string_view bytes) { pack(bytes, false); }

void ChunkPacker::pack(std::string_view bytes, bool end) {
  raw_size_ += bytes.size();
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (true) {
    const std::size_t room = ZSTD_CStreamOutSize();
    if (chunk_.size() < used_ + room) chunk_.resize(std::max(2 * chunk_.size(), used_ + room));
    ZSTD_outBuffer out{chunk_.data(), chunk_.size(), used_};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    used_ = out.pos;
    if (end ? left == 0 : in.pos == in.size) return;
  }
}

std::string_view ChunkPacker::finish(ChunkKind kind, std::uint32_t count, std::uint64_t first) {
  pack({}, true);
  ByteWriter header;
  header.add(static_cast<std::uint32_t>(kind));
  header.add(count);
  header.add(first);
  header.add(raw_size_);
  header.add(std::uint64_t{used_ - kChunkHeader});
  const std::string_view payload = std::string_view(chunk_).substr(kChunkHeader, used_ - kChunkHeader);
  header.add(Hash().add(header.bytes()).add(payload).value());
  std::copy(header.bytes().begin(), header.bytes().end(), chunk_.begin());
  const std::string_view whole = std::string_view(chunk_).substr(0, used_);
  used_ = kChunkHeader;
  raw_size_ = 0;
  return whole;
}

}  // namespace throng
