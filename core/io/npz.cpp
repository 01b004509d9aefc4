#include "core/io/npz.h"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/io/interruption.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using OpenMember = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

constexpr std::string_view kSuffix = ".npy";

/// What libzip has to say about a failure.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }
  bool cannotOpen() const { return zip_error_code_zip(&error_) == ZIP_ER_OPEN; }
  int systemCode() const { return zip_error_code_system(&error_); }

 private:
  zip_error_t error_;
};

/// An array as the directory of the archive describes it; none of it has been seen yet.
struct Entry {
  zip_uint64_t index;
  std::string key;
  std::uint64_t size;
  bool deflated;
};

std::string whereOf(const std::string& archive, std::string_view key) {
  return archive + ": array '" + printable(key) + "'";
}

/// Opens an archive for reading; takes the source over.
Archive openSource(zip_source_t* source, ZipError& error, const std::string& where) {
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, error.get()) : nullptr;
  if (archive) return Archive(archive, &zip_discard);
  zip_source_free(source);
  if (error.cannotOpen())
    throw Error(where + ": cannot read: " + std::generic_category().message(error.systemCode()));
  throw Error(where + ": not a readable archive: " + error.text());
}

/// Refuses sizes that cannot be true. A byte of deflate stands for at most 1032 bytes (zlib's technical
/// notes); the rest of the allowance is for very short members.
void checkSizes(const zip_stat_t& stat, const std::string& where) {
  constexpr std::uint64_t kMostExpansion = 1032;
  constexpr std::uint64_t kAllowance = 64 * 1024;
  const std::string sizes =
      std::to_string(stat.size) + " bytes from " + std::to_string(stat.comp_size) + " in the archive";
  if (stat.comp_method == ZIP_CM_STORE && stat.size != stat.comp_size)
    throw Error(where + ": claims " + sizes + ", expected the same number as it is not compressed");
  if (stat.size > kAllowance && (stat.size - kAllowance) / kMostExpansion > stat.comp_size)
    throw Error(where + ": claims " + sizes + ", more than deflate can hold");
}

/// One member of the archive, checked; none for a directory.
std::optional<Entry> describe(zip_t* archive, zip_uint64_t index, const std::string& where,
                              zip_stat_t& stat) {
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
    throw Error(where + ": not a readable archive: member " + std::to_string(index) + " has no valid entry");
  std::string_view name = stat.name;
  if (name.ends_with('/')) return std::nullopt;
  if (!name.ends_with(kSuffix))
    throw Error(where + ": member '" + printable(name) + "' found, expected only .npy arrays");
  name.remove_suffix(kSuffix.size());
  const std::string array = whereOf(where, name);
  if (stat.encryption_method != ZIP_EM_NONE)
    throw Error(array + ": encrypted, expected an archive without a password");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
    throw Error(array + ": compression method " + std::to_string(stat.comp_method) +
                ", expected stored (0) or deflated (8)");
  checkSizes(stat, array);
  return Entry{index, std::string(name), stat.size, stat.comp_method == ZIP_CM_DEFLATE};
}

/// All arrays of the directory, once their claims hold together.
std::vector<Entry> listArrays(zip_t* archive, std::uint64_t archiveSize, const std::string& where,
                              std::uint64_t memoryLimit) {
  std::vector<Entry> entries;
  std::uint64_t unclaimed = archiveSize;
  std::uint64_t needed = 0;
  const auto count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(archive, 0), 0));
  for (zip_uint64_t index = 0; index < count; ++index) {
    zip_stat_t stat;
    auto entry = describe(archive, index, where, stat);
    if (!entry) continue;
    // Members that share bytes are how a small archive unpacks to a huge one; no honest writer makes them.
    if (stat.comp_size > unclaimed)
      throw Error(whereOf(where, entry->key) +
                  ": truncated or overlapping: " + std::to_string(stat.comp_size) + " bytes expected, " +
                  std::to_string(unclaimed) + " left in the archive");
    unclaimed -= stat.comp_size;
    needed += stat.size;  // cannot overflow: the checks above tie it to the size of the archive
    entries.push_back(std::move(*entry));
  }
  if (needed > memoryLimit)
    throw Error(where + ": " + std::to_string(needed) + " bytes of memory needed, " +
                std::to_string(memoryLimit) + " available");
  return entries;
}

/// The bytes of a member. The buffer grows as they arrive, for a claim about deflated data may be a lie.
std::vector<std::byte> readBytes(zip_t* archive, const Entry& entry, const std::string& where) {
  constexpr std::uint64_t kFirstStep = 64 * 1024;
  const OpenMember member(zip_fopen_index(archive, entry.index, 0), &zip_fclose);
  if (!member) throw Error(where + ": damaged: " + zip_error_strerror(zip_get_error(archive)));
  const auto readSome = [&](std::byte* to, std::uint64_t most) {
    const zip_int64_t got = zip_fread(member.get(), to, most);
    if (got < 0) throw Error(where + ": damaged: " + zip_error_strerror(zip_file_get_error(member.get())));
    return static_cast<std::uint64_t>(got);
  };
  std::vector<std::byte> bytes;
  std::uint64_t filled = 0;
  while (filled < entry.size) {
    if (filled == bytes.size())
      bytes.resize(entry.deflated ? std::min(entry.size, std::max(kFirstStep, 2 * filled)) : entry.size);
    const std::uint64_t got = readSome(bytes.data() + filled, bytes.size() - filled);
    if (got == 0)
      throw Error(where + ": truncated: " + std::to_string(entry.size) + " bytes expected, " +
                  std::to_string(filled) + " found");
    filled += got;
  }
  // libzip compares the checksum only when it meets the end.
  std::byte beyond;
  if (readSome(&beyond, 1) != 0)
    throw Error(where + ": too long: more than the " + std::to_string(entry.size) + " bytes expected");
  return bytes;
}

