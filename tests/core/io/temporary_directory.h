#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace attn {

/// A test with a directory of its own, which goes with it.
class TemporaryDirectory : public testing::Test {
 protected:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "attnscope_test_XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() override { std::filesystem::remove_all(directory_); }

  std::filesystem::path in(const std::string& name) const { return directory_ / name; }
  std::ptrdiff_t fileCount() const {
    return std::distance(std::filesystem::directory_iterator(directory_),
                         std::filesystem::directory_iterator());
  }
  static std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }

  std::filesystem::path directory_;
};

}  // namespace attn
