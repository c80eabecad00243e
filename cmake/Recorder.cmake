# recording/: what `swizzle-synth record` puts into an application. Its log is plain C++ and always built; the library
# that CUDA's driver loads needs the headers of CUPTI (cupti.h, of the toolkit's CUPTI package), and nothing of it where it runs.
file(GLOB log_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/recording/*.cpp)
add_library(swizzle_recording STATIC ${log_sources})
target_include_directories(swizzle_recording PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(swizzle_recording PRIVATE swizzle_warnings)
set_target_properties(swizzle_recording PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)

find_path(CUPTI_INCLUDE_DIR cupti.h HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
  PATH_SUFFIXES include extras/CUPTI/include targets/x86_64-linux/include)
find_path(CUDA_DRIVER_INCLUDE_DIR cuda.h HINTS ENV CUDA_HOME ENV CUDA_PATH ${CUPTI_INCLUDE_DIR} PATHS /usr/local/cuda
  PATH_SUFFIXES include targets/x86_64-linux/include)
if(CUPTI_INCLUDE_DIR AND CUDA_DRIVER_INCLUDE_DIR)
  add_library(swizzle_recorder MODULE recording/injection/recorder.cpp)
  set_target_properties(swizzle_recorder PROPERTIES CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_include_directories(swizzle_recorder SYSTEM PRIVATE ${CUPTI_INCLUDE_DIR} ${CUDA_DRIVER_INCLUDE_DIR})
  get_filename_component(cuda_folder ${CUDA_DRIVER_INCLUDE_DIR} DIRECTORY)
  target_compile_definitions(swizzle_recorder PRIVATE SWIZZLE_CUDA_FOLDER="${cuda_folder}")
  # Into any application: it brings the C++ library that it was built with, and shows none of it.
  target_link_libraries(swizzle_recorder PRIVATE swizzle_recording swizzle_warnings ${CMAKE_DL_LIBS})
  set(shown ${CMAKE_CURRENT_SOURCE_DIR}/recording/injection/recorder.map)
  target_link_options(swizzle_recorder PRIVATE -static-libstdc++ -static-libgcc LINKER:--version-script=${shown})
  set_target_properties(swizzle_recorder PROPERTIES LINK_DEPENDS ${shown})
endif()
