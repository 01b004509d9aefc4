#include "tests/bench/python_peers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/error.h"
#include "tests/bench/runs.h"

namespace attn::bench {

PythonPeers::PythonPeers() {
  int questions[2], answers[2];
  if (pipe(questions) != 0 || pipe(answers) != 0) throw Error("no pipe for the Python peers");
  process_ = fork();
  if (process_ < 0) throw Error("no process for the Python peers");
  if (process_ == 0) {
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    for (const int end : {questions[0], questions[1], answers[0], answers[1]}) close(end);
    execl(ATTN_BENCH_PYTHON, ATTN_BENCH_PYTHON, ATTN_BENCH_PYTHON_PEERS, "--serve", nullptr);
    _exit(127);
  }
  close(questions[0]);
  close(answers[1]);
  std::signal(SIGPIPE, SIG_IGN);  // a child that ended shows in its missing answer
  to_ = fdopen(questions[1], "w");
  from_ = fdopen(answers[0], "r");
  for (std::string line = answer(); !line.empty() && line != "ready"; line = answer()) names_.push_back(line);
  if (names_.empty()) say("no peers in Python are measured");
}

PythonPeers::~PythonPeers() {
  std::fclose(to_);  // the end of its input ends it
  std::fclose(from_);
  waitpid(process_, nullptr, 0);
}

std::string PythonPeers::answer() {
  char line[256];
  if (!std::fgets(line, sizeof line, from_)) return "";
  const std::string text = line;
  return text.substr(0, text.find('\n'));
}

double PythonPeers::seconds(const std::string& name, const Shape& shape, Pass pass) {
  std::fprintf(to_, "%s\t%td\t%td\t%td\t%d\t%s\n", name.c_str(), shape.heads, shape.n, shape.d, shape.causal,
               nameOf(pass));
  std::fflush(to_);
  const std::string text = answer();
  if (text.empty()) throw Error("the Python peers ended at " + name + ", shape " + shape.name);
  return std::stod(text);
}

}  // namespace attn::bench
