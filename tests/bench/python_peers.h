#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/problem.h"

namespace attn::bench {

/// tests/bench/python_peers.py as a child process, which waits while others are measured. Without Python, or
/// without its libraries, there are no names.
class PythonPeers {
 public:
  PythonPeers();
  ~PythonPeers();
  PythonPeers(const PythonPeers&) = delete;
  PythonPeers& operator=(const PythonPeers&) = delete;

  const std::vector<std::string>& names() const { return names_; }
  /// The seconds that a call takes now. Throws Error where the child has ended.
  double seconds(const std::string& name, const Shape& shape, Pass pass);

 private:
  std::string answer();

  int process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  std::vector<std::string> names_;
};

}  // namespace attn::bench
