#include "core/io/npz.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "tests/core/io/temporary_directory.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// A member of a hand-made archive; what the directory claims need not be true.
struct Raw {
  std::string name;
  std::string data;
  std::uint32_t size;  // claimed, unpacked
  std::uint32_t method = 0;
  std::uint32_t flags = 0;
  std::uint32_t crcDamage = 0;
};

std::uint32_t crcOf(const std::string& data) {
  std::uint32_t crc = ~0u;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

/// The fields that a local header and a directory entry share.
std::string commonFields(const Raw& member) {
  return number(20, 2) + number(member.flags, 2) + number(member.method, 2) + number(0, 2) + number(33, 2) +
         number(crcOf(member.data) ^ member.crcDamage, 4) + number(member.data.size(), 4) +
         number(member.size, 4) + number(member.name.size(), 2) + number(0, 2);
}

std::string zipOf(const std::vector<Raw>& members) {
  std::string archive;
  std::string directory;
  for (const Raw& member : members) {
    directory += "PK\1\2" + number(20, 2) + commonFields(member) + std::string(10, '\0') +
                 number(archive.size(), 4) + member.name;
    archive += "PK\3\4" + commonFields(member) + member.name + member.data;
  }
  return archive + directory + "PK\5\6" + number(0, 4) + number(members.size(), 2) +
         number(members.size(), 2) + number(directory.size(), 4) + number(archive.size(), 4) + number(0, 2);
}

Raw stored(const std::string& name, const std::string& data) {
  return {name, data, static_cast<std::uint32_t>(data.size())};
}

std::string npyOf(const std::vector<std::size_t>& shape, const std::vector<float>& values) {
  std::string file = npyHeader(ElementType::float32, shape);
  if (!values.empty())
    file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return file;
}

std::map<std::string, NpyArray> readBytes(const std::string& archive, std::uint64_t limit = 1 << 30) {
  return readNpz(std::as_bytes(std::span(archive)), "in.npz", limit);
}

std::string refusal(const std::string& archive, std::uint64_t limit = 1 << 30) {
  try {
    readBytes(archive, limit);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string refusalOfFile(const fs::path& file) {
  try {
    readNpz(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class NpzTest : public TemporaryDirectory {
 protected:
  /// Archives the text deflated, as np.savez_compressed does.
  std::string deflated(const std::string& name, const std::string& text) const {
    zip_t* archive = zip_open(in("deflated.npz").c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    const zip_int64_t index =
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, text.data(), text.size(), 0), 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 9);
    EXPECT_EQ(zip_close(archive), 0);
    std::string bytes = read(in("deflated.npz"));
    fs::remove(in("deflated.npz"));
    return bytes;
  }
};

TEST_F(NpzTest, RoundTrip) {
  const std::vector<float> floats{1, 2, 3, 4, 5, 6};
  const std::vector<double> doubles{0.1, -1e300};
  const std::vector<std::uint8_t> bools{1, 0, 1};
  {
    NpzWriter writer(in("a.npz"));
    writer.add("q", {2, 3}, floats.data());
    writer.add("w\u00e9", {2}, doubles.data());
    writer.addBool("mask", {1, 3}, bools.data());
    writer.add("scalar", {}, doubles.data());
    writer.add("none", {0, 4}, floats.data());
    EXPECT_FALSE(fs::exists(in("a.npz")));
    writer.commit();
  }
  EXPECT_EQ(fileCount(), 1);
  const auto arrays = readNpz(in("a.npz"));
  ASSERT_EQ(arrays.size(), 5u);
  EXPECT_EQ(arrays.at("q").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(arrays.at("q").at(5), 6.0);
  EXPECT_EQ(arrays.at("w\u00e9").at(1), -1e300);
  EXPECT_EQ(arrays.at("mask").type, ElementType::boolean);
  EXPECT_EQ(arrays.at("mask").at(1), 0.0);
  EXPECT_EQ(arrays.at("scalar").at(0), 0.1);
  EXPECT_EQ(arrays.at("none").count(), 0u);
}

TEST_F(NpzTest, EqualArraysGiveEqualBytes) {
  const std::vector<float> values{1, 2};
  for (const char* name : {"a.npz", "b.npz"}) {
    NpzWriter writer(in(name));
    writer.add("q", {2}, values.data());
    writer.commit();
  }
  const std::string bytes = read(in("a.npz"));
  EXPECT_EQ(bytes, read(in("b.npz")));
  EXPECT_EQ(bytes.substr(10, 4), std::string("\0\0\x21\0", 4));  // dated 1980-01-01, whatever the clock says
}

TEST_F(NpzTest, ReadsDeflatedMembers) {
  const std::vector<float> values(100000, 0.5f);
  const auto arrays = readBytes(deflated("q.npy", npyOf({100000}, values)));
  EXPECT_EQ(arrays.at("q").count(), values.size());
  EXPECT_EQ(arrays.at("q").at(99999), 0.5);
}

TEST_F(NpzTest, IgnoresDirectoriesAndKeepsPaths) {
  const auto arrays = readBytes(zipOf({stored("head/", ""), stored("head/q.npy", npyOf({1}, {3}))}));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays.at("head/q").at(0), 3.0);
}

TEST_F(NpzTest, AnArchiveMayBeEmpty) {
  EXPECT_TRUE(readBytes(zipOf({})).empty());
}

TEST_F(NpzTest, RefusesFilesThatCannotBeRead) {
  EXPECT_EQ(refusalOfFile("missing.npz"), "missing.npz: No such file or directory");
  EXPECT_EQ(refusalOfFile(directory_), directory_.string() + ": is a directory, expected an .npz file");
  EXPECT_EQ(refusalOfFile("/dev/zero"), "/dev/zero: not a regular file, expected an .npz file");
  write(in("a"), "");
  EXPECT_EQ(refusalOfFile(in("a")), in("a").string() + ": empty file, expected an .npz archive");
  write(in("a"), "x,y\n1,2\n");
  EXPECT_EQ(refusalOfFile(in("a")), in("a").string() + ": not a readable archive: Not a zip archive");
  EXPECT_EQ(refusal(""), "in.npz: empty file, expected an .npz archive");
  EXPECT_EQ(refusal(npyOf({1}, {1})), "in.npz: not a readable archive: Not a zip archive");
}

TEST_F(NpzTest, RefusesAFileWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write(in("a"), "text");
  fs::permissions(in("a"), fs::perms(0));
  EXPECT_EQ(refusalOfFile(in("a")), in("a").string() + ": cannot read: Permission denied");
}

TEST_F(NpzTest, NamesTheArrayOfAnError) {
  EXPECT_EQ(
      refusal(zipOf({stored("q.npy", npyOf({32, 32}, std::vector<float>(25)))})),
      "in.npz: array 'q': truncated: 4096 bytes of data expected for shape (32, 32) float32, 100 found");
  EXPECT_EQ(refusal(zipOf({stored("q\n.npy", "text")})),
            "in.npz: array 'q?': not an npy array: it does not start with \\x93NUMPY");
}

TEST_F(NpzTest, RefusesStrangeMembers) {
  const std::string npy = npyOf({1}, {1});
  const auto size = static_cast<std::uint32_t>(npy.size());
  EXPECT_EQ(refusal(zipOf({stored("readme.txt", "hello")})),
            "in.npz: member 'readme.txt' found, expected only .npy arrays");
  EXPECT_EQ(refusal(zipOf({stored("q.npy", npy), stored("q.npy", npy)})),
            "in.npz: array 'q': found twice, expected once");
  EXPECT_EQ(refusal(zipOf({{"q.npy", npy, size, 0, 1}})),
            "in.npz: array 'q': encrypted, expected an archive without a password");
  EXPECT_EQ(refusal(zipOf({{"q.npy", npy, size, 12}})),
            "in.npz: array 'q': compression method 12, expected stored (0) or deflated (8)");
  EXPECT_EQ(refusal(zipOf({{"q.npy", npy, size, 0, 0, 1}})), "in.npz: array 'q': damaged: CRC error");
}

TEST_F(NpzTest, RefusesClaimsThatCannotBeTrue) {
  EXPECT_EQ(
      refusal(zipOf({{"q.npy", "1234", 4000000000u}})),
      "in.npz: array 'q': claims 4000000000 bytes from 4 in the archive, expected the same number as it "
      "is not compressed");
  EXPECT_EQ(refusal(zipOf({{"q.npy", "1234", 4000000000u, 8}})),
            "in.npz: array 'q': claims 4000000000 bytes from 4 in the archive, more than deflate can hold");
}

TEST_F(NpzTest, RefusesOverlappingMembers) {
  // Two directory entries for one piece of data.
  std::string archive = zipOf({stored("a.npy", npyOf({100}, std::vector<float>(100))), stored("b.npy", "")});
  const std::size_t second = archive.rfind("PK\1\2");
  const std::size_t first = archive.find("PK\1\2");
  archive.replace(second + 16, 12, archive.substr(first + 16, 12));
  archive.replace(second + 42, 4, number(0, 4));
  EXPECT_EQ(refusal(archive).substr(0, 45), "in.npz: array 'b': truncated or overlapping: ");
}

TEST_F(NpzTest, ADeflatedMemberMayNotLieAboutItsSize) {
  const std::string npy = npyOf({1000}, std::vector<float>(1000));
  const std::string honest = deflated("q.npy", npy);
  for (const std::size_t claim : {npy.size() - 1, npy.size() + 1, std::size_t{60000}}) {
    std::string archive = honest;
    archive.replace(archive.find("PK\1\2") + 24, 4, number(claim, 4));
    archive.replace(archive.find("PK\3\4") + 22, 4, number(claim, 4));
    EXPECT_EQ(refusal(archive).substr(0, 19), "in.npz: array 'q': ") << claim;
  }
  EXPECT_EQ(readBytes(honest).size(), 1u);
}

TEST_F(NpzTest, RefusesMoreThanTheMemory) {
  const std::string bomb = deflated("q.npy", npyOf({1 << 22}, std::vector<float>(1 << 22)));
  EXPECT_LT(bomb.size(), 20000u);
  EXPECT_EQ(refusal(bomb, 1 << 20), "in.npz: 16777344 bytes of memory needed, 1048576 available");
  EXPECT_EQ(refusal(bomb, 16777344), "no error");
}

TEST_F(NpzTest, EveryTruncationThrowsOrLoads) {
  const std::vector<float> values{1, 2, 3, 4};
  {
    NpzWriter writer(in("a.npz"));
    writer.add("q", {2, 2}, values.data());
    writer.add("k", {4}, values.data());
    writer.commit();
  }
  for (const std::string& whole : {read(in("a.npz")), deflated("q.npy", npyOf({4}, values))}) {
    EXPECT_EQ(refusal(whole), "no error");
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_NE(refusal(whole.substr(0, length)), "no error") << length;
      write(in("cut.npz"), whole.substr(0, length));
      EXPECT_NE(refusalOfFile(in("cut.npz")), "no error") << length;
    }
  }
}

TEST_F(NpzTest, WithoutACommitNothingChanges) {
  write(in("a.npz"), "old");
  {
    NpzWriter writer(in("a.npz"));
    const float value = 1;
    writer.add("q", {}, &value);
  }
  EXPECT_EQ(read(in("a.npz")), "old");
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(NpzTest, AFullDiskLeavesTheOldFile) {
  write(in("a.npz"), "old");
  fs::permissions(in("a.npz"), fs::perms(0640));
  const std::vector<float> values(100000, 1.0f);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto oldHandler = std::signal(SIGXFSZ, SIG_IGN);
  std::string line = "no error";
  {
    NpzWriter writer(in("a.npz"));
    writer.add("q", {values.size()}, values.data());
    const rlimit small{1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    try {
      writer.commit();
    } catch (const Error& error) {
      line = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
  }
  std::signal(SIGXFSZ, oldHandler);
  EXPECT_EQ(line, in("a.npz").string() + ": cannot write: Write error: File too large");
  EXPECT_EQ(read(in("a.npz")), "old");
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(NpzTest, ReplacingKeepsTheModeAndANewFileIsOrdinary) {
  const auto modeAfterWriting = [&] {
    NpzWriter writer(in("a.npz"));
    const float value = 1;
    writer.add("q", {}, &value);
    writer.commit();
    return static_cast<unsigned>(fs::status(in("a.npz")).permissions());
  };
  const mode_t before = ::umask(022);
  EXPECT_EQ(modeAfterWriting(), 0644u);
  fs::permissions(in("a.npz"), fs::perms(0600));
  EXPECT_EQ(modeAfterWriting(), 0600u);
  ::umask(before);
}

TEST_F(NpzTest, WriterRefusesWhatItCannotWrite) {
  const auto lineOf = [](auto&& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const float value = 1;
  const std::string target = in("a.npz").string();
  EXPECT_EQ(lineOf([&] { NpzWriter(in("out/x.npz")); }),
            in("out/x.npz").string() + ": cannot write: No such file or directory");
  NpzWriter writer(in("a.npz"));
  EXPECT_EQ(lineOf([&] { writer.commit(); }), target + ": cannot write: no arrays given");
  writer.add("q", {}, &value);
  EXPECT_EQ(lineOf([&] { writer.add("q", {}, &value); }), target + ": array 'q': cannot write: given twice");
}

TEST_F(NpzTest, AvailableMemoryHonoursTheTightestLimit) {
  fs::create_directories(in("proc/self"));
  fs::create_directories(in("sys/fs/cgroup/a/b"));
  write(in("proc/meminfo"), "MemTotal:  9000 kB\nMemAvailable:    1000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(availableMemory(directory_), 1000u * 1024);
  write(in("proc/self/cgroup"), "4:memory:/x\n0::/a/b\n");
  write(in("sys/fs/cgroup/a/b/memory.max"), "max\n");
  write(in("sys/fs/cgroup/a/b/memory.current"), "500000\n");
  EXPECT_EQ(availableMemory(directory_), 1000u * 1024);
  write(in("sys/fs/cgroup/a/memory.max"), "800000\n");
  write(in("sys/fs/cgroup/a/memory.current"), "600000\n");
  EXPECT_EQ(availableMemory(directory_), 200000u);
  write(in("sys/fs/cgroup/a/memory.stat"), "anon 5\ninactive_file 100000\n");
  EXPECT_EQ(availableMemory(directory_), 300000u);
  write(in("sys/fs/cgroup/a/memory.current"), "900001\n");
  EXPECT_EQ(availableMemory(directory_), 0u);
  EXPECT_GT(availableMemory(), 1u << 20);
}

}  // namespace
}  // namespace attn
