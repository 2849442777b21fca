// SPDX-License-Identifier: MIT
// Eight floats at once, for loops over the neighbours of one agent.
//
// The compiler's own vector type: it becomes one AVX register, two SSE ones or plain code, and since there are always eight lanes
// and sums are taken in a fixed tree, the bits are the same on all of them. (Highway's vectors are as wide as the machine, so a
// sum over neighbours would depend on it.) THRONG_WIDE compiles a function twice, for today's x86 and for any, and picks at
// start.
#pragma once
#include <cmath>
#include <cstdint>

namespace throng {

inline constexpr int kLanes = 8;
typedef float Lanes __attribute__((vector_size(4 * kLanes)));
typedef std::int32_t LaneMask __attribute__((vector_size(4 * kLanes)));

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
// Sanitizers cannot run the start-up code that picks.
#define THRONG_WIDE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define THRONG_WIDE
#endif
#define THRONG_INLINE inline __attribute__((always_inline))

THRONG_INLINE Lanes lanes(float value) { return Lanes{value, value, value, value, value, value, value, value}; }
THRONG_INLINE Lanes load(const float* from) {
  Lanes v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
THRONG_INLINE LaneMask load(const std::int32_t* from) {
  LaneMask v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
THRONG_INLINE void store(Lanes v, float* to) { __builtin_memcpy(to, &v, sizeof v); }
THRONG_INLINE Lanes select(LaneMask mask, Lanes yes, Lanes no) { return mask ? yes : no; }
THRONG_INLINE Lanes lower(Lanes a, Lanes b) { return a < b ? a : b; }
THRONG_INLINE Lanes higher(Lanes a, Lanes b) { return a > b ? a : b; }
THRONG_INLINE Lanes root(Lanes v) {
  Lanes r;
  for (int i = 0; i < kLanes; ++i) r[i] = std::sqrt(v[i]);
  return r;
}
/// Lanes changed with those four, two or one further.
THRONG_INLINE Lanes halves(Lanes v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3); }
THRONG_INLINE Lanes pairs(Lanes v) { return __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5); }
THRONG_INLINE Lanes ones(Lanes v) { return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6); }
/// In a fixed tree: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
THRONG_INLINE float sum(Lanes v) {
  v += halves(v);
  v += pairs(v);
  return v[0] + v[1];
}
THRONG_INLINE float least(Lanes v) {
  v = lower(v, halves(v));
  v = lower(v, pairs(v));
  return v[0] < v[1] ? v[0] : v[1];
}
THRONG_INLINE bool any(LaneMask mask) {
  std::uint64_t words[4];
  __builtin_memcpy(words, &mask, sizeof words);
  return ((words[0] | words[1]) | (words[2] | words[3])) != 0;
}

/// One bit a lane, the first lane lowest.
THRONG_INLINE unsigned bits(LaneMask mask) {
  mask &= LaneMask{1, 2, 4, 8, 16, 32, 64, 128};
  std::uint64_t words[4];
  __builtin_memcpy(words, &mask, sizeof words);
  const std::uint64_t all = (words[0] | words[1]) | (words[2] | words[3]);
  return static_cast<unsigned>(all | all >> 32);
}

}  // namespace throng
