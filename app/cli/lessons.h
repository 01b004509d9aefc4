#pragma once

namespace CLI {
class App;
}

namespace attn {

/// `attnscope lessons` lists the lessons, `attnscope lessons check [FILE…]` computes all their answers.
void addLessons(CLI::App& program);

}  // namespace attn
