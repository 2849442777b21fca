// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "routing/labels.hpp"

namespace throng {

/// Labels are padded to this many entries, so that vector loads stay inside them.
inline constexpr std::uint32_t kLabelBlock = 16;

struct MinPlusResult {
  Cost cost;
  std::uint32_t index;  ///< the first entry that gives it
};

/// min over i < length of (min over from: label[i] + add) + (min over to: label[i] + add); a stream counts up to its own length.
/// Vectorised for the CPU at hand (Highway). Integers: every version gives the same answer.
MinPlusResult min_plus(std::span<const LabelScratch::Stream> from, std::span<const LabelScratch::Stream> to,
                       std::uint32_t length);

/// The same without vectors, as the reference.
MinPlusResult min_plus_plain(std::span<const LabelScratch::Stream> from, std::span<const LabelScratch::Stream> to,
                             std::uint32_t length);

}  // namespace throng
