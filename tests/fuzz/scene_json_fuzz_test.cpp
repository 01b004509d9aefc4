#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/io/scene_json.h"
#include "tests/fuzz/mutate.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMemoryLimit = 1 << 20;

std::size_t iterations() {
  const char* wanted = std::getenv("ATTNSCOPE_FUZZ_ITERATIONS");
  return std::max<std::size_t>(20000, wanted ? std::strtoull(wanted, nullptr, 10) : 0);
}

fuzz::Bytes toBytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// One scene with every key and every mask rule, and those that come with the program.
std::vector<fuzz::Bytes> seeds() {
  std::vector<fuzz::Bytes> all = {toBytes(R"({"attnscope": 1, "title": "a\u00e9\n", "source": "given",
 "tokens": {"queries": ["a", "b"], "keys": ["c", "d"]},
 "x": [[1, 2], [3, -4e-3]], "x_kv": {"fill": "identity", "rows": 2, "cols": 2},
 "heads": [{"q": [[1, "nan"], ["inf", "-inf"]], "k": {"fill": "orthonormal", "rows": 2, "cols": 2, "seed": 3},
            "v": {"fill": "uniform", "rows": 2, "cols": 1, "low": -2, "high": 2, "seed": 3},
            "w_q": [[1], [2]], "w_k": [[1], [2]], "w_v": {"fill": "normal", "rows": 2, "cols": 1, "std": 3}}],
 "w_o": [[0.5]],
 "parked": {"x_kv": [[1, 2]], "tokens": ["e"], "heads": [{"w_k": [[1], [2]], "w_v": [[1], [2]]}]}, "scale": {"rule": "number", "number": 3, "temperature": 1, "qk_norm": 5}, "cap": 30,
 "alibi": [0.5], "bias": {"heads": [[[1, 2], [3, 4]]]},
 "masks": [{"rule": "causal", "align": "bottom-right"}, {"rule": "padding", "length": 2},
  {"rule": "padding", "flags": [false, true]},
  {"rule": "window", "width": 3}, {"rule": "prefix", "length": 2},
  {"rule": "documents", "ids": [0, 1]},
  {"rule": "painted", "may_attend": {"heads": [[[1, 0], [true, false]]]}}],
 "normalise": {"kind": "sink", "logit": 1}, "upstream": {"kind": "cell", "cell": [1, 0], "given": [[1], [2]]},
 "saturation_threshold": 0.9})")};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(ATTNSCOPE_SOURCE_DIR) / "assets" / "scenes"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    all.push_back(toBytes({std::istreambuf_iterator<char>(stream), {}}));
  }
  return all;
}

/// What reads can be written, and what was written reads and is written the same again.
void readAndWrite(const fuzz::Bytes& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string written = writeSceneJson(narrow(readSceneJson(text, "in.json", kMemoryLimit)));
  ASSERT_EQ(writeSceneJson(narrow(readSceneJson(written, "again.json", kMemoryLimit))), written);
}

void expectOneLine(const std::string& line) {
  const auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  ASSERT_TRUE(std::none_of(line.begin(), line.end(), isControl)) << line;
  ASSERT_FALSE(line.starts_with("again.json")) << line;
  ASSERT_LT(line.size(), 1000u) << line;
}

TEST(SceneJsonFuzz, DamagedFilesAreReadOrRefusedInOneLine) {
  const std::vector<fuzz::Bytes> valid = seeds();
  for (const fuzz::Bytes& bytes : valid) ASSERT_NO_THROW(readAndWrite(bytes));
  fuzz::Mutator mutator(4);
  std::size_t loaded = 0;
  const std::size_t count = iterations();
  for (std::size_t i = 0; i < count && !HasFatalFailure(); ++i) {
    const fuzz::Bytes& base = valid[mutator.below(valid.size())];
    const fuzz::Bytes damaged = mutator.mutate(base, valid[mutator.below(valid.size())]);
    try {
      readAndWrite(damaged);
      ++loaded;
    } catch (const Error& error) {
      expectOneLine(error.what());
    } catch (const std::exception& error) {
      FAIL() << "iteration " << i << ": " << error.what();
    }
  }
  EXPECT_GT(loaded, 0u);  // the damage reaches past the first check
  EXPECT_LT(loaded, count);
}

}  // namespace
}  // namespace attn
