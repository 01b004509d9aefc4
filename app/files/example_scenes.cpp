#include "app/files/example_scenes.h"

#include <memory>

#include "app/embedded.h"
#include "core/io/scene_json.h"

namespace attn {
namespace {

constexpr ExampleScene kExamples[] = {
    {"scenes/by_hand.json", "Two queries, three keys, by hand"},
    {"scenes/it_and_cat.json", "What does \"it\" stand for?"},
    {"scenes/causal_sentence.json", "A sentence read from left to right"},
    {"scenes/lecture.json", "A lecture: why √d_k"},
    {"scenes/two_heads.json", "Four tokens, two heads, projected"},
    {"scenes/cross_attention.json", "A translation looks at its source, which is padded"},
};

}  // namespace

std::span<const ExampleScene> exampleScenes() {
  return kExamples;
}

SharedScene openExample(const ExampleScene& example) {
  return std::make_shared<const Scene>(narrow(readSceneJson(embedded(example.name), example.name)));
}

}  // namespace attn
