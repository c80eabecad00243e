// libswizzle_recorder.so: loaded by the CUDA driver into an application (CUDA_INJECTION64_PATH), it is told of each
// launch by CUPTI's driver callbacks, whether the application's runtime is linked statically or not, and writes it into
// a LaunchLog in the folder that $SWIZZLE_SYNTH_RECORD names.
//
// Of CUPTI and the driver, headers alone are needed to build this: their functions are looked up where they run, so
// that one library serves CUDA 12 and 13. A launch that a stream capture takes is told once, when it is captured.
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cupti.h>

#include "recording/launch_log.h"

namespace swizzle::recording {
namespace {

// A function of a library by its name; null: it is older.
template <typename Function>
Function* function_in(void* library, const char* name) {
  return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

struct Driver {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  decltype(&cuKernelGetFunction) function_of =
      function_in<decltype(cuKernelGetFunction)>(library, "cuKernelGetFunction");
  decltype(&cuFuncGetParamInfo) parameter = function_in<decltype(cuFuncGetParamInfo)>(library, "cuFuncGetParamInfo");
  decltype(&cuFuncGetName) name = function_in<decltype(cuFuncGetName)>(library, "cuFuncGetName");
  decltype(&cuPointerGetAttributes) attributes =
      function_in<decltype(cuPointerGetAttributes)>(library, "cuPointerGetAttributes");
  decltype(&cuCtxGetDevice) device = function_in<decltype(cuCtxGetDevice)>(library, "cuCtxGetDevice");
  decltype(&cuDeviceGetName) device_name = function_in<decltype(cuDeviceGetName)>(library, "cuDeviceGetName");
};

struct Recorder {
  explicit Recorder(const char* folder) : log(folder) {}
  LaunchLog log;
  Driver driver;
};

// Never destroyed: applications launch until they end.
Recorder* recorder = nullptr;

// What the several functions that launch are told alike.
struct Call {
  CUfunction function = nullptr;
  LaunchFacts facts;
  void** parameters = nullptr;
  void** extra = nullptr;
};

void use_config(const CUlaunchConfig& config, Call& call) {
  call.facts.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  call.facts.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  call.facts.shared_bytes = config.sharedMemBytes;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (const CUlaunchAttribute& a = config.attrs[i]; a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      call.facts.cluster = {a.value.clusterDim.x, a.value.clusterDim.y, a.value.clusterDim.z};
}

// Of cuLaunchKernel and cuLaunchCooperativeKernel; the latter has no `extra`.
template <typename Parameters>
Call plain_call(const Parameters& given) {
  Call call;
  call.function = given.f;
  call.facts.grid = {given.gridDimX, given.gridDimY, given.gridDimZ};
  call.facts.block = {given.blockDimX, given.blockDimY, given.blockDimZ};
  call.facts.shared_bytes = given.sharedMemBytes;
  call.parameters = given.kernelParams;
  return call;
}

Call call_of(CUpti_CallbackId id, const void* given) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto& own = *static_cast<const cuLaunchKernelEx_params*>(given);
      Call call;
      call.function = own.f;
      call.parameters = own.kernelParams;
      call.extra = own.extra;
      use_config(*own.config, call);
      return call;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return plain_call(*static_cast<const cuLaunchCooperativeKernel_params*>(given));
    default: {
      const auto& own = *static_cast<const cuLaunchKernel_params*>(given);
      Call call = plain_call(own);
      call.extra = own.extra;
      return call;
    }
  }
}

// CU_LAUNCH_PARAM_BUFFER_POINTER of `extra`: all parameters in one buffer.
const unsigned char* buffer_of(void** extra) {
  for (; extra != nullptr && *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) return static_cast<const unsigned char*>(extra[1]);
  return nullptr;
}

// Words among a parameter's bytes that the driver knows for pointers.
std::vector<PointerFacts> pointers_in(const std::vector<unsigned char>& bytes, const Driver& driver) {
  std::vector<PointerFacts> found;
  for (std::size_t at = 0; at + sizeof(CUdeviceptr) <= bytes.size() && driver.attributes != nullptr;
       at += sizeof(CUdeviceptr)) {
    CUdeviceptr word = 0, begin = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    std::size_t size = 0;
    std::array<CUpointer_attribute, 2> asked = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
    std::array<void*, 2> answers = {&begin, &size};
    if (word == 0 || driver.attributes(asked.size(), asked.data(), answers.data(), word) != CUDA_SUCCESS) continue;
    if (size > 0 && begin <= word && word < begin + size) found.push_back({at, begin + size - word});
  }
  return found;
}

// What is launched may be a CUkernel, of which there is a function for each context.
CUfunction function_of(CUfunction launched, const Driver& driver) {
  std::size_t offset = 0, size = 0;
  const bool is_function = driver.parameter(launched, 0, &offset, &size) == CUDA_SUCCESS;
  CUfunction own = nullptr;
  if (is_function || driver.function_of == nullptr) return launched;
  return driver.function_of(&own, reinterpret_cast<CUkernel>(launched)) == CUDA_SUCCESS ? own : launched;
}

std::vector<ParameterFacts> parameters_of(const Call& call, const Driver& driver) {
  std::vector<ParameterFacts> out;
  const CUfunction function = function_of(call.function, driver);
  const unsigned char* const buffer = call.parameters == nullptr ? buffer_of(call.extra) : nullptr;
  std::size_t offset = 0, size = 0;
  while (driver.parameter(function, out.size(), &offset, &size) == CUDA_SUCCESS) {
    const auto* from = buffer != nullptr ? buffer + offset : nullptr;
    if (call.parameters != nullptr) from = static_cast<const unsigned char*>(call.parameters[out.size()]);
    if (from == nullptr) break;
    ParameterFacts parameter{{from, from + size}, {}};
    parameter.pointers = pointers_in(parameter.bytes, driver);
    out.push_back(std::move(parameter));
  }
  return out;
}

void say_device(Recorder& own) {
  constexpr int kLongest = 256;
  static thread_local CUdevice last = -1;
  CUdevice device = 0;
  std::array<char, kLongest> name{};
  if (own.driver.device == nullptr || own.driver.device(&device) != CUDA_SUCCESS || device == last) return;
  last = device;
  if (own.driver.device_name(name.data(), kLongest, device) == CUDA_SUCCESS) own.log.say("device", name.data());
}

void on_launch(void*, CUpti_CallbackDomain, CUpti_CallbackId id, const void* data) {
  const auto& told = *static_cast<const CUpti_CallbackData*>(data);
  if (told.callbackSite != CUPTI_API_ENTER) return;
  Call call = call_of(id, told.functionParams);
  const char* name = told.symbolName;
  if (name == nullptr && recorder->driver.name != nullptr && recorder->driver.parameter != nullptr)
    if (recorder->driver.name(&name, function_of(call.function, recorder->driver)) != CUDA_SUCCESS) name = nullptr;
  call.facts.mangled = name != nullptr ? name : "";
  if (recorder->driver.parameter != nullptr) call.facts.parameters = parameters_of(call, recorder->driver);
  say_device(*recorder);
  recorder->log.add(call.facts);
}

void* cupti_library() {
  std::vector<std::string> names = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) folders.emplace_back(home);
  folders.insert(folders.end(), {SWIZZLE_CUDA_FOLDER, "/usr/local/cuda"});
  for (const std::string& folder : folders)
    for (const char* below : {"/extras/CUPTI/lib64", "/lib64", "/lib", "/targets/x86_64-linux/lib"})
      for (const char* name : {"/libcupti.so", "/libcupti.so.13", "/libcupti.so.12"})
        names.push_back(folder + below + name);
  for (const std::string& name : names)
    if (void* library = dlopen(name.c_str(), RTLD_NOW)) return library;
  return nullptr;
}

std::string reason(void* cupti, CUptiResult result) {
  const auto text_of = function_in<decltype(cuptiGetResultString)>(cupti, "cuptiGetResultString");
  const char* text = nullptr;
  if (text_of == nullptr || text_of(result, &text) != CUPTI_SUCCESS || text == nullptr) return std::to_string(result);
  return text;
}

// What keeps it from being told; empty: nothing.
std::string subscribe() {
  void* const cupti = cupti_library();
  if (cupti == nullptr) return "libcupti.so is not found: set CUDA_HOME, or LD_LIBRARY_PATH to its folder";
  const auto open = function_in<decltype(cuptiSubscribe)>(cupti, "cuptiSubscribe");
  const auto enable = function_in<decltype(cuptiEnableCallback)>(cupti, "cuptiEnableCallback");
  if (open == nullptr || enable == nullptr) return "libcupti.so lacks the callback API";
  CUpti_SubscriberHandle subscriber{};
  if (const CUptiResult result = open(&subscriber, on_launch, nullptr); result != CUPTI_SUCCESS)
    return "CUPTI takes no subscriber (another profiler may be at work): " + reason(cupti, result);
  for (const CUpti_CallbackId id :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz})
    if (const CUptiResult result = enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id); result != CUPTI_SUCCESS)
      return "CUPTI does not tell of launches here: " + reason(cupti, result);
  return "";
}

}  // namespace
}  // namespace swizzle::recording

// The driver calls it when it is initialized; 1: all is well.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace swizzle::recording;
  const char* const folder = std::getenv("SWIZZLE_SYNTH_RECORD");
  if (folder == nullptr || recorder != nullptr) return 1;
  recorder = new Recorder(folder);
  if (const std::string wrong = subscribe(); !wrong.empty()) recorder->log.say("error", wrong);
  return 1;
}
