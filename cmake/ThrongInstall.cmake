# SPDX-License-Identifier: MIT
# `cmake --install BUILD --component core` gives an embedding project the core: one static library, the public headers and
# find_package(throng). Without a component the programs come too.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(throng_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
install(TARGETS throng EXPORT throngTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT throngTargets NAMESPACE throng:: DESTINATION ${throng_package_dir} COMPONENT core)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/throngConfig.cmake.in ${PROJECT_BINARY_DIR}/throngConfig.cmake
                              INSTALL_DESTINATION ${throng_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throngConfig.cmake ${PROJECT_BINARY_DIR}/throngConfigVersion.cmake
        DESTINATION ${throng_package_dir} COMPONENT core)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)
