#pragma once
#include <set>
#include <string>

namespace attn {

/// Which of the first hints are over: what they tell was done once, or they were put away.
struct HintsState {
  bool areOn = false;          // only in a window that remembers what was done
  std::set<std::string> done;  // by id
};

}  // namespace attn
