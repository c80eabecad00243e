#include "frontend/prelude.h"

#include <fmt/format.h>

#include "synth/program/device_headers.h"

namespace swizzle {
namespace {

constexpr const char* kMacros = R"(
#undef assert
#define assert(...) ((void)(__VA_ARGS__))
#define $g __global__
#define NAN (0.0f / 0.0f)
#undef __align__
#define __align__(n) __attribute__((aligned(n)))
#undef __launch_bounds__
#define __launch_bounds__(...) __attribute__((annotate("swizzle_launch_bounds", __VA_ARGS__)))
#define __cluster_dims__(...)
#define __grid_constant__
#define __managed__
#define __maxnreg__(...)
#define __inline__ inline
#define __builtin_assume(x) ((void)0)
#define __builtin_assume_aligned(p, ...) (p)
#define __builtin_expect(x, ...) (x)
#define __builtin_unreachable() ((void)0)
#define __NVCC__ 1
#define __CUDA_ARCH_LIST__ 900
#define _CCCL_ENABLE_FREESTANDING
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define CUDA_VERSION 12040
#define CUDART_VERSION 12040
#define CUDART_NAN_F (0.0f / 0.0f)
#define CUDART_NAN (0.0 / 0.0)
void $launched(); template <class T> void $kernel(const T&); void $grid(dim3); void $block(dim3); void $shared(unsigned long); template <int N, class... T> void $argument(const T&...);
typedef struct $stream* cudaStream_t;
typedef int cudaError_t, cudaError; enum { cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInvalidDevicePointer = 17, cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101, cudaErrorNotSupported = 801, cudaErrorUnknown = 999 };
typedef unsigned char uint8; typedef unsigned long long cudaTextureObject_t; typedef unsigned long long cudaSurfaceObject_t;
using clock_t = long; clock_t clock(); long long clock64();
)";

constexpr const char* kUnqualified = R"(
inline void* operator new(unsigned long, void* place) noexcept { return place; }
template <class T> void swap(T&, T&);
template <class A, class B> A max(A, B); template <class A, class B> A min(A, B);
)";

// So that host code around launches is understood as far as it tells their shapes.
constexpr const char* kHost = R"(
namespace std {
template <class T, class... A> struct vector { vector(); template <class... B> vector(B...); vector(initializer_list<T>); T* data(); const T* data() const; T* begin(); T* end(); unsigned long size() const; T& operator[](unsigned long); const T& operator[](unsigned long) const; template <class... B> void push_back(B...); template <class... B> void resize(B...); };
template <class... T> struct tuple; template <class F> struct function;
struct string { string(); string(const char*); const char* c_str() const; unsigned long size() const; };
struct ostream {}; template <class T> ostream& operator<<(ostream&, const T&); ostream& operator<<(ostream&, ostream& (*)(ostream&)); ostream& endl(ostream&); extern ostream cout, cerr;
template <class T, class... A> struct unique_ptr { T* get() const; T& operator*() const; T* operator->() const; }; template <class T> struct shared_ptr { T* get() const; };
}
namespace std { namespace chrono {
template <class T, class P = void> struct duration { duration(); template <class D> duration(const D&); T count() const; };
using nanoseconds = duration<long>; using microseconds = duration<long>; using milliseconds = duration<long>; using seconds = duration<long>;
template <class D, class F> D duration_cast(const F&); struct $time { nanoseconds time_since_epoch() const; nanoseconds operator-(const $time&) const; };
struct system_clock { typedef $time time_point; static $time now(); }; using steady_clock = system_clock; using high_resolution_clock = system_clock;
} }
enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative, cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension, cudaLaunchAttributeClusterSchedulingPolicyPreference, cudaLaunchAttributeProgrammaticStreamSerialization, cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributePriority };
union cudaLaunchAttributeValue { int cooperative, programmaticStreamSerializationAllowed, priority; struct { unsigned x, y, z; } clusterDim; };
struct cudaLaunchAttribute { cudaLaunchAttributeID id; cudaLaunchAttributeValue val; };
struct cudaLaunchConfig_t { dim3 gridDim, blockDim; unsigned long dynamicSmemBytes; cudaStream_t stream; void* attrs; unsigned numAttrs; };
template <class... T> cudaError_t cudaLaunchKernel(const T&...); template <class... T> cudaError_t cudaLaunchKernelEx(const T&...); template <class... T> cudaError_t cudaLaunchCooperativeKernel(const T&...);
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, sharedMemPerBlockOptin, sharedMemPerMultiprocessor; int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, regsPerMultiprocessor, managedMemory, cooperativeLaunch, concurrentManagedAccess, pageableMemoryAccess, streamPrioritiesSupported, maxBlocksPerMultiProcessor; };
template <class P, class... T> cudaError_t cudaGetDeviceProperties(P*, T...);
#define cudaSuccess 0
cudaError_t cudaGetLastError(); cudaError_t cudaPeekAtLastError(); cudaError_t cudaDeviceSynchronize();
int atoi(const char*); char* getenv(const char*); namespace std { using ::atoi; using ::getenv; }
const char* cudaGetErrorString(cudaError_t); const char* cudaGetErrorName(cudaError_t);
enum cudaDeviceAttr { cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrWarpSize = 10, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
)";

