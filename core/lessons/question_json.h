#pragma once
#include <nlohmann/json.hpp>

#include "core/io/json_reader.h"
#include "core/lessons/lesson.h"

namespace attn {

/// The document of a scene, with the scene that it makes.
struct SceneDocument {
  nlohmann::json document;
  std::shared_ptr<const PreciseScene> scene;

  /// With a change made to it: what the change names is replaced, and what it sets to null goes (RFC 7396).
  SceneDocument changed(const JsonReader& change) const;
  /// Throws Error that begins with the place.
  static SceneDocument read(nlohmann::json document, const JsonReader& place);
};

/// A step's question about its scene.
Question readQuestion(const JsonReader& place, const SceneDocument& scene);

/// Numbers of the scene as it is at the moment, and what they compare with.
std::vector<Meter> readMeters(const JsonReader& place, const SceneDocument& scene);

/// The stage with this name, which the scene has.
Stage readStage(const JsonReader& place, const PreciseScene& scene);

}  // namespace attn
