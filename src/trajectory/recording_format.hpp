// SPDX-License-Identifier: MIT
// The fields of a recording's header and events, in both directions: what writer and reader of recordings share.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "trajectory/bytes.hpp"
#include "trajectory/recording.hpp"

namespace throng {

inline constexpr char kRecordingMagic[8] = {'T', 'H', 'R', 'O', 'N', 'G', 'R', 'C'};
inline constexpr std::uint32_t kRecordingVersion = 1, kVersionWithGroups = 2;
inline constexpr std::size_t kRecordingPrefix = sizeof kRecordingMagic + sizeof kRecordingVersion;

/// What is wrong with the numbers of a header, if anything.
std::optional<std::string> check_header(const RecordingHeader& header);
std::string write_header(const RecordingHeader& header);
/// Nothing if the bytes are not a header.
std::optional<RecordingHeader> read_header(std::string_view bytes);

void write_event(const RecordedEvent& event, ByteWriter& out);
RecordedEvent read_event(ByteReader& in);
/// Bytes that an event takes at least.
inline constexpr std::size_t kSmallestEvent = 8 + 1 + 4 + 1;

}  // namespace throng
