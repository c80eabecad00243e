# swizzle_install_emulation(DATA folder LIBRARIES folder ARCHIVE libswizzle_emulation.a [COMPONENT name])
#
# What --run=cpu compiles and links: the emulation's headers and library, and Boost's fibers, so that a prefix stands without Boost.
find_library(SWIZZLE_BOOST_CONTEXT_ARCHIVE libboost_context.a)
mark_as_advanced(SWIZZLE_BOOST_CONTEXT_ARCHIVE)

function(swizzle_install_emulation)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DATA;LIBRARIES;ARCHIVE;COMPONENT" "")
  set(component)
  if(arg_COMPONENT)
    set(component COMPONENT ${arg_COMPONENT})
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/emulation/ DESTINATION ${arg_DATA}/emulation ${component} PATTERN "*.cpp" EXCLUDE)
  install(FILES ${arg_ARCHIVE} DESTINATION ${arg_LIBRARIES} ${component})
  if(SWIZZLE_BOOST_CONTEXT_ARCHIVE)
    file(REAL_PATH ${SWIZZLE_BOOST_CONTEXT_ARCHIVE} archive)
    install(FILES ${archive} DESTINATION ${arg_LIBRARIES} ${component} RENAME libboost_context.a)
  endif()
endfunction()
