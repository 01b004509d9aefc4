#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/io/atomic_file.h"
#include "core/io/available_memory.h"
#include "core/io/npy.h"

namespace attn {

/// All arrays of an .npz archive, stored or deflated: member "q.npy" has the key "q". Throws Error with a
/// line that names the file and the array. Takes no more memory than the bytes present can justify, and
/// refuses an archive whose arrays need more than the limit together.
std::map<std::string, NpyArray> readNpz(const std::filesystem::path& file,
                                        std::uint64_t memoryLimit = availableMemory());

/// The same from bytes in memory; where starts the error lines.
std::map<std::string, NpyArray> readNpz(std::span<const std::byte> archive, const std::string& where,
                                        std::uint64_t memoryLimit = availableMemory());

/// Writes an archive as np.savez does, stored and in the order of the calls; the same arrays give the same
/// bytes. Data is not copied: it must live until commit(), and without a commit the target stays as it was.
class NpzWriter {
 public:
  explicit NpzWriter(std::filesystem::path target);

  /// The data has as many values as the shape says, in C order.
  void add(const std::string& name, const std::vector<std::size_t>& shape, const float* data);
  void add(const std::string& name, const std::vector<std::size_t>& shape, const double* data);
  /// Each value is 0 or 1.
  void addBool(const std::string& name, const std::vector<std::size_t>& shape, const std::uint8_t* data);

  /// Writes everything. Call once.
  void commit();

 private:
  struct Member {
    std::string name;
    std::string header;
    std::span<const std::byte> data;
  };
  void addMember(const std::string& name, const std::vector<std::size_t>& shape, ElementType type,
                 const void* data);

  std::string target_;
  AtomicFile file_;
  std::vector<Member> members_;
};

}  // namespace attn
