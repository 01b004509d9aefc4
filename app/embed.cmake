# embed(TARGET NAME FILE ...): makes files part of the program. attn::embedded("NAME") gives the bytes back,
# attn::embeddedNames() the names.
# As a script (cmake -D INPUT= -D OUTPUT= -D SYMBOL= -P embed.cmake) it turns one file into a C++ string.

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ ${INPUT} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\"\n\"" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
  file(WRITE ${OUTPUT} "#include <string_view>\n\nnamespace attn {\n"
    "extern const std::string_view ${SYMBOL};\n"
    "const std::string_view ${SYMBOL}(\n\"${bytes}\", ${size});\n}  // namespace attn\n")
  return()
endif()

set(ATTNSCOPE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(embed target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(declarations "")
  set(entries "")
  set(names "")
  list(LENGTH ARGN length)
  math(EXPR last "${length} - 1")
  foreach(i RANGE 0 ${last} 2)
    math(EXPR j "${i} + 1")
    list(GET ARGN ${i} name)
    list(GET ARGN ${j} file)
    string(MAKE_C_IDENTIFIER "bytesOf_${name}" symbol)
    set(output ${folder}/${symbol}.cpp)
    add_custom_command(OUTPUT ${output} DEPENDS ${file} ${ATTNSCOPE_EMBED_SCRIPT} VERBATIM
      COMMAND ${CMAKE_COMMAND} -D INPUT=${file} -D OUTPUT=${output} -D SYMBOL=${symbol} -P ${ATTNSCOPE_EMBED_SCRIPT})
    target_sources(${target} PRIVATE ${output})
    string(APPEND declarations "extern const std::string_view ${symbol};\n")
    string(APPEND entries "  if (name == \"${name}\") return ${symbol};\n")
    string(APPEND names "\n    \"${name}\",")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/embedded.cpp @ONLY CONTENT
"#include \"app/embedded.h\"\n
#include <stdexcept>
#include <string>\n
namespace attn {
@declarations@
std::string_view embedded(std::string_view name) {
@entries@  throw std::logic_error(\"not embedded: \" + std::string(name));
}\n
std::span<const std::string_view> embeddedNames() {
  static constexpr std::string_view kNames[] = {@names@};
  return kNames;
}\n
}  // namespace attn
")
  target_sources(${target} PRIVATE ${folder}/embedded.cpp)
endfunction()
