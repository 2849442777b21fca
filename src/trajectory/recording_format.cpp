// SPDX-License-Identifier: MIT
#include "trajectory/recording_format.hpp"

#include <cmath>

namespace throng {

std::optional<std::string> check_header(const RecordingHeader& header) {
  if (!(header.step_seconds > 0 && header.step_seconds <= 3600))
    return "a step of " + std::to_string(header.step_seconds) + " s; more than 0 and at most 3600 s are allowed";
  if (header.steps_per_frame == 0 || header.steps_per_frame > 1'000'000)
    return std::to_string(header.steps_per_frame) + " steps a frame; 1 to 1000000 are allowed";
  if (header.kinds.size() > 0x10000) return std::to_string(header.kinds.size()) + " kinds; at most 65536 are allowed";
  return std::nullopt;
}

std::string write_header(const RecordingHeader& header) {
  ByteWriter out;
  out.add_text(header.engine_version);
  out.add_text(header.scenario);
  out.add_text(header.geometry_wkt);
  out.add(header.step_seconds);
  out.add(header.steps_per_frame);
  out.add(header.first_step);
  out.add(header.seed);
  out.add_varint(header.kinds.size());
  for (const std::string& kind : header.kinds) out.add_text(kind);
  return out.bytes();
}

std::optional<RecordingHeader> read_header(std::string_view bytes) {
  ByteReader in(bytes);
  RecordingHeader header;
  header.engine_version = in.take_text();
  header.scenario = in.take_text();
  header.geometry_wkt = in.take_text();
  header.step_seconds = in.take<double>();
  header.steps_per_frame = in.take<std::uint32_t>();
  header.first_step = in.take<std::uint64_t>();
  header.seed = in.take<std::uint64_t>();
  header.kinds.resize(in.take_count(1));
  for (std::string& kind : header.kinds) kind = in.take_text();
  if (in.failed() || !in.at_end() || check_header(header)) return std::nullopt;
  return header;
}

void write_event(const RecordedEvent& event, ByteWriter& out) {
  out.add(event.time);
  out.add_text(event.kind);
  out.add(event.agent);
  out.add_text(event.text);
}

RecordedEvent read_event(ByteReader& in) {
  RecordedEvent event;
  event.time = in.take<double>();
  event.kind = in.take_text();
  event.agent = in.take<std::uint32_t>();
  event.text = in.take_text();
  return event;
}

}  // namespace throng
