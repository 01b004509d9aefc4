#pragma once

namespace CLI {
class App;
}

namespace attn {

/// `attnscope sweep …`: the scaling lab without a window, as CSV. Adds the verb to the program; what it does
/// is run by CLI11 once the arguments have been read.
void addSweep(CLI::App& program);

}  // namespace attn
