# What `cmake --install` puts into a prefix. The prefix may be moved: the tool finds its files from where it stands.
#
#   bin/swizzle-synth
#   lib/swizzle-synth/            the emulation's library, for --run=cpu; the recorder, where it was built
#   lib/cmake/swizzle-synth/      find_package(swizzle-synth), add_swizzle_kernel()
#   share/swizzle-synth/emulation the emulation's headers
#   share/swizzle-synth/python    the Python module, for `swizzle-synth sweep` and in $PYTHONPATH
#   share/man, completions of bash, zsh and fish, made from the tool's flags
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/EmulationFiles.cmake)

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # tests are none of what is installed
set_target_properties(swizzle-synth PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS swizzle-synth RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
swizzle_install_emulation(DATA ${CMAKE_INSTALL_DATADIR}/swizzle-synth LIBRARIES ${CMAKE_INSTALL_LIBDIR}/swizzle-synth
  ARCHIVE $<TARGET_FILE:swizzle_emulation>)
if(TARGET swizzle_recorder)
  set(installed_recorder swizzle_recorder)
  install(TARGETS swizzle_recorder LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/swizzle-synth)
endif()
install(DIRECTORY python/swizzle_synth DESTINATION ${CMAKE_INSTALL_DATADIR}/swizzle-synth/python PATTERN "__pycache__" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The tool documents and completes its own flags.
set(made ${CMAKE_CURRENT_BINARY_DIR}/installed)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/swizzle-synth.1 ${made}/swizzle-synth.bash ${made}/_swizzle-synth ${made}/swizzle-synth.fish
  COMMAND swizzle-synth manual > ${made}/swizzle-synth.1
  COMMAND swizzle-synth completions bash > ${made}/swizzle-synth.bash
  COMMAND swizzle-synth completions zsh > ${made}/_swizzle-synth
  COMMAND swizzle-synth completions fish > ${made}/swizzle-synth.fish
  DEPENDS swizzle-synth VERBATIM)
add_custom_target(swizzle_installed ALL DEPENDS ${made}/swizzle-synth.1 swizzle-synth swizzle_emulation ${installed_recorder})
install(FILES ${made}/swizzle-synth.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/swizzle-synth.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME swizzle-synth)
install(FILES ${made}/_swizzle-synth DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${made}/swizzle-synth.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/swizzle-synth)
set(tool_folder ${CMAKE_INSTALL_BINDIR})
configure_package_config_file(cmake/swizzle-synth-config.cmake.in ${made}/swizzle-synth-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS tool_folder NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${made}/swizzle-synth-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${made}/swizzle-synth-config.cmake ${made}/swizzle-synth-config-version.cmake cmake/AddSwizzleKernel.cmake
  DESTINATION ${package})

# ninja swizzle_installed && cpack -G DEB (or TGZ)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)  # smaller than by gzip, and sooner
set(CPACK_PACKAGE_NAME swizzle-synth)
set(CPACK_PACKAGE_VENDOR "the authors of swizzle-synth")
set(CPACK_PACKAGE_CONTACT "the authors of swizzle-synth <swizzle-synth@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "completes CUDA kernels whose data movement is left open")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, python3")  # for --run=cpu; for sweep
include(CPack)
