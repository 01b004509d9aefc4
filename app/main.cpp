#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "app/cli/eval.h"
#include "app/cli/lessons.h"
#include "app/cli/shot.h"
#include "app/cli/sweep.h"
#include "app/cli/train.h"
#include "app/cli/window.h"
#include "core/error.h"

namespace {

constexpr int kBadInput = 1;
constexpr int kBadUsage = 2;

/// The value of --causal is optional. A word behind it is taken for one only if it can be nothing else: it
/// may be the input.
std::vector<std::string> readArguments(int count, char** words) {
  std::vector<std::string> arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i], next = i + 1 < count ? words[i + 1] : "";
    const bool hasValue = next == "top-left" || next == "bottom-right";
    arguments.push_back(word != "--causal" ? word : word + "=" + (hasValue ? next : "top-left"));
    if (word == "--causal" && hasValue) ++i;
  }
  return {arguments.rbegin(), arguments.rend()};  // CLI11 takes them from the back
}

/// The program, or the verb that was chosen: whose usage helps.
const CLI::App& chosen(const CLI::App& program) {
  const auto verbs = program.get_subcommands();
  return verbs.empty() ? program : *verbs.front();
}

int usage(const CLI::App& program, const CLI::ParseError& error) {
  std::cerr << "attnscope: " << error.what() << "\n\n" << chosen(program).help("attnscope");
  return kBadUsage;
}

}  // namespace

int main(int count, char** words) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error like a full disk
  CLI::App program("A laboratory for scaled dot-product attention");
  program.name("attnscope");
  program.set_version_flag("--version", std::string("attnscope ") + ATTNSCOPE_VERSION);
  std::string scene;
  program.add_option("SCENE", scene, "A scene file or an .npz archive to open in the window");
  attn::addEval(program);
  attn::addLessons(program);
  attn::addShot(program);
  attn::addSweep(program);
  attn::addTrain(program);
  try {
    program.parse(readArguments(count, words));
    if (program.get_subcommands().empty()) attn::openWindow(scene);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return usage(program, error);
    return program.exit(error);  // --help and --version
  } catch (const std::bad_alloc&) {
    std::cerr << "attnscope: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "attnscope: " << error.what() << '\n';
  }
  return kBadInput;
}
