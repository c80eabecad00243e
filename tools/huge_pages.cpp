#include "tools/huge_pages.h"

#ifdef SWIZZLE_HAS_TCMALLOC
#include <gperftools/malloc_extension.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#endif

namespace swizzle {

#ifdef SWIZZLE_HAS_TCMALLOC
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLeast = std::size_t{32} << 20;  // at a time; what is not touched takes no memory

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

class HugePages : public SysAllocator {
 public:
  // Memory from mmap(2) that begins and ends between huge pages; nullptr: there is none.
  void* Alloc(std::size_t size, std::size_t* actual_size, std::size_t alignment) override {
    if (alignment > kHugePage || size > SIZE_MAX / 2) return nullptr;
    const std::size_t usable = round_up(size, kLeast);
    void* const mapped = mmap(nullptr, usable + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    char* const begin = static_cast<char*>(mapped);
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
    if (before > 0) munmap(begin, before);
    munmap(begin + before + usable, kHugePage - before);
    madvise(begin + before, usable, MADV_HUGEPAGE);
    if (actual_size != nullptr) *actual_size = usable;
    return begin + before;
  }
};

}  // namespace

void use_huge_pages() {
  static auto* const pages = new HugePages;  // the allocator's, to the end
  MallocExtension::instance()->SetSystemAllocator(pages);
}
#else
void use_huge_pages() {}
#endif

}  // namespace swizzle
