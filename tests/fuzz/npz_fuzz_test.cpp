#include <gtest/gtest.h>
#include <unistd.h>
#include <zip.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "core/error.h"
#include "core/io/npz.h"
#include "tests/fuzz/mutate.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using fuzz::Bytes;

constexpr std::uint64_t kMemoryLimit = 64 << 20;

std::size_t iterations() {
  const char* wanted = std::getenv("ATTNSCOPE_FUZZ_ITERATIONS");
  return std::max<std::size_t>(20000, wanted ? std::strtoull(wanted, nullptr, 10) : 0);
}

Bytes toBytes(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// An .npy file of zeros, optionally with a piece of its header replaced by one of the same length.
Bytes npySeed(ElementType type, const std::vector<std::size_t>& shape, const std::string& from = "",
              const std::string& to = "") {
  std::string file = npyHeader(type, shape);
  if (!from.empty()) file.replace(file.find(from), from.size(), to);
  std::size_t size = itemSize(type);
  for (const std::size_t length : shape) size *= length;
  return toBytes(file + std::string(size, '\1'));
}

std::vector<Bytes> npySeeds() {
  return {npySeed(ElementType::float32, {4, 3}),
          npySeed(ElementType::float64, {2, 2, 2}, "False,", "True, "),
          npySeed(ElementType::float64, {3, 5}, "<", ">"),
          npySeed(ElementType::boolean, {7}),
          npySeed(ElementType::float32, {}),
          npySeed(ElementType::float32, {0, 9}, "False,", "True, ")};
}

Bytes archiveOf(const std::vector<Bytes>& files, zip_int32_t method) {
  std::string path = (fs::temp_directory_path() / "attnscope_fuzz_XXXXXX").string();
  ::close(::mkstemp(path.data()));
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const Bytes& file : files) {
    const std::string name = "q" + std::to_string(zip_get_num_entries(archive, 0)) + ".npy";
    const zip_int64_t index =
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, file.data(), file.size(), 0), 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0);
    zip_file_set_dostime(archive, static_cast<zip_uint64_t>(index), 0, 33, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  fs::remove(path);
  return toBytes(text);
}

void expectConsistent(const NpyArray& array) {
  std::size_t count = 1;
  for (const std::size_t length : array.shape) count *= length;
  ASSERT_LE(array.shape.size(), 8u);
  ASSERT_EQ(array.count(), count);
  ASSERT_EQ(array.bytes.size(), count * itemSize(array.type));
  if (count > 0) array.at(count - 1);
}

/// Damages the seeds over and over; reading may succeed or throw Error with one line, and nothing else.
void fuzzReader(const std::vector<Bytes>& seeds, std::uint64_t seed,
                const std::function<void(const Bytes&)>& read) {
  for (const Bytes& valid : seeds) ASSERT_NO_THROW(read(valid));
  fuzz::Mutator mutator(seed);
  std::size_t loaded = 0;
  const std::size_t count = iterations();
  for (std::size_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
    const Bytes& base = seeds[mutator.below(seeds.size())];
    const Bytes damaged = mutator.mutate(base, seeds[mutator.below(seeds.size())]);
    try {
      read(damaged);
      ++loaded;
    } catch (const Error& error) {
      const std::string line = error.what();
      ASSERT_TRUE(line.starts_with("in.npz: ")) << line;
      ASSERT_EQ(line.find('\n'), std::string::npos) << line;
    } catch (const std::exception& error) {
      FAIL() << "iteration " << i << ": " << error.what();
    }
  }
  EXPECT_GT(loaded, 0u);  // the damage reaches past the first check
  EXPECT_LT(loaded, count);
}

void readArchive(const Bytes& bytes) {
  for (const auto& [name, array] : readNpz(bytes, "in.npz", kMemoryLimit)) expectConsistent(array);
}

TEST(NpzFuzz, Npy) {
  fuzzReader(npySeeds(), 1,
             [](const Bytes& bytes) { expectConsistent(parseNpy(std::span(bytes), "in.npz: array 'q'")); });
}

TEST(NpzFuzz, StoredArchive) {
  fuzzReader({archiveOf(npySeeds(), ZIP_CM_STORE), archiveOf({npySeeds()[0]}, ZIP_CM_STORE)}, 2, readArchive);
}

TEST(NpzFuzz, DeflatedArchive) {
  const Bytes large = npySeed(ElementType::float64, {200, 100});
  fuzzReader({archiveOf(npySeeds(), ZIP_CM_DEFLATE), archiveOf({large}, ZIP_CM_DEFLATE)}, 3, readArchive);
}

}  // namespace
}  // namespace attn
