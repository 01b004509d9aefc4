#pragma once

namespace CLI {
class App;
}

namespace attn {

/// `attnscope train show`: what a trained model answers to a string, and where it looks.
void addTrainShow(CLI::App& train);

}  // namespace attn
