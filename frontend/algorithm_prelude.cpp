// What <algorithm> and <numeric> declare, as far as it says in which order elements are visited: for specs, whose loops
// are seen through it. Iterators are pointers.
#include "frontend/prelude.h"

namespace swizzle {
namespace {

constexpr const char* kFolds = R"(
template <class I, class T, class F> constexpr T accumulate(I first, I last, T s, F f) { const long n = last - first; for (long i = 0; i < n; ++i) s = f(s, first[i]); return s; }
template <class I, class T> constexpr T accumulate(I first, I last, T s) { const long n = last - first; for (long i = 0; i < n; ++i) s = s + first[i]; return s; }
template <class I, class T, class F> constexpr T reduce(I first, I last, T s, F f) { return std::accumulate(first, last, s, f); }
template <class I, class T> constexpr T reduce(I first, I last, T s) { return std::accumulate(first, last, s); }
template <class T> constexpr T reduce(const T* first, const T* last) { return std::accumulate(first, last, T()); }
template <class I, class J, class T, class F, class G> constexpr T inner_product(I first, I last, J with, T s, F f, G g) { const long n = last - first; for (long i = 0; i < n; ++i) s = f(s, g(first[i], with[i])); return s; }
template <class I, class J, class T> constexpr T inner_product(I first, I last, J with, T s) { const long n = last - first; for (long i = 0; i < n; ++i) s = s + first[i] * with[i]; return s; }
template <class I, class J, class T> constexpr T transform_reduce(I first, I last, J with, T s) { return std::inner_product(first, last, with, s); }
template <class I, class J, class T, class F, class G> constexpr T transform_reduce(I first, I last, J with, T s, F f, G g) { return std::inner_product(first, last, with, s, f, g); }
template <class I, class T, class F, class G> constexpr T transform_reduce(I first, I last, T s, F f, G g) { const long n = last - first; for (long i = 0; i < n; ++i) s = f(s, g(first[i])); return s; }
template <class I, class T> constexpr long count(I first, I last, const T& x) { const long n = last - first; long s = 0; for (long i = 0; i < n; ++i) s += first[i] == x; return s; }
template <class I, class P> constexpr long count_if(I first, I last, P p) { const long n = last - first; long s = 0; for (long i = 0; i < n; ++i) s += p(first[i]) ? 1 : 0; return s; }
template <class I, class P> constexpr bool any_of(I first, I last, P p) { const long n = last - first; bool any = false; for (long i = 0; i < n; ++i) any = any || p(first[i]); return any; }
template <class I, class P> constexpr bool all_of(I first, I last, P p) { const long n = last - first; bool all = true; for (long i = 0; i < n; ++i) all = all && p(first[i]); return all; }
template <class I, class P> constexpr bool none_of(I first, I last, P p) { return !std::any_of(first, last, p); }
)";

constexpr const char* kScans = R"(
template <class I, class O, class F> constexpr O inclusive_scan(I first, I last, O to, F f) { const long n = last - first; if (n == 0) return to; auto s = first[0]; to[0] = s; for (long i = 1; i < n; ++i) { s = f(s, first[i]); to[i] = s; } return to + n; }
template <class I, class O> constexpr O inclusive_scan(I first, I last, O to) { const long n = last - first; if (n == 0) return to; auto s = first[0]; to[0] = s; for (long i = 1; i < n; ++i) { s = s + first[i]; to[i] = s; } return to + n; }
template <class I, class O, class T, class F> constexpr O exclusive_scan(I first, I last, O to, T s, F f) { const long n = last - first; for (long i = 0; i < n; ++i) { const auto x = first[i]; to[i] = s; s = f(s, x); } return to + n; }
template <class I, class O, class T> constexpr O exclusive_scan(I first, I last, O to, T s) { const long n = last - first; for (long i = 0; i < n; ++i) { const auto x = first[i]; to[i] = s; s = s + x; } return to + n; }
template <class I, class O, class F> constexpr O partial_sum(I first, I last, O to, F f) { return std::inclusive_scan(first, last, to, f); }
template <class I, class O> constexpr O partial_sum(I first, I last, O to) { return std::inclusive_scan(first, last, to); }
template <class I, class O> constexpr O adjacent_difference(I first, I last, O to) { const long n = last - first; if (n == 0) return to; auto old = first[0]; to[0] = old; for (long i = 1; i < n; ++i) { const auto x = first[i]; to[i] = x - old; old = x; } return to + n; }
template <class I, class T> constexpr void iota(I first, I last, T x) { const long n = last - first; for (long i = 0; i < n; ++i) { first[i] = x; ++x; } }
)";

constexpr const char* kMoves = R"(
template <class I, class O> constexpr O copy_n(I first, long n, O to) { for (long i = 0; i < n; ++i) to[i] = first[i]; return to + n; }
template <class I, class O> constexpr O copy(I first, I last, O to) { return std::copy_n(first, last - first, to); }
template <class O, class T> constexpr O fill_n(O first, long n, const T& x) { for (long i = 0; i < n; ++i) first[i] = x; return first + n; }
template <class O, class T> constexpr void fill(O first, O last, const T& x) { std::fill_n(first, last - first, x); }
template <class I> constexpr void reverse(I first, I last) { const long n = last - first; for (long i = 0; i < n / 2; ++i) { const auto a = first[i]; first[i] = first[n - 1 - i]; first[n - 1 - i] = a; } }
template <class I, class O> constexpr O reverse_copy(I first, I last, O to) { const long n = last - first; for (long i = 0; i < n; ++i) to[i] = first[n - 1 - i]; return to + n; }
template <class I> constexpr I rotate(I first, I middle, I last) { std::reverse(first, middle); std::reverse(middle, last); std::reverse(first, last); return first + (last - middle); }
template <class I, class O> constexpr O rotate_copy(I first, I middle, I last, O to) { return std::copy(first, middle, std::copy(middle, last, to)); }
template <class I, class J> constexpr J swap_ranges(I first, I last, J other) { const long n = last - first; for (long i = 0; i < n; ++i) { const auto a = first[i]; first[i] = other[i]; other[i] = a; } return other + n; }
template <class I, class O, class F> constexpr O transform(I first, I last, O to, F f) { const long n = last - first; for (long i = 0; i < n; ++i) to[i] = f(first[i]); return to + n; }
template <class I, class J, class O, class F> constexpr O transform(I first, I last, J with, O to, F f) { const long n = last - first; for (long i = 0; i < n; ++i) to[i] = f(first[i], with[i]); return to + n; }
template <class I, class F> constexpr F for_each(I first, I last, F f) { const long n = last - first; for (long i = 0; i < n; ++i) f(first[i]); return f; }
)";

}  // namespace

std::string standard_algorithms() { return std::string("namespace std {") + kFolds + kScans + kMoves + "}\n"; }

}  // namespace swizzle