constexpr const char* kTorch =
    R"(#define SWIZZLE_OF(TYPE, ...) { using scalar_t = TYPE; return (__VA_ARGS__)(); }
#define SWIZZLE_REALS(...) case 0: SWIZZLE_OF(double, __VA_ARGS__) case 1: SWIZZLE_OF(float, __VA_ARGS__)
#define SWIZZLE_INTEGERS(...) case 2: SWIZZLE_OF(unsigned char, __VA_ARGS__) case 3: SWIZZLE_OF(signed char, __VA_ARGS__) case 4: SWIZZLE_OF(short, __VA_ARGS__) case 5: SWIZZLE_OF(int, __VA_ARGS__) case 6: SWIZZLE_OF(long, __VA_ARGS__)
#define SWIZZLE_ONE(MORE, ...) SWIZZLE_OF(c10::$scalar<MORE>::type, __VA_ARGS__)
#define SWIZZLE_DISPATCH(...) [&] { switch ($any_type()) { __VA_ARGS__ } }()
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_REALS(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_REALS(__VA_ARGS__) SWIZZLE_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_REALS(__VA_ARGS__) case 7: SWIZZLE_OF(c10::Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(MORE, TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_REALS(__VA_ARGS__) case 7: SWIZZLE_ONE(MORE, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(MORE, OTHER, TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_REALS(__VA_ARGS__) case 7: SWIZZLE_ONE(MORE, __VA_ARGS__) case 8: SWIZZLE_ONE(OTHER, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(MORE, TYPE, NAME, ...) SWIZZLE_DISPATCH(SWIZZLE_REALS(__VA_ARGS__) SWIZZLE_INTEGERS(__VA_ARGS__) case 7: SWIZZLE_ONE(MORE, __VA_ARGS__))
signed char $any_type();
namespace c10 {
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8, QInt32, BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4, Bits4x2, Bits8, Bits16, Float8_e5m2, Float8_e4m3fn, Undefined };
template <class T> struct optional { bool has_value() const; const T& value() const; const T& operator*() const; const T* operator->() const; explicit operator bool() const; };
template <ScalarType> struct $scalar { using type = long; }; template <> struct $scalar<ScalarType::Byte> { using type = unsigned char; }; template <> struct $scalar<ScalarType::Char> { using type = signed char; }; template <> struct $scalar<ScalarType::Short> { using type = short; }; template <> struct $scalar<ScalarType::Int> { using type = int; };
template <> struct $scalar<ScalarType::Half> { using type = Half; }; template <> struct $scalar<ScalarType::BFloat16> { using type = BFloat16; }; template <> struct $scalar<ScalarType::Float> { using type = float; }; template <> struct $scalar<ScalarType::Double> { using type = double; }; template <> struct $scalar<ScalarType::Bool> { using type = bool; };
}
namespace at {
using c10::ScalarType; using c10::optional; constexpr ScalarType kByte = ScalarType::Byte, kInt = ScalarType::Int, kLong = ScalarType::Long, kHalf = ScalarType::Half, kFloat = ScalarType::Float, kDouble = ScalarType::Double, kBFloat16 = ScalarType::BFloat16, kBool = ScalarType::Bool;
template <class T, bool> struct AccumulateType { using type = long; }; template <bool B> struct AccumulateType<float, B> { using type = float; }; template <bool B> struct AccumulateType<double, B> { using type = double; };
template <bool B> struct AccumulateType<c10::Half, B> { using type = float; }; template <bool B> struct AccumulateType<c10::BFloat16, B> { using type = float; };
template <class T, bool B> using acc_type = typename AccumulateType<T, B>::type;
struct Tensor { long size(int) const; long stride(int) const; long numel() const; long dim() const; long ndimension() const; long element_size() const; ScalarType scalar_type() const; bool is_contiguous() const; bool defined() const; Tensor contiguous() const; void* data_ptr() const; template <class T> T* data_ptr() const; template <class T> T* data() const; };
}
namespace torch { using at::Tensor; using at::ScalarType; using at::kFloat; using at::kHalf; using at::kBFloat16; using at::kInt; using at::kLong; }
template <class T, class V> T gpuAtomicAdd(T*, V); template <class T, class V> void gpuAtomicAddNoReturn(T*, V); template <class T, class V> T gpuAtomicMul(T*, V); template <class T, class V> T gpuAtomicMax(T*, V); template <class T, class V> T gpuAtomicMin(T*, V);
)";

constexpr const char* kDeviceFunctions = R"(
void __threadfence_system(); void __nanosleep(unsigned); void __brkpt(); void __assert_fail(const char*, const char*, unsigned, const char*);
int __syncthreads_count(int); int __syncthreads_and(int); int __syncthreads_or(int);
unsigned long __cvta_generic_to_shared(const void*); unsigned long __cvta_generic_to_global(const void*); void* __cvta_shared_to_generic(unsigned long);
bool __isShared(const void*); unsigned __isGlobal(const void*);
void __pipeline_memcpy_async(void*, const void*, size_t, size_t = 0); void __pipeline_commit(); void __pipeline_wait_prior(size_t);
template <class T> T __ldcg(const T*); template <class T> T __ldca(const T*); template <class T> T __ldcs(const T*);
template <class T> T __ldlu(const T*); template <class T> T __ldcv(const T*);
template <class T> T __shfl(T, int, int = 32); template <class T> T __shfl_down(T, unsigned, int = 32); template <class T> T __shfl_up(T, unsigned, int = 32); template <class T> T __shfl_xor(T, int, int = 32);
unsigned __match_any_sync(unsigned, unsigned); unsigned __match_all_sync(unsigned, unsigned, int*); unsigned __ballot(int); int __any(int); int __all(int);
unsigned __reduce_add_sync(unsigned, unsigned); unsigned __reduce_max_sync(unsigned, unsigned); unsigned __reduce_min_sync(unsigned, unsigned);
int __dp4a(int, int, int); unsigned __dp4a(unsigned, unsigned, unsigned); int __dp4a(char4, char4, int); unsigned __dp4a(uchar4, uchar4, unsigned); unsigned __vadd4(unsigned, unsigned);
int __dp2a_lo(int, int, int); unsigned __dp2a_lo(unsigned, unsigned, unsigned); int __dp2a_hi(int, int, int); unsigned __dp2a_hi(unsigned, unsigned, unsigned);
double __longlong_as_double(long long); long long __double_as_longlong(double); double __hiloint2double(int, int); int __double2hiint(double); int __double2loint(double);
void cudaGridDependencySynchronize(); void cudaTriggerProgrammaticLaunchCompletion();
float __expf(float); float __logf(float); float __log2f(float); float __powf(float, float); float __sinf(float); float __cosf(float); float __fdividef(float, float);
float __fadd_rn(float, float); float __fmul_rn(float, float); float __frcp_rn(float); float __fsqrt_rn(float); float __saturatef(float); float __frsqrt_rn(float); float __fdiv_rn(float, float); int __isnanf(float); int __isinff(float);
int __float2int_rn(float); unsigned __float2uint_rn(float); int __double2int_rn(double);
float exp10f(float); float cbrtf(float); float hypotf(float, float); float copysignf(float, float); float expm1f(float); float log1pf(float); float asinf(float); float acosf(float); float atanf(float); float sinhf(float); float coshf(float); float rcbrtf(float); float normcdff(float); float erfcf(float); float log10f(float); float roundf(float); float rintf(float);
float exp(float); float log(float); float sqrt(float); float pow(float, float); float fabs(float); float floor(float); float ceil(float); float sin(float); float cos(float); float tanh(float); float rsqrt(float);
void* memcpy(void*, const void*, size_t); void* memmove(void*, const void*, size_t); void* memset(void*, int, size_t);
namespace std { using ::memcpy; using ::memmove; using ::memset; }
size_t strlen(const char*); char* strcpy(char*, const char*); char* strncpy(char*, const char*, size_t); int strcmp(const char*, const char*); int strncmp(const char*, const char*, size_t); char* strchr(const char*, int); char* strrchr(const char*, int); int memcmp(const void*, const void*, size_t); void* memchr(const void*, int, size_t);
namespace std { using ::strlen; using ::strcmp; using ::strncmp; using ::memcmp; }
unsigned __isConstant(const void*); unsigned __isLocal(const void*); unsigned __isGridConstant(const void*); unsigned __isClusterShared(const void*); void* __cvta_global_to_generic(unsigned long);
void sincosf(float, float*, float*); void sincos(double, double*, double*); bool isnan(float); bool isinf(float); bool isfinite(float);
double __dadd_rn(double, double); double __dmul_rn(double, double); double __ddiv_rn(double, double); double __fma_rn(double, double, double); float __fmaf_rn(float, float, float);
)";

// What <cstdint> has besides what a sketch has.
std::string further_integers() {
  std::string text = "typedef long intptr_t, intmax_t; typedef unsigned long uintmax_t;\n";
  for (const int bits : {8, 16, 32, 64})
    text += fmt::format(
        "typedef int{0}_t int_least{0}_t; typedef uint{0}_t uint_least{0}_t; typedef {1} int_fast{0}_t; typedef unsigned {2} uint_fast{0}_t;\n",
        bits, bits == 8 ? "signed char" : "long", bits == 8 ? "char" : "long");
  return text;
}

// Of integers and of small reals, and by the names that std has for them.
std::string math_of_anything() {
  std::string text, after;
  const auto add_to_std = [&](const char* f) { after += fmt::format("namespace std {{ using ::{}; }}\n", f); };
  for (const char* f :
       {"sqrt",  "cbrt", "exp",   "exp2",  "expm1", "log",  "log2", "log10",  "log1p",  "sin",      "cos",
        "tan",   "asin", "acos",  "atan",  "sinh",  "cosh", "tanh", "asinh",  "acosh",  "atanh",    "fabs",
        "floor", "ceil", "round", "trunc", "rint",  "erf",  "erfc", "lgamma", "tgamma", "nearbyint"}) {
    text += fmt::format("template <class T> double {}(T);\n", f);
    add_to_std(f);
  }
  for (const char* f : {"pow", "fmod", "atan2", "hypot", "copysign", "fmin", "fmax", "fdim", "remainder"}) {
    text += fmt::format("template <class A, class B> double {}(A, B);\n", f);
    add_to_std(f);
  }
  for (const char* f :
       {"abs", "fma", "isnan", "isinf", "isfinite", "signbit", "lrint", "llrint", "lround", "llround", "ldexp"})
    add_to_std(f);
  return text + "template <class T> double rsqrt(T);\n" + after;
}

// Textures and random numbers: values that nothing is known of.
std::string fetches() {
  std::string text = R"(
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D };
template <class T, int D = 1, int M = 0> struct texture { int normalized, filterMode; int addressMode[3]; };
)";
  for (const char* f : {"tex1Dfetch", "tex1D", "tex2D", "tex3D", "tex1DLod", "tex2DLod", "tex3DLod", "tex1DLayered",
                        "tex2DLayered", "tex2DGrad", "texCubemap", "surf1Dread", "surf2Dread", "surf3Dread"})
    text += fmt::format(
        "template <class T, class... A> T {0}(cudaTextureObject_t, A...); template <class T, int D, int M, class... A> T {0}(texture<T, D, M>, A...); "
        "template <class T, class... A> void {0}(T*, cudaTextureObject_t, A...);\n",
        f);
  for (const char* f : {"surf1Dwrite", "surf2Dwrite", "surf3Dwrite"})
    text += fmt::format("template <class T, class... A> void {}(T, cudaSurfaceObject_t, A...);\n", f);
  for (const char* state : {"curandStateXORWOW", "curandStatePhilox4_32_10", "curandStateMRG32k3a"}) {
    text += fmt::format(
        "struct {0} {{ unsigned d[12]; }}; typedef {0} {0}_t; void curand_init(unsigned long long, unsigned long long, unsigned long long, {0}*); void skipahead(unsigned long long, {0}*);\n",
        state);
    for (const auto& [type, f] : {std::pair("unsigned", "curand"),
                                  {"float", "curand_uniform"},
                                  {"float", "curand_normal"},
                                  {"double", "curand_uniform_double"},
                                  {"double", "curand_normal_double"},
                                  {"float2", "curand_normal2"},
                                  {"float4", "curand_uniform4"},
                                  {"float4", "curand_normal4"},
                                  {"uint4", "curand4"}})
      text += fmt::format("{} {}({}*);\n", type, f, state);
  }
  return text + "typedef curandStateXORWOW curandState; typedef curandStateXORWOW curandState_t;\n";
}

// What stands in the place of an unknown type: see opaque_types.h. Anything comes of it, and nothing is known of that.
// Its operators are friends: no other operands are taken for it.
std::string opaque_type() {
  std::string text =
      "struct $ { $() = default; template <class T> $(const T&); template <class I> $ operator[](I) const; template <class... A> $ operator()(A...) const; "
      "template <class T> operator T() const; int size(int = 0) const; int stride(int) const; $ data() const; static $ x, y, z, w, first, second, rows, cols, step, ptr; ";
  for (const char* op : {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>="})
    text += fmt::format(
        "template <class T> $& operator{0}(const T&); template <class T> const $& operator{0}(const T&) const; ", op);
  for (const char* op : {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
    text += fmt::format(
        "template <class T> friend T operator{0}(const $&, const T&); template <class T> friend T operator{0}(const T&, const $&); friend float operator{0}(const $&, const $&); ",
        op);
  for (const char* op : {"+=", "-=", "*=", "/="})
    text += fmt::format("template <class T> friend T& operator{}(T&, const $&); ", op);
  for (const char* op : {"<", ">", "<=", ">=", "==", "!="})
    text += fmt::format(
        "template <class T> friend bool operator{0}(const $&, const T&); template <class T> friend bool operator{0}(const T&, const $&); friend bool operator{0}(const $&, const $&); ",
        op);
  return text + "};\n";
}

// Without the lines that make a header of it.
std::string groups() {
  std::string text = *device_header("cooperative_groups.h");
  return text.substr(text.find("namespace")) +
         "namespace cooperative_groups { template <class G, class F, class... A> void invoke_one(const G& g, F&& f, A&&... a) "
         "{ if (g.thread_rank() == 0) f(static_cast<A&&>(a)...); } }\n";  // any one of them
}

constexpr const char* kMatrices = R"(
namespace nvcuda { namespace wmma {
struct matrix_a; struct matrix_b; struct accumulator; struct row_major; struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32; struct u4; struct s4; struct b1; }
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment { static constexpr int num_elements = 8; T x[8]; };
template <class F, class V> void fill_fragment(F&, V);
template <class F, class P> void load_matrix_sync(F&, const P*, unsigned); template <class F, class P> void load_matrix_sync(F&, const P*, unsigned, layout_t);
template <class F, class P> void store_matrix_sync(P*, const F&, unsigned, layout_t);
template <class D, class A, class B, class C> void mma_sync(D&, const A&, const B&, const C&, bool = false);
float __float_to_tf32(float);
} }
)";

}  // namespace

std::string atomic_declarations() {
  std::string text;
  for (const char* name : {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "And", "Or", "Xor"})
    for (const char* scope : {"", "_block", "_system"})
      text += fmt::format("template <class T, class V> T atomic{}{}(T*, V);\n", name, scope);
  for (const char* scope : {"", "_block", "_system"})
    text += fmt::format("template <class T, class V, class W> T atomicCAS{}(T*, V, W);\n", scope);
  return text;
}

std::string math_constants() {
  return R"(#define M_E 2.718281828459045
#define M_1_PI 0.3183098861837907
#define M_2_PI 0.6366197723675814
#define M_2_SQRTPI 1.1283791670955126
#define M_LN2 0.6931471805599453
#define M_LN10 2.302585092994046
#define M_LOG2E 1.4426950408889634
#define M_PI 3.141592653589793
#define M_PI_2 1.5707963267948966
#define M_PI_4 0.7853981633974483
#define M_SQRT2 1.4142135623730951
#define M_SQRT1_2 0.7071067811865476
)";
}

std::string host_declarations() { return kMacros + math_constants() + std::string(kHost); }

std::string device_declarations(bool has_torch) {
  return kMacros + math_constants() + further_integers() + standard_library() + kUnqualified + kHost +
         kDeviceFunctions + small_real_declarations(has_torch) + (has_torch ? kTorch : "") + math_of_anything() +
         atomic_declarations() + groups() + kMatrices + fetches() + opaque_type();
}

}  // namespace swizzle
