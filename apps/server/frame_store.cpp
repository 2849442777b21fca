// SPDX-License-Identifier: MIT
#include "frame_store.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace throng::server {
namespace {

std::uint8_t byte_of(double value) { return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0l, 255l)); }

/// Turns of a direction in 1/256, from the east. A polynomial (Abramowitz & Stegun 4.4.49, within 10⁻⁵ rad): the library's atan2
/// took a fifth of the time of a frame.
std::uint8_t heading_byte(float x, float y) {
  const float ax = std::abs(x), ay = std::abs(y);
  const float most = std::max(ax, ay);
  if (!(most > 0)) return 0;
  const float z = std::min(ax, ay) / most, zz = z * z;
  float angle = z * (0.9998660f + zz * (-0.3302995f + zz * (0.1801410f + zz * (-0.0851330f + zz * 0.0208351f))));
  constexpr float kPi = std::numbers::pi_v<float>;
  if (ay > ax) angle = kPi / 2 - angle;
  if (x < 0) angle = kPi - angle;
  if (y < 0) angle = 2 * kPi - angle;
  return static_cast<std::uint8_t>(static_cast<std::int32_t>(angle * (128 / kPi) + 0.5f) & 0xff);
}

/// Numbers of live runs count up from 1; those of other files may be anything, and have no log.
constexpr std::uint32_t kMostLogged = 1u << 24;

/// Both by ascending number.
void set_speeds(std::vector<FrameRow>& rows, const std::vector<FrameRow>& others, double seconds) {
  std::size_t at = 0;
  for (FrameRow& row : rows) {
    while (at < others.size() && others[at].number < row.number) ++at;
    if (at == others.size() || others[at].number != row.number) continue;
    const double dx = row.x - others[at].x, dy = row.y - others[at].y;
    row.speed = static_cast<std::uint16_t>(std::min(std::sqrt(dx * dx + dy * dy) / seconds + 0.5, 65535.0));
  }
}

}  // namespace

void FrameScale::place(FrameRow& row, float x, float y, float z, float heading_x, float heading_y) const {
  // Rounded half up, in doubles: lround costs five times as much.
  row.x = static_cast<std::int32_t>(std::floor((static_cast<double>(x) - low.x) * 100 + 0.5));
  row.y = static_cast<std::int32_t>(std::floor((static_cast<double>(y) - low.y) * 100 + 0.5));
  row.z = static_cast<std::int16_t>(std::clamp(std::floor(static_cast<double>(z) * 100 + 0.5), -32768.0, 32767.0));
  row.heading = heading_byte(heading_x, heading_y);
}

void FrameScale::describe(FrameRow& row, const AgentFacts& facts) const {
  row.number = facts.id;
  row.kind = facts.kind;
  row.group = facts.group == 0 ? kAlone : facts.group;
  row.radius = byte_of(100.0 * facts.radius);
  row.preferred = static_cast<std::uint16_t>(std::clamp(100.0 * facts.preferred_speed + 0.5, 0.0, 65535.0));
  const std::uint32_t mixed = facts.id * 2654435761u >> 16;
  row.figure = facts.kind < is_child.size() && is_child[facts.kind] != 0 ? static_cast<std::uint8_t>(6 + mixed % 2)
                                                                         : static_cast<std::uint8_t>(mixed % 6);
}

ChunkCache::Chunk ChunkCache::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = place_.find(key);
  if (found == place_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->chunk;
}

void ChunkCache::add(const Key& key, Chunk chunk) {
  std::size_t bytes = 0;
  for (const FramePointer& frame : *chunk) bytes += sizeof(Frame) + frame->rows.size() * sizeof(FrameRow);
  const std::lock_guard lock(mutex_);
  if (place_.contains(key)) return;
  entries_.push_front({key, std::move(chunk), bytes});
  place_[key] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    bytes_ -= entries_.back().bytes;
    place_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

void ChunkCache::replace(const Key& key, Chunk chunk) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = place_.find(key); found != place_.end()) {
      bytes_ -= found->second->bytes;
      entries_.erase(found->second);
      place_.erase(found);
    }
  }
  add(key, std::move(chunk));
}

void ChunkCache::forget(const void* store) {
  const std::lock_guard lock(mutex_);
  for (auto it = entries_.begin(); it != entries_.end();) {
    if (it->key.first != store) {
      ++it;
      continue;
    }
    bytes_ -= it->bytes;
    place_.erase(it->key);
    it = entries_.erase(it);
  }
}

std::size_t ChunkCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

