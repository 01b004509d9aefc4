#include <string>

#include "core/error.h"
#include "core/io/block_readers.h"
#include "core/io/json_parse.h"
#include "core/io/number_text.h"

namespace attn {
namespace {

/// Walks over brackets, numbers and commas. Commas may be missing, as in what NumPy prints.
class NumpyReader {
 public:
  explicit NumpyReader(std::string_view text) : rest_(text) {}

  Matrix read() {
    rest_.remove_prefix(rest_.find('['));
    while (depth_ > 0 || !started_) step();
    expectOnlyCallEnd();
    return block_.finished();
  }

 private:
  void step() {
    rest_ = trimmed(rest_);
    if (rest_.empty())
      block_.refuse("found the end of the text, expected " + std::to_string(depth_) + " more \"]\"");
    if (rest_[0] == '[') return open();
    if (rest_[0] == ']') return close();
    if (rest_[0] == ',') return comma();
    number();
  }

  void open() {
    if (depth_ == 2) block_.refuse("found a third level of brackets, expected a matrix: at most two levels");
    if (depth_ == 1 && !block_.rowIsEmpty()) block_.refuse("found \"[\" after a number, expected a number");
    if (depth_ == 1 && isFlat_) block_.refuse("found \"[\", expected a number");
    started_ = true;
    afterComma_ = true;  // nothing to part yet
    ++depth_;
    rest_.remove_prefix(1);
  }

  void close() {
    const bool endsRow = depth_ == 2 || isFlat_;
    if (endsRow && block_.rowIsEmpty()) block_.refuse("found \"]\", expected a number");
    if (endsRow) block_.endRow();
    --depth_;
    afterComma_ = false;
    rest_.remove_prefix(1);
  }

  void comma() {
    if (afterComma_) block_.refuse("found \",\", expected a number");
    afterComma_ = true;
    rest_.remove_prefix(1);
  }

  void number() {
    std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r\n,[]"));
    rest_.remove_prefix(word.size());
    if (word.starts_with("..."))
      block_.refuse(
          "found \"...\", expected every number: np.set_printoptions(threshold=np.inf) prints them");
    for (const std::string_view module : {"np.", "numpy.", "math."})
      if (word.starts_with(module)) word.remove_prefix(module.size());
    if (depth_ == 1 && !isFlat_) {
      if (hasRows_) block_.refuse("found " + inQuotes(word) + ", expected \"[\" or \"]\"");
      isFlat_ = true;
    }
    hasRows_ = true;
    block_.add(word);
    afterComma_ = false;
  }

  /// After the list: nothing, ")" or ", dtype=float32)".
  void expectOnlyCallEnd() const {
    const std::string_view end = trimmed(rest_);
    if (end.empty() || end == ")" || end == ";" || end == "," || (end.front() == ',' && end.back() == ')'))
      return;
    throw Error("found " + inQuotes(end) + " after the last bracket, expected the end of the array");
  }

  std::string_view rest_;
  BlockBuilder block_;
  int depth_ = 0;
  bool started_ = false;
  bool isFlat_ = false;   // [1, 2, 3]: one row
  bool hasRows_ = false;  // a number has been read
  bool afterComma_ = true;
};

}  // namespace

Matrix readNumpyBlock(std::string_view text) {
  return NumpyReader(text).read();
}

}  // namespace attn
