#include "tests/bench/peers.h"

namespace attn::bench {

std::vector<Peer> builtPeers() {
  std::vector<Peer> peers = {eigenNative()};
#ifdef ATTN_BENCH_BASELINE
  peers.push_back(eigenBaseline());
#endif
  peers.push_back(openBlas());
#ifdef ATTN_BENCH_ONEDNN
  peers.push_back(oneDnn());
#endif
  return peers;
}

}  // namespace attn::bench
