// SPDX-License-Identifier: MIT
// Memory of large tables in large pages. A table of a million tiles that is read here and there costs a walk through the page
// tables for nearly every look, which even a prefetch waits for; with pages of 2 MB there is none. Where the system has no such
// pages, the memory is as any other. Small tables are allocated as ever.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace throng {

template <class T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) {
    void* at = ::operator new(count * sizeof(T), alignment(count));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (is_large(count)) ::madvise(at, count * sizeof(T), MADV_HUGEPAGE);  // a wish: that it is refused does no harm
#endif
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t count) { ::operator delete(at, alignment(count)); }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static bool is_large(std::size_t count) { return count * sizeof(T) >= kPage; }
  static std::align_val_t alignment(std::size_t count) { return std::align_val_t{is_large(count) ? kPage : alignof(T)}; }
};

template <class T>
using LargeTable = std::vector<T, LargePages<T>>;

}  // namespace throng
