// What <type_traits>, <utility> and <functional> declare, as far as kernels use it.
#include <utility>

#include <fmt/format.h>

#include "frontend/prelude.h"

namespace swizzle {
namespace {

constexpr const char* kUtilities = R"(
using nullptr_t = decltype(nullptr); using ::ptrdiff_t; using ::int8_t; using ::int16_t; using ::uintptr_t;
enum class byte : unsigned char {};
template <class...> using void_t = void;
template <class T> T&& declval();
template <class T, class U> constexpr T exchange(T& x, U&& next) { T old = x; x = static_cast<U&&>(next); return old; }
template <class T> constexpr const T& clamp(const T& x, const T& least, const T& most) { return x < least ? least : most < x ? most : x; }
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

std::string standard_traits() {
  std::string text = std::string("namespace std {") + kUtilities;
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
