// SPDX-License-Identifier: MIT
#include "routing/min_plus.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "routing/min_plus.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace throng {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

MinPlusResult min_plus_vector(std::span<const LabelScratch::Stream> from, std::span<const LabelScratch::Stream> to,
                              std::uint32_t length) {
  const hn::CappedTag<Cost, kLabelBlock> d;
  const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
  const auto nothing = hn::Set(d, kUnreachable);
  auto best = hn::Set(d, 2 * kUnreachable);
  auto best_index = hn::Zero(d);
  auto index = hn::Iota(d, 0);
  for (std::uint32_t i = 0; i < length; i += lanes) {
    auto a = nothing, b = nothing;
    for (const LabelScratch::Stream& s : from)
      if (i < s.length) a = hn::Min(a, hn::Add(hn::LoadU(d, s.label + i), hn::Set(d, s.add)));
    for (const LabelScratch::Stream& s : to)
      if (i < s.length) b = hn::Min(b, hn::Add(hn::LoadU(d, s.label + i), hn::Set(d, s.add)));
    // Entries past the common prefix belong to hubs of different zones.
    const auto sum =
        hn::IfThenElse(hn::Lt(index, hn::Set(d, static_cast<Cost>(length))), hn::Add(a, b), hn::Set(d, 2 * kUnreachable));
    const auto better = hn::Lt(sum, best);
    best = hn::IfThenElse(better, sum, best);
    best_index = hn::IfThenElse(better, index, best_index);
    index = hn::Add(index, hn::Set(d, static_cast<Cost>(lanes)));
  }
  alignas(64) Cost cost[kLabelBlock], at[kLabelBlock];
  hn::StoreU(best, d, cost);
  hn::StoreU(best_index, d, at);
  MinPlusResult result{kUnreachable, 0};
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    if (cost[lane] < result.cost || (cost[lane] == result.cost && static_cast<std::uint32_t>(at[lane]) < result.index))
      result = {cost[lane], static_cast<std::uint32_t>(at[lane])};
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace throng
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace throng {

HWY_EXPORT(min_plus_vector);

MinPlusResult min_plus(std::span<const LabelScratch::Stream> from, std::span<const LabelScratch::Stream> to,
                       std::uint32_t length) {
  return HWY_DYNAMIC_DISPATCH(min_plus_vector)(from, to, length);
}

MinPlusResult min_plus_plain(std::span<const LabelScratch::Stream> from, std::span<const LabelScratch::Stream> to,
                             std::uint32_t length) {
  MinPlusResult best{kUnreachable, 0};
  for (std::uint32_t i = 0; i < length; ++i) {
    Cost a = kUnreachable, b = kUnreachable;
    for (const LabelScratch::Stream& s : from)
      if (i < s.length) a = std::min(a, s.label[i] + s.add);
    for (const LabelScratch::Stream& s : to)
      if (i < s.length) b = std::min(b, s.label[i] + s.add);
    if (a + b < best.cost) best = {a + b, i};
  }
  return best;
}

}  // namespace throng
#endif
