# Where each dependency comes from. All but the last two are Debian packages; app/packages lists them.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(hwy 1.0 REQUIRED CONFIG)
find_package(TBB REQUIRED CONFIG)
find_package(libzip REQUIRED CONFIG)
find_package(nlohmann_json 3.10 REQUIRED CONFIG)
find_package(CLI11 2.1 REQUIRED CONFIG)
find_package(glfw3 3.3 REQUIRED CONFIG)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(epoxy REQUIRED IMPORTED_TARGET epoxy)
pkg_check_modules(fontconfig REQUIRED IMPORTED_TARGET fontconfig)
pkg_check_modules(egl REQUIRED IMPORTED_TARGET egl)
find_package(Threads REQUIRED)
if(ATTNSCOPE_TESTS)
  find_package(GTest REQUIRED CONFIG)
endif()

# Fonts become part of the program: Inter for words, DejaVu for numbers and the signs of mathematics.
find_path(ATTNSCOPE_INTER Inter-Regular.otf PATHS /usr/share/fonts /usr/local/share/fonts
  PATH_SUFFIXES opentype/inter inter REQUIRED)
find_path(ATTNSCOPE_DEJAVU DejaVuSans.ttf PATHS /usr/share/fonts /usr/local/share/fonts
  PATH_SUFFIXES truetype/dejavu dejavu REQUIRED)

include(${CMAKE_CURRENT_LIST_DIR}/imgui.cmake)