FrameStore::FrameStore(std::string file, const RecordingHeader& header, FrameScale scale, std::shared_ptr<ChunkCache> cache)
    : file_(std::move(file)),
      first_step_(header.first_step),
      step_seconds_(header.step_seconds),
      steps_per_frame_(header.steps_per_frame),
      scale_(std::move(scale)),
      cache_(std::move(cache)) {}

FrameStore::~FrameStore() { cache_->forget(this); }

std::optional<Problem> FrameStore::adopt() {
  auto opened = Recording::open(file_);
  if (!opened) return opened.problems()[0];
  const std::lock_guard lock(mutex_);
  recording_ = std::make_shared<const Recording>(std::move(*opened));
  sealed_ = recording_->frame_count();
  return std::nullopt;
}

void FrameStore::log(const Frame& frame) {
  for (const FrameRow& row : frame.rows) {
    if (row.number >= kMostLogged) continue;
    if (row.number >= marks_.size()) marks_.resize(std::max<std::size_t>(row.number + 1, 2 * marks_.size()));
    // The last ones side by side: one look at memory that is read in order, nearly always all there is to do.
    if (row.number >= last_.size()) last_.resize(marks_.size());
    Marks& last = last_[row.number];
    if (last.is_set && last.goal == row.goal && last.level == row.level && last.model == row.model) continue;
    last = {frame.step, row.goal, row.level, row.model, true};
    marks_[row.number].push_back(last);
  }
  has_log_ = true;
  if (!frame.vehicles.empty())
    vehicles_.emplace_hint(vehicles_.end(), frame.step, std::make_shared<const std::vector<FrameVehicle>>(frame.vehicles));
}

void FrameStore::apply_log(Frame& frame) const {
  const std::lock_guard lock(mutex_);
  frame.has_marks = has_log_;
  for (FrameRow& row : frame.rows) {
    if (row.number >= marks_.size() || marks_[row.number].empty()) continue;
    const std::vector<Marks>& of = marks_[row.number];
    auto after =
        std::upper_bound(of.begin(), of.end(), frame.step, [](std::uint32_t step, const Marks& m) { return step < m.step; });
    const Marks& marks = after == of.begin() ? of.front() : *(after - 1);
    row.goal = marks.goal, row.level = marks.level, row.model = marks.model;
  }
  if (const auto found = vehicles_.find(frame.step); found != vehicles_.end()) frame.vehicles = *found->second;
}

void FrameStore::append(FramePointer frame) {
  const std::lock_guard lock(mutex_);
  log(*frame);
  tail_.push_back(std::move(frame));
}

void FrameStore::seal() {
  std::vector<FramePointer> full;
  std::uint64_t first = 0;
  {
    const std::lock_guard lock(mutex_);
    if (tail_.empty()) return;
    first = sealed_;
    sealed_ += tail_.size();
    full.swap(tail_);
  }
  // Whoever watches the live edge will want these again.
  cache_->add({this, first}, std::make_shared<const std::vector<FramePointer>>(std::move(full)));
}

std::uint64_t FrameStore::frame_count() const {
  const std::lock_guard lock(mutex_);
  return sealed_ + tail_.size();
}

std::uint64_t FrameStore::last_step() const {
  const std::uint64_t count = frame_count();
  return first_step_ + (count > 0 ? count - 1 : 0) * steps_per_frame_;
}

Result<FramePointer> FrameStore::at_step(std::uint64_t step) {
  const std::uint64_t count = frame_count();
  if (count == 0) return Problem{file_, "the recording has no frames", "run the scenario for longer"};
  const std::uint64_t number = step <= first_step_ ? 0 : (step - first_step_) / steps_per_frame_;
  return at(std::min(number, count - 1));
}

Result<std::shared_ptr<const Recording>> FrameStore::recording() {
  std::shared_ptr<const Recording> open;
  std::uint64_t wanted = 0;
  {
    const std::lock_guard lock(mutex_);
    open = recording_;
    wanted = sealed_;
  }
  if (open && open->frame_count() >= wanted) return open;
  auto opened = Recording::open(file_);
  if (!opened) return opened.problems();
  open = std::make_shared<const Recording>(std::move(*opened));
  const std::lock_guard lock(mutex_);
  if (!recording_ || recording_->chunks().size() < open->chunks().size()) recording_ = open;
  return open;
}

