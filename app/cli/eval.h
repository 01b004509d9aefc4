#pragma once

namespace CLI {
class App;
}

namespace attn {

/// `attnscope eval INPUT …`: evaluates a scene file or an .npz archive. Adds the verb to the program; what
/// it does is run by CLI11 once the arguments have been read.
void addEval(CLI::App& program);

}  // namespace attn
