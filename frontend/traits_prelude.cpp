// What <type_traits>, <limits>, <array>, <utility> and <functional> declare, as far as kernels and specs use it.
#include <utility>

#include <fmt/format.h>

#include "frontend/prelude.h"

namespace swizzle {
namespace {

constexpr const char* kTraits = R"(
template <bool B, class T = void> struct enable_if {}; template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { using type = T; }; template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T, T V> struct integral_constant { static constexpr T value = V; using value_type = T; using type = integral_constant; constexpr operator T() const { return V; } };
using true_type = integral_constant<bool, true>; using false_type = integral_constant<bool, false>;
template <class A, class B> struct is_same : false_type {}; template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> struct remove_const { using type = T; }; template <class T> struct remove_const<const T> { using type = T; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_reference { using type = T; }; template <class T> struct remove_reference<T&> { using type = T; };
template <class T> constexpr T&& forward(typename remove_reference<T>::type& x) { return static_cast<T&&>(x); }
template <class T> constexpr typename remove_reference<T>::type&& move(T&& x) { return static_cast<typename remove_reference<T>::type&&>(x); }
template <bool B> using bool_constant = integral_constant<bool, B>;
template <unsigned long N, unsigned long A = 8> struct aligned_storage { struct type { alignas(A) unsigned char data[N]; }; };
template <unsigned long N, unsigned long A = 8> using aligned_storage_t = typename aligned_storage<N, A>::type;
template <class T> struct is_integral : bool_constant<__is_integral(T)> {}; template <class T> inline constexpr bool is_integral_v = __is_integral(T);
template <class T> struct is_floating_point : bool_constant<__is_floating_point(T)> {}; template <class T> inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <class T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {}; template <class T> inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <class T, bool = __is_integral(T)> struct numeric_limits { static constexpr T max(); static constexpr T min(); static constexpr T lowest(); static constexpr T infinity(); static constexpr T epsilon(); static constexpr T quiet_NaN(); };
template <int Digits, bool Signed, bool Integer, bool Real> struct $limits { static constexpr bool is_specialized = true, is_bounded = true, is_signed = Signed, is_integer = Integer, is_exact = Integer, is_iec559 = Real, has_infinity = Real, has_quiet_NaN = Real; static constexpr int radix = 2, digits = Digits, digits10 = (Digits - Real) * 301 / 1000; };
template <class T> struct numeric_limits<T, true> : $limits<8 * sizeof(T) - (T(-1) < T(1)), (T(-1) < T(1)), true, false> { static constexpr int digits = 8 * sizeof(T) - (T(-1) < T(1)); static constexpr bool is_signed = T(-1) < T(1);
static constexpr T max() { return T((1ull << (digits - 1)) - 1 + (1ull << (digits - 1))); } static constexpr T min() { return is_signed ? T(-max() - 1) : T(0); } static constexpr T lowest() { return min(); } };
template <> struct numeric_limits<float, false> : $limits<24, true, false, true> { static constexpr float max() { return __FLT_MAX__; } static constexpr float min() { return __FLT_MIN__; }
static constexpr float lowest() { return -__FLT_MAX__; } static constexpr float epsilon() { return __FLT_EPSILON__; } static constexpr float infinity() { return __builtin_inff(); } static constexpr float quiet_NaN() { return __builtin_nanf(""); } };
template <> struct numeric_limits<double, false> : $limits<53, true, false, true> { static constexpr double max() { return __DBL_MAX__; } static constexpr double min() { return __DBL_MIN__; }
static constexpr double lowest() { return -__DBL_MAX__; } static constexpr double epsilon() { return __DBL_EPSILON__; } static constexpr double infinity() { return __builtin_inf(); } static constexpr double quiet_NaN() { return __builtin_nan(""); } };
template <class T> constexpr T max(initializer_list<T> all) { T most = *all.begin(); for (unsigned long i = 1; i < all.size(); ++i) if (most < all.begin()[i]) most = all.begin()[i]; return most; }
template <class T> constexpr T min(initializer_list<T> all) { T least = *all.begin(); for (unsigned long i = 1; i < all.size(); ++i) if (all.begin()[i] < least) least = all.begin()[i]; return least; }
)";

constexpr const char* kUtilities = R"(
template <class T, unsigned long N> struct array { T elements[N]; constexpr T& operator[](unsigned long i) { return elements[i]; } constexpr const T& operator[](unsigned long i) const { return elements[i]; } constexpr unsigned long size() const { return N; }
constexpr T* data() { return elements; } constexpr const T* data() const { return elements; } constexpr T* begin() { return elements; } constexpr T* end() { return elements + N; } constexpr const T* begin() const { return elements; } constexpr const T* end() const { return elements + N; }
constexpr void fill(const T& x) { for (unsigned long i = 0; i < N; ++i) elements[i] = x; } };
template <class A, class B> struct pair { A first; B second; }; template <class A, class B> constexpr pair<A, B> make_pair(A a, B b) { return {a, b}; }
using nullptr_t = decltype(nullptr); using ::ptrdiff_t; using ::int8_t; using ::int16_t; using ::uintptr_t;
enum class byte : unsigned char {};
template <class...> using void_t = void;
template <class T> T&& declval();
template <class T, class U> constexpr T exchange(T& x, U&& next) { T old = x; x = static_cast<U&&>(next); return old; }
template <class T> constexpr T clamp(const T& x, const T& least, const T& most) { if constexpr (__is_arithmetic(T)) return min(max(x, least), most); else return x < least ? least : most < x ? most : x; }
template <class T, T... I> struct integer_sequence { using value_type = T; static constexpr unsigned long size() { return sizeof...(I); } };
template <unsigned long... I> using index_sequence = integer_sequence<unsigned long, I...>;
template <class T, T N> using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template <unsigned long N> using make_index_sequence = make_integer_sequence<unsigned long, N>;
template <class A, class B = A> struct common_type { using type = decltype(true ? declval<A>() : declval<B>()); };
template <class... T> using common_type_t = typename common_type<T...>::type;
template <class F, class... A> struct invoke_result { using type = decltype(declval<F>()(declval<A>()...)); };
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class T> struct add_pointer { using type = __remove_reference_t(T)*; }; template <class T> using add_pointer_t = typename add_pointer<T>::type;
)";

constexpr std::pair<const char*, const char*> kTypes[] = {{"remove_cv", "__remove_cv(T)"},
                                                          {"remove_volatile", "__remove_volatile(T)"},
                                                          {"remove_cvref", "__remove_cvref(T)"},
                                                          {"remove_pointer", "__remove_pointer(T)"},
                                                          {"remove_extent", "__remove_extent(T)"},
                                                          {"add_const", "const T"},
                                                          {"decay", "__decay(T)"},
                                                          {"make_unsigned", "__make_unsigned(T)"},
                                                          {"make_signed", "__make_signed(T)"},
                                                          {"underlying_type", "__underlying_type(T)"},
                                                          {"type_identity", "T"}};

constexpr const char* kPredicates[] = {"void",
                                       "signed",
                                       "unsigned",
                                       "enum",
                                       "class",
                                       "union",
                                       "pointer",
                                       "reference",
                                       "array",
                                       "const",
                                       "function",
                                       "empty",
                                       "trivial",
                                       "scalar",
                                       "standard_layout",
                                       "fundamental",
                                       "trivially_copyable"};

constexpr std::pair<const char*, const char*> kOperators[] = {
    {"plus", "+"},           {"minus", "-"},     {"multiplies", "*"},    {"divides", "/"},
    {"modulus", "%"},        {"less", "<"},      {"greater", ">"},       {"less_equal", "<="},
    {"greater_equal", ">="}, {"equal_to", "=="}, {"not_equal_to", "!="}, {"logical_and", "&&"},
    {"logical_or", "||"},    {"bit_and", "&"},   {"bit_or", "|"},        {"bit_xor", "^"}};

}  // namespace

