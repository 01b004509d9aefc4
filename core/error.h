#pragma once
#include <stdexcept>

namespace attn {

/// Something a person can mend: a bad file, a wrong shape, too little memory.
/// The message is one line that names what was found and what was expected.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace attn