Result<FramePointer> FrameStore::at(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    if (number >= sealed_ && number - sealed_ < tail_.size()) return tail_[number - sealed_];
  }
  const auto open = recording();
  if (!open) return open.problems();
  const ChunkPlace* place = chunk_of(**open, number);
  if (place == nullptr) return no_frame(number);
  const ChunkHeader& chunk = place->header;
  const auto at = static_cast<std::uint32_t>(number - chunk.first);
  bool is_first_look = !cache_->find({this, chunk.first});
  if (is_first_look) {
    const std::lock_guard lock(mutex_);
    is_first_look = glimpsed_ != chunk.first;
    glimpsed_ = chunk.first;
  }
  if (is_first_look) {
    // With the one before it, or the chunk's first with the one behind it: for the speeds.
    const std::uint32_t first = at > 0 ? at - 1 : 0;
    const auto both = decode(**open, chunk, first, std::min(first + 1, chunk.count - 1));
    if (!both) return both.problems();
    return (**both)[at - first];
  }
  auto piece = piece_of(number);
  if (!piece) return piece.problems();
  return (*piece->frames)[at];
}

Result<FrameStore::Piece> FrameStore::piece_at_step(std::uint64_t step) {
  const std::uint64_t count = frame_count();
  const std::uint64_t number = step <= first_step_ ? 0 : (step - first_step_) / steps_per_frame_;
  return piece_of(std::min(number, count > 0 ? count - 1 : 0));
}

Result<std::vector<FramePointer>> FrameStore::following(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    if (number >= sealed_ && number - sealed_ < tail_.size())
      return std::vector(tail_.begin() + static_cast<std::ptrdiff_t>(number - sealed_), tail_.end());
  }
  auto piece = piece_of(number, false);
  if (!piece) return piece.problems();
  return std::vector(piece->frames->begin() + static_cast<std::ptrdiff_t>(number - piece->first), piece->frames->end());
}

Result<FrameStore::Piece> FrameStore::piece_of(std::uint64_t number, bool is_kept) {
  const auto open = recording();
  if (!open) return open.problems();
  const ChunkPlace* place = chunk_of(**open, number);
  if (place == nullptr) return no_frame(number);
  const ChunkHeader& chunk = place->header;
  const ChunkCache::Key key{this, chunk.first};
  ChunkCache::Chunk frames = cache_->find(key);
  if (!frames || number - chunk.first >= frames->size()) {
    auto decoded = decode(**open, chunk, 0, chunk.count - 1);
    if (!decoded) return decoded.problems();
    frames = std::move(*decoded);
    if (is_kept) cache_->add(key, frames);
  }
  return Piece{chunk.first, std::move(frames)};
}

const ChunkPlace* FrameStore::chunk_of(const Recording& recording, std::uint64_t number) const {
  for (const ChunkPlace& chunk : recording.chunks()) {
    const ChunkHeader& header = chunk.header;
    if (header.kind == ChunkKind::kFrames && number >= header.first && number - header.first < header.count) return &chunk;
  }
  return nullptr;
}

Problem FrameStore::no_frame(std::uint64_t number) const {
  return {file_, "frame " + std::to_string(number) + " is not in it", "ask for an earlier moment"};
}

Result<ChunkCache::Chunk> FrameStore::decode(const Recording& recording, const ChunkHeader& chunk, std::uint32_t first,
                                             std::uint32_t last) {
  auto frames = std::make_shared<std::vector<FramePointer>>();
  FrameCursor cursor(recording, chunk.first + first);
  for (std::uint32_t i = first; i <= last; ++i) {
    if (!cursor.next()) {
      if (cursor.problem()) return *cursor.problem();
      return Problem{file_, "a chunk ends too early", "take another copy of the file"};
    }
    const FrameView view = cursor.frame();
    auto frame = std::make_shared<Frame>();
    frame->step = static_cast<std::uint32_t>(first_step_ + (chunk.first + i) * steps_per_frame_);
    frame->time = static_cast<double>(frame->step) * step_seconds_;
    frame->rows.resize(view.size());
    for (std::size_t r = 0; r < view.size(); ++r) {
      FrameRow& row = frame->rows[r];
      scale_.describe(row, view.facts(r));
      scale_.place(row, view.x[r], view.y[r], view.z[r], view.heading_x[r], view.heading_y[r]);
      row.layer = static_cast<std::uint8_t>(std::min<std::uint16_t>(view.layer[r], 255));
    }
    apply_log(*frame);
    // Recordings hold no velocities: from place to place, and on the first frame of a chunk those of the second.
    const double seconds = step_seconds_ * steps_per_frame_;
    if (i > first) set_speeds(frame->rows, frames->back()->rows, seconds);
    if (i == 1 && first == 0) {
      auto front = std::make_shared<Frame>(*frames->front());
      set_speeds(front->rows, frame->rows, seconds);
      frames->front() = std::move(front);
    }
    frames->push_back(std::move(frame));
  }
  return ChunkCache::Chunk(std::move(frames));
}

}  // namespace throng::server