std::string standard_library() {
  std::string text = std::string("namespace std {") + kTraits + kUtilities;
  for (const auto& [name, type] : kTypes)
    text += fmt::format(
        "template <class T> struct {0} {{ using type = {1}; }}; template <class T> using {0}_t = typename {0}<T>::type;\n",
        name, type);
  for (const char* name : kPredicates)
    text += fmt::format(
        "template <class T> struct is_{0} : bool_constant<__is_{0}(T)> {{}}; template <class T> inline constexpr bool is_{0}_v = __is_{0}(T);\n",
        name);
  for (const char* name : {"base_of", "convertible"})
    text += fmt::format(
        "template <class A, class B> struct is_{0} : bool_constant<__is_{0}(A, B)> {{}}; template <class A, class B> inline constexpr bool is_{0}_v = __is_{0}(A, B);\n",
        name);
  for (const auto& [name, op] : kOperators)
    text += fmt::format(
        "template <class T = void> struct {0} {{ constexpr auto operator()(const T& a, const T& b) const {{ return a {1} b; }} }};\n"
        "template <> struct {0}<void> {{ template <class A, class B> constexpr auto operator()(const A& a, const B& b) const {{ return a {1} b; }} }};\n",
        name, op);
  return text + "}\n";
}

}  // namespace swizzle
