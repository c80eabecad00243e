// launch_all LIBRARY…: launches the kernel of each library that counters.py built, one after the other.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* const library = dlopen(argv[i], RTLD_LAZY | RTLD_LOCAL);
    auto* const launch = library != nullptr ? reinterpret_cast<void (*)()>(dlsym(library, "launch_kernel")) : nullptr;
    if (launch == nullptr) {
      std::fprintf(stderr, "%s: %s\n", argv[i], dlerror());
      return 1;
    }
    launch();
  }
}
