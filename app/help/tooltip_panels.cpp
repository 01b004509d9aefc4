#include "app/help/tooltips.h"

namespace attn {
namespace {

constexpr TooltipText kTexts[] = {
    // Titles: what a panel is about, with its formula.
    {"Inputs/title",
     "What attention is given. Each token has a query q (what it looks for), a key k (what it offers "
     "to be found by) and a value v (what it passes on)."},
    {"Raw scores/title",
     "Q·Kᵀ: for each query and key the product q·k, as it is. Large where both point the same way."},
    {"Scores/title",
     "How well each key answers each query: q·k, divided by the scale, then cap, bias and mask."},
    {"Weights/title",
     "Each row of scores becomes shares that add up to 1. Softmax: p = eˢ / Σ eˢ. "
     "They say how much of each value a query takes."},
    {"Output/title", "Each query's weighted mean of the values: out = Σ p·v."},
    {"dWeights/title", "How fast the loss grows with each weight: ∂loss/∂p = dOut·v."},
    {"dScores/title",
     "How fast the loss grows with each score. For softmax p·(dp − Σ p·dp): near 0 where a row is "
     "saturated."},
    {"dQ/title", "The gradient that reaches the queries: what training would change in them."},
    {"dK/title", "The gradient that reaches the keys: what training would change in them."},
    {"dV/title", "The gradient that reaches the values: dV = Pᵀ·dOut. It does not pass the softmax."},
    {"dX/title", "The gradient that reaches the tokens themselves, through all projections and heads."},
    {"Heads/title", "Each head looks with its own Q and K: one may follow grammar, another the neighbour."},
    {"Lines/title", "Weights as lines from query to key: thick and opaque where much of a value is taken."},
    {"Explain/title",
     "Where the chosen number comes from, with its own numbers: a click on a cell of any map explains it."},
    {"Lesson/title",
     "Exercises, step by step: each step shows something in the other panels, and most ask something."},
    {"Mask/title", "Which query may look at which key. A hidden pair has the score −∞, and so the weight 0."},
    {"Scale/title",
     "What happens to a score before it becomes a weight. Without the division by √d_k, scores grow "
     "with d_k and softmax saturates."},
    {"Saturation/title",
     "How near each row is to choosing a single key. A saturated row passes hardly any gradient."},
    {"Gradients/title",
     "How large the gradients are on their way back from the output: ‖d‖, the root of the sum of "
     "squares."},
    {"//menu",
     "Maximise, hide or stack this panel; save its picture, copy its numbers. A right click on the title "
     "does the same."},
    {"Desk/splitter #", "Drag to share out the window between both sides."},

    // Inputs
    {"Inputs/Source", "Where Q, K and V come from: typed in, or computed from tokens X by W_Q, W_K and W_V."},
    {"Inputs/go to Q", "To the queries: one row a token, d_k numbers each."},
    {"Inputs/go to K", "To the keys: one row a token, d_k numbers each."},
    {"Inputs/go to V", "To the values: one row a token, d_v numbers each."},
    {"Inputs/go to X", "To the tokens: one row each. Q, K and V are made from them."},
    {"Inputs/go to Y", "To the other sequence, which gives keys and values."},
    {"Inputs/go to W_Q", "To the matrix that makes queries: Q = X·W_Q."},
    {"Inputs/go to W_K", "To the matrix that makes keys: K = X·W_K."},
    {"Inputs/go to W_V", "To the matrix that makes values: V = X·W_V."},
    {"Inputs/go to W_O", "To the matrix that mixes the outputs of all heads."},
    {"Inputs/go to B", "To the bias: one number for each pair, added to its score."},
    {"Inputs/grid *",
     "A click on a name or number at the edge selects its whole row or column; a right click adds, "
     "moves or removes lines."},
    {"Inputs/fold *", "Folds this matrix away, or out again."},
    {"Inputs/add token", "One more token: a row of Q, or of K and V."},
    {"//noise",
     "Independent draws from a normal distribution with mean μ and deviation σ, as at the start of "
     "training."},
    {"//uniform", "Independent draws, all numbers of an interval alike."},
    {"//orthonormal", "Directions at right angles, of length 1: no two rows have anything in common."},
    {"//identity", "Ones on the diagonal: row i is the i-th direction."},
    {"//μ", "The mean of the draws."},
    {"//σ", "The standard deviation of the draws. Scores grow with its square."},
    {"//from", "The smallest number that can be drawn."},
    {"//to", "The largest number that can be drawn."},
    {"//seed",
     "Another seed, other draws of the same kind. The same seed gives the same numbers everywhere."},
    {"//one number", "Every entry is this number: with all keys alike, all weights are alike."},
    {"//sentence", "One word a token. Tokens that were there keep their numbers."},
    {"//Use", "These words become the tokens."},
    {"//Queries and keys change together",
     "As long as they are the same tokens: rows and labels of both are edited at "
     "once."},
    {"//Bias on the scores B", "A matrix that is added to the scores, one number for each pair."},

    // Maps
    {"Output/head", "Weights · V of the chosen head, before W_O."},
    {"//Colours",
     "Which colours stand for which numbers. Automatic takes two colours around 0 for signed numbers."},
    {"//Linear", "Twice the number, twice the way along the colours."},
    {"//Automatic range", "The colours reach from the smallest to the largest number that there is."},
    {"//Fixed", "The colours keep their meaning while numbers change: for comparing two states."},
    {"//Least", "The smallest magnitude that has a colour of its own."},
    {"//Lowest", "The number at the lower end of the colours."},
    {"//Highest", "The number at the upper end of the colours."},
    {"//One range for all heads", "A colour means the same number in every head."},
    {"//Queries as rows", "A row shows where one query looks: the usual way."},
    {"//Tokens as rows", "A row is a token, a column one of its dimensions."},
    {"//as columns", "The map turned: down becomes across."},
    {"//Sums of the rows",
     "What the weights of each query add up to: 1 for softmax, not for sigmoid or with a sink."},
    {"//All heads side by side", "Every head at once, all with the same colours."},
    {"//the average", "As the eye would see it from afar. A thin line may vanish."},
    {"//spreadsheet", "The numbers with tabs between them: paste them into a table."},
    {"//NumPy", "The numbers as np.array([[…]])."},
    {"//LaTeX", "The numbers as a matrix to typeset."},

    // Heads
    {"Heads/solo", "The chosen head alone, as large as the panel."},
    {"Heads/A − B", "Weights of the one head minus those of the other."},

    // Lines
    {"Lines/q #", "A query: its lines lead to the keys that it looks at. A click keeps them in sight."},
    {"Lines/k #", "A key: its lines come from the queries that look at it. A click keeps them in sight."},

    // Mask
    {"Mask/+ rule", "One more condition. A pair is visible if every rule allows it."},
    {"Mask/preset", "Masks as they are in use: as in GPT, as in BERT, a sliding window, several documents."},
    {"Mask/rule[#]", "One condition; click to change it. All rules must allow a pair."},
    {"//keys that count", "The first so many keys are real, the others fill up the row."},
    {"//Tick keys instead", "Any keys may be padding, not only the last ones."},
    {"//padding[#]", "Ticked: this key only fills up the row, and no query sees it."},
    {"//width", "How far a query sees: 1 leaves only its own place."},
    {"//length", "So many first keys are seen by every query; after them each sees only what came before."},
    {"//query[#]", "The document of this query: it sees keys of the same document."},
    {"//key[#]", "The document of this key."},
    {"//queries and keys apart", "Lets a token be in one document as a query and in another as a key."},
    {"//Show all", "No pair is hidden by this rule any more."},
    {"//Invert", "What was hidden is shown, what was shown is hidden."},
    {"//Chosen head's for all heads", "All heads get the painted pairs of the chosen one."},
    {"//top-left: query i sees key i", "Both sequences begin together: as in training."},
    {"//bottom-right: the last query sees the last key",
     "Both sequences end together: as when one token is generated "
     "after cached keys."},

    // Scale
    {"Scale/Divisor",
     "What each product q·k is divided by. The entries of q and k having variance 1, q·k has variance "
     "d_k; divided by √d_k, variance 1."},
    {"Scale/Number", "The divisor, freely chosen."},
    {"Scale/Temperature",
     "Divides the scores once more. Above 1 the weights become more alike, towards 0 the largest "
     "score takes all."},
    {"Scale/QK-norm",
     "Makes every query and key as long as 1, so that only directions count; then multiplies by a gain."},
    {"Scale/gain",
     "What the cosine of query and key is multiplied by: the scores lie between −gain and +gain."},
    {"Scale/Cap", "c·tanh(s/c): small scores stay as they are, large ones never go beyond ±c."},
    {"Scale/c", "No score is larger than this. Flat there, the curve stops the gradient, too."},
    {"Scale/ALiBi",
     "Subtracts slope·|i−j|: what is farther away counts for less. A sense of place without positions."},
    {"Scale/default slopes", "2^(−8h/H) for head h of H: the first heads look near, the last ones far."},
    {"Scale/Normaliser",
     "How a row of scores becomes shares. Softmax gives every key something; sparsemax and entmax "
     "give many exactly 0; sigmoid judges each key by itself."},
    {"Scale/Logit",
     "With a sink: the score of a key that is not there, which takes its share and passes nothing on. "
     "With sigmoid: added to every score."},

    // Saturation
    {"Saturation/rows", "Measures of every row of weights."},
    {"Saturation/Jacobian",
     "∂p/∂s of one row: how each weight answers to each score. For softmax diag(p) − p·pᵀ."},
    {"Saturation/scores", "How the scores are spread, beside what theory expects of independent entries."},
    {"Saturation/previous row", "The Jacobian of the row above."},
    {"Saturation/next row", "The Jacobian of the row below."},

    // Gradients
    {"Gradients/all", "The norm of every gradient, from the output back to the inputs."},
    {"Gradients/heads", "The norm of one gradient, head by head."},
    {"Gradients/rows", "The norm of one gradient, row by row: which token would learn?"},
    {"Gradients/edits", "How the norms have changed with your last edits."},
    {"Gradients/upstream", "Which gradient flows into the output: that of what loss?"},
    {"Gradients/dOut",
     "The gradient at the output. “Ones” is that of the sum of all outputs; a target t gives that of "
     "½‖out − t‖²."},
    {"Gradients/dW_Q", "The gradient of W_Q: Xᵀ·dQ, over all tokens."},
    {"Gradients/dW_K", "The gradient of W_K: Xᵀ·dK, over all tokens."},
    {"Gradients/dW_V", "The gradient of W_V: Xᵀ·dV, over all tokens."},
    {"Gradients/dW_O", "The gradient of W_O: the joined heads, transposed, times dOut."},
    {"Gradients/dY", "The gradient that reaches the other sequence, through keys and values."},
    {"dX/dX", "The gradient at the sequence that the queries come from."},
    {"dX/dY", "The gradient at the sequence that keys and values come from."},
    {"Gradients/row", "The row of the output whose gradient is looked at."},
    {"Gradients/column", "The column of the output whose gradient is looked at."},
    {"Gradients/value", "The number in this cell. Drag it, or double click to type."},
    {"Gradients/zeros", "A gradient of 0 everywhere: nothing flows back."},
    {"Gradients/fill with ones", "Every output counts alike."},
    {"Gradients/output as it is", "As a target: the loss is 0 now, and grows with every change."},

    // Lesson
    {"Lesson/begin", "Opens this lesson. Your own scene is put aside and comes back afterwards."},
    {"Lesson/search lessons",
     "Sheet, exercise, or words of the title: only lessons that have them are listed."},
    {"Lesson/Open a lesson file…",
     "A lesson of your own, as a JSON file. It is read again whenever the file changes."},
    {"Lesson/All lessons", "Back to the list. Your own scene and panels come back."},
    {"Lesson/step #", "Goes to this step, with its scene."},
    {"Lesson/Back", "The step before, with its scene. Page up does the same."},
    {"Lesson/Next", "The next step, with its scene. Page down does the same."},
    {"Lesson/Finish", "Ends the lesson: your own scene and panels come back."},
    {"Lesson/Go on with the lesson", "Shows the scene of this step again; your own is put aside."},
    {"Lesson/Close the lesson", "Your scene stays as it is."},
    {"Lesson/number #", "Your answer. A fraction such as 1/3 will do, and a comma for the point."},
    {"Lesson/row", "The row of the cell, counted as in the window. A click in the map fills it in."},
    {"Lesson/column", "The column of the cell, counted as in the window. A click in the map fills it in."},
    {"Lesson/option #", "Click to choose it; Check then says whether it is right."},
    {"Lesson/up #", "Moves this up by one place."},
    {"Lesson/down #", "Moves this down by one place."},
    {"Lesson/Check", "Holds your answer against what the engine computes."},
    {"Lesson/hint", "One hint at a time, from gentle to plain."},
    {"Lesson/Show the answer",
     "Shows the answer and how it is found. The question then does not count as solved."},
    {"Lesson/Paint it for me", "Puts the right mask into the scene."},
    {"Lesson/Hide these numbers in the maps",
     "Question marks stand for the numbers that are asked for, until you have answered."},
    {"Lesson/Cell before", "One cell back in the loops."},
    {"Lesson/Next cell", "One cell on in the loops; Explain shows its sum."},
    {"Lesson/A: with the mistake", "The maps show what comes out with the mistake."},
    {"Lesson/B: as it should be", "The maps show what comes out without it."},
    {"Lesson/B − A", "The maps show what the mistake changes."},

    // Status and slides
    {"Status/Got it", "Puts this hint away. Help › First hints brings all of them back."},
    {"Status/Lessons (F9)", "Exercises, step by step, with answers that are checked."},
    {"Status/Open picture", "Shows the picture with the desktop's own program."},
    {"Status/Open folder", "Shows the folder that the picture is in."},
    {"Status/Copy path", "Puts the picture's place on the clipboard."},
    {"//slide", "Presents this slide."},
};

}  // namespace

std::span<const TooltipText> panelTooltips() {
  return kTexts;
}

}  // namespace attn
