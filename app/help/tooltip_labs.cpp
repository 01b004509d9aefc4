#include "app/help/tooltips.h"

namespace attn {
namespace {

constexpr TooltipText kTexts[] = {
    {"//Send to the window",
     "Makes what the lab shows the scene of the window, where every number can be looked at. Ctrl+Z takes it "
     "back."},

    {"//-", "The seed before: other draws of the same kind."},
    {"//+", "The next seed: other draws of the same kind."},

    // Scaling lab
    {"Scaling lab/title",
     "Why scores are divided by √d_k: q and k are drawn again and again, for every width d_k, and softmax "
     "attends "
     "under every scale."},
    {"//Scaling lab",
     "Why √d_k: how q·k spreads as d_k grows, and what that makes of softmax and its gradients."},
    {"Scaling lab/d_k",
     "The width whose products the histogram shows. A click into a curve chooses it, too."},
    {"Scaling lab/n keys", "How many keys the query attends to."},
    {"Scaling lab/trials", "How often everything is drawn afresh. More trials, narrower gaps to theory."},
    {"//nothing", "Scores stay as they are: their variance grows with d_k, and softmax saturates."},
    {"//√d_k", "Scores keep the variance of one product, whatever d_k is."},
    {"//d_k", "Scores shrink as d_k grows: softmax ends up flat."},
    {"//a number", "The same divisor for every d_k: right at one width, wrong at all others."},
    {"Scaling lab/divisor", "That number. Drag it, or double click to type."},
    {"Scaling lab/q·k",
     "How the products of queries and keys are spread, beside the normal curve of theory."},
    {"Scaling lab/variance", "Of the scores, around the mean of theory. The thin line is theory."},
    {"Scaling lab/largest", "The largest weight of the row: 1 is one key alone."},
    {"Scaling lab/entropy", "Entropy of the row of weights. The line is that of equal weights, ln n."},
    {"Scaling lab/Jacobian", "How much of a gradient passes the softmax; near 0 where it saturates."},
    {"Scaling lab/‖dQ‖", "The gradient that reaches the query."},
    {"Scaling lab/‖dK‖", "The gradient that reaches the keys."},

    // Query lab
    {"Query lab/title",
     "Which query averages two values: q = β(k_i + k_j), with keys at right angles or drawn around such "
     "means."},
    {"//Query lab",
     "Which query takes half of v_i and half of v_j, and what becomes of that when keys are drawn."},
    {"Query lab/key i", "The key whose value is one half of what is wanted."},
    {"Query lab/key j", "The key whose value is the other half."},
    {"Query lab/β", "How long the query is, along both keys alike. The longer, the less the other keys get."},
    {"Query lab/along k_i", "How much of k_i the query has. The query can also be dragged in the picture."},
    {"Query lab/along k_j", "How much of k_j the query has. The query can also be dragged in the picture."},
    {"Query lab/two heads, one for each",
     "One head looks at k_i, the other at k_j, and their outputs are averaged: no key can outdo the other."},
    {"Query lab/keys orthonormal", "Keys of length 1 at right angles."},
    {"Query lab/keys drawn around such means",
     "Each key is drawn anew around its mean, with the variance ε in every "
     "direction."},
    {"Query lab/n keys", "How many keys, and values, there are."},
    {"Query lab/width d",
     "The dimension of the keys; not less than their number, as their means are at right angles."},
    {"Query lab/variance ε", "How far keys stray from their means: Σ = εI."},
    {"Query lab/draws", "How often the keys are drawn. Each draw is a dot among the outputs."},
    {"Query lab/one key stretched along its mean",
     "Σ = εI + s·μμᵀ for one key: it keeps its direction, but is now long, now short."},
    {"Query lab/key x", "The key that is stretched."},
    {"Query lab/by variance", "The extra variance s along its mean; one half in the exercise."},
    {"Query lab/query", "The query and the keys, as far as they lie in the plane of k_i and k_j."},
    {"Query lab/output", "Where the output falls among the values, the corners of the polygon."},
    {"Query lab/error", "How far the output is from (v_i + v_j)/2, for queries of every length."},
    {"Query lab/share", "How the weight on i and j is shared, draw by draw. The line is theory."},
    {"Query lab/projector",
     "The matrix that finds v_i in (v_i + v_j)/2, where both lie in subspaces at right angles."},
    {"Query lab/dim S", "How many basis vectors the subspace of v_i has."},
    {"Query lab/dim T", "How many basis vectors the subspace of v_j has."},

    // Cost lab
    {"Cost lab/title", "What multi-head attention costs: every operation counted, and the engine timed."},
    {"//Cost lab",
     "Projections against attention: how the operations are shared, and from where attention leads."},
    {"Cost lab/n, both", "The length of both sequences."},
    {"Cost lab/n_q", "How many queries there are."},
    {"Cost lab/n_k", "How many keys there are."},
    {"Cost lab/d_model", "The width of the tokens. Each head has d_model / h of it."},
    {"Cost lab/heads", "How many heads share the width. The products cost the same for any number of them."},
    {"Cost lab/measure over n",
     "Times lengths from 16 on, each twice the one before, as far as a second allows."},
    {"Cost lab/measure over d_model",
     "Times widths from 16 on, each twice the one before, as far as a second allows."},
    {"Cost lab/Measure this engine",
     "Times the engine on one core, beside the window, and lays that over the prediction."},
    {"Cost lab/over n",
     "How the operations are shared as the sequences grow. The thick line is the crossover."},
    {"Cost lab/over d_model",
     "How the operations are shared as the model grows. The thick line is the crossover."},
    {"Cost lab/time", "What was measured, over what the counts let expect."},
    {"Cost lab/counts", "How often each stage multiplies, and does anything else."},

    // Normalisation lab
    {"Normalisation lab/title",
     "Layer norm and batch norm of the same numbers: which y depend on which x, and what never changes."},
    {"//Normalisation lab", "Change one x_ij and see exactly which y move; ‖y − β1‖ stays γ√d."},
    {"Normalisation lab/change x by", "Added to the chosen number."},
    {"Normalisation lab/in row i", "The row of the number that is changed. A click into x chooses it, too."},
    {"Normalisation lab/column j",
     "The column of the number that is changed. A click into x chooses it, too."},
    {"Normalisation lab/γ", "The scale: y = γ·z + β."},
    {"Normalisation lab/β", "The shift: y = γ·z + β."},
    {"Normalisation lab/ε",
     "Added to the variance, against a division by 0. It makes every length a little smaller."},
    {"Normalisation lab/vectors", "How many vectors the batch has: its rows."},
    {"Normalisation lab/width d", "How many numbers a vector has."},
    {"Normalisation lab/x", "A number of the batch: a click chooses it to be changed."},
    {"Normalisation lab/x[#][#]", "A number of the batch: a click chooses it to be changed."},
    {"Normalisation lab/layer norm", "Each row by itself: a y depends on the x of its own row."},
    {"Normalisation lab/batch norm", "Each column by itself: a y depends on the x of its own column."},
    {"Normalisation lab/lengths", "‖y − β1‖ of every row: γ√d for ε = 0, whatever x is."},

    // Receptive field lab
    {"Receptive field lab/title",
     "How far a node sees through several layers, when each head looks at one token only."},
    {"//Receptive field lab", "The tree of what a node sees: (k + 1)ⁿ tokens, less where ways meet."},
    {"//targets drawn at random", "Each head of each token looks at a token that is drawn."},
    {"//strongest weights of the scene",
     "Each head looks where the scene's largest weight is, the same in every layer."},
    {"Receptive field lab/layers n", "How many layers lie between the node and the inputs."},
    {"Receptive field lab/heads k", "How many heads each layer has: each brings in one token."},
    {"Receptive field lab/tokens", "How many tokens there are. With few of them ways meet soon."},
    {"Receptive field lab/node",
     "The node of the uppermost layer that is looked at. A click chooses it, too."},
    {"Receptive field lab/node #", "A click looks at this node."},
    {"Receptive field lab/causal", "Heads look at their own token or at earlier ones only."},
    {"Receptive field lab/tree", "All ways from the node down to the inputs."},
    {"Receptive field lab/sizes", "How many tokens are seen after each layer, beside (k + 1)ⁿ."},

    // Mask lab
    {"Mask lab/title",
     "Which masks which attention of a Transformer needs, on sentences of different lengths."},
    {"//Mask lab",
     "Causal and key padding masks in encoders, decoders and both; where padding needs no mask."},
    {"//encoder, as in BERT", "Self-attention in both directions, for classification."},
    {"//decoder, as in GPT", "Self-attention to what came before, for generation."},
    {"//encoder–decoder, as in T5",
     "An encoder for the source, and a decoder that attends to it, for translation."},
    {"//padding at the left", "Padding comes before the words in place of after them."},
    {"//key padding mask in use", "Hides padding keys. Without it, see which words look at padding."},
    {"Mask lab/sentence", "Which sentence of the batch is shown."},
    {"Mask lab/source #", "How many words this sentence has. The others are padded to the longest."},
    {"Mask lab/target #", "How many words its translation has. The others are padded to the longest."},
    {"//encoder self-attention", "Queries and keys are words of the source."},
    {"//decoder self-attention",
     "Queries and keys are words of the target, each seeing only what came before."},
    {"//cross-attention", "Queries are words of the target, keys those of the source."},
    {"Mask lab/source sentence #",
     "A sentence of the batch, with its padding: a click shows who sees whom in it."},
    {"Mask lab/target sentence #",
     "A translation in the batch, with its padding: a click shows who sees whom in it."},
    {"Mask lab/stack", "The blocks of the Transformer, with the masks that each attention needs."},
    {"Mask lab/who sees whom", "Every query and key of one sentence."},
};

}  // namespace

std::span<const TooltipText> labTooltips() {
  return kTexts;
}

}  // namespace attn
