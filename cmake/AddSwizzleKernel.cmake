# add_swizzle_kernel(TARGET SKETCH sketch.cu SPEC spec.cpp
#                    [COMMITTED kernel.cu] [KERNEL name] [ARCH sm_90] [DEFINES …] [INCLUDES …] [SET n=64 …] [OPTIONS …])
#
# Completes the sketch when the target is built, and adds the kernel to its sources; headers that sketch or spec include
# are depended on, too. Definitions are given as for target_compile_definitions(), and stand in the kernel.
#
# COMMITTED names a kernel in the source tree that was made by the tool with --stamp, or by building the target
# TARGET_NAME_commit, NAME being that of the sketch. Where the tool is absent it is compiled instead, if sketch and spec are those that it was
# made from; otherwise configuring fails. Where the tool is there, the test TARGET_NAME_is_up_to_date compares them.
#
# Answers are kept in ${SWIZZLE_CACHE}, which is a folder of the build tree unless the project or the environment says
# another one. The file stands alone: a project may carry it for machines without the tool.
find_program(SWIZZLE_SYNTH_EXECUTABLE swizzle-synth DOC "completes sketches")

# The stamp's hash of `what` ("sketch", "spec"), by CMake alone.
function(_swizzle_stamped kernel what result)
  file(STRINGS ${kernel} stamp REGEX "^// inputs of swizzle-synth: ")
  set(hash "")
  if(stamp MATCHES "${what} ([0-9a-f]+)")
    set(hash ${CMAKE_MATCH_1})
  endif()
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

function(_swizzle_require_up_to_date kernel sketch spec)
  if(NOT EXISTS ${kernel})
    message(FATAL_ERROR "swizzle-synth is not installed, and there is no ${kernel} to compile instead")
  endif()
  foreach(what sketch spec)
    _swizzle_stamped(${kernel} ${what} stamped)
    file(SHA256 ${${what}} hash)
    if(NOT stamped STREQUAL hash)
      message(FATAL_ERROR "swizzle-synth is not installed, and ${kernel} was not made from ${${what}} as it is now")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${${what}})
  endforeach()
endfunction()

function(add_swizzle_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SKETCH;SPEC;COMMITTED;KERNEL;ARCH" "DEFINES;INCLUDES;SET;OPTIONS")
  if(NOT arg_SKETCH OR NOT arg_SPEC OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_swizzle_kernel: expected a target, SKETCH and SPEC, got ${ARGV}")
  endif()
  foreach(file SKETCH SPEC COMMITTED)
    if(arg_${file})
      get_filename_component(arg_${file} ${arg_${file}} ABSOLUTE)
    endif()
  endforeach()
  if(NOT SWIZZLE_SYNTH_EXECUTABLE)
    _swizzle_require_up_to_date("${arg_COMMITTED}" ${arg_SKETCH} ${arg_SPEC})
    target_sources(${target} PRIVATE ${arg_COMMITTED})
    return()
  endif()

  get_filename_component(name ${arg_SKETCH} NAME_WE)
  set(kernel ${CMAKE_CURRENT_BINARY_DIR}/swizzle/${target}/${name}.cu)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/swizzle/${target})
  set(flags --spec ${arg_SPEC} -o ${kernel} --stamp)
  if(arg_KERNEL)
    list(APPEND flags --kernel ${arg_KERNEL})
  endif()
  if(arg_ARCH)
    list(APPEND flags --arch ${arg_ARCH})
  endif()
  list(TRANSFORM arg_DEFINES PREPEND -D)
  list(TRANSFORM arg_INCLUDES PREPEND -I)
  list(TRANSFORM arg_SET PREPEND --set=)
  list(APPEND flags ${arg_DEFINES} ${arg_INCLUDES} ${arg_SET})
  set(cache ${SWIZZLE_CACHE})
  if(NOT cache)
    set(cache $ENV{SWIZZLE_CACHE})
  endif()
  if(NOT cache)
    set(cache ${CMAKE_BINARY_DIR}/swizzle-cache)
  endif()
  add_custom_command(OUTPUT ${kernel}
    COMMAND ${SWIZZLE_SYNTH_EXECUTABLE} ${arg_SKETCH} ${flags} --cache ${cache} --depfile ${kernel}.d ${arg_OPTIONS}
    DEPENDS ${arg_SKETCH} ${arg_SPEC} ${SWIZZLE_SYNTH_EXECUTABLE} DEPFILE ${kernel}.d
    COMMENT "Completing ${name}" VERBATIM)
  target_sources(${target} PRIVATE ${kernel})
  if(arg_COMMITTED)
    list(TRANSFORM flags REPLACE "^${kernel}$" ${arg_COMMITTED})
    add_test(NAME ${target}_${name}_is_up_to_date
      COMMAND ${SWIZZLE_SYNTH_EXECUTABLE} ${arg_SKETCH} ${flags} --check-up-to-date)
    add_custom_target(${target}_${name}_commit COMMAND ${CMAKE_COMMAND} -E copy ${kernel} ${arg_COMMITTED}
      DEPENDS ${kernel} VERBATIM)
  endif()
endfunction()
