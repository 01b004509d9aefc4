# Dear ImGui and ImPlot as one target, attnscope_imgui, with the hooks that tell where each item lies and with
# indices of 32 bits. Installed ones serve if they were built so; else their pinned sources, checked by hash,
# come from the Debian mirror that this machine is set up with, or from upstream where there is none.

set(ATTNSCOPE_DOWNLOADS ${PROJECT_SOURCE_DIR}/build/downloads)  # shared by the presets

# The first Debian mirror that apt knows, without a slash at its end; empty where there is no apt.
function(find_debian_mirror result)
  execute_process(
    COMMAND apt-get indextargets --format "$(ORIGIN)|$(LABEL)|$(REPO_URI)|$(COMPONENT)" "Created-By: Packages"
    OUTPUT_VARIABLE lines ERROR_QUIET RESULT_VARIABLE failed)
  set(mirror "")
  if(NOT failed AND lines MATCHES "Debian\\|Debian\\|([^|\n]+)\\|main")
    string(REGEX REPLACE "/+$" "" mirror "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${mirror}" PARENT_SCOPE)
endfunction()

# Downloads a file of the Debian pool with apt's own means, which know its proxies and certificates.
# A file that is there and has the hash is not asked for again.
function(download_from_debian pool hash file)
  if(EXISTS ${file})
    file(SHA256 ${file} found)
    if(found STREQUAL hash)
      return()
    endif()
  endif()
  find_debian_mirror(mirror)
  find_program(ATTNSCOPE_APT_HELPER apt-helper PATHS /usr/lib/apt)
  if(mirror AND ATTNSCOPE_APT_HELPER)
    file(MAKE_DIRECTORY ${ATTNSCOPE_DOWNLOADS})
    execute_process(COMMAND ${ATTNSCOPE_APT_HELPER} -q download-file ${mirror}/${pool} ${file} SHA256:${hash}
      OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      file(REMOVE ${file})
    endif()
  endif()
endfunction()

# fetch_source(NAME pool SHA256 repository commit result [folder in the tarball])
function(fetch_source name pool hash repository commit result folder)
  set(archive ${ATTNSCOPE_DOWNLOADS}/${name}.tar.xz)
  set(target ${PROJECT_BINARY_DIR}/dependencies/${name})
  download_from_debian(${pool} ${hash} ${archive})
  if(EXISTS ${archive})
    if(NOT EXISTS ${target}.complete)
      file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${target} PATTERNS "*/${folder}*")
      file(TOUCH ${target}.complete)
    endif()
    file(GLOB inside LIST_DIRECTORIES true ${target}/*)
    set(${result} ${inside}/${folder} PARENT_SCOPE)
    return()
  endif()
  include(FetchContent)
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit})
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
  endif()
  set(${result} ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

# Whether the installed packages were built as we need them.
function(check_installed_imgui result)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES imgui::imgui implot::implot)
  check_cxx_source_compiles("
    #include <imgui.h>
    #include <implot.h>
    #include <backends/imgui_impl_glfw.h>
    #include <backends/imgui_impl_opengl3.h>
    #ifndef IMGUI_ENABLE_TEST_ENGINE
    #error no hooks
    #endif
    static_assert(sizeof(ImDrawIdx) == 4 && sizeof(ImWchar) == 4);
    int main() {}" ${result})
endfunction()

find_package(imgui 1.90 CONFIG QUIET)
find_package(implot CONFIG QUIET)
if(TARGET imgui::imgui AND TARGET implot::implot)
  check_installed_imgui(ATTNSCOPE_INSTALLED_IMGUI)
endif()
if(ATTNSCOPE_INSTALLED_IMGUI)
  add_library(attnscope_imgui INTERFACE)
  target_link_libraries(attnscope_imgui INTERFACE imgui::imgui implot::implot)
  return()
endif()

fetch_source(imgui
  pool/main/i/imgui/imgui_1.90.1+ds.orig.tar.xz
  ecce377df0f90b292f15dcbd83d438bddc162b2388c881132bde18c787572a1c
  https://github.com/ocornut/imgui.git d6cb3c923d28dcebb2d8d9605ccc7229ccef19eb
  imgui_source "")
fetch_source(implot
  pool/main/m/monado/monado_25.0.0+dfsg.orig.tar.xz
  ddfa1899078173bea3db98034dc8b990df727a169f490896570ff6e3bda72113
  https://github.com/epezent/implot.git f156599faefe316f7dd20fe6c783bf87c8bb6fd9
  implot_source src/external/imgui/implot)

add_library(attnscope_imgui STATIC
  ${imgui_source}/imgui.cpp
  ${imgui_source}/imgui_draw.cpp
  ${imgui_source}/imgui_tables.cpp
  ${imgui_source}/imgui_widgets.cpp
  ${imgui_source}/backends/imgui_impl_glfw.cpp
  ${imgui_source}/backends/imgui_impl_opengl3.cpp
  ${implot_source}/implot.cpp
  ${implot_source}/implot_items.cpp
)
target_include_directories(attnscope_imgui SYSTEM PUBLIC ${imgui_source} ${implot_source})
target_compile_definitions(attnscope_imgui
  PUBLIC IMGUI_ENABLE_TEST_ENGINE "ImDrawIdx=unsigned int" IMGUI_USE_WCHAR32 IMGUI_DEFINE_MATH_OPERATORS
  PRIVATE IMGUI_IMPL_OPENGL_LOADER_CUSTOM)
target_compile_options(attnscope_imgui PRIVATE -w)
# Plots of float and double are all that is drawn; ten types would take a minute to compile.
set_source_files_properties(${implot_source}/implot_items.cpp
  PROPERTIES COMPILE_DEFINITIONS "IMPLOT_CUSTOM_NUMERIC_TYPES=(float)(double)")
# One loader for all: epoxy finds OpenGL behind GLX and EGL alike.
set_source_files_properties(${imgui_source}/backends/imgui_impl_opengl3.cpp
  PROPERTIES COMPILE_OPTIONS "-include;epoxy/gl.h")
target_link_libraries(attnscope_imgui PUBLIC glfw PkgConfig::epoxy)
if(ATTNSCOPE_SANITIZE MATCHES address)
  target_compile_options(attnscope_imgui PRIVATE -fsanitize=address -fno-omit-frame-pointer)
endif()
