#include "app/help/tooltips.h"

namespace attn {
namespace {

constexpr TooltipText kTexts[] = {
    {"//New", "Leaves this scene and starts with the first one. Unsaved changes are asked about."},
    {"//Open…", "A scene file (.json) or NumPy arrays (.npz). A file dropped on the window does the same."},
    {"//Open recent", "Scenes that were opened or saved here before."},
    {"//Open example", "Scenes that come with the program, from an exercise by hand to a translation."},
    {"//Save", "Writes the scene into its file: all that you can change, nothing that is computed."},
    {"//Save as…", "Writes the scene into a file that you name."},
    {"//Save picture of the window", "A PNG as the window is, in your folder for pictures."},
    {"//Save picture at 2×", "Drawn anew with twice the pixels each way: crisp on paper."},
    {"//Save picture at 4×", "Drawn anew with four times the pixels each way: for posters."},
    {"//Undo", "Takes the last change back. One drag is one change."},
    {"//Redo", "Does again what was undone."},
    {"//Go to the numbers", "Puts the keyboard into the grid of Inputs: arrows move, digits type."},
    {"//Fill…", "Fills the selected matrix by a rule: noise, identity, orthonormal, uniform or one number."},
    {"//Another random draw", "The same rule with another seed: is what you see due to this draw?"},
    {"//Sentence…", "Type a sentence: every word becomes a token, which is a row of X, or of Q, K and V."},
    {"//Q, K, V as given", "Queries, keys and values are typed in directly, head by head."},
    {"//Projections of X", "Q = X·W_Q, K = X·W_K, V = X·W_V: what a layer of a transformer does."},
    {"//Cross-attention",
     "Queries come from X; keys and values from another sequence Y, as in a translation."},
    {"//Output projection W_O", "The outputs of all heads, side by side, times W_O."},
    {"//Bias on the scores", "A matrix that is added to the scores, one number for each pair."},
    {"//Next head", "The maps show one head at a time: shows the next one."},
    {"//Previous head", "The maps show one head at a time: shows the one before."},
    {"//Show the chosen head", "The maps show the head that is chosen in Heads."},
    {"//Show the average", "The maps show, for each pair, the average over all heads."},
    {"//Show the maximum", "The maps show, for each pair, the largest of all heads."},
    {"//Solo", "The chosen head alone, large. Again: all heads."},
    {"//Compare with another head", "Two heads beside each other; again for the next one."},
    {"//Difference of the two", "Weights of the one head minus those of the other: where do they disagree?"},
    {"//Add head", "One more head of the same shape, filled with noise."},
    {"//Causal mask", "A query sees only keys up to its own place: no token looks into the future."},
    {"//Backward maps", "Shows how the gradient flows back: dWeights, dScores, dQ, dK, dV and dX."},
    {"//Queries as columns", "Turns all maps: some books let a query be a column."},
    {"//Numbers in the cells", "Writes each number into its cell, where it has room."},
    {"//Weights by their logarithm", "Colours by log p: 0.001 and 0.0001 then look different."},
    {"//Weights of all heads", "The weights of every head side by side, all with the same colours."},
    {"//Show whole maps", "Ends every zoom."},
    {"//Theme of the desktop", "Light or dark, as the desktop is set."},
    {"//Default layout", "All panels back where they were at first."},
    {"//Show lessons",
     "Exercises, step by step, with answers that are checked. The first one takes eight minutes."},
    {"//Open lesson…", "A lesson of your own; it is read again whenever its file changes."},
    {"//Check the answer", "Says whether what is answered in the lesson is right."},
    {"//Another hint", "The next hint on the question of the lesson."},
    {"//Show the answer", "Reveals the answer to the question of the lesson, and how it is found."},
    {"//The step's own scene again", "Undoes whatever you changed at this step of the lesson."},
    {"//Back to my scene", "Leaves the lesson: the scene and the panels that you had before."},
    {"//Hide what is asked for", "Question marks in the maps for the numbers that a lesson asks for."},
    {"//Present", "The panels alone, large and in strong colours, for an audience. Esc leaves."},
    {"//Second window",
     "Opens what is presented on the other screen. This window keeps its panels, and shows what is "
     "hidden there."},
    {"//Next step", "What a clicker sends: the next slide, or the next step of what is being explained."},
    {"//Previous step", "One step back."},
    {"//Black screen", "Nothing to see: look at the lecturer."},
    {"//Spotlight", "All is dim but a disc around the pointer."},
    {"//Laser dot", "A red dot instead of the pointer."},
    {"//Hide values", "Question marks instead of computed numbers: what does the audience expect?"},
    {"//Hide their colours", "Hidden numbers lose their colours and bars, too."},
    {"//Reveal", "Shows the hidden number under the pointer; with none there, all of them."},
    {"//First hints", "What a newcomer is told at the bottom of the window, one thing at a time."},
    {"//Find anything…", "Type a few letters of a command, a panel or a scene; Enter does it."},
    {"//All commands and keys", "A page with all that can be done and its keys. It can be searched."},
};

}  // namespace

std::span<const TooltipText> commandTooltips() {
  return kTexts;
}

}  // namespace attn
