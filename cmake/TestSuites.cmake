# swizzle_test_suites(PROGRAM NAME COST): what ctest runs of a program of GoogleTest: NAME/SUITE, once the program is built.
# A process for each test would take longer to start them than most tests take. A suite of many tests becomes several
# entries, NAME/SUITE 2 of 5, for several cores. COST: seconds that a test takes, about; what takes long is begun first.
#
# As a script, after the program was linked: cmake -D program=… -D name=… -D cost=… -D into=… -P TestSuites.cmake
set(tests_at_once 16)
set(time_limit 600)  # seconds, of an entry

function(swizzle_test_suites program name cost)
  set(into ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
  add_custom_command(TARGET ${program} POST_BUILD BYPRODUCTS ${into}
    COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${program}> -D name=${name} -D cost=${cost} -D into=${into}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
  set(included ${CMAKE_CURRENT_BINARY_DIR}/${program}_include.cmake)
  file(WRITE ${included} "if(EXISTS \"${into}\")\n  include(\"${into}\")\nelse()\n  add_test(${program}_is_not_built false)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${included})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# Tests of a suite, as they are listed: `Suite.` or `Every/Suite.  # TypeParam = …`, then `  Test` or `  Test/0  # GetParam() = …`.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "  # [^\n]*" "" lines "${lines}")
string(REPLACE "\n" ";" lines "${lines}")
set(suites "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.$")
    set(suite ${CMAKE_MATCH_1})
    list(APPEND suites ${suite})
  elseif(line MATCHES "^  ([^ ]+)$")
    list(APPEND "tests_of_${suite}" ${suite}.${CMAKE_MATCH_1})
  elseif(line AND NOT line MATCHES "^Running main")
    message(FATAL_ERROR "${program} lists what is no test: ${line}")
  endif()
endforeach()

set(text "")
foreach(suite IN LISTS suites)
  set(tests ${tests_of_${suite}})
  list(LENGTH tests count)
  math(EXPR entries "(${count} + ${tests_at_once} - 1) / ${tests_at_once}")
  math(EXPR seconds "${count} * ${cost} / ${entries}")
  foreach(number RANGE 1 ${entries})
    set(entry "${name}/${suite}")
    if(entries GREATER 1)
      string(APPEND entry " ${number} of ${entries}")
    endif()
    math(EXPR first "${count} * (${number} - 1) / ${entries}")
    math(EXPR size "${count} * ${number} / ${entries} - ${first}")
    list(SUBLIST tests ${first} ${size} some)
    list(JOIN some ":" filter)
    string(APPEND text "add_test([=[${entry}]=] [=[${program}]=] [=[--gtest_filter=${filter}]=])\n"
      "set_tests_properties([=[${entry}]=] PROPERTIES TIMEOUT ${time_limit} COST ${seconds})\n")
  endforeach()
endforeach()
file(WRITE ${into} "${text}")
