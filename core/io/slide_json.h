#pragma once
#include <vector>

#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/slide.h"

namespace attn {

/// The slides of a scene file. Reading is strict, and throws Error as all that is read from scenes.
std::vector<Slide> readSlides(const JsonReader& list);
void writeSlides(JsonWriter& out, const std::vector<Slide>& slides);

}  // namespace attn
