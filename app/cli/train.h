#pragma once

namespace CLI {
class App;
}

namespace attn {

/// `attnscope train reversal`: an LSTM learns to reverse strings; `attnscope train show`: what it learned.
void addTrain(CLI::App& program);

}  // namespace attn
