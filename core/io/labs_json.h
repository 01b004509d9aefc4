#pragma once
#include "core/labs/parameters.h"

namespace attn {

class JsonReader;
class JsonWriter;

/// The "labs" of a scene file: only what differs from the default is written.
Labs readLabs(const JsonReader& place);
void writeLabs(JsonWriter& out, const Labs& labs);

}  // namespace attn
