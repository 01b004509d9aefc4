#include "core/io/result_arrays.h"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <type_traits>

#include "core/io/json_writer.h"
#include "core/io/npz.h"

namespace attn {
namespace {

std::size_t wide(Index n) {
  return static_cast<std::size_t>(n);
}

/// Collects what has been made.
struct Collector {
  std::vector<ResultArray> arrays;

  template <class T>
  void stack(const char* name, const StackOf<T>& s) {
    if (!s.empty()) arrays.push_back({name, {wide(s.heads()), wide(s.rows()), wide(s.cols())}, s.data()});
  }
  template <class T>
  void perRow(const char* name, const PerRowOf<T>& s) {
    if (!s.empty()) arrays.push_back({name, {wide(s.heads()), wide(s.rows())}, s.data()});
  }
  template <class T>
  void matrix(const char* name, const MatrixOf<T>& m) {
    if (m.size() > 0) arrays.push_back({name, {wide(m.rows()), wide(m.cols())}, m.data()});
  }
};

template <class Number>
void writeNested(JsonWriter& json, const ResultArray& array, const Number* data, std::size_t axis,
                 std::size_t& at) {
  const bool innermost = axis + 1 == array.shape.size();
  json.open('[', innermost ? JsonWriter::Layout::inLine : JsonWriter::Layout::lines);
  for (std::size_t i = 0; i < array.shape[axis]; ++i) {
    if (!innermost)
      writeNested(json, array, data, axis + 1, at);
    else if constexpr (std::is_same_v<Number, std::uint8_t>)
      json.flag(data[at++] != 0);
    else
      json.number(data[at++]);
  }
  json.close();
}

void writeNorms(JsonWriter& json, const GradientNorms& norms) {
  json.open('{');
  json.key("all").number(norms.all);
  json.key("heads").open('[');
  for (const double head : norms.ofHead) json.number(head);
  json.close();
  json.close();
}

void writeCount(JsonWriter& json, const OperationCount& count) {
  json.open('{');
  json.key("multiplications").whole(count.multiplications);
  json.key("additions").whole(count.additions);
  json.key("divisions").whole(count.divisions);
  json.key("exponentials").whole(count.exponentials);
  json.close();
}

}  // namespace

template <class T>
std::vector<ResultArray> arraysOf(const ResultsOf<T>& r) {
  Collector c;
  c.stack("q", r.q), c.stack("k", r.k), c.stack("v", r.v);
  c.stack("scores_raw", r.rawScores);
  c.stack("scores", r.scores);
  c.stack("probs", r.probs);
  c.stack("head_out", r.headOut);
  c.matrix("out", r.out);
  c.matrix("d_out", r.d.out);
  c.stack("d_head_out", r.d.headOut);
  c.stack("d_probs", r.d.probs);
  c.stack("d_scores", r.d.scores);
  c.stack("d_q", r.d.q), c.stack("d_k", r.d.k), c.stack("d_v", r.d.v);
  c.matrix("d_x", r.d.x), c.matrix("d_x_kv", r.d.other);
  c.stack("d_w_q", r.d.wq), c.stack("d_w_k", r.d.wk), c.stack("d_w_v", r.d.wv);
  c.matrix("d_w_o", r.d.wo);
  c.perRow("max_prob", r.measures.largestWeight);
  c.perRow("entropy", r.measures.entropy);
  c.perRow("entropy_share", r.measures.entropyShare);
  c.perRow("effective_keys", r.measures.effectiveKeys);
  c.perRow("jacobian_norm", r.measures.jacobianNorm);
  c.perRow("jacobian_eigenvalue", r.measures.jacobianEigenvalue);
  c.perRow("masked_rows", r.maskedRows);
  c.perRow("nonfinite_rows", r.nonFiniteRows);
  c.perRow("saturated_rows", r.saturatedRows);
  return c.arrays;
}

void writeNpz(const std::vector<ResultArray>& arrays, const std::filesystem::path& target) {
  NpzWriter writer(target);
  for (const ResultArray& array : arrays)
    std::visit(
        [&](const auto* data) {
          if constexpr (std::is_same_v<decltype(data), const std::uint8_t*>)
            writer.addBool(array.name, array.shape, data);
          else
            writer.add(array.name, array.shape, data);
        },
        array.data);
  writer.commit();
}

std::vector<NamedNorms> normsOf(const AllGradientNorms& n) {
  std::vector<NamedNorms> made;
  const NamedNorms all[] = {{"d_out", &n.out},     {"d_head_out", &n.headOut},
                            {"d_probs", &n.probs}, {"d_scores", &n.scores},
                            {"d_q", &n.q},         {"d_k", &n.k},
                            {"d_v", &n.v},         {"d_x", &n.x},
                            {"d_x_kv", &n.other},  {"d_w_q", &n.wq},
                            {"d_w_k", &n.wk},      {"d_w_v", &n.wv},
                            {"d_w_o", &n.wo}};
  std::copy_if(std::begin(all), std::end(all), std::back_inserter(made),
               [](const NamedNorms& each) { return !each.norms->ofHead.empty(); });
  return made;
}

void writeJson(std::ostream& out, const std::vector<ResultArray>& arrays, const std::string& kernels,
               const std::vector<NamedNorms>& norms, const std::vector<StageCost>& operations) {
  JsonWriter json;
  json.open('{', JsonWriter::Layout::lines);
  json.key("target").text(kernels);
  for (const ResultArray& array : arrays) {
    json.key(array.name);
    std::size_t at = 0;
    std::visit([&](const auto* data) { writeNested(json, array, data, 0, at); }, array.data);
    out << json.take();
  }
  json.key("gradient_norms").open('{', JsonWriter::Layout::lines);
  for (const NamedNorms& each : norms) writeNorms(json.key(each.name), *each.norms);
  json.close();
  json.key("operations").open('{', JsonWriter::Layout::lines);
  for (const StageCost& stage : operations) writeCount(json.key(stage.stage), stage.count);
  json.close();
  json.close();
  out << json.finished();
}

template std::vector<ResultArray> arraysOf(const Results&);
template std::vector<ResultArray> arraysOf(const PreciseResults&);

}  // namespace attn
