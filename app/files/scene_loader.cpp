#include "app/files/scene_loader.h"

#include <new>

#include "core/error.h"

namespace attn {
namespace {

bool isReady(const std::future<SceneLoader::Loaded>& result) {
  return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

SceneLoader::Loaded load(const std::filesystem::path& file) {
  try {
    return {file, openScene(file), ""};
  } catch (const Error& error) {
    return {file, nullptr, error.what()};
  } catch (const std::bad_alloc&) {
    return {file, nullptr, file.string() + ": needs more memory than there is"};
  }
}

}  // namespace

void SceneLoader::start(const std::filesystem::path& file) {
  cancel();
  file_ = file;
  result_ = std::async(std::launch::async, [file] { return load(file); });
}

void SceneLoader::cancel() {
  std::erase_if(abandoned_, isReady);
  if (result_.valid()) abandoned_.push_back(std::move(result_));
}

void SceneLoader::waitFor(std::chrono::milliseconds time) {
  if (result_.valid()) result_.wait_for(time);
}

std::optional<SceneLoader::Loaded> SceneLoader::take() {
  if (!result_.valid() || !isReady(result_)) return std::nullopt;
  return result_.get();
}

}  // namespace attn
