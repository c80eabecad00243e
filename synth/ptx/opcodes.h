// The words that PTX instructions are made of.
//
//   mad.wide.u32    kMad · kWide · {kUnsigned, 32 bits}
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

namespace swizzle::ptx {

// clang-format off
#define SWIZZLE_PTX_OPCODES(X) \
  X(Abs, "abs") X(Activemask, "activemask") X(Add, "add") X(And, "and") X(Atom, "atom") X(Bar, "bar") \
  X(Barrier, "barrier") X(Bfe, "bfe") X(Bfi, "bfi") X(Bfind, "bfind") X(Bmsk, "bmsk") X(Bra, "bra") X(Brev, "brev") X(Brx, "brx") \
  X(Call, "call") X(Clz, "clz") X(Cnot, "cnot") X(Cp, "cp") X(Cvt, "cvt") X(Cvta, "cvta") X(Div, "div") \
  X(Elect, "elect") X(Exit, "exit") X(Fence, "fence") X(Isspacep, "isspacep") X(Ld, "ld") X(Ldmatrix, "ldmatrix") \
  X(Ldu, "ldu") X(Lop3, "lop3") X(Mad, "mad") X(Mad24, "mad24") X(Mapa, "mapa") X(Max, "max") \
  X(Mbarrier, "mbarrier") X(Membar, "membar") X(Min, "min") X(Mov, "mov") X(Mul, "mul") X(Mul24, "mul24") \
  X(Neg, "neg") X(Not, "not") X(Or, "or") X(Popc, "popc") X(Prmt, "prmt") X(Red, "red") X(Redux, "redux") \
  X(Rem, "rem") X(Ret, "ret") X(Sad, "sad") X(Selp, "selp") X(Set, "set") X(Setp, "setp") X(Shf, "shf") \
  X(Shfl, "shfl") X(Shl, "shl") X(Shr, "shr") X(Slct, "slct") X(St, "st") X(Stmatrix, "stmatrix") X(Sub, "sub") \
  X(Trap, "trap") X(Vote, "vote") X(Wgmma, "wgmma") X(Wmma, "wmma") X(Xor, "xor")

#define SWIZZLE_PTX_MODIFIERS(X) \
  X(Lo, "lo") X(Hi, "hi") X(Wide, "wide") X(Sync, "sync") X(Up, "up") X(Down, "down") X(Bfly, "bfly") X(Idx, "idx") \
  X(Eq, "eq") X(Ne, "ne") X(Lt, "lt") X(Le, "le") X(Gt, "gt") X(Ge, "ge") X(Ls, "ls") X(Hs, "hs") \
  X(And, "and") X(Or, "or") X(Xor, "xor") X(Add, "add") X(Min, "min") X(Max, "max") \
  X(Shared, "shared") X(SharedCta, "shared::cta") X(SharedCluster, "shared::cluster") X(Global, "global") \
  X(Local, "local") X(Param, "param") X(ParamEntry, "param::entry") X(ParamFunc, "param::func") X(Const, "const") \
  X(V2, "v2") X(V4, "v4") X(V8, "v8") X(X1, "x1") X(X2, "x2") X(X4, "x4") X(L, "l") X(R, "r") X(Clamp, "clamp") \
  X(Wrap, "wrap") X(Sat, "sat") X(To, "to") X(Async, "async") X(Bulk, "bulk") X(Commit, "commit") X(Wait, "wait") \
  X(All, "all") X(Any, "any") X(Uni, "uni") X(Ballot, "ballot") X(Cc, "cc") X(F4e, "f4e") X(B4e, "b4e") X(Rc8, "rc8") \
  X(Ecl, "ecl") X(Ecr, "ecr") X(Rc16, "rc16") X(Shiftamt, "shiftamt") X(TryWait, "try_wait") \
  X(TestWait, "test_wait") X(M16n8, "m16n8") X(Load, "load") X(Store, "store") X(CommitGroup, "commit_group") \
  X(WaitGroup, "wait_group") X(WaitAll, "wait_all") X(Mbarrier, "mbarrier") X(Prefetch, "prefetch") X(Arrive, "arrive")
// clang-format on

#define SWIZZLE_PTX_NAME(name, text) k##name,
enum class Opcode : std::uint8_t { SWIZZLE_PTX_OPCODES(SWIZZLE_PTX_NAME) kOther };
enum class Modifier : std::uint8_t { SWIZZLE_PTX_MODIFIERS(SWIZZLE_PTX_NAME) kCount };
#undef SWIZZLE_PTX_NAME

using Modifiers = std::bitset<static_cast<std::size_t>(Modifier::kCount)>;

Opcode opcode_of(std::string_view word);                     // "mad"; kOther: no such
std::optional<Modifier> modifier_of(std::string_view word);  // "wide"

// "u32", "b64", "f16x2", "pred".
struct Type {
  enum class Kind : std::uint8_t { kBits, kUnsigned, kSigned, kReal, kPredicate };
  Kind kind = Kind::kBits;
  int bits = 0;  // 0: the instruction names no type

  bool is_signed() const { return kind == Kind::kSigned; }
  bool is_integer() const { return kind != Kind::kReal && kind != Kind::kPredicate; }
  int bytes() const { return bits / 8; }
};
std::optional<Type> type_of(std::string_view word);

enum class Special : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kLanemaskEq,
  kLanemaskLt,
  kLanemaskLe,
  kLanemaskGt,
  kLanemaskGe,
  kUnknown,
};
Special special_of(std::string_view name);  // "%tid.x"; kUnknown: a clock, say

}  // namespace swizzle::ptx