std::map<std::string, NpyArray> readAll(zip_t* archive, std::uint64_t archiveSize, const std::string& where,
                                        std::uint64_t memoryLimit) {
  std::map<std::string, NpyArray> arrays;
  for (const Entry& entry : listArrays(archive, archiveSize, where, memoryLimit)) {
    const std::string array = whereOf(where, entry.key);
    if (arrays.contains(entry.key)) throw Error(array + ": found twice, expected once");
    try {
      arrays.emplace(entry.key, parseNpy(readBytes(archive, entry, array), array));
    } catch (const std::bad_alloc&) {
      throw Error(array + ": not enough memory for " + std::to_string(entry.size) + " bytes");
    }
  }
  return arrays;
}

/// The size of a file that can be an archive.
std::uint64_t sizeOfReadable(const fs::path& file) {
  const std::string where = file.string();
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error) throw Error(where + ": " + error.message());
  if (fs::is_directory(status)) throw Error(where + ": is a directory, expected an .npz file");
  if (!fs::is_regular_file(status)) throw Error(where + ": not a regular file, expected an .npz file");
  const std::uint64_t size = fs::file_size(file, error);
  if (error) throw Error(where + ": " + error.message());
  if (size == 0) throw Error(where + ": empty file, expected an .npz archive");
  return size;
}

/// Puts a member behind those the archive has: header and data as two pieces, so that neither is copied.
bool appendMember(zip_t* archive, const std::string& name, std::string& header,
                  std::span<const std::byte> data) {
  auto* headerBytes = reinterpret_cast<zip_uint8_t*>(header.data());
  auto* dataBytes = reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(data.data()));  // only read
  const zip_buffer_fragment_t pieces[] = {{headerBytes, header.size()}, {dataBytes, data.size()}};
  zip_source_t* source = zip_source_buffer_fragment(archive, pieces, data.empty() ? 1 : 2, 0);
  if (!source) return false;
  const zip_int64_t added =
      zip_file_add(archive, (name + std::string(kSuffix)).c_str(), source, ZIP_FL_ENC_UTF_8);
  if (added < 0) {
    zip_source_free(source);
    return false;
  }
  const auto index = static_cast<zip_uint64_t>(added);
  constexpr zip_uint16_t kFirstDay = 1 << 5 | 1;  // 1980-01-01, so that equal arrays give equal bytes
  return zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, index, 0, kFirstDay, 0) == 0;
}

}  // namespace

std::map<std::string, NpyArray> readNpz(const fs::path& file, std::uint64_t memoryLimit) {
  const std::string where = file.string();
  const std::uint64_t size = sizeOfReadable(file);
  ZipError error;
  zip_source_t* source = zip_source_file_create(file.c_str(), 0, -1, error.get());
  const Archive archive = openSource(source, error, where);
  return readAll(archive.get(), size, where, memoryLimit);
}

std::map<std::string, NpyArray> readNpz(std::span<const std::byte> bytes, const std::string& where,
                                        std::uint64_t memoryLimit) {
  if (bytes.empty()) throw Error(where + ": empty file, expected an .npz archive");
  ZipError error;
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get());
  const Archive archive = openSource(source, error, where);
  return readAll(archive.get(), bytes.size(), where, memoryLimit);
}

NpzWriter::NpzWriter(fs::path target) : target_(target.string()), file_(std::move(target)) {}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape, const float* data) {
  addMember(name, shape, ElementType::float32, data);
}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape, const double* data) {
  addMember(name, shape, ElementType::float64, data);
}

void NpzWriter::addBool(const std::string& name, const std::vector<std::size_t>& shape,
                        const std::uint8_t* data) {
  addMember(name, shape, ElementType::boolean, data);
}

void NpzWriter::addMember(const std::string& name, const std::vector<std::size_t>& shape, ElementType type,
                          const void* data) {
  for (const Member& member : members_)
    if (member.name == name) throw Error(whereOf(target_, name) + ": cannot write: given twice");
  std::size_t size = itemSize(type);
  for (const std::size_t length : shape) size *= length;
  members_.push_back({name, npyHeader(type, shape), {static_cast<const std::byte*>(data), size}});
}

void NpzWriter::commit() {
  // libzip deletes an archive without members instead of writing it.
  if (members_.empty()) throw Error(target_ + ": cannot write: no arrays given");
  int code = 0;
  Archive archive(zip_open(file_.temporary().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code), &zip_discard);
  if (!archive) {
    ZipError error;
    zip_error_set(error.get(), code, errno);
    throw Error(target_ + ": cannot write: " + error.text());
  }
  for (Member& member : members_)
    if (!appendMember(archive.get(), member.name, member.header, member.data))
      throw Error(whereOf(target_, member.name) +
                  ": cannot write: " + zip_error_strerror(zip_get_error(archive.get())));
  // Large archives take seconds: libzip asks now and then whether to go on, and cleans up if not.
  zip_register_cancel_callback_with_state(
      archive.get(), [](zip_t*, void*) { return isInterrupted() ? 1 : 0; }, nullptr, nullptr);
  if (zip_close(archive.get()) != 0)
    throw Error(target_ + ": cannot write: " + zip_error_strerror(zip_get_error(archive.get())));
  archive.release();  // closed: nothing is left to discard
  file_.commit();
}

}  // namespace attn
