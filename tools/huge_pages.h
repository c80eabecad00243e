// Large searches touch some gigabytes of fresh memory, page by page: a fifth of their time is the kernel's faults.
#pragma once

namespace swizzle {

// From now on, what the allocator takes from the system is asked for in pages of 2 MiB (madvise(2), MADV_HUGEPAGE).
// Without tcmalloc, and where the system has no such pages, nothing changes.
void use_huge_pages();

}  // namespace swizzle
